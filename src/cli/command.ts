import * as z from "zod/mini";
import type { Effect } from "../api/operation.js";
import type { Context } from "../context.js";
import type { Advice, Failure, Kind } from "../errors.js";
import type { Style } from "../ports/style.js";

export interface Answer<D> {
	data: D;
	next?: readonly Advice[];
	/** The kind of failure that the answer stands for, such as a declined payment or a wait that timed out. */
	exit?: Kind;
	/** Why it is a failure: programs read it on standard error too, beside an answer that says what was done. */
	failure?: Failure<string>;
	/** The records, one a line of `--output ndjson` and one a row of csv; a list is its own. */
	lines?: readonly unknown[];
	/** With `--watch`: milliseconds until the command runs again and its answer replaces this one. */
	again?: number;
	/** Written to standard output as it is, in place of the text: an HTML page, a completion script. */
	raw?: string;
	/** The data for programs, where it is not `data` itself. */
	written?: unknown;
}

/** A command: data, and one function that reads from top to bottom. */
export interface Command<I extends z.ZodMiniObject = z.ZodMiniObject, D = unknown> {
	/** Noun and verb: `corporate create`. */
	path: string;
	/** One line, capital first, no full stop. */
	summary: string;
	details?: string;
	/** Lines as typed, after `purser `, each with a note. */
	examples: Readonly<Record<string, string>>;
	effect: Effect;
	/**
	 * Its keys are flags in kebab-case, nested ones dotted; fields with `positional` in their meta are arguments. What is also taken from a
	 * file is an input of `fromFile`.
	 * At a terminal, missing required fields are asked for; a script gets one error that lists all of them.
	 */
	input: I;
	/**
	 * The ids of the operations it calls. Before a change the settings are read, so that a missing profile is told first; a command without
	 * operations is not given the client.
	 */
	operations: readonly string[];
	/**
	 * Reads, checks, asks through `context.ask`, sends, and returns; never prints, ends the process or reads another clock. What it did not
	 * ask about the client does not send.
	 */
	run(context: Context, input: z.output<I>): Promise<Answer<D>>;
	/** What `--json` writes; its records (`recordOf`) have the columns of csv and tsv. */
	answer(): z.ZodMiniType;
	/** The answer for people; for pipes, where `style.cells`, one table of its records. Pure. */
	text(data: D, style: Style): string;
}

type Defaulted = "effect" | "operations" | "input";

/** A command that only reads, calls no operation, or has no input does not say so. */
export function defineCommand<I extends z.ZodMiniObject, D>({
	effect = "read",
	operations = [],
	input = z.strictObject({}) as z.ZodMiniObject as I,
	...described
}: Omit<Command<I, D>, Defaulted> & Partial<Pick<Command<I, D>, Defaulted>>): Command<I, D> {
	return { ...described, effect, operations, input };
}

// biome-ignore lint/suspicious/noExplicitAny: the frame handles commands of every input and answer
export type AnyCommand = Command<any, any>;

/** The list of commands: path → how to load it. Nothing is loaded until it is needed. */
export type CommandList = Readonly<Record<string, () => Promise<{ default: AnyCommand }>>>;
