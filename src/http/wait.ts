import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Poll } from "../ports/service.js";

/** Milliseconds before the second poll, and of the longest pause. */
const [first, longest] = [500, 10_000];

export interface WaitLimits {
	/** Longest wait in milliseconds. */
	timeout: number;
	/** What is waited for: `Waiting for the transaction to be final`. */
	label: string;
}

/**
 * Polls until it is done or the time is over. Pauses grow by half, with jitter; a longer one requested by the service is obeyed. If the
 * service is unavailable, that is reported and polled again, unless it was the last poll and none before it succeeded.
 * @returns the last successful poll; `done` is false if the time was over first
 * @throws PurserError from the probe; interrupted on Ctrl-C
 */
export async function waitFor<T>({ report, clock, random }: Context, limits: WaitLimits, probe: () => Promise<Poll<T>>): Promise<Poll<T>> {
	return report.during(limits.label, async () => {
		const started = clock.monotonic();
		let slept = 0;
		let last: Poll<T> | undefined;
		let trouble: PurserError | undefined;
		for (let pause = first; ; pause = Math.min(longest, pause * 1.5)) {
			const seen = await poll(probe);
			if (seen instanceof PurserError) {
				if (trouble === undefined) report.verbose(`${seen.message}; trying again`);
				trouble = seen;
			} else if (seen.done) return seen;
			else last = seen;
			// Count the pauses as well, so that a clock that stands still cannot make this wait for ever.
			const left = limits.timeout - Math.max(slept, clock.monotonic() - started);
			if (left <= 0) break;
			const asked = seen instanceof PurserError ? (seen.failure.wait ?? 0) : 0;
			const rest = Math.max(1, Math.min(left, Math.max(asked, pause * (0.75 + random.fraction() * 0.5))));
			await clock.sleep(Math.round(rest));
			slept += rest;
		}
		if (last !== undefined) return last;
		throw trouble;
	});
}

/** One poll, or the error that the service is unavailable at the moment. */
async function poll<T>(probe: () => Promise<Poll<T>>): Promise<Poll<T> | PurserError> {
	try {
		return await probe();
	} catch (error) {
		if (error instanceof PurserError && error.kind === "unavailable") return error;
		throw error;
	}
}
