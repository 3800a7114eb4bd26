import type * as z from "zod/mini";
import type { Effect } from "../api/operation.js";
import type { Context } from "../context.js";
import type { Advice, Failure, Kind } from "../errors.js";
import type { About, Acceptance, AcceptedTerms, Preview } from "../ports/changes.js";
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

/**
 * A command whose order is told by hooks: prepared, asked about, run, and its outcome read.
 * @typeParam P the input as `prepare` completes it, for every later step
 * @typeParam S what a person confirms by a Yes to the preview
 */
export interface Hooked<I extends z.ZodMiniObject = z.ZodMiniObject, D = unknown, P extends z.output<I> = z.output<I>, S = undefined>
	extends Described<I> {
	run(context: Context, input: P, confirmed?: S): Promise<D>;
	text(data: D, style: Style): string;
	table?(data: D, style: Style): string;
	raw?(data: D): string | undefined;
	lines?(data: D): readonly unknown[];
	next?(data: D, input: P): readonly Advice[];
	written?(data: D, shown: (advice: Advice) => string): unknown;
	outcome?(data: D, input: P): Kind | undefined;
	failure?(data: D): Failure<string> | undefined;
	watch?(data: D, input: P): number | undefined;
	prepare?(context: Context, input: z.output<I>): Promise<P>;
	sendsMoney?(input: P): boolean;
	preview?(context: Context, input: P): Promise<Preview & { confirms?: S }>;
	confirm?(input: P): string | undefined;
	about?(context: Context, input: P): Promise<About>;
	accepts?(input: P): readonly AcceptedTerms[];
	asksItself?: true;
	sandboxOnly?: true;
}

/** A command of hooks as one function. */
export function defineHooked<I extends z.ZodMiniObject, D, P extends z.output<I> = z.output<I>, S = undefined>(
	hooked: Hooked<I, D, P, S>,
): Command<I, D> {
	const { run, text, table, raw, lines, next, written, outcome, failure, watch, prepare, ...described } = hooked;
	const prepared = new Map<unknown, P>();
	return {
		...described,
		async run(context, given) {
			if (hooked.effect === "write" && !hooked.sandboxOnly) await context.ask.begin(hooked.asksItself);
			// A command that renews itself is prepared once.
			const input = prepared.get(given) ?? (prepare === undefined ? (given as P) : await prepare(context, given));
			prepared.set(given, input);
			const confirmed = await permitted(hooked, context, input);
			const data = await run(context, input, confirmed);
			const shown = written?.(data, context.report.shown);
			return {
				data,
				next: next?.(data, input),
				exit: outcome?.(data, input),
				failure: failure?.(data),
				lines: lines?.((shown as D | undefined) ?? data),
				raw: raw?.(data),
				written: shown,
			};
		},
		text: (data, style) => (style.cells && table !== undefined ? table(data, style) : text(data, style)),
		watch: watch && ((data, given) => watch(data, prepared.get(given) as P)),
	};
}

async function permitted<I extends z.ZodMiniObject, D, P extends z.output<I>, S>(
	{ effect, operations, preview, sendsMoney, confirm, about, accepts, asksItself, sandboxOnly, summary }: Hooked<I, D, P, S>,
	context: Context,
	input: P,
): Promise<S | undefined> {
	if (preview !== undefined && (effect === "money" || sendsMoney?.(input)))
		return context.ask.payment(() => preview(context, input), {
			newJournal: (input as { newJournal?: boolean }).newJournal,
			...(operations.length === 0 ? { signsOnly: true } : {}),
		});
	// It refuses any other profile itself.
	if (sandboxOnly && (await context.settings.read()).profile.environment === "live") return undefined;
	const question = confirm?.(input);
	if (effect === "write" && !asksItself)
		await context.ask.permit(async () => ({ ...(about === undefined ? { title: summary } : await about(context, input)), question }), {
			terms: accepts?.(input) ?? [],
			confirmedBy: (input as Partial<Acceptance>).confirmedBy,
			always: question !== undefined,
		});
	else if (effect !== "write" && question !== undefined) await context.ask.confirm(question);
	return undefined;
}

/** Defines a command and keeps its types. */
export function defineCommand<I extends z.ZodMiniObject, D>(command: Command<I, D>): Command<I, D> {
	return command;
}

// biome-ignore lint/suspicious/noExplicitAny: the frame handles commands of every input and answer
export type AnyCommand = Command<any, any>;

/** The list of commands: path → how to load it. Nothing is loaded until it is needed. */
export type CommandList = Readonly<Record<string, () => Promise<{ default: AnyCommand }>>>;
