# purser completion for fish. Load it with: purser completion fish | source
function __purser_complete
	set -l word (commandline -ct)
	set -l rows (purser complete -- (commandline -opc)[2..-1] "$word" 2>/dev/null)
	if test "$rows[1]" = ":files"
		set -l flag (string match -r -- '^--[^=]*=' $word)
		for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $word))
			echo "$flag$path"
		end
	else if test (count $rows) -gt 0
		printf '%s\n' $rows
	end
end

complete -c purser -f -a '(__purser_complete)'
