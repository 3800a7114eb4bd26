import type { CompletedFlag, Model } from "./model.js";
import { sharedValues } from "./values.js";

const quoted = (text: string): string => `'${text.replace(/\\/g, "\\\\").replace(/'/g, "\\'")}'`;

/** The completion script for fish 3. */
export function fish(model: Model): string {
	const { lists, nameOf } = sharedValues(model);
	const valued = [
		...new Set(
			[...model.global, ...model.commands.flatMap((command) => command.flags)].filter((flag) => flag.takesValue).map((flag) => flag.name),
		),
	];
	const flag = (condition: string, one: CompletedFlag): string =>
		[
			"complete -c purser",
			condition,
			`-l ${one.name.slice(2)}`,
			one.takesValue ? (one.file ? "-r -F" : "-x") : "",
			one.ids ? `-a "(__purser_ids ${one.ids})"` : "",
			one.values ? `-a "$_purser_${nameOf(one.values)}"` : "",
			`-d ${quoted(one.description)}`,
		]
			.filter(Boolean)
			.join(" ");
	const at = (path: string): string => `-n ${quoted(`__purser_at ${quoted(path)}`)}`;
	return `# purser completion for fish. Load it with: purser completion fish | source
${lists.map(({ name, values }) => `set -g _purser_${name} ${values.join(" ")}`).join("\n")}

function __purser_at
	set -l valued ${valued.join(" ")}
	set -l known ${[...model.words.keys(), ...model.commands.map((command) => command.path)].filter(Boolean).map(quoted).join(" ")}
	set -l at ""
	set -l skip ""
	for word in (commandline -opc)[2..-1]
		if test -n "$skip"
			set skip ""
			continue
		end
		if string match -q -- '-*' $word
			contains -- $word $valued; and set skip 1
			continue
		end
		set -l candidate (string trim -- "$at $word")
		contains -- $candidate $known; and set at $candidate
	end
	test "$at" = "$argv[1]"
end

function __purser_ids
	purser complete $argv[1] (commandline -ct) (commandline -opc)[2..-1] 2>/dev/null
end

complete -c purser -f
${[...model.words].flatMap(([prefix, next]) => next.map(({ word, summary }) => `complete -c purser ${at(prefix)} -a ${word} -d ${quoted(summary)}`)).join("\n")}
${model.global.map((one) => flag("", one)).join("\n")}
${model.commands.flatMap((command) => command.flags.map((one) => flag(at(command.path), one))).join("\n")}
${model.commands
	.filter((command) => command.values)
	.map((command) => `complete -c purser ${at(command.path)} -a "$_purser_${nameOf(command.values as string[])}"`)
	.join("\n")}
${model.commands
	.filter((command) => command.ids)
	.map((command) => `complete -c purser ${at(command.path)} -a "(__purser_ids ${command.ids})"`)
	.join("\n")}
${model.commands
	.filter((command) => command.file)
	.map((command) => `complete -c purser ${at(command.path)} -F`)
	.join("\n")}
`;
}
