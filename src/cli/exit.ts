/**
 * The exit code of a run that failed, whether it threw or its answer says so.
 */
import { type Kind, kinds } from "../errors.js";

/** 128 and the number of the signal; Ctrl-C has the code of its kind. */
const signalCodes: Readonly<Record<string, number>> = { SIGTERM: 143, SIGHUP: 129 };

/** The code of the kind, or of the signal that interrupted the run. Pure. */
export function exitOf(kind: Kind, signal: AbortSignal): number {
	const { exit } = kinds[kind];
	return kind === "interrupted" && signal.aborted ? (signalCodes[String(signal.reason)] ?? exit) : exit;
}
