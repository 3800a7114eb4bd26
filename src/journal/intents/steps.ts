/**
 * What only a person decides of a payment: opening it again, and sending its request once more.
 */
import type { JournalIntent } from "../../ports/intent.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { StoredIntent, Tables } from "../tables/tables.js";
import { anotherAttempt, notDecided, notInDoubt } from "./refusals.js";
import { type Dependencies, deathOf, intentNamed, recordIn, takeSteps } from "./write.js";

/**
 * @param seen the attempt that the person was shown
 * @throws RefusedJob, if the intent changed since, or nothing about it is decided
 */
export async function reopenIntent(
	tables: Tables,
	{ rules, senders }: Dependencies,
	name: string,
	{ reason, attempt: seen }: { reason: string; attempt: number },
): Promise<void> {
	const stored = await intentNamed(tables, name);
	const { attempt, intent } = stored;
	const decided = ["accepted", "waiting", "refused", "not-created"].includes(stored.state);
	if (intent.effect !== "money" || !decided || attempt !== seen) throw new RefusedJob(notDecided(await recordIn(stored, senders)));
	await takeSteps(tables, rules, stored, { kind: "reopened", reason, id: stored.createdId });
}

/**
 * @param seen the attempt that the person was shown
 * @returns what is sent once more, and when it was first sent, RFC 3339 UTC: it may have been made since then
 * @throws RefusedJob, if that attempt is not in doubt, or it is no payment
 */
export async function resendIntent(
	tables: Tables,
	{ rules, senders }: Dependencies,
	name: string,
	seen: number,
): Promise<Pick<StoredIntent, "begun" | "batch" | "row"> & { asked: JournalIntent }> {
	const stored = await intentNamed(tables, name);
	const record = await recordIn(stored, senders);
	if (record.state !== "in-doubt" || record.effect !== "money") throw new RefusedJob(notInDoubt(record));
	if (record.attempt !== seen) throw new RefusedJob(anotherAttempt(record, seen));
	await takeSteps(tables, rules, stored, ...deathOf(stored), { kind: "resent" });
	const { begun, batch, row } = stored;
	return { asked: { ...stored.intent, skew: record.skew }, begun, batch, row };
}
