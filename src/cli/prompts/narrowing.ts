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
}

/**
 * A choice in the library's form, which would break a long line inside a word. A hint, such as an id, that does not fit beside the label goes
 * on a line below it; only one that is wider than the terminal, such as a command, ends with an ellipsis.
 * @param asked columns of the question's last line, behind which the answer stands
 */
export function optionOf({ value, label, hint = "" }: Choice, columns = 80, asked = 0): Option {
	const shown = sanitizeLine(label);
	const line = `${shown}  ${sanitizeLine(hint)}`.trimEnd();
	// The pointer before each choice is two columns wide.
	const fits = widthOf(line) + 2 <= columns;
	const name = fits ? line : `${wrapSentence(shown, columns - 2, 2)}\n    ${cutTo(sanitizeLine(hint), columns - 5)}`.trimEnd();
	const short = asked + widthOf(shown) < columns ? shown : `\n  ${wrapSentence(shown, columns - 1, 2)}`;
	return { value, name, short };
}

const cutTo = (text: string, width: number): string => (widthOf(text) <= width ? text : `${text.slice(0, width - 3)}…`);

/** The choice that asks for a value outside the list; it is offered last, whatever is typed. */
export const another = "\u0000another";

/** The choices that match a term, the best match first. */
export function matchingOptions(choices: readonly Choice[], term: string, option: (choice: Choice) => Option): Option[] {
	const wanted = foldCase(term.trim());
	const ranked = choices.map((choice) => ({ choice, rank: choice.value === another ? 4 : rankOf(choice, wanted) }));
	const matching = ranked.filter(({ rank }) => rank !== 3).sort((one, other) => one.rank - other.rank);
	return matching.map(({ choice }) => option(choice));
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
