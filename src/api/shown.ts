/**
 * How a value stands in a command that is shown to be typed: whoever copies it into a shell must run that command, with that value.
 * Ids of the service, paths and names are other people's text.
 */

/** Signs that no shell takes for anything else, the first one apart: zsh looks for a program behind a "=". */
const harmless = /^(?!=)[\p{L}\p{N}_@%+=:,./-]+$/u;

/** A word: in quotes where a shell would split it, run a part of it, or take it for a pattern or a home. */
export function quoted(word: string): string {
	return harmless.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A path; one that begins like a flag is led by its folder. One of Windows with its drive stands as the shells there read it. */
export function quotedPath(path: string): string {
	if (/^[A-Za-z]:\\[\p{L}\p{N}_.\\-]*$/u.test(path)) return path;
	return quoted(path.startsWith("-") && path !== "-" ? `./${path}` : path);
}
