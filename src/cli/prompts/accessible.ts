/**
 * Which of many choices match what is typed, and how each is shown; and questions for screen readers, which read line by line (ACCESSIBLE). Each is written once and answered by a line, which the terminal itself
 * takes, with its own echo and editing, so nothing that was written is drawn again; of a list a number is typed.
 */
import { sanitizeLine } from "../../api/text/sanitize.js";
import type { Choice, Prompts } from "../../ports/terminal.js";
import { widthOf, wrapSentence } from "../output/wrap.js";

/** Asks until an answer passes. @returns undefined after too many tries */
export async function askPlainly(
	question: { message: string; fallback?: string; check?: (answer: string) => string | undefined; tries: number },
	{ line, write, columns }: { line(asked: string): Promise<string>; write(text: string): void; columns: number },
): Promise<string | undefined> {
	const { message, fallback, check, tries } = question;
	for (let tried = 0; tried < tries; tried += 1) {
		const asked = `${message}${fallback === undefined ? "" : ` (${fallback})`}:`;
		// Behind a long question the answer would be broken by the terminal.
		const isLong = widthOf(asked.split("\n").at(-1) as string) > columns / 2;
		const typed = (await line(isLong ? `${asked}\n` : `${asked} `)).trim();
		const answer = typed === "" && fallback !== undefined ? fallback : typed;
		const fault = check?.(answer);
		if (fault === undefined) return answer;
		write(`${fault.charAt(0).toUpperCase()}${fault.slice(1)}\n`);
	}
	return undefined;
}

/**
 * One line from a terminal that edits lines itself; further lines stay there for the next question.
 * @param on.ask writes the question, once the terminal takes lines
 * @throws whatever `on.ended` makes, where the signal or the end of the input comes first
 */
export function readTerminalLine(input: NodeJS.ReadStream, signal: AbortSignal, on: { ask(): void; ended(): unknown }): Promise<string> {
	return new Promise((resolve, reject) => {
		const stop = (): void => finish(() => reject(on.ended()));
		const take = (part: Buffer | string): void => finish(() => resolve(part.toString().replace(/[\r\n]+$/, "")));
		const finish = (settle: () => void): void => {
			input.off("data", take).off("end", stop).off("close", stop).pause();
			signal.removeEventListener("abort", stop);
			settle();
		};
		if (signal.aborted) return stop();
		// A question before may have taken single keys, and a Ctrl-C among those would stop nothing.
		input.setRawMode?.(false);
		signal.addEventListener("abort", stop, { once: true });
		input.on("data", take).on("end", stop).on("close", stop).resume();
		on.ask();
	});
}

/** A longer list is not shown: a part of the name is asked for first. */
const maxListed = 20;

interface NumberedList {
	text: Prompts["text"];
	option: (choice: Choice) => Option;
	show: (lines: string) => void;
	/** Maximum number of answers. */
	tries: number;
}

/**
 * Asks for one of the choices by its number, its name or a part of its name; a part lists the matches and asks again.
 * @returns the value; undefined after too many tries
 */
export async function chooseByNumber(
	{ message, choices, fallback }: Parameters<Prompts["choose"]>[0],
	{ text, option, show, tries }: NumberedList,
): Promise<string | undefined> {
	let listed = choices.length <= maxListed ? choices.map(option) : [];
	// A name that two choices share selects neither: both are listed.
	const byName = (typed: string): Choice | undefined => {
		const [named, ...more] = choices.filter(({ label }) => foldCase(label) === foldCase(typed));
		return choices.find(({ value }) => value === typed) ?? (more.length === 0 ? named : undefined);
	};
	// While numbers are listed, digits are a number and never a part of an id.
	const matchesOf = (typed: string): Option[] =>
		typed === "" || (listed.length > 0 && /^\d+$/.test(typed)) ? [] : matchingOptions(choices, typed, option);
	for (let tried = 0; tried < tries; tried++) {
		show(listed.map(({ name }, at) => `${at + 1}. ${name}\n`).join(""));
		const typed = await text({
			message: `${message} (${listed.length > 0 ? `1 to ${listed.length}, or ` : ""}a part of the name)`,
			fallback: choices.find(({ value }) => value === fallback)?.label,
			check: (answer) => {
				if (listed[Number(answer) - 1] !== undefined || byName(answer) !== undefined || matchesOf(answer).length > 0) return undefined;
				return answer === "" ? "choose one" : "nothing in the list has this name";
			},
		});
		const chosen = listed[Number(typed) - 1] ?? byName(typed);
		if (chosen !== undefined) return chosen.value;
		listed = matchesOf(typed).slice(0, maxListed);
	}
	return undefined;
}

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
