/**
 * The completion scripts. Each passes the words up to the cursor to `purser complete` and shows the answer (`complete.ts`). The answer
 * `:files` stands for the shell's own completion of paths.
 */
const scripts = {
	bash: `# purser completion for bash 3.2 and later. Load it with: source <(purser completion bash)
_purser() {
	# Bash cuts words at "=" and ":" too, so the line is cut at blanks here; the x keeps an empty last word.
	local words last word value typed before
	read -d '' -ra words <<<"\${COMP_LINE:0:COMP_POINT}x"
	last=$((\${#words[@]} - 1))
	word="\${words[last]%x}"
	words[last]="$word"
	typed="\${word##*["$COMP_WORDBREAKS"]}"
	before="\${word%"$typed"}"
	COMPREPLY=()
	while IFS=$'\\t' read -r value _; do
		if [[ $value == :files ]]; then
			compopt -o filenames 2>/dev/null
			while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$typed")
			return
		fi
		COMPREPLY+=("\${value#"$before"}")
	done < <(purser complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _purser purser
`,
	zsh: `#compdef purser
# purser completion for zsh. Load it with: source <(purser completion zsh)
_purser() {
	local row description
	local -a rows offered
	rows=("\${(@f)$(purser complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ $rows[1] == :files ]]; then
		compset -P '--*='
		_files
		return
	fi
	for row in $rows; do
		# A colon separates a word from its description.
		description="\${row#*$'\\t'}"
		offered+=("\${\${row%%$'\\t'*}//:/\\\\:}\${description:+:$description}")
	done
	# What fits is chosen by purser: an id also by a part of its name (-U).
	(( \${#offered} )) && _describe purser offered -U
}

if [[ \${funcstack[1]} == _purser ]]; then
	_purser "$@"
else
	compdef _purser purser
fi
`,
	fish: `# purser completion for fish. Load it with: purser completion fish | source
function __purser_complete
	set -l word (commandline -ct)
	set -l rows (purser complete -- (commandline -opc)[2..-1] "$word" 2>/dev/null)
	if test "$rows[1]" = ":files"
		set -l flag (string match -r -- '^--[^=]*=' $word)
		for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $word))
			echo "$flag$path"
		end
	else if test (count $rows) -gt 0
		printf '%s\\n' $rows
	end
end

complete -c purser -f -a '(__purser_complete)'
`,
	powershell: `# purser completion for PowerShell 5.1 and 7. Load it with: purser completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName purser -ScriptBlock {
	param($wordToComplete, $commandAst, $cursorPosition)
	$words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
	# PowerShell 5 drops an empty argument.
	$typed = if ($wordToComplete -eq '') { '""' } else { $wordToComplete }
	purser complete '--' @words $typed 2>$null | ForEach-Object {
		$value, $description = $_ -split "\`t", 2
		# Without an answer PowerShell offers files by itself.
		if ($value -eq ':files') { return }
		[System.Management.Automation.CompletionResult]::new($value, $(if ($description -and -not $value.StartsWith('-')) { "$value $description" } else { $value }), 'ParameterValue', "$description ")
	}
}
`,
} as const;

export type Shell = keyof typeof scripts;
export const shells = Object.keys(scripts) as [Shell, ...Shell[]];

/** The completion script for a shell. */
export const completionScript = (shell: Shell): string => scripts[shell];
