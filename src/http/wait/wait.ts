import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Awaited, Poll } from "../../ports/service.js";
import { pausesFor } from "./pauses.js";

export interface WaitLimits {
	/** Longest wait in milliseconds. */
	timeout: number;
	/** What is waited for: `Waiting for the transaction to be final`. */
	label: string;
	/** Milliseconds before the second poll. */
	first?: number;
	/** The longest pause in milliseconds. */
	most?: number;
	/** Whose events end a pause early; none where absent. */
	awaited?: Awaited;
}

/**
 * Polls until it is done or the time is over. Pauses grow by half, with jitter; a pause requested by the service is obeyed, and an event of
 * what is awaited ends one early. If the service is unavailable, that is reported and polled again, unless it was the last poll and none
 * before it succeeded.
 * @returns the last successful poll; `done` is false if the time was over first
 * @throws PurserError from the probe; interrupted on Ctrl-C
 */
export async function waitFor<T>(context: Context, limits: WaitLimits, probe: () => Promise<Poll<T>>): Promise<Poll<T>> {
	const { timeout, label, first = 500, most = 10_000, awaited } = limits;
	const { clock, random } = context;
	return context.report.during(label, async () => {
		const started = clock.monotonic();
		const pauses = await pausesFor(context, awaited);
		let slept = 0;
		let last: Poll<T> | undefined;
		let trouble: PurserError | undefined;
		for (let pause = first; ; pause = Math.min(most, pause * 1.5)) {
			const seen = await poll(probe);
			if (seen instanceof PurserError) {
				if (trouble === undefined) context.report.verbose(`${seen.message}; trying again`);
				trouble = seen;
			} else if (seen.done) return seen;
			else last = seen;
			// Count the pauses as well, so that a clock that stands still cannot make this wait for ever.
			const left = timeout - Math.max(slept, clock.monotonic() - started);
			if (left <= 0) break;
			const asked = seen instanceof PurserError ? (seen.failure.wait ?? 0) : 0;
			const usual = Math.min(left, pause * (0.75 + random.fraction() * 0.5));
			slept += await pauses.rest(usual, left, asked);
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
