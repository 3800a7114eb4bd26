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

/** A value in quotes of either kind, passed over as it is, or a command with up to three words of its path, or what begins like one. */
const pieces = /(?<![^\s=])'[^']*'(?:\\''[^']*')*|(?<![^\s=(])"(?:[^"\\]|\\.)*"|(?<![\w/.-])purser ([a-z][a-z-]*(?: [a-z][a-z-]*){0,2})/g;

/** Where a command ends that stands in a sentence. */
const end = /\n|`|[.,;?](?: |$)| \(|(?<![\w/.-])purser /;

/**
 * A text in which every command that is shown names the profile, behind the words of its path: typed without it, it would ask another
 * service, or pay from another journal. One that names a profile, is about a profile named there (`profile …`) or asks for help stays as it is.
 * @param paths every command's, like `pay settle`: only what is one is a command, and "another purser" is none
 */
export function withProfile(text: string, profile: string, paths: ReadonlySet<string>): string {
	return text.replace(pieces, (piece: string, words: string | undefined, at: number) => {
		const path = words === undefined ? undefined : pathOf(words, paths);
		if (path === undefined || path.startsWith("profile ")) return piece;
		const command = `purser ${path}`;
		const rest = text.slice(at + command.length);
		if (/(?<![\w-])--(?:profile|help)(?![\w-])/.test(rest.split(end, 1)[0] ?? "")) return piece;
		return `${command} --profile ${quoted(profile)}${piece.slice(command.length)}`;
	});
}

/** A record of ours for an answer, with {@link withProfile} done in what it names of texts. */
export function shownIn<T extends object>(record: T, names: readonly (keyof T)[], shown: (text: string) => string): T {
	const texts = names.flatMap((name) => (typeof record[name] === "string" ? [[name, shown(record[name])]] : []));
	return { ...record, ...Object.fromEntries(texts) };
}

function pathOf(words: string, paths: ReadonlySet<string>): string | undefined {
	for (let path = words; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf(" ")))) if (paths.has(path)) return path;
	return undefined;
}
