/**
 * The same questions without a terminal: each has a key and its answers as words, so that a script can give them beforehand. Pure.
 */
import { advice, purser } from "../../api/advice.js";
import { catalog } from "../../api/operations/catalog.js";
import { type Fault, PurserError } from "../../errors.js";
import type { Imports } from "../import.js";
import { openDetails } from "./details.js";
import { type Detail, type Draft, nothing } from "./draft.js";

/** Answers by the keys of their questions. */
export type Given = ReadonlyMap<string, string>;

/** Keys that some document may ask for. One of them that is not asked here answers nothing; any other is a mistake. */
const keyForms = /^(amounts|currency|reference|first-page|page-size|ids|(amounts|dates):[a-z]+|(place|amount|constant):[A-Za-z.]+:.+)$/;

/**
 * `KEY=ANSWER`, read. A key may hold no `=`, and an answer may.
 * @throws PurserError usage, with every one that has another form, is given twice, or whose key no import asks for
 */
export function givenAnswers(texts: readonly string[]): Given {
	const given = new Map<string, string>();
	const faults = texts.flatMap((text): Fault[] => {
		const [, key, answer] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
		if (key === undefined || answer === undefined) return [{ field: "answer", message: `${JSON.stringify(text)} must be KEY=ANSWER` }];
		if (given.has(key)) return [{ field: "answer", message: `${key} is given twice` }];
		given.set(key, answer);
		if (keyForms.test(key) || catalog.some(({ id }) => id === key)) return [];
		return [{ field: "answer", message: `${JSON.stringify(key)} is the key of no question` }];
	});
	if (faults.length > 0) throw invalid(faults);
	return given;
}

/** What answers made of a draft. */
export interface Settled {
	draft: Draft;
	/** What is still open, without what is part of another open question. */
	open: readonly Detail[];
}

/**
 * @param done keys of questions that were answered before; those that are answered here are added
 * @throws PurserError usage, with every answer that is none of its question's
 */
export function settledBy(given: Given, start: Draft, imports: Imports, done = new Set<string>()): Settled {
	const faults: Fault[] = [];
	let draft = start;
	for (;;) {
		const all = openDetails(draft, imports, done);
		const next = all.find(({ key }) => given.has(key));
		if (next === undefined) {
			if (faults.length > 0) throw invalid(faults);
			return { draft, open: all.filter(({ within }) => !all.some(({ key }) => key === within)) };
		}
		done.add(next.key);
		const answer = given.get(next.key) as string;
		const value = pickedValue(next, answer);
		if (value === undefined) faults.push({ ...questionOf(next), message: `${JSON.stringify(answer)} ${refusalOf(next, answer)}` });
		else draft = next.after(value);
	}
}

/** What a script is told of an open question: its key, the question with its answers in words, and the answers alone. */
export function questionOf(detail: Detail): Fault & { answers: readonly string[] } {
	const { key, above, message, typed } = detail;
	const told = fixedAnswers(detail).map(({ word, label, hint }) => {
		const more = [...(word.includes(label) ? [] : [label]), ...(hint === undefined || hint === "" ? [] : [hint])];
		return more.length === 0 ? word : `${word} (${more.join("; ")})`;
	});
	const other = typed === undefined ? [] : [`a text (${typed.message})`];
	const text = [...above.map((line) => line.replace(/^- /, "")), message, `Answers: ${[...told, ...other].join(", ")}`].join(" ");
	return { field: key, message: text, answers: wordsOf(detail), ...(typed === undefined ? {} : { other: typed.message }) };
}

const wordsOf = (detail: Detail): string[] => fixedAnswers(detail).map(({ word }) => word);

/** The answers of a list, each with its word; the choice that leads to a text is none. */
function fixedAnswers({
	choices,
	typed,
	nothing: leaving = "none",
}: Detail): { word: string; value: string; label: string; hint?: string }[] {
	// A closed list of the service may have a value of that name.
	const word = [leaving, "nothing", "leave-out"].find((one) => !choices.some(({ value }) => value === one)) ?? leaving;
	return choices
		.filter(({ value }) => value !== typed?.value)
		.map(({ value, label, hint }) => ({ word: value === nothing ? word : value, value, label, hint }));
}

function pickedValue(detail: Detail, answer: string): string | undefined {
	const fixed = fixedAnswers(detail).find(({ word }) => word === answer);
	if (fixed !== undefined) return fixed.value;
	return detail.typed !== undefined && detail.typed.check(answer) === undefined ? answer : undefined;
}

function refusalOf(detail: Detail, answer: string): string {
	const wrong = detail.typed?.check(answer);
	const words = wordsOf(detail).join(", ");
	return wrong === undefined ? `is none of the answers: ${words}` : `${wrong}, nor one of the answers: ${words}`;
}

function invalid(details: Fault[]): PurserError {
	return new PurserError("usage", {
		code: "ANSWER_INVALID",
		message: "An answer does not fit; nothing was stored",
		fix: advice`See the open questions, each with its key and its answers: ${purser`api import FILE --dry-run --json`}`,
		details,
	});
}
