/**
 * The journal as the rules and the settling of payments read it: what is known to have been sent to another local sandbox at the same
 * address, one that was started anew or reset since, is neither a duplicate nor a doubt here.
 */
import type { Context } from "../../context.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Profile } from "../../ports/profiles.js";

/** The profile's journal; its lists leave out other sandboxes, unless the filter names one. */
export async function journalHere(context: Pick<Context, "journal" | "sandboxIdentity">, profile: Profile): Promise<Journal> {
	const [journal, sandbox] = [await context.journal(profile), await context.sandboxIdentity(profile)];
	return sandbox === undefined ? journal : { ...journal, list: (filter) => journal.list({ sandbox, ...filter }) };
}

type Here = Pick<Context, "sandboxIdentity">;

/**
 * Adds `earlierSandbox` to the records that were sent to another sandbox than the one that runs at the profile's address now. It is asked
 * who it is only where a record names one.
 */
export async function withSandbox<T extends { sandbox?: string }>(
	context: Here,
	profile: Profile,
	records: readonly T[],
): Promise<(T & { earlierSandbox?: true })[]> {
	const here = records.some(({ sandbox }) => sandbox !== undefined) ? await context.sandboxIdentity(profile) : undefined;
	return records.map((one) =>
		here === undefined || one.sandbox === undefined || one.sandbox === here ? one : { ...one, earlierSandbox: true },
	);
}

/** Maximum number of doubts that are counted without being shown. */
const maxCounted = 1_000;

/** The doubts of the profile, newest first, and how many of earlier sandboxes at its address are left out. */
export async function doubtsHere(
	context: Here & Pick<Context, "journal">,
	profile: Profile,
	limit: number,
): Promise<{ doubts: IntentRecord[]; earlier: number }> {
	const all = await (await context.journal(profile)).list({ states: ["in-doubt"], limit: Math.max(limit, maxCounted) });
	// A sandbox is asked who it is only where a doubt names one: it may not answer, and this machine knows the rest.
	if (all.every(({ sandbox }) => sandbox === undefined)) return { doubts: all.slice(0, limit), earlier: 0 };
	const doubts = await (await journalHere(context, profile)).list({ states: ["in-doubt"], limit });
	return { doubts, earlier: (await withSandbox(context, profile, all)).filter(({ earlierSandbox }) => earlierSandbox).length };
}
