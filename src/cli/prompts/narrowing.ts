/**
 * Which of many choices match what is typed, and how each is shown.
 */

import { sanitizeLine } from "../../api/text/sanitize.js";
import type { Choice } from "../../ports/terminal.js";
import { widthOf, wrapSentence } from "../output/wrap.js";

/** A choice as a list shows it. */
export interface Option {
	value: string;
	/** What the list shows; the hint below it is a line of its own. */
	name: string;
	/** Shown as the answer once it is chosen. */
	short: string;
	description?: string;
}

/**
 * A choice in the library's form, which would break a long line inside a word. A hint, such as an id, that does not fit beside the label goes
 * on a line below it; only one that is wider than the terminal, such as a command, ends with an ellipsis.
 * @param asked columns of the question's last line, behind which the answer stands
 */
export function optionOf({ value, label, hint = "" }: Choice, columns = 80, asked = 0): Option {
	const shown = sanitizeLine(label);
	const beside = `${shown}  ${sanitizeLine(hint)}`.trimEnd();
	// The pointer before each choice is two columns wide.
	const fits = widthOf(beside) + 2 <= columns;
	const name = fits ? beside : `${wrapSentence(shown, columns - 2, 2)}\n    ${cutTo(sanitizeLine(hint), columns - 5)}`.trimEnd();
	const short = asked + widthOf(shown) < columns ? shown : `\n  ${wrapSentence(shown, columns - 1, 2)}`;
	return { value, name, short };
}

const cutTo = (text: string, width: number): string => (widthOf(text) <= width ? text : `${text.slice(0, width - 3)}…`);

/**
 * The choices that match a term, the best match first.
 * @param other checks what is typed, where that may be an answer too: it is then the last option
 */
export function matchingOptions(
	choices: readonly Choice[],
	term: string | undefined,
	other: ((typed: string) => string | undefined) | undefined,
	option: (choice: Choice) => Option,
): Option[] {
	const wanted = foldCase((term ?? "").trim());
	const ranked = choices.map((choice) => ({ choice, rank: rankOf(choice, wanted) })).filter(({ rank }) => rank < 3);
	const matching = ranked.sort((one, other) => one.rank - other.rank).map(({ choice }) => option(choice));
	const typed = term?.trim() ?? "";
	const known = choices.some(({ value }) => value === typed);
	if (!other || typed === "" || known) return matching;
	const name = typed.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
	// The list shows words, so people type words; the service's spelling is offered where only that is valid.
	if (/^[A-Z]/.test(name) && other(typed) !== undefined && other(name) === undefined)
		return [...matching, { value: name, name, description: `Not in the list: sent as ${name}`, short: name }];
	// The library shows why an answer was refused only where the option's name is exactly what was typed.
	return [
		...matching,
		{ value: typed, name: sanitizeLine(term ?? ""), description: "Not in the list: used as typed", short: sanitizeLine(typed) },
	];
}

/** 0: the value itself or the label's beginning; 1: the beginning of a word; 2: anywhere; 3: nowhere. */
function rankOf({ value, label, hint }: Choice, wanted: string): number {
	const name = foldCase(label);
	if (foldCase(value) === wanted || name.startsWith(wanted)) return 0;
	if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) || foldCase(value).startsWith(wanted)) return 1;
	return foldCase(`${value} ${label} ${hint ?? ""}`).includes(wanted) ? 2 : 3;
}

/** Removes accents and capitals, so that "cote" finds "Côte d'Ivoire". */
export function foldCase(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
