# purser completion for bash 3.2 and later. Load it with: source <(purser completion bash)
_purser() {
	# Bash cuts words at "=" and ":" too, so the line is cut at blanks here; the x keeps an empty last word.
	local words last word value typed before
	read -d '' -ra words <<<"${COMP_LINE:0:COMP_POINT}x"
	last=$((${#words[@]} - 1))
	word="${words[last]%x}"
	words[last]="$word"
	typed="${word##*["$COMP_WORDBREAKS"]}"
	before="${word%"$typed"}"
	COMPREPLY=()
	while IFS=$'\t' read -r value _; do
		if [[ $value == :files ]]; then
			compopt -o filenames 2>/dev/null
			while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$typed")
			return
		fi
		COMPREPLY+=("${value#"$before"}")
	done < <(purser complete -- "${words[@]:1}" 2>/dev/null)
}
complete -F _purser purser
