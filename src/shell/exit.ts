/**
 * The exit code of a run that did not end as asked, whether it threw or told so in its answer.
 */
import { type Kind, kinds } from "../errors.js";

/** Exit codes of what interrupted a run, as shells know them; Ctrl-C has that of its kind. */
const signalled: Readonly<Record<string, number>> = { SIGTERM: 143, SIGHUP: 129 };

/** That of a kind; what a signal interrupted has that of the signal. Pure. */
export function exitOf(kind: Kind, signal: AbortSignal): number {
	const { exit } = kinds[kind];
	return kind === "interrupted" && signal.aborted ? (signalled[String(signal.reason)] ?? exit) : exit;
}
