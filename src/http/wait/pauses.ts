/**
 * The pauses between two looks of a wait. An event about what is waited for ends one early; the look that follows decides, never the event.
 */
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Inbox } from "../../ports/events.js";
import type { Awaited } from "../../ports/service.js";

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
