import type * as z from "zod/mini";
import type { Effect } from "../api/operation.js";
import type { Context } from "../context.js";
import type { Advice, Failure, Kind } from "../errors.js";
import type { About, AcceptedTerms } from "../ports/changes.js";
import type { Style } from "../ports/style.js";
import type { Choice } from "../ports/terminal.js";

/** What is shown before money is asked for. */
export interface Preview {
	title: string;
	/** A time is RFC 3339, shown as the terminal shows times. */
	rows: readonly (readonly [string, string | { time: string }])[];
	/** What a person must see before anything else is weighed, on one line. */
	alert?: Advice;
	warnings: readonly Advice[];
	/** What must be typed to confirm on a live profile, such as the amount. */
	amount: string;
	currency?: string;
	/** What was done of it by an earlier run, and what was not: told to a person who does not go on. */
	before?: { done: readonly string[]; notDone: readonly string[] };
}

export interface Example {
	/** As typed, after `purser `. */
	run: string;
	note: string;
}

/**
 * @typeParam P the input as `prepare` completes it, for every later step
 * @typeParam S what a person confirms by a Yes to the preview
 */
export interface Command<I extends z.ZodMiniObject = z.ZodMiniObject, D = unknown, P extends z.output<I> = z.output<I>, S = undefined> {
	/** Noun and verb: `corporate create`. */
	path: string;
	/** One line, capital first, no full stop. */
	summary: string;
	/** More to say in --help, in plain sentences. */
	details?: string;
	examples: readonly [Example, ...Example[]];
	effect: Effect;
	/**
	 * Its keys are flags in kebab-case, nested ones dotted; fields with `positional` in their meta are arguments.
	 * At a terminal, missing required fields are asked for; a script gets one error that lists all of them.
	 */
	input: I;
	/** The input is also taken from a file: `--file`, `--set`, `--print-template`. */
	document?: true;
	/** The ids of the operations it calls, for the reference. */
	operations: readonly string[];
	/** Needs no configured profile; `optional` uses one where there is one. */
	standalone?: true | "optional";
	/**
	 * Calls, waits, reads and writes through the context; never prints, prompts, exits or reads the clock.
	 * @param confirmed what the preview showed, where a person said Yes to it
	 */
	run(context: Context, input: P, confirmed?: S): Promise<D>;
	/** The answer for people. Pure. */
	text(data: D, style: Style): string;
	/** The records as one table, where `text` draws none: for pipes and `--columns`. Pure. */
	table?(data: D, style: Style): string;
	/** Raw answer instead of JSON or text (an HTML page, a completion script): written to stdout as it is. */
	raw?(data: D): string | undefined;
	/** The records, one per line, for `--output ndjson`. */
	lines?(data: D): readonly unknown[];
	/** Commands to type next. Pure. */
	next?(data: D, input: P): readonly Advice[];
	/** The answer as it is written, its commands as text, where `next` needs them as data. Pure. */
	written?(data: D, shown: (advice: Advice) => string): unknown;
	/** The kind of failure that an answer stands for, such as a declined payment or a wait that timed out. Pure. */
	outcome?(data: D, input: P): Kind | undefined;
	/** Why the outcome is a failure: programs read it on standard error too, beside an answer that says what was done. Pure. */
	failure?(data: D): Failure<string> | undefined;
	/** The kinds that `outcome` can return in addition to those of the effect, for help. */
	outcomes?: readonly Kind[];
	/** Reads only: milliseconds until it runs again and its answer replaces the last one; undefined ends it. Pure. */
	watch?(data: D, input: P): number | undefined;
	/** Choices for a field that is asked for, by its dotted path: ledgers, beneficiaries. */
	choices?: Readonly<Record<string, (context: Context, soFar: Record<string, unknown>) => Promise<readonly Choice[]>>>;
	/**
	 * Which fields a prompt asks for after earlier answers, by dotted path: always although it is optional, or never. A field for which
	 * nothing is said is asked for where it is required or offered. Pure.
	 */
	asks?(path: string, soFar: Readonly<Record<string, unknown>>): "always" | "never" | undefined;
	/** Completes the input once, or reads once what a person is to confirm: preview and run receive the same result. */
	prepare?(context: Context, input: z.output<I>): Promise<P>;
	/** It sends no money, but the records in its input decide about money: in a script they are named as exactly as for a payment. */
	decidesMoney?: true;
	/** Inputs by which a command of another effect sends money: they are guarded like every payment, and it has a `preview`. Pure. */
	sendsMoney?(input: P): boolean;
	/** For money only, and required there: shows who pays whom how much. */
	preview?(context: Context, input: P): Promise<Preview & { confirms?: S }>;
	/** Asked on any profile before a change that cannot be undone, default No. Pure. */
	confirm?(input: P): string | undefined;
	/** For writes: what will be sent and to whom, for the question on a live profile; without it, the fields of the input are shown. */
	about?(context: Context, input: P): Promise<About>;
	/** The terms that it accepts; the frame asks about them on any profile, and its input has `confirmedBy`. Pure. */
	accepts?(input: P): readonly AcceptedTerms[];
	/** It calls `context.changes.permit` itself, once it knows what will be sent. */
	asksItself?: true;
	/** It refuses every profile that is not a sandbox itself. */
	sandboxOnly?: true;
}

/** Defines a command and keeps its types. */
export function defineCommand<I extends z.ZodMiniObject, D, P extends z.output<I> = z.output<I>, S = undefined>(
	command: Command<I, D, P, S>,
): Command<I, D, P, S> {
	return command;
}

// biome-ignore lint/suspicious/noExplicitAny: the frame handles commands of every input and answer
export type AnyCommand = Command<any, any, any, any>;

/** The list of commands: path → how to load it. Nothing is loaded until it is needed. */
export type CommandList = Readonly<Record<string, () => Promise<{ default: AnyCommand }>>>;
