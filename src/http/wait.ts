/**
 * Waiting for a status of the service: the polls, and `--wait` of the commands that show one.
 */
import * as z from "zod/mini";
import { advice, purser } from "../api/advice.js";
import type { Received } from "../api/answer.js";
import { flag, span } from "../api/fields.js";
import { secondsOf } from "../api/quantity.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Poll } from "../ports/service.js";

/** Milliseconds before the second poll, and of the longest pause. */
const [first, longest] = [500, 10_000];

/** The input fields of every command that can wait. */
export const waitFields = () => ({
	wait: flag("Wait until the status is final"),
	waitTimeout: z._default(span("Longest time to wait, in seconds or like 5m", 999_999, "120"), "300"),
});

/** Milliseconds of a `waitTimeout` that passed its check. */
export const timeoutOf = (waitTimeout: string): number => (secondsOf(waitTimeout) as number) * 1000;

/**
 * Reads a record once, or with `--wait` until it is done or the time is over.
 * @returns the record as last read; `late` is `pending` if it was waited for in vain
 */
export async function readOrWait<T>(
	context: Context,
	{ wait, waitTimeout }: { wait: boolean; waitTimeout: string },
	label: string,
	read: () => Promise<T>,
	isDone: (data: T) => boolean,
): Promise<{ data: T; late?: "pending" }> {
	if (!wait) return { data: await read() };
	const { done, data } = await waitFor(context, { timeout: timeoutOf(waitTimeout), label }, async () => {
		const seen = await read();
		return { done: isDone(seen), data: seen };
	});
	return { data, late: done ? undefined : "pending" };
}

/** @param of whose status a record lacks: "the transaction", "the KYB" */
export function warnWithoutStatus(context: Context, of: string, status: string | undefined): void {
	if (!status) context.report.warn(without(of));
}

/** @throws PurserError bug, where a record lacks the status; it shows the record */
export function requireStatus(of: string, status: string | undefined, record: Received): void {
	if (status) return;
	throw new PurserError("bug", {
		code: "STATUS_MISSING",
		message: without(of),
		fix: advice`Check the answer. If the status has another name there, say so in the mapping: ${purser`help mapping`}`,
		answer: record,
	});
}

const without = (of: string): string => `The service's answer has no status of ${of}, so it is unknown`;

/**
 * Polls until it is done or the time is over. Pauses grow by half, with jitter; a longer one requested by the service is obeyed. If the
 * service is unavailable, that is reported and polled again, unless it was the last poll and none before it succeeded.
 * @returns the last successful poll; `done` is false if the time was over first
 * @throws PurserError from the probe; interrupted on Ctrl-C
 */
export async function waitFor<T>(
	{ report, clock, random }: Context,
	limits: { timeout: number; label: string },
	probe: () => Promise<Poll<T>>,
): Promise<Poll<T>> {
	return report.during(limits.label, async () => {
		const started = clock.monotonic();
		let slept = 0;
		let last: Poll<T> | undefined;
		let trouble: PurserError | undefined;
		for (let pause = first; ; pause = Math.min(longest, pause * 1.5)) {
			const seen = await probe().catch((error: unknown) => {
				if (error instanceof PurserError && error.kind === "unavailable") return error;
				throw error;
			});
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
