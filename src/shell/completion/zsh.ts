import type { CompletedFlag, Model } from "./model.js";
import { sharedValues } from "./values.js";

/** Inside single quotes of zsh; a colon separates a word from what it means. */
const quoted = (text: string): string => `'${text.replace(/'/g, "'\\''")}'`;
const described = (word: string, text: string): string => quoted(`${word.replace(/:/g, "\\:")}:${text}`);

/** The completion script for zsh, as a function file or sourced. */
export function zsh(model: Model): string {
	const { lists, nameOf } = sharedValues(model);
	const flags = (list: readonly CompletedFlag[]): string => list.map((flag) => described(flag.name, flag.description)).join(" ");
	const value = (flag: CompletedFlag): string =>
		flag.ids
			? `_purser_ids ${flag.ids}`
			: flag.values
				? `compadd -- \${=_purser_${nameOf(flag.values)}}`
				: flag.file
					? "_files"
					: "_message value";
	const valued = [
		...new Set(
			[...model.global, ...model.commands.flatMap((command) => command.flags)].filter((flag) => flag.takesValue).map((flag) => flag.name),
		),
	];
	return `#compdef purser
# purser completion for zsh. Load it with: source <(purser completion zsh)
${lists.map(({ name, values }) => `typeset -g _purser_${name}="${values.join(" ")}"`).join("\n")}

_purser_ids() {
	local row
	local -a ids shown
	for row in "\${(@f)$(purser complete $1 "\${words[CURRENT]}" "\${(@)words[2,-1]}" 2>/dev/null)}"; do
		[[ -n $row ]] || continue
		ids+=("\${row%%$'\\t'*}")
		shown+=("\${row/$'\\t'/  }")
	done
	(( \${#ids} )) && compadd -U -l -d shown -a ids
}

_purser() {
	local at="" word skip="" i
	local -a valued known options
	valued=(${valued.join(" ")})
	known=(${[...model.words.keys(), ...model.commands.map((command) => command.path)].filter(Boolean).map(quoted).join(" ")})
	for ((i = 2; i < CURRENT; i++)); do
		word="\${words[i]}"
		if [[ -n $skip ]]; then skip=""; continue; fi
		if [[ $word == -* ]]; then
			(( \${valued[(Ie)$word]} )) && skip=1
			continue
		fi
		(( \${known[(Ie)\${at:+$at }$word]} )) && at="\${at:+$at }$word"
	done
	local prev="\${words[CURRENT-1]}" cur="\${words[CURRENT]}"
	if [[ $prev == --* ]] && (( \${valued[(Ie)$prev]} )); then
		case "$at:$prev" in
${[
	...model.commands.flatMap(({ path, flags: own }) =>
		own.filter((flag) => flag.takesValue).map((flag) => `\t\t(${quoted(`${path}:${flag.name}`)}) ${value(flag)} ;;`),
	),
	...model.global.filter((flag) => flag.takesValue).map((flag) => `\t\t(*:${flag.name}) ${value(flag)} ;;`),
].join("\n")}
		esac
		return
	fi
	if [[ $cur == -* ]]; then
		options=(${flags(model.global)})
		case "$at" in
${model.commands.map(({ path, flags: own }) => `\t\t(${quoted(path)}) options=(${flags(own)} $options) ;;`).join("\n")}
		esac
		_describe -o flag options
		return
	fi
	case "$at" in
${[...model.words].map(([prefix, next]) => `\t\t(${quoted(prefix)}) options=(${next.map(({ word, summary }) => described(word, summary)).join(" ")}) ;;`).join("\n")}
${model.commands
	.filter((command) => command.values)
	.map((command) => `\t\t(${quoted(command.path)}) compadd -- \${=_purser_${nameOf(command.values as string[])}}; return ;;`)
	.join("\n")}
${model.commands
	.filter((command) => command.ids)
	.map((command) => `\t\t(${quoted(command.path)}) _purser_ids ${command.ids}; return ;;`)
	.join("\n")}
${model.commands
	.filter((command) => command.file)
	.map((command) => `\t\t(${quoted(command.path)}) _files; return ;;`)
	.join("\n")}
	esac
	(( \${#options} )) && _describe command options
}

if [[ \${funcstack[1]} == _purser ]]; then
	_purser "$@"
else
	compdef _purser purser
fi
`;
}
