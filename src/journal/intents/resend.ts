/**
 * Records that the request of a doubt is sent once more, with the idempotency key of its attempt. The payment stays in doubt until the answer
 * settles it.
 */
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { Tables } from "../sqlite/tables.js";
import { diedReason, recordOf } from "./record.js";
import { anotherAttempt, notInDoubt } from "./refusals.js";
import { changeState, type Dependencies, intentNamed, refusing } from "./write.js";

/**
 * @param seen the attempt that the person was shown
 * @throws RefusedJob, if that attempt is not in doubt, or it is no payment
 */
export function resendIntent(tables: Tables, { rules, lives }: Dependencies, name: string, seen: number): void {
	const stored = intentNamed(tables, name);
	const record = recordOf(stored, lives);
	if (record.state !== "in-doubt" || record.effect !== "money") throw new RefusedJob(notInDoubt(record));
	if (record.attempt !== seen) throw new RefusedJob(anotherAttempt(record, seen));
	const { number, attempt, batch } = stored;
	const senderDied = stored.state === "sending";
	if (senderDied) tables.append("died", number, { attempt }, batch);
	const state = refusing(() => rules.next("in-doubt", { kind: "resent" }));
	tables.append("resent", number, { attempt }, batch);
	changeState(tables, rules, stored, state, { ...stored.result, ...(senderDied ? { why: diedReason } : {}) }, undefined);
}
