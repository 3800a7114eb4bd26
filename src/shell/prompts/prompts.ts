/**
 * Prompts for a person, on standard error, so that standard output stays the answer.
 */
import inquirer from "inquirer";
import { PurserError } from "../../errors.js";
import type { Choice, Prompts } from "../../ports/terminal.js";
import { isSet } from "../input/options.js";
import { discardTyped, watchEnd } from "../input/typing.js";
import { sanitizeLine } from "../output/sanitize.js";
import { wrapSentence } from "../output/wrap.js";
import { narrowed, optionOf } from "./narrowing.js";
import { chosenByNumber } from "./numbered.js";

/** Ends a question; with a reason, that is what is told. */
type Stop = (why?: PurserError) => void;

/** Most answers to one question before it is given up. */
const tries = 10;

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
	const option = (choice: Choice) => optionOf(choice, output.columns);
	const ask = (message: string): string => questionOf(message, output.columns);
	async function one<T>(question: (stop: Stop) => Record<string, unknown>): Promise<T> {
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
		let asked = 0;
		return (answer: string): true | string => {
			const fault = check?.(answer);
			if (fault === undefined) return true;
			asked += 1;
			// Thrown here, it would reach nobody: the prompt does not wait for its own check.
			if (asked >= tries) stop(tooMany());
			return capital(fault);
		};
	};

	// What is pasted has blanks around it more often than not, and no answer begins or ends with one.
	const text: Prompts["text"] = async ({ message, check, fallback }) =>
		(
			await one<string>((stop) => ({
				type: "input",
				message: ask(message),
				default: fallback,
				validate: validate(stop, check && ((typed) => check(typed.trim()))),
			}))
		).trim();

	return {
		text,
		secret: ({ message, check }) =>
			one<string>((stop) => ({
				type: "password",
				message: ask(message),
				mask: false,
				toggleMask: false,
				validate: validate(stop, check),
			})),
		confirm: async ({ message, fallback }) => {
			if (!(await discardTyped(input))) throw interrupted();
			return one<boolean>(() => ({ type: "confirm", message: ask(message), default: fallback }));
		},
		choose: async (question) => {
			const { message, choices, other, fallback, check, sends } = question;
			if (sends && !(await discardTyped(input))) throw interrupted();
			if (accessible) {
				const chosen = await chosenByNumber(question, { text, option, show: (lines) => output.write(lines), tries });
				if (chosen === undefined) throw tooMany();
				return chosen;
			}
			return choices.length <= 7 && !other
				? one<string>(() => ({ type: "select", message: ask(message), default: fallback, choices: choices.map(option) }))
				: one<string>((stop) => ({
						type: "search",
						message: ask(message),
						...(fallback === undefined ? {} : { default: fallback }),
						source: (term: string | undefined) => [
							...(deliberate(choices, fallback) && (term ?? "").trim() === "" ? [nothingYet(term ?? "")] : []),
							...narrowed(choices, term, other === true ? (check ?? (() => undefined)) : undefined, option),
						],
						validate: validate(stop, (answer) => {
							if (choices.some(({ value }) => value === answer)) return undefined;
							return answer === "" ? "choose one" : check?.(answer);
						}),
					}));
		},
	};
}

/** Columns of what the library puts around a question: the mark before it, "(y/N)" and a blank behind it. */
const around = 8;

/** The library breaks a question that is too long inside a word; here it is broken between words. */
function questionOf(message: string, columns: number | undefined): string {
	return wrapSentence(sanitizeLine(message), Math.max(20, (columns ?? 80) - around), 2);
}

/** Of a long list Enter must not take whatever happens to stand first: a country, an industry, another corporate. */
const deliberate = (choices: readonly Choice[], fallback: string | undefined): boolean =>
	fallback === undefined && choices.length > 7 && !choices.some(({ value }) => value === "");

/**
 * The row that stands first as long as nothing is typed. Where an answer is refused the library types the row's name in its place, so
 * that one is a blank longer than what is typed: the list stays, and Enter does nothing.
 */
const nothingYet = (term: string) => ({
	value: "",
	name: `${term} `,
	short: "",
	description: "Type a part of it, or choose with the arrows",
});

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function interrupted(cause?: unknown): PurserError {
	return new PurserError("interrupted", {
		code: "INTERRUPTED",
		message: "Stopped at a prompt; nothing was sent",
		fix: "Run the command again when you are ready.",
		cause,
	});
}

function tooMany(): PurserError {
	return new PurserError("usage", {
		code: "TOO_MANY_TRIES",
		message: `No usable answer after ${tries} tries; nothing was sent`,
		fix: "Run the command again, or give the value as a flag.",
	});
}
