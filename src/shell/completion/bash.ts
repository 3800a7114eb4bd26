import type { CompletedFlag, Model } from "./model.js";
import { sharedValues } from "./values.js";

/** The completion script for bash 3.2 and later; needs no bash-completion package. */
export function bash(model: Model): string {
	const { lists, nameOf } = sharedValues(model);
	const valued = [
		...new Set(
			[...model.global, ...model.commands.flatMap((command) => command.flags)].filter((flag) => flag.takesValue).map((flag) => flag.name),
		),
	];
	const value = (flag: CompletedFlag): string =>
		flag.ids ? `ids=${flag.ids}` : flag.values ? `words="$${`_purser_${nameOf(flag.values)}`}"` : flag.file ? "files=1" : "words=";
	const flagCases = model.commands.flatMap(({ path, flags }) =>
		flags.filter((flag) => flag.takesValue).map((flag) => `\t\t"${path}:${flag.name}") ${value(flag)} ;;`),
	);
	const globalCases = model.global.filter((flag) => flag.takesValue).map((flag) => `\t\t*":${flag.name}") ${value(flag)} ;;`);
	return `# purser completion for bash. Load it with: source <(purser completion bash)
${lists.map(({ name, values }) => `_purser_${name}="${values.join(" ")}"`).join("\n")}

_purser() {
	local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
	local at="" word skip="" i words="" files="" ids="" IFS
	local valued=" ${valued.join(" ")} "
	local known="|${[...model.words.keys(), ...model.commands.map((command) => command.path)].filter(Boolean).join("|")}|"
	for ((i = 1; i < COMP_CWORD; i++)); do
		word="\${COMP_WORDS[i]}"
		if [[ -n $skip ]]; then skip=""; continue; fi
		if [[ $word == -* ]]; then
			[[ $valued == *" $word "* ]] && skip=1
			continue
		fi
		[[ $known == *"|\${at:+$at }$word|"* ]] && at="\${at:+$at }$word"
	done
	if [[ $prev == --* && $valued == *" $prev "* ]]; then
		case "$at:$prev" in
${[...flagCases, ...globalCases].join("\n")}
		esac
	elif [[ $cur == -* ]]; then
		case "$at" in
${model.commands.map(({ path, flags }) => `\t\t"${path}") words="${flags.map((flag) => flag.name).join(" ")}" ;;`).join("\n")}
		esac
		words="$words ${model.global.map((flag) => flag.name).join(" ")}"
	else
		case "$at" in
${[...model.words].map(([prefix, next]) => `\t\t"${prefix}") words="${next.map(({ word }) => word).join(" ")}" ;;`).join("\n")}
${model.commands
	.filter((command) => command.values)
	.map((command) => `\t\t"${command.path}") words="$_purser_${nameOf(command.values as string[])}" ;;`)
	.join("\n")}
${model.commands
	.filter((command) => command.ids)
	.map((command) => `\t\t"${command.path}") ids=${command.ids} ;;`)
	.join("\n")}
${model.commands
	.filter((command) => command.file)
	.map((command) => `\t\t"${command.path}") files=1 ;;`)
	.join("\n")}
		esac
	fi
	if [[ -n $ids ]]; then
		IFS=$'\\n'
		COMPREPLY=($(purser complete "$ids" "$cur" "\${COMP_WORDS[@]:1}" 2>/dev/null | cut -f1))
	elif [[ -n $files ]]; then
		IFS=$'\\n'
		compopt -o filenames 2>/dev/null
		COMPREPLY=($(compgen -f -- "$cur"))
	else
		COMPREPLY=($(compgen -W "$words" -- "$cur"))
	fi
}
complete -F _purser purser
`;
}
