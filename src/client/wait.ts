import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Poll } from "../ports/service.js";

export interface WaitLimits {
	/** Milliseconds in all. */
	timeout: number;
	/** What is waited for: `Waiting for the transaction to be final`. */
	label: string;
	/** Milliseconds before the second look. */
	first?: number;
	/** Milliseconds: no pause is longer. */
	most?: number;
}

/**
 * Polls until it is done or the time is over; pauses grow by half and are jittered. A pause that the service asks for is kept.
 * A poll that finds the service unavailable is reported and tried again, unless it was the last one and none before it succeeded.
 * @returns the last successful look; `done` false where the time was over first
 * @throws PurserError as the probe does; interrupted on Ctrl-C
 */
export async function waitFor<T>(context: Context, limits: WaitLimits, probe: () => Promise<Poll<T>>): Promise<Poll<T>> {
	const { timeout, label, first = 500, most = 10_000 } = limits;
	const { clock, random } = context;
	return context.reporter.during(label, async () => {
		const started = clock.monotonic();
		let slept = 0;
		let last: Poll<T> | undefined;
		let trouble: PurserError | undefined;
		for (let pause = first; ; pause = Math.min(most, pause * 1.5)) {
			const seen = await poll(probe);
			if (seen instanceof PurserError) {
				if (trouble === undefined) context.reporter.verbose(`${seen.message}; looking again`);
				trouble = seen;
			} else if (seen.done) return seen;
			else last = seen;
			// Pauses count by themselves too: a clock that stands still must not make this wait for ever.
			const left = timeout - Math.max(slept, clock.monotonic() - started);
			if (left <= 0) break;
			const asked = seen instanceof PurserError ? (seen.failure.wait ?? 0) : 0;
			const next = Math.min(left, Math.max(asked, pause * (0.75 + random.fraction() * 0.5)));
			await clock.sleep(Math.max(1, Math.round(next)));
			slept += Math.max(1, next);
		}
		if (last !== undefined) return last;
		throw trouble;
	});
}

/** One look, or the error that says the service could not be reached just now. */
async function poll<T>(probe: () => Promise<Poll<T>>): Promise<Poll<T> | PurserError> {
	try {
		return await probe();
	} catch (error) {
		if (error instanceof PurserError && error.kind === "unavailable") return error;
		throw error;
	}
}
