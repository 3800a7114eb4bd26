/**
 * Prompts for a person, on standard error, so that standard output stays the answer.
 */
import inquirer from "inquirer";
import { PurserError } from "../errors.js";
import type { Choice, Prompts } from "../ports/terminal.js";
import { neutralLine } from "./neutral.js";
import { prose } from "./prose.js";
import { discardTyped, watchEnd } from "./typing.js";
import { widthOf } from "./width.js";

/** Ends a question; with a reason, that is what is told. */
type Stop = (why?: PurserError) => void;

/** Most answers to one question before it is given up. */
const tries = 10;

/**
 * Prompts that read and write the streams given.
 * @param signal ends a prompt that is open
 */
export function makePrompts(input: NodeJS.ReadStream, output: NodeJS.WriteStream, signal: AbortSignal): Prompts {
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

	return {
		// What is pasted has blanks around it more often than not, and no answer begins or ends with one.
		text: async ({ message, check, fallback }) =>
			(
				await one<string>((stop) => ({
					type: "input",
					message: ask(message),
					default: fallback,
					validate: validate(stop, check && ((typed) => check(typed.trim()))),
				}))
			).trim(),
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
		choose: async ({ message, choices, other, fallback, check, sends }) => {
			if (sends && !(await discardTyped(input))) throw interrupted();
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
	return prose(neutralLine(message), Math.max(20, (columns ?? 80) - around), 2);
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

/** The library's form of a choice. A hint, such as an id, that does not fit beside the label stands below it, whole. */
function optionOf({ value, label, hint }: Choice, columns: number | undefined) {
	const shown = neutralLine(label);
	const beside = `${shown}  ${neutralLine(hint ?? "")}`.trimEnd();
	// Before each choice stands the pointer, two columns wide.
	const fits = widthOf(beside) + 2 <= (columns ?? 80);
	return { value, name: fits ? beside : `${shown}\n    ${neutralLine(hint ?? "")}`.trimEnd(), short: shown };
}

function narrowed(
	choices: readonly Choice[],
	term: string | undefined,
	other: ((typed: string) => string | undefined) | undefined,
	option: (choice: Choice) => ReturnType<typeof optionOf>,
) {
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
		{ value: typed, name: neutralLine(term ?? ""), description: "Not in the list: taken as typed", short: neutralLine(typed) },
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
function fold(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

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
