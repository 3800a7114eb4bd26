import { PurserError } from "../errors.js";
import type { Clock, Moment, Random, ServiceClock } from "../ports/machine.js";

/** The machine's randomness. */
export const random: Random = { uuid: () => crypto.randomUUID(), fraction: () => Math.random() };

/** Maximum duration of an exchange, in milliseconds: when a slower answer was dated is too uncertain. */
const longest = 60_000;

/** The clock of a service, read from its answers. */
export function createServiceClock(clock: Clock): ServiceClock {
	const readings = new Map<string, { time: number; monotonic: number }>();
	const present = (): Moment => ({ now: clock.now(), monotonic: clock.monotonic() });
	const skew = (service: string, moment = present()): number | undefined => {
		const reading = readings.get(service);
		return reading && Math.round(reading.time + moment.monotonic - reading.monotonic - moment.now.getTime());
	};
	return {
		noteDate: (service, dated, asked) => {
			const monotonic = clock.monotonic();
			const took = monotonic - asked;
			if (took > longest) return;
			// It was dated between request and answer, and the fraction of a second was cut off: this is the middle of the possible times.
			readings.set(service, { time: dated + (took + 1_000) / 2, monotonic });
		},
		skew,
		now: (service) => {
			const moment = present();
			return new Date(moment.now.getTime() + (skew(service, moment) ?? 0));
		},
	};
}

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
