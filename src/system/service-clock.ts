import type { Clock, Moment, ServiceClock } from "../ports/machine.js";

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
		heard: (service, dated, asked) => {
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
