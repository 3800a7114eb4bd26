/**
 * Which of many choices are meant by what is typed, and how each is shown.
 */
import type { Choice } from "../../ports/terminal.js";
import { sanitizeLine } from "../output/sanitize.js";
import { widthOf } from "../output/wrap.js";

/** A choice as it stands in a list. */
export interface Option {
	value: string;
	/** What the list shows; the hint below it is a line of its own. */
	name: string;
	/** What stands as the answer once it is chosen. */
	short: string;
	description?: string;
}

/** The library's form of a choice. A hint, such as an id, that does not fit beside the label stands below it, whole. */
export function optionOf({ value, label, hint }: Choice, columns: number | undefined): Option {
	const shown = sanitizeLine(label);
	const beside = `${shown}  ${sanitizeLine(hint ?? "")}`.trimEnd();
	// Before each choice stands the pointer, two columns wide.
	const fits = widthOf(beside) + 2 <= (columns ?? 80);
	return { value, name: fits ? beside : `${shown}\n    ${sanitizeLine(hint ?? "")}`.trimEnd(), short: shown };
}

/**
 * The choices that a term may mean, the likeliest first.
 * @param other looks at what is typed, where that may be an answer too: then it stands behind them
 */
export function narrowed(
	choices: readonly Choice[],
	term: string | undefined,
	other: ((typed: string) => string | undefined) | undefined,
	option: (choice: Choice) => Option,
): Option[] {
	const wanted = fold((term ?? "").trim());
	const ranked = choices.map((choice) => ({ choice, rank: rankOf(choice, wanted) })).filter(({ rank }) => rank < 3);
	const found = ranked.sort((one, other) => one.rank - other.rank).map(({ choice }) => option(choice));
	const typed = term?.trim() ?? "";
	const known = choices.some(({ value }) => value === typed);
	if (!other || typed === "" || known) return found;
	const name = typed.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
	// The list shows words, so words are typed: they are sent as the service writes its names where only that is right.
	if (/^[A-Z]/.test(name) && other(typed) !== undefined && other(name) === undefined)
		return [...found, { value: name, name, description: `Not in the list: sent as ${name}`, short: name }];
	// The library tells why an answer was refused only where its name is what was typed, to the letter.
	return [
		...found,
		{ value: typed, name: sanitizeLine(term ?? ""), description: "Not in the list: taken as typed", short: sanitizeLine(typed) },
	];
}

/** 0: the value itself or the label's beginning; 1: the beginning of a word; 2: anywhere; 3: nowhere. */
function rankOf({ value, label, hint }: Choice, wanted: string): number {
	const name = fold(label);
	if (fold(value) === wanted || name.startsWith(wanted)) return 0;
	if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) || fold(value).startsWith(wanted)) return 1;
	return fold(`${value} ${label} ${hint ?? ""}`).includes(wanted) ? 2 : 3;
}

/** Without accents and capitals, so that "cote" finds "Côte d'Ivoire". */
export function fold(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
