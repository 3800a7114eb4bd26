import type * as z from "zod/mini";
import type { Effect } from "../api/operation.js";
import type { Context } from "../context.js";
import type { Advice, Failure, Kind } from "../errors.js";
import type { Style } from "../ports/style.js";
import type { Choice } from "../ports/terminal.js";

export interface Example {
	/** As typed, after `purser `. */
	run: string;
	note: string;
}

/** What `run` returns: the answer, and what the frame does with it. */
export interface Answer<D> {
	data: D;
	/** Commands to type next. */
	next?: readonly Advice[];
	/** The kind of failure that the answer stands for, such as a declined payment or a wait that timed out. */
	exit?: Kind;
	/** Why it is a failure: programs read it on standard error too, beside an answer that says what was done. */
	failure?: Failure<string>;
	/** The records, one a line of `--output ndjson` and one a row of csv; a list is its own. */
	lines?: readonly unknown[];
	/** Written to standard output as it is, in place of the text: an HTML page, a completion script. */
	raw?: string;
	/** The data for programs, where it is not `data` itself. */
	written?: unknown;
}

/** A command: data, and one function that reads from top to bottom. */
export interface Command<I extends z.ZodMiniObject = z.ZodMiniObject, D = unknown> extends Described<I> {
	/**
	 * Reads, checks, asks through `context.ask`, sends, and returns; never prints, ends the process or reads another clock. What it did not
	 * ask about the client does not send.
	 */
	run(context: Context, input: z.output<I>): Promise<Answer<D>>;
	/** The answer for people; for `--columns` and pipes, where `style.cells`, one table of its records. Pure. */
	text(data: D, style: Style): string;
	/** Reads only: milliseconds until it runs again and its answer replaces the last one; undefined ends it. Pure. */
	watch?(data: D, input: z.output<I>): number | undefined;
}

interface Described<I extends z.ZodMiniObject> {
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
	/** The ids of the operations it calls, for the reference. */
	operations: readonly string[];
	/** The input is also taken from a file: `--file`, `--set`, `--print-template`. */
	document?: true;
	/** Needs no configured profile; `optional` uses one where there is one. */
	standalone?: true | "optional";
	/** The kinds that it can end with in addition to those of the effect, for help. */
	outcomes?: readonly Kind[];
	/** Choices for a field that is asked for, by its dotted path: ledgers, beneficiaries. */
	choices?: Readonly<Record<string, (context: Context, soFar: Record<string, unknown>) => Promise<readonly Choice[]>>>;
	/**
	 * Which fields a prompt asks for after earlier answers, by dotted path: always although it is optional, or never. A field for which
	 * nothing is said is asked for where it is required or offered. Pure.
	 */
	asks?(path: string, soFar: Readonly<Record<string, unknown>>): "always" | "never" | undefined;
	/** It sends no money, but the records in its input decide about money: in a script they are named as exactly as for a payment. */
	decidesMoney?: true;
}

/** Defines a command and keeps its types. */
export function defineCommand<I extends z.ZodMiniObject, D>(command: Command<I, D>): Command<I, D> {
	return command;
}

// biome-ignore lint/suspicious/noExplicitAny: the frame handles commands of every input and answer
export type AnyCommand = Command<any, any>;

/** The list of commands: path → how to load it. Nothing is loaded until it is needed. */
export type CommandList = Readonly<Record<string, () => Promise<{ default: AnyCommand }>>>;
