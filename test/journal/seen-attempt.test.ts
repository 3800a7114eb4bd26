/**
 * What a look showed before a payment is sent again is of one attempt: where another process settled or sent in between, the journal
 * refuses, in the transaction in which the attempt begins.
 */
import { afterAll, expect, test } from "vitest";
import { openBatches } from "../../src/journal/open-batches.js";
import { batchRules } from "../../src/payments/batch/send/guards.js";
import type { Settlement } from "../../src/ports/intent.js";
import { none, planOf, shared, transfer } from "./batch.js";
import { newFolder, newUuid, open, payment, removeFolders, testClock } from "./journals.js";

afterAll(removeFolders);

const lost = { state: "in-doubt", reason: "no answer came" } as const;
const notCreated: Settlement = { state: "not-created", evidence: { source: "person", reason: "asked" } };

test("a payment is begun only after the attempt that was looked for, or after none", async () => {
	const journal = await open(newFolder());
	const again = payment();
	await expect(journal.begin(again, { expected: { intent: "1", attempt: 1 } })).rejects.toMatchObject({
		failure: { code: "ANOTHER_ATTEMPT" },
	});
	const number = await journal.begin(again, { expected: {} });
	await journal.end(number, lost);
	await journal.settle(number, notCreated, 1);
	await expect(journal.begin(again, { expected: {} })).rejects.toMatchObject({
		kind: "guard",
		failure: { code: "ANOTHER_ATTEMPT", intent: "1" },
	});
	expect(await journal.begin(again, { expected: { intent: "1", attempt: 1 } })).toBe("1");
	await journal.end(number, lost);
	await expect(journal.settle(number, notCreated, 1)).rejects.toMatchObject({ failure: { code: "ANOTHER_ATTEMPT" } });
	await journal.settle(number, notCreated, 2);
	await expect(journal.begin(again, { expected: { intent: "1", attempt: 1 } })).rejects.toMatchObject({
		failure: { code: "ANOTHER_ATTEMPT" },
	});
	expect((await journal.show("1"))?.record).toMatchObject({ state: "not-created", attempt: 2 });
	// Control: where nobody says what was looked for, nothing is compared.
	expect(await journal.begin(again)).toBe("1");
	expect((await journal.verify()).faults).toEqual([]);
	await journal.close();
});

/** A batch of three rows, all in doubt, that nobody sends. */
async function threeDoubts() {
	const folder = newFolder();
	const clock = testClock();
	const profile = { name: "test", environment: "sandbox" } as const;
	const random = { uuid: newUuid, fraction: () => 0.5 };
	const batches = await openBatches({ directory: folder, profile, clock, random, rules: batchRules({}) });
	const journal = await open(folder, { clock });
	const { batch } = await batches.open(shared);
	await batches.load(
		batch,
		[1, 2, 3].map((row) => ({ row, transfer: transfer(row) })),
	);
	await batches.seal(batch, planOf(batch, 3, "3.30", "a".repeat(64)));
	await batches.begin(batch, ["planned"], none);
	const rows = await batches.advance(batch, [], 3);
	await batches.advance(
		batch,
		rows.map(({ number }) => ({ number, outcome: lost })),
		0,
	);
	await batches.release(batch);
	const end = async () => {
		await batches.close();
		await journal.close();
	};
	return { batches, journal, batch, clock, end };
}

test("rows are sent again only as they were when they were looked for", async () => {
	const { batches, journal, batch, end } = await threeDoubts();
	for (const intent of ["1", "2"]) await journal.settle(intent, notCreated, 1);
	const takes = ["not-created"] as const;
	expect((await batches.notMade(batch, takes)).map(({ intent }) => intent)).toEqual(["1", "2"]);
	expect(await batches.notMade(batch, ["planned"])).toEqual([]);
	for (const again of [
		{ rows: 1, attempts: 1 },
		{ rows: 2, attempts: 3 },
	])
		await expect(batches.begin(batch, takes, { ...none, again })).rejects.toMatchObject({ failure: { code: "ANOTHER_ATTEMPT" } });
	await batches.begin(batch, takes, { ...none, again: { rows: 2, attempts: 2 } });
	// Another process says of the third that it was not created, while these are sent: nobody has looked for it.
	await journal.settle("3", notCreated, 1);
	expect((await batches.advance(batch, [], 5)).map(({ number }) => number)).toEqual([1, 2]);
	await batches.release(batch);
	expect((await journal.show("3"))?.record).toMatchObject({ state: "not-created", attempt: 1 });
	expect((await journal.verify()).faults).toEqual([]);
	await end();
});

test.each([
	["settled as not created", lost],
	["refused", { state: "refused", status: 422 }],
] as const)("a payment from elsewhere, %s, that a row would send again is told", async (_, outcome) => {
	const { batches, journal, batch, clock, end } = await threeDoubts();
	const single = payment({ amount: "1.10", currency: "EUR", reference: "Row 1" });
	await expect(journal.begin(single)).rejects.toMatchObject({ failure: { code: "OPEN_DOUBT" } });
	const other = await journal.begin({ ...single, despite: { intents: ["1"], reason: "owed twice" } });
	await journal.end(other, outcome);
	if (outcome.state === "in-doubt") await journal.settle(other, notCreated, 1);
	const told = async () => (await batches.notMade(batch, ["in-doubt"])).map(({ intent }) => intent);
	expect(await told()).toEqual([other]);
	expect(await batches.notMade(batch, ["planned"])).toEqual([]);
	// A payment older than the days of duplicates may be repeated, also where it was made; a person's word has no such limit.
	clock.advance(8 * 86_400_000);
	expect(await told()).toEqual(outcome.state === "refused" ? [] : [other]);
	await end();
});
