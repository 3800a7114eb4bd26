import { PurserError } from "../errors.js";
import type { Clock } from "../ports/machine.js";

/** The machine's clock; a sleep ends at once when the run is stopped. */
export function clock(signal: AbortSignal): Clock {
	return {
		now: () => new Date(),
		monotonic: () => Number(process.hrtime.bigint()) / 1e6,
		sleep: (milliseconds) =>
			new Promise((resolve, reject) => {
				const stopped = (): void => {
					clearTimeout(timer);
					reject(stoppedWaiting());
				};
				const timer = setTimeout(() => {
					signal.removeEventListener("abort", stopped);
					resolve();
				}, milliseconds);
				if (signal.aborted) stopped();
				else signal.addEventListener("abort", stopped, { once: true });
			}),
	};
}

/** The error of a wait that ended because the run was stopped. */
export const stoppedWaiting = (cause?: unknown): PurserError =>
	new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped while waiting", fix: "Run the command again to go on.", cause });
