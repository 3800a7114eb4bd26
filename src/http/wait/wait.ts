import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Inbox } from "../../ports/events.js";
import type { Awaited, Poll } from "../../ports/service.js";

export interface Pauses {
	/**
	 * Waits so long, or longer where somebody listens for events and none has come yet, but no longer than `most`; ends early by an event.
	 * @param usual milliseconds, as is `most`
	 * @param asked milliseconds that the service asked to wait, which are not cut short
	 * @returns how long that was, in milliseconds
	 */
	rest(usual: number, most: number, asked?: number): Promise<number>;
}

/** Milliseconds between two looks while events are listened for. */
const whileListening = 30_000;
/** Milliseconds between two looks at the inbox, which is a file of this machine. */
const glance = 500;
/** Least milliseconds of a pause that any event ends: thousands of payments become final one after another. */
const leastForAny = 5_000;

/** Without an inbox the pauses are as they are asked for. */
export async function pausesFor(context: Context, awaited: Awaited | undefined): Promise<Pauses> {
	const { clock } = context;
	const plain = async (pause: number): Promise<number> => {
		await clock.sleep(Math.max(1, Math.round(pause)));
		return Math.max(1, pause);
	};
	const heard = awaited === undefined ? undefined : await inboxOf(context);
	if (heard === undefined || awaited === undefined)
		return { rest: async (usual, most, asked = 0) => plain(asked > usual ? Math.min(most, asked) : usual) };
	const { inbox, after } = heard;
	let hasHeard = false;
	let seen = after;
	const hears = async (): Promise<boolean> => {
		const latest = await inbox.latest();
		if (latest <= seen) return false;
		const from = seen;
		seen = latest;
		if (awaited === "any") return true;
		for (const id of awaited) if ((await inbox.list({ after: from, subject: id, limit: 1 })).length > 0) return true;
		return false;
	};
	return {
		rest: async (usual, most, asked = 0) => {
			if (asked > usual) return plain(Math.min(most, asked));
			const isLonger = !hasHeard && (await safely(false, () => inbox.listening()));
			const pause = Math.min(most, isLonger ? Math.max(usual, whileListening) : usual);
			const least = awaited === "any" ? Math.min(pause, leastForAny) : 0;
			let slept = 0;
			while (slept < pause) {
				if (slept >= least && (await safely(false, hears))) {
					hasHeard = true;
					break;
				}
				slept += await plain(Math.min(glance, pause - slept));
			}
			return slept;
		},
	};
}

/** The profile's inbox, where it has one, with the number of its newest event. */
async function inboxOf(context: Context): Promise<{ inbox: Inbox; after: number } | undefined> {
	return safely(undefined, async () => {
		const { profile } = await context.settings.read();
		if (!(await context.journal.hasInbox(profile))) return undefined;
		const inbox = await context.journal.inbox(profile);
		return { inbox, after: await inbox.latest() };
	});
}

/** A wait must not fail because events cannot be read. */
async function safely<T>(otherwise: T, read: () => Promise<T>): Promise<T> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof PurserError && error.kind !== "interrupted") return otherwise;
		throw error;
	}
}

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
