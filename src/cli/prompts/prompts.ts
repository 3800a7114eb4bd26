/**
 * Prompts for a person, on standard error, so that standard output stays the answer.
 */
import inquirer from "inquirer";
import { sanitizeLine } from "../../api/text/sanitize.js";
import { PurserError } from "../../errors.js";
import type { Choice, Prompts } from "../../ports/terminal.js";
import { isSet } from "../input/options.js";
import { widthOf, wrapSentence } from "../output/wrap.js";
import { another, askPlainly, chooseByNumber, matchingOptions, optionOf, readTerminalLine } from "./accessible.js";

/** Ends a question; the reason, where there is one, is the error. */
type Stop = (why?: PurserError) => void;

/** Maximum number of answers to one question. */
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
	const plainLine = () => ({
		line: (asked: string) => readTerminalLine(input, signal, { ask: () => void output.write(asked), ended: stoppedHere }),
		write: (text: string) => void output.write(text),
		columns: output.columns ?? 80,
	});
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
			return fault.charAt(0).toUpperCase() + fault.slice(1);
		};
	};

	// Pasted text often has blanks around it, and no valid answer begins or ends with one.
	const text: Prompts["text"] = async ({ message, check, fallback }) => {
		if (accessible) {
			const answer = await askPlainly({ message: lineOf(message), fallback, check, tries: maxTries }, plainLine());
			if (answer === undefined) throw tooManyTries();
			return answer;
		}
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
				type: "password",
				message: lineOf(message),
				mask: false,
				toggleMask: false,
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
		if (accessible) {
			const chosen = await chooseByNumber(question, { text, option, show: (lines) => output.write(lines), tries: maxTries });
			if (chosen === undefined) throw tooManyTries();
			return chosen;
		}
		// A short list picks by its cursor whatever is typed, so one of records is narrowed too.
		if (choices.length <= 7 && !allowOther && !records)
			return ask<string>(() => ({ type: "select", message: lineOf(message), default: fallback, choices: choices.map(option) }));
		return ask<string>((stop) => ({
			type: "search",
			message: lineOf(message),
			default: fallback,
			source: (term = "") => [
				...(needsDeliberateChoice(choices, fallback) && term.trim() === "" ? [emptyRow(term)] : []),
				...matchingOptions(choices, term, option),
			],
			validate: validate(stop, (answer) => (choices.some(({ value }) => value === answer) ? undefined : "choose one")),
		}));
	}
}

/** Columns that the library adds to a question: the mark before it, and "(y/N)" with a blank behind it. */
const decorationWidth = 8;

/** The library would break a long question inside a word. */
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

function interrupted(cause?: unknown): PurserError {
	return new PurserError("interrupted", {
		code: "INTERRUPTED",
		message: "Stopped",
		fix: "Run the same command to continue.",
		cause,
	});
}

function tooManyTries(): PurserError {
	return new PurserError("usage", {
		code: "TOO_MANY_TRIES",
		message: `No usable answer after ${maxTries} tries; nothing was sent`,
		fix: "Run the command again, or give the value as a flag.",
	});
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
