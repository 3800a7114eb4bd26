/**
 * An approval by the limit of a day: it is decided in the journal's own transaction, by what went out or is in doubt that day (UTC).
 */
import { generateKeyPairSync, sign } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { approvedBytes } from "../../src/payments/batch/approval/approval.js";
import type { Approval, BatchPlan } from "../../src/ports/batch-plan.js";
import type { Batches } from "../../src/ports/batches.js";
import { planner, signed } from "../payments/batch/plans.js";
import { digestOf, endWorlds, none, planOf, sent, shared, transfer, worldWith } from "./batch.js";
import { payment } from "./payment.js";

// Each journal adds up at the end.
afterEach(endWorlds);

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const key = publicKey.export({ format: "jwk" }).x as string;
const settings = { approval: "above 3 EUR a day", approvers: `anna=${key}`, planners: `ci=${planner.key}` };

const alone = (amount: string, reference: string) => payment({ amount, currency: "EUR", reference });
const needed = { kind: "guard", failure: { code: "APPROVAL_NEEDED" } };

const world = () => worldWith(settings);
const refused = { state: "refused", status: 422 } as const;

/** A batch of rows of 1.10 EUR each. */
async function planned(batches: Batches, indexes: readonly number[]): Promise<BatchPlan> {
	const { batch } = await batches.open(shared);
	const rows = indexes.map((index, at) => ({ row: at + 1, transfer: transfer(index) }));
	await batches.load(batch, rows);
	const digest = { rows: batch.repeat(64), sequence: digestOf(rows).sequence };
	const plan = signed(planOf(batch, indexes.length, `${indexes.length}.${indexes.length}0`, digest));
	await batches.seal(batch, plan);
	return plan;
}

function approval(plan: BatchPlan): Approval {
	const at = "2026-03-01T09:59:00.000Z";
	return { key, at, signature: sign(null, approvedBytes(plan, at), privateKey).toString("base64url") };
}

test("what is left of a batch counts on the day on which it goes on: without an approval it waits for another day, with one it goes", async () => {
	const { batches, journal, clock } = await world();
	const [bare, approved] = [await planned(batches, [1, 2]), await planned(batches, [3, 4])];
	await sent(batches, bare.batch, [refused]);
	await sent(batches, approved.batch, [refused], [approval(approved)]);
	clock.set("2026-03-02T00:00:01.000Z");
	await journal.begin(alone("2", "by hand"));
	await expect(batches.begin(bare.batch, ["planned"], none)).rejects.toMatchObject(needed);
	await batches.begin(approved.batch, ["planned"], none);
	clock.set("2026-03-03T00:00:01.000Z");
	expect((await batches.begin(bare.batch, ["planned"], none)).sending).toBe(true);
});

test("a row that was opened again and then not created is not sent by the approval that was given for it; others are", async () => {
	const { batches, journal } = await world();
	await journal.begin(alone("2", "first"));
	const plan = await planned(batches, [1, 2]);
	const doubt = { state: "in-doubt", reason: "timeout" } as const;
	const [opened, other] = (await sent(batches, plan.batch, [doubt, doubt], [approval(plan)])).map(String) as [string, string];
	const notCreated = { state: "not-created", evidence: { source: "person", reason: "asked the bank" } } as const;
	await journal.settle(opened, notCreated, 1);
	await journal.settle(other, notCreated, 1);
	await journal.reopen(opened, "it was listed after all", 1);
	await journal.settle(opened, notCreated, 1);
	await batches.begin(plan.batch, ["not-created"], none);
	expect((await batches.advance(plan.batch, [], 5)).map(({ number }) => String(number))).toEqual([other]);
	await batches.release(plan.batch);
});
