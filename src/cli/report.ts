/**
 * The error of a failed run, and its exit code. It is worded after what the run recorded, and nowhere else is it said that a run sent
 * nothing. The operations' words are loaded only where something was changed.
 */
import { advice, adviceText, claimsNothing, failureText, purser, withoutClaim } from "../api/advice.js";
import { formatJson } from "../api/json.js";
import type { Effect } from "../api/operation.js";
import type { Runtime } from "../context.js";
import { type Advice, exitOf, type Failure, type Kind, PurserError } from "../errors.js";
import type { Frame } from "./frame.js";
import { errorJson } from "./output/error-json.js";
import { errorText } from "./output/render.js";
import type { RunChange, UnderWay } from "./under-way.js";

/**
 * Writes an error to standard error, whatever was thrown. Returns the exit code.
 * @param effect the command's, where it is known: a bug may strike after money was moved; a command that only reads shows an unreadable
 *   answer as received
 * @param end what the run has changed
 */
export function report(cause: unknown, frame: Frame, runtime: Runtime, effect: Effect | undefined, end: RunEnd): number {
	const failed = cause instanceof PurserError ? stopIn(cause) : bug(cause, effect === "money" && frame.global.dryRun !== true);
	const error = withEnd(failed, end, effect);
	const failure = failureView(effect === "read" ? error.failure : { ...error.failure, answer: undefined }, frame.shown);
	const json = !frame.global.format.people;
	const { isTerminal, columns } = runtime.system.terminal.stderr;
	const text = () => errorText({ kind: error.kind, failure }, frame.errors, isTerminal ? columns : undefined);
	const exit = exitOf(error.kind, runtime.signal);
	frame.reporter.line(json ? errorJson({ kind: error.kind, failure }, frame.reporter.warnings, exit, formatJson) : text());
	if (frame.global.debug && !json && !(cause instanceof PurserError) && cause instanceof Error)
		frame.reporter.debug(cause.stack ?? cause.message);
	return exit;
}

/** An input that could not be read because the run was stopped is no fault of the input. */
const stopIn = (error: PurserError): PurserError =>
	error.kind === "usage" && error.cause instanceof PurserError && error.cause.kind === "interrupted" ? error.cause : error;

/** The failure as text, with the profile in its commands. What the service itself answered is not changed. */
function failureView(failure: Failure, shown: Frame["shown"]): Failure<string> {
	const text = failureText(failure, shown);
	if (failure.status !== undefined) return { ...text, why: failure.why && adviceText(failure.why) };
	return { ...text, details: failure.details?.map((fault) => ({ ...fault, message: shown(fault.message) })) };
}

function bug(cause: unknown, money: boolean): PurserError {
	const what = cause instanceof Error ? `${cause.name}: ${cause.message.split("\n")[0]}` : "something that is not an error was thrown";
	return new PurserError("bug", {
		code: "BUG",
		message: `Internal error, a bug in purser (${what.slice(0, 300)})`,
		fix: advice`Run it again with --debug and report what it prints. If it was a payment, check first: ${purser`pay doubts`}.`,
		moneyMayHaveMoved: money || undefined,
		cause,
	});
}

/** What a run has changed, in words such as `2 companies created`. */
export interface RunEnd {
	done: readonly string[];
	inDoubt: readonly string[];
	notDone: readonly string[];
	/** Whether a payment is among those in doubt. */
	money: boolean;
}

export async function endOf(run: UnderWay): Promise<RunEnd> {
	const { changes, ended, inDoubt } = run;
	const last = changes.at(-1);
	const failed = last !== undefined && (last.state === "refused" || last.state === "not-sent") ? [last] : [];
	const words = changes.length === 0 ? new Map() : await operationWords();
	const accepted = changes.filter(({ state }) => state === "accepted");
	return {
		done: [...counted(words, accepted, true), ...rowWords(ended.accepted, " sent")],
		inDoubt: [...counted(words, inDoubt.changes, false), ...rowWords(inDoubt.rows, "")],
		notDone: counted(words, failed, false),
		money: run.isMoneyInDoubt,
	};
}

const rowWords = (count: number, verb: string): string[] =>
	count === 0 ? [] : [`${count === 1 ? "payment" : `${count} payments`}${verb}`];

type Words = ReadonlyMap<string, { one: string; many: string; verb: string }>;

async function operationWords(): Promise<Words> {
	const { catalog } = await import("../api/operations/catalog.js");
	return new Map(catalog.flatMap(({ id, done }) => (done === undefined ? [] : [[id, done] as const])));
}

/** The changes by operation, in the order of the first of each: `company created`, `2 KYC links created`. A payment has its id. */
function counted(words: Words, changes: readonly RunChange[], isDone: boolean): string[] {
	return [...new Set(changes.map(({ operation }) => operation))].map((operation) => {
		const same = changes.filter((change) => change.operation === operation);
		const { one, many, verb } = words.get(operation) ?? { one: operation, many: operation, verb: "done" };
		const ids = isDone ? same.flatMap(({ money, id }) => (money && id !== undefined ? [id] : [])) : [];
		const what = same.length === 1 ? one : `${same.length} ${many}`;
		return `${what}${isDone ? ` ${verb}` : ""}${ids.length === 0 ? "" : ` (${ids.join(", ")})`}`;
	});
}

/** Kinds that say that nothing was sent or changed: after a change the run is done in part. */
const kindsBefore: readonly Kind[] = ["validation", "unavailable", "guard"];

/**
 * Whether a person sees that nothing was sent: where nobody could be connected to, and, of a command that changes something, after a stop,
 * a No, and where the disk is full.
 */
function tellsNothing({ kind, failure: { code } }: PurserError, effect: Effect | undefined): boolean {
	if (code === "NOT_SENT") return true;
	const isBefore = (kind === "interrupted" && code === "INTERRUPTED") || ["DECLINED_BY_OPERATOR", "DISK_FULL"].includes(code);
	return isBefore && effect !== undefined && effect !== "read";
}

/**
 * The error as the run's end: it names what was done, what is in doubt (exit 7) and what was not done.
 * @param effect the command's: one that only reads sends nothing anyway
 */
export function withEnd(error: PurserError, end: RunEnd, effect: Effect | undefined): PurserError {
	const { failure, kind } = error;
	const { done, inDoubt } = end;
	if (done.length === 0 && inDoubt.length === 0) {
		// An earlier run of a batch did something.
		if (failure.done !== undefined || !tellsNothing(error, effect) || claimsNothing(failure.message)) return error;
		return new PurserError(kind, { ...failure, message: `${failure.message}. Nothing was sent`, notDone: undefined, cause: error });
	}
	const isDoubtful = inDoubt.length > 0;
	// The one change of the run, which is what the error is about.
	if (kind === "unknown" && done.length === 0 && failure.notDone === undefined) return error;
	const notDone = [...new Set([...end.notDone, ...(failure.notDone ?? [])])];
	// The text of a wait that was stopped names its payment.
	const sentences = failure.code === "WAIT_INTERRUPTED" && !isDoubtful ? [] : sentencesOf(done, inDoubt, notDone);
	const message = [withoutClaim(failure.message), ...sentences].join(". ");
	const why = failure.why === undefined ? undefined : withoutClaimIn(failure.why);
	const whole = { ...failure, message, why, done, inDoubt: listed(inDoubt), notDone: listed(notDone), cause: error };
	if (!isDoubtful || kind === "unknown") return new PurserError(kindsBefore.includes(kind) ? "partial" : kind, whole);
	const where = end.money ? purser`pay doubts` : purser`history list`;
	return new PurserError("unknown", {
		...whole,
		code: end.money ? "TRANSFER_IN_DOUBT" : "CHANGE_IN_DOUBT",
		fix: advice`Check first what is in doubt: ${where}. ${failure.fix}`,
		...(end.money && { moneyMayHaveMoved: true }),
	});
}

const listed = (words: readonly string[]): readonly string[] | undefined => (words.length === 0 ? undefined : words);

function sentencesOf(done: readonly string[], inDoubt: readonly string[], notDone: readonly string[]): string[] {
	const parts = { Done: done, "In doubt": inDoubt, "Not done": notDone };
	return Object.entries(parts).flatMap(([title, words]) => (words.length === 0 ? [] : [`${title}: ${words.join(", ")}`]));
}

function withoutClaimIn(text: Advice): Advice {
	if (typeof text === "string") return withoutClaim(text);
	return "words" in text ? text : text.map(withoutClaimIn);
}
