import type { Model } from "./model.js";
import { sharedValues } from "./values.js";

const quoted = (text: string): string => `'${text.replace(/'/g, "''")}'`;

/** The completion script for PowerShell 5.1 and 7. */
export function powershell(model: Model): string {
	const { lists, nameOf } = sharedValues(model);
	const list = (words: readonly string[]): string => `@(${words.map(quoted).join(", ")})`;
	const valued = [
		...new Set(
			[...model.global, ...model.commands.flatMap((command) => command.flags)].filter((flag) => flag.takesValue).map((flag) => flag.name),
		),
	];
	const values = [
		...model.commands.flatMap(({ path, flags }) =>
			flags.filter((flag) => flag.values).map((flag) => `\t\t${quoted(`${path}:${flag.name}`)} = '${nameOf(flag.values as string[])}'`),
		),
		...model.global.filter((flag) => flag.values).map((flag) => `\t\t${quoted(flag.name)} = '${nameOf(flag.values as string[])}'`),
		...model.commands
			.filter((command) => command.values)
			.map((command) => `\t\t${quoted(`${command.path}:`)} = '${nameOf(command.values as string[])}'`),
	];
	const ids = [
		...model.commands.flatMap(({ path, flags }) =>
			flags.filter((flag) => flag.ids).map((flag) => `\t\t${quoted(`${path}:${flag.name}`)} = '${flag.ids}'`),
		),
		...model.global.filter((flag) => flag.ids).map((flag) => `\t\t${quoted(flag.name)} = '${flag.ids}'`),
		...model.commands.filter((command) => command.ids).map((command) => `\t\t${quoted(`${command.path}:`)} = '${command.ids}'`),
	];
	return `# purser completion for PowerShell. Load it with: purser completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName purser -ScriptBlock {
	param($wordToComplete, $commandAst, $cursorPosition)
	$lists = @{
${lists.map(({ name, values: words }) => `\t\t'${name}' = ${list(words)}`).join("\n")}
	}
	$next = @{
${[...model.words].map(([prefix, next]) => `\t\t${quoted(prefix)} = ${list(next.map(({ word }) => word))}`).join("\n")}
	}
	$flags = @{
${model.commands.map(({ path, flags }) => `\t\t${quoted(path)} = ${list(flags.map((flag) => flag.name))}`).join("\n")}
	}
	$values = @{
${values.join("\n")}
	}
	$ids = @{
${ids.join("\n")}
	}
	$valued = ${list(valued)}
	$global = ${list(model.global.map((flag) => flag.name))}
	$elements = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition -or $_.Extent.Text -ne $wordToComplete } | ForEach-Object { $_.Extent.Text } | Select-Object -Skip 1)
	$at = ''
	$skip = $false
	$last = ''
	foreach ($element in $elements) {
		$last = $element
		if ($skip) { $skip = $false; continue }
		if ($element.StartsWith('-')) { $skip = $valued -contains $element; continue }
		$candidate = ("$at $element").Trim()
		if ($next.ContainsKey($candidate) -or $flags.ContainsKey($candidate)) { $at = $candidate }
	}
	$asked = if ($skip) { if ($ids.ContainsKey("\${at}:$last")) { "\${at}:$last" } else { $last } } else { "\${at}:" }
	if ($ids.ContainsKey($asked) -and -not ($wordToComplete.StartsWith('-'))) {
		$typed = if ($wordToComplete -eq '') { '""' } else { $wordToComplete }
		purser complete $ids[$asked] $typed @elements 2>$null | ForEach-Object {
			$id, $name = $_ -split "\`t", 2
			[System.Management.Automation.CompletionResult]::new($id, "$id $name", 'ParameterValue', "$name ")
		}
		return
	}
	if ($skip) {
		$key = if ($values.ContainsKey("\${at}:$last")) { "\${at}:$last" } else { $last }
		$words = if ($values.ContainsKey($key)) { $lists[$values[$key]] } else { @() }
	} elseif ($wordToComplete.StartsWith('-')) {
		$words = @($flags[$at]) + $global
	} elseif ($next.ContainsKey($at)) {
		$words = $next[$at]
	} elseif ($values.ContainsKey("\${at}:")) {
		$words = $lists[$values["\${at}:"]]
	} else {
		$words = @()
	}
	$words | Where-Object { $_ -and $_.StartsWith($wordToComplete) } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}
