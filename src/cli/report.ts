/**
 * The error of a failed run, and its exit code.
 */
import { advice, adviceText, failureText, purser } from "../api/advice.js";
import type { Effect } from "../api/operation.js";
import type { Outside } from "../context.js";
import { type Failure, PurserError } from "../errors.js";
import { exitOf } from "./exit.js";
import type { Frame } from "./frame.js";
import { errorJson, errorText } from "./output/render.js";
import { type RunEnd, withEnd } from "./run-end.js";

/**
 * Writes an error to standard error, whatever was thrown. Returns the exit code.
 * @param effect the command's, where it is known: a bug may strike after money was moved; a command that only reads shows an unreadable
 *   answer as received
 * @param end what the run has changed
 */
export function report(cause: unknown, frame: Frame, outside: Outside, effect: Effect | undefined, end: RunEnd): number {
	const failed = cause instanceof PurserError ? stopIn(cause) : bug(cause, effect === "money" && frame.global.dryRun !== true);
	const error = withEnd(failed, end, effect);
	const failure = failureView(effect === "read" ? error.failure : { ...error.failure, answer: undefined }, frame.shown);
	const json = !frame.global.format.people;
	const { isTerminal, columns } = outside.system.terminal.stderr;
	const text = () => errorText({ kind: error.kind, failure }, frame.errors, isTerminal ? columns : undefined);
	const exit = exitOf(error.kind, outside.signal);
	frame.reporter.line(json ? errorJson({ kind: error.kind, failure }, frame.reporter.warnings, exit) : text());
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
