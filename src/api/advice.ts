/**
 * Commands suggested to a person: written as they are typed, stored as data, and made text in one place, where values are quoted
 * and the profile is named. Ids of the service, paths and names are other people's text.
 */
import type { Advice, CommandWord, Failure, SuggestedCommand } from "../errors.js";
import type { TypedId } from "./answer.js";
import { type IdForms, type IdKind, isIdOf } from "./text/ids.js";

type Value = string | number | { readonly path: string } | TypedId;

/**
 * A command to type, without the program's name: purser`pay settle ${intent} --reason TEXT`. What is inserted stays within one word,
 * whatever it holds; a list is a word each, `{ path }` a file, `typed(id, kind)` an id, and undefined is left out.
 */
export function purser(
	texts: TemplateStringsArray,
	...inserted: readonly (Value | readonly Value[] | false | undefined)[]
): SuggestedCommand {
	const words: CommandWord[] = [];
	let goesOn = false;
	const write = (part: CommandWord): void => {
		const before = goesOn ? words.pop() : undefined;
		words.push(before === undefined ? part : { value: textOf(before) + textOf(part) });
		goesOn = true;
	};
	for (const [at, text] of texts.entries()) {
		for (const [nth, piece] of text.split(" ").entries()) {
			if (nth > 0) goesOn = false;
			if (piece !== "") write(piece);
		}
		const value = inserted[at];
		if (value === undefined || value === false) continue;
		if (typeof value !== "object" || "path" in value || "of" in value) write(wordOf(value));
		else
			for (const one of value) {
				goesOn = false;
				write(wordOf(one));
			}
	}
	return { words };
}

function wordOf(value: Value): CommandWord {
	if (typeof value !== "object") return { value: String(value) };
	return "path" in value ? { value: value.path, path: true } : { value: value.id, of: value.of };
}

const textOf = (word: CommandWord): string => (typeof word === "string" ? word : word.value);

/** The command with every id in it as a value, or as its kind in capitals where it has not the profile's form, or would be a flag. */
export function withIds(command: SuggestedCommand, ids: IdForms): SuggestedCommand {
	const words = command.words.map((word): CommandWord => {
		if (typeof word === "string" || word.of === undefined) return word;
		const { value, of } = word;
		if (isIdOf(of as IdKind, value, ids) && !value.startsWith("-")) return { value };
		return { value: of.toUpperCase() };
	});
	return { ...command, words };
}

/** Text in which commands stand: advice`Settle it first: ${purser`pay settle ${intent}`}`. */
export function advice(texts: TemplateStringsArray, ...inserted: readonly (Advice | number | undefined)[]): Advice {
	return texts.flatMap((text, at) => {
		const value = inserted[at];
		return [text, typeof value === "number" ? String(value) : (value ?? "")].filter((part) => part !== "");
	});
}

/** The profile that was given to a run. Its commands name it, because without it they would use another service and another journal. */
export interface NamedProfile {
	name: string;
	/** Of all commands, like `pay settle`: the flag goes behind the path. */
	paths: ReadonlySet<string>;
}

/** The text of an advice, its values as a shell reads them. @param ids the profile's forms of ids */
export function adviceText(text: Advice, profile?: NamedProfile, ids: IdForms = {}): string {
	if (typeof text === "string") return text;
	if (!("words" in text)) return text.map((part) => adviceText(part, profile, ids)).join("");
	const { words } = withIds(text, ids);
	const shown = words.map((word) => (typeof word === "string" ? word : word.path ? quotedPath(word.value) : quoted(word.value)));
	const behind = profile && pathLength(words.map(textOf), profile.paths);
	if (profile !== undefined && behind !== undefined) shown.splice(behind, 0, "--profile", quoted(profile.name));
	return ["purser", ...shown].join(" ");
}

/** A copy of one of our records for an answer, with the named members as text. */
export function shownIn<T extends object>(record: T, names: readonly (keyof T)[], shown: (advice: Advice) => string): T {
	const texts = names.flatMap((name) => (record[name] === undefined ? [] : [[name, shown(record[name] as Advice)]]));
	return { ...record, ...Object.fromEntries(texts) };
}

/** The failure of one of several things, in the answer that says what became of each. */
export function failureInAnswer(failure: Failure, shown?: (advice: Advice) => string): Failure<string> {
	return failureText({ ...failure, message: withoutClaim(failure.message) }, shown);
}

/** The failure with its commands as text. */
export function failureText(failure: Failure, shown: (advice: Advice) => string = adviceText): Failure<string> {
	return { ...failure, why: failure.why && shown(failure.why), fix: shown(failure.fix) };
}

/** The number of words after which the profile is inserted; undefined for a command that names a profile, is about one, uses none, or asks for help. */
function pathLength(words: readonly string[], paths: ReadonlySet<string>): number | undefined {
	if (
		/^(profile|demo|help|sandbox serve)( |$)/.test(words.slice(0, 2).join(" ")) ||
		words.some((word) => /^--(profile|help)(=|$)/.test(word))
	)
		return undefined;
	return [3, 2, 1].find((count) => paths.has(words.slice(0, count).join(" ")));
}

/** Words without a meaning to any shell. A word must not begin with "=", after which zsh looks for a program. */
const harmless = /^(?!=)[\p{L}\p{N}_@%+=:,./-]+$/u;

/** A word: in quotes where a shell would split it, run a part of it, or take it for a pattern or a home. */
export function quoted(word: string): string {
	return harmless.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A path, with `./` in front where it begins like a flag. A Windows path with a drive is quoted as the shells there read it. */
export function quotedPath(path: string): string {
	if (/^[A-Za-z]:\\[\p{L}\p{N}_.\\-]*$/u.test(path)) return path;
	return quoted(path.startsWith("-") && path !== "-" ? `./${path}` : path);
}

/**
 * "Nothing was sent" at the end of a message is about the request that the message is about. Where a run has changed something before, it
 * is left out: the run as a whole sent something.
 */
const claim =
	/(?:[;.,:]|,? so|,? and)? nothing (?:of it )?(?:was (?:confirmed or )?(?:sent|changed|created|requested|cancelled)|can have changed)(?! a second time)\b\.?/giu;

/** The text without the claim that nothing was sent or changed. Pure. */
export const withoutClaim = (text: string): string => text.replace(claim, "");

/** Whether the text says that nothing was sent or changed. Pure. */
export const claimsNothing = (text: string): boolean => text.search(claim) >= 0;
