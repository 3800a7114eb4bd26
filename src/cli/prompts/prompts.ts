/**
 * Prompts for a person, on standard error, so that standard output stays the answer. A screen reader reads line by line, so with ACCESSIBLE
 * each question is written once and answered by a line, which the terminal itself takes, with its own echo and editing: nothing that was
 * written is drawn again, and of a list a number is typed.
 */
import inquirer from "inquirer";
import { sanitizeLine } from "../../api/text/sanitize.js";
import { PurserError } from "../../errors.js";
import type { Choice, Prompts } from "../../ports/terminal.js";
import { isSet } from "../input/options.js";
import { widthOf, wrapSentence } from "../output/wrap.js";

type Stop = (why?: PurserError) => void;

const maxTries = 10;

/**
 * Prompts that read and write the streams given.
 * @param signal ends a prompt that is open
 * @param env ACCESSIBLE: lists are written once, with numbers to type
 */
export function makePrompts(
	input: NodeJS.ReadStream,
	output: NodeJS.WriteStream,
	signal: AbortSignal,
	env: { readonly ACCESSIBLE?: string },
): Prompts {
	const accessible = isSet(env.ACCESSIBLE);
	const lineOf = (message: string): string => questionOf(message, output.columns);
	const plainLine = (asked: string) => readTerminalLine(input, signal, { ask: () => void output.write(asked), ended: stoppedHere });
	// The terminal shows "^C" behind the question.
	const stoppedHere = (): PurserError => {
		output.write("\n");
		return interrupted();
	};
	async function ask<T>(question: (stop: Stop) => Record<string, unknown>): Promise<T> {
		const stopping = new AbortController();
		const stop: Stop = (why) => stopping.abort(why);
		const unwatch = watchEnd(input, () => stop());
		const module = inquirer.createPromptModule({ input, output, signal: AbortSignal.any([signal, stopping.signal]) } as never);
		try {
			const answers = (await module([{ ...question(stop), name: "answer" } as never])) as { answer: T };
			return answers.answer;
		} catch (cause) {
			const why: unknown = stopping.signal.reason;
			throw why instanceof PurserError ? why : interrupted(cause);
		} finally {
			unwatch();
		}
	}

	const validate = (stop: Stop, check?: (answer: string) => string | undefined) => {
		let tried = 0;
		return (answer: string): true | string => {
			const fault = check?.(answer);
			if (fault === undefined) return true;
			tried += 1;
			// Thrown here it would be lost: the prompt does not await its own check.
			if (tried >= maxTries) stop(tooManyTries());
			return wrapSentence(fault.charAt(0).toUpperCase() + fault.slice(1), output.columns, 2);
		};
	};

	// Pasted text often has blanks around it, and no valid answer begins or ends with one.
	const text: Prompts["text"] = async ({ message, check, fallback }) => {
		if (accessible) return askPlainly({ message: lineOf(message), fallback, check }, plainLine, (told) => void output.write(told));
		const typed = await ask<string>((stop) => ({
			type: "input",
			message: lineOf(message),
			default: fallback,
			validate: validate(stop, check && ((typed) => check(typed.trim()))),
		}));
		return typed.trim();
	};

	async function yesOrNo(message: string, fallback: boolean): Promise<boolean> {
		if (!accessible) return ask<boolean>(() => ({ type: "confirm", message: lineOf(message), default: fallback }));
		const meant = (answer: string): boolean | undefined => {
			const [yes, no] = ["yes", "no"].map((word) => answer !== "" && word.startsWith(answer.toLowerCase()));
			return answer === "" ? fallback : yes || (no ? false : undefined);
		};
		const check = (answer: string): string | undefined => (meant(answer) === undefined ? 'answer "yes" or "no"' : undefined);
		return meant(await text({ message: `${message} (${fallback ? "Y/n" : "y/N"})`, check })) === true;
	}

	return {
		text,
		secret: ({ message, check }) =>
			ask<string>((stop) => ({
				...{ type: "password", message: lineOf(message), mask: false, toggleMask: false },
				validate: validate(stop, check),
			})),
		confirm: async ({ message, fallback }) => {
			if (!(await discardTyped(input))) throw interrupted();
			return yesOrNo(message, fallback);
		},
		choose: async (question) => (question.allowOther === true ? chooseOrType(question) : choose(question)),
	};

	/** One of the choices, or a value that is typed; one that nobody has seen yet is asked about once more. */
	async function chooseOrType(question: Parameters<Prompts["choose"]>[0]): Promise<string> {
		const { choices, check } = question;
		for (let tried = 0; tried < maxTries; tried += 1) {
			const chosen = await choose({ ...question, choices: [...choices, { value: another, label: "Another value …" }] });
			const answer = chosen === another ? await text({ message: "The value, as the service writes it", check }) : chosen;
			if (choices.some(({ value }) => value === answer)) return answer;
			if (await yesOrNo(`${answer} is not among the known values. Send it as ${answer}?`, false)) return answer;
		}
		throw tooManyTries();
	}

	async function choose(question: Parameters<Prompts["choose"]>[0]): Promise<string> {
		const { message, choices, allowOther, fallback, above, sends, records } = question;
		// The mark before the question, and the blank behind it.
		const asked = widthOf(lineOf(message).split("\n").at(-1) as string) + 3;
		const option = (choice: Choice) => optionOf(choice, output.columns, asked);
		if (sends && !(await discardTyped(input))) throw interrupted();
		if (above) output.write(`\n${above.map((line) => `${questionOf(line, output.columns)}\n`).join("")}\n`);
		const list = (found: readonly Choice[]) => void output.write(found.map((one, at) => `${at + 1}. ${option(one).name}\n`).join(""));
		if (accessible) return chooseByNumber(question, text, list);
		// A short list picks by its cursor whatever is typed, so one of records is narrowed too.
		if (choices.length <= 7 && !allowOther && !records)
			return ask<string>(() => ({ type: "select", message: lineOf(message), default: fallback, choices: choices.map(option) }));
		return ask<string>((stop) => ({
			type: "search",
			message: lineOf(message),
			default: fallback,
			source: (term = "") => [
				...(needsDeliberateChoice(choices, fallback) && term.trim() === "" ? [emptyRow(term)] : []),
				...matching(choices, term).map(option),
			],
			validate: validate(stop, (answer) => (choices.some(({ value }) => value === answer) ? undefined : "choose one")),
		}));
	}
}

/** Columns that the library adds to a question: the mark before it, and "(y/N)" with a blank behind it. */
const decorationWidth = 8;

function questionOf(message: string, columns: number | undefined): string {
	return wrapSentence(sanitizeLine(message), Math.max(20, (columns ?? 80) - decorationWidth), 2);
}

/** In a long list Enter must not select whatever happens to be first: a country, an industry, another company. */
const needsDeliberateChoice = (choices: readonly Choice[], fallback: string | undefined): boolean =>
	fallback === undefined && choices.length > 7 && !choices.some(({ value }) => value === "");

/**
 * The first row while nothing is typed; Enter on it does nothing. The library replaces a refused answer by the row's name, so the name is
 * one blank longer than what was typed, which keeps the list as it is.
 */
const emptyRow = (term: string) => ({
	value: "",
	name: `${term} `,
	short: "",
	description: "Type a part of the name, or choose with the arrow keys",
});

const interrupted = (cause?: unknown): PurserError =>
	new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped", fix: "Run the same command to continue.", cause });

function tooManyTries(): PurserError {
	const message = `No usable answer after ${maxTries} tries; nothing was sent`;
	return new PurserError("usage", { code: "TOO_MANY_TRIES", message, fix: "Run the command again, or give the value as a flag." });
}

/** Milliseconds within which earlier keystrokes arrive; nobody reads and answers a question faster. */
const arrivalTime = 60;

const ctrlC = 0x03;

/**
 * Throws away what was typed before the question was shown: an old "y" must not answer whether money leaves.
 * @returns false where Ctrl-C was among it
 */
async function discardTyped(input: NodeJS.ReadStream): Promise<boolean> {
	if (!input.isTTY) return true;
	let isUninterrupted = true;
	const drop = (part: Buffer | string): void => {
		if (Buffer.from(part).includes(ctrlC)) isUninterrupted = false;
	};
	// Raw mode delivers an unfinished line too. The question that follows sets and resets the mode itself.
	input.setRawMode(true);
	input.on("data", drop).resume();
	await new Promise((resolve) => setTimeout(resolve, arrivalTime));
	input.off("data", drop).pause();
	if (!isUninterrupted) input.setRawMode(false);
	return isUninterrupted;
}

/**
 * Calls `closed` when the input ends while a question is open: Ctrl-D, or a terminal that went away.
 * @returns stops watching
 */
function watchEnd(input: NodeJS.ReadStream, closed: () => void): () => void {
	// On an empty line, Ctrl-D makes readline pause its input, after this event; on any other line it deletes a character.
	const typed = (_text: unknown, key?: { ctrl?: boolean; name?: string }): void => {
		if (key?.ctrl && key.name === "d") setImmediate(() => input.isPaused() && closed());
	};
	input.on("keypress", typed).on("end", closed).on("close", closed);
	return () => void input.off("keypress", typed).off("end", closed).off("close", closed);
}

/** Asks until an answer passes. @throws PurserError usage, after too many tries */
async function askPlainly(
	{ message, fallback, check }: Parameters<Prompts["text"]>[0],
	line: (asked: string) => Promise<string>,
	write: (text: string) => void,
): Promise<string> {
	for (let tried = 0; tried < maxTries; tried += 1) {
		const asked = `${message}${fallback === undefined ? "" : ` (${fallback})`}:`;
		// Behind a long question the answer would be broken by the terminal.
		const answer = (await line(`${asked}${asked.length > 40 ? "\n" : " "}`)).trim() || (fallback ?? "");
		const fault = check?.(answer);
		if (fault === undefined) return answer;
		write(`${fault.charAt(0).toUpperCase()}${fault.slice(1)}\n`);
	}
	throw tooManyTries();
}

/**
 * One line from a terminal that edits lines itself; further lines stay there for the next question.
 * @param on.ask writes the question, once the terminal takes lines
 * @throws whatever `on.ended` makes, where the signal or the end of the input comes first
 */
function readTerminalLine(input: NodeJS.ReadStream, signal: AbortSignal, on: { ask(): void; ended(): unknown }): Promise<string> {
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

/** Asks for one of the choices by its number, its name or a part of its name; where several have that part they are listed, and it asks again. */
async function chooseByNumber(
	{ message, choices, fallback }: Parameters<Prompts["choose"]>[0],
	text: Prompts["text"],
	show: (found: readonly Choice[]) => void,
): Promise<string> {
	let listed = choices.length <= maxListed ? choices : [];
	const foundBy = (typed: string): readonly Choice[] => {
		const numbered = listed[Number(typed) - 1];
		if (numbered !== undefined) return [numbered];
		const named = choices.filter((one) => one.value === typed || foldCase(one.label) === foldCase(typed) || isShortName(one, typed));
		// While numbers are listed, digits are a number and never a part of an id.
		return named.length === 1 ? named : typed === "" || (listed.length > 0 && /^\d+$/.test(typed)) ? [] : matching(choices, typed);
	};
	for (let tried = 0; tried < maxTries; tried++) {
		show(listed);
		const typed = await text({
			message: `${message} (${listed.length > 0 ? `1 to ${listed.length}, or ` : ""}a part of the name)`,
			fallback: choices.find(({ value }) => value === fallback)?.label,
			check: (answer) => (foundBy(answer).length > 0 ? undefined : answer === "" ? "choose one" : "nothing in the list has this name"),
		});
		const [only, ...more] = foundBy(typed);
		if (only !== undefined && more.length === 0) return only.value;
		listed = foundBy(typed).slice(0, maxListed);
	}
	throw tooManyTries();
}

/**
 * A choice in the library's form, which would break a long line inside a word. A hint, such as an id, that does not fit beside the label goes
 * on a line below it; only one that is wider than the terminal, such as a command, ends with an ellipsis.
 * @param asked columns of the question's last line, behind which the answer stands
 */
function optionOf({ value, label, hint = "" }: Choice, columns = 80, asked = 0): Record<"value" | "name" | "short", string> {
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
const another = "\u0000another";

function matching(choices: readonly Choice[], term: string): Choice[] {
	const wanted = foldCase(term.trim());
	const ranked = choices.map((choice) => ({ choice, rank: choice.value === another ? 4 : rankOf(choice, wanted) }));
	const found = ranked.filter(({ rank }) => rank !== 3).sort((one, other) => one.rank - other.rank);
	return found.map(({ choice }) => choice);
}

/** -1: what the hint writes in capitals, such as a country's code; 0: the value itself or the label's beginning; 1: the beginning of a word; 2: anywhere; 3: nowhere. */
function rankOf(choice: Choice, wanted: string): number {
	const { value, label, hint } = choice;
	if (isShortName(choice, wanted)) return -1;
	const name = foldCase(label);
	if (foldCase(value) === wanted || name.startsWith(wanted)) return 0;
	if (name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) || foldCase(value).startsWith(wanted)) return 1;
	return foldCase(`${value} ${label} ${hint ?? ""}`).includes(wanted) ? 2 : 3;
}

const isShortName = ({ hint = "" }: Choice, typed: string): boolean => typed !== "" && hint.split(" ").includes(typed.toUpperCase());

/** Removes accents and capitals, so that "cote" finds "Côte d'Ivoire". */
function foldCase(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
