/**
 * What a look showed before a payment is sent again is of one attempt: where another process settled or sent in between, the journal
 * refuses, in the transaction in which the attempt begins.
 */
import { afterEach, expect, test } from "vitest";
import type { Settlement } from "../../src/ports/intent.js";
import { endWorlds, none, planned, sent, worldWith } from "./batch.js";
import { codeOf, payment } from "./journals.js";

// Each journal adds up at the end.
afterEach(endWorlds);

const lost = { state: "in-doubt", reason: "no answer came" } as const;
const notCreated: Settlement = { state: "not-created", evidence: { source: "person", reason: "asked" } };

test("a payment is begun only after the attempt that was looked for, or after none", async () => {
	const { journal } = await worldWith();
	const again = payment();
	expect(await codeOf(journal.begin(again, { expected: { intent: "1", attempt: 1 } }))).toBe("ANOTHER_ATTEMPT");
	const number = await journal.begin(again, { expected: {} });
	await journal.end(number, lost);
	await journal.settle(number, notCreated, 1);
	await expect(journal.begin(again, { expected: {} })).rejects.toMatchObject({ failure: { code: "ANOTHER_ATTEMPT", intent: "1" } });
	expect(await journal.begin(again, { expected: { intent: "1", attempt: 1 } })).toBe("1");
	await journal.end(number, lost);
	expect(await codeOf(journal.settle(number, notCreated, 1))).toBe("ANOTHER_ATTEMPT");
	await journal.settle(number, notCreated, 2);
	expect(await codeOf(journal.begin(again, { expected: { intent: "1", attempt: 1 } }))).toBe("ANOTHER_ATTEMPT");
	expect((await journal.show("1"))?.record).toMatchObject({ state: "not-created", attempt: 2 });
	// Control: where nobody says what was looked for, nothing is compared.
	expect(await journal.begin(again)).toBe("1");
});

/** A batch of three rows, all in doubt, that nobody sends. */
async function threeDoubts() {
	const world = await worldWith();
	const batch = await planned(world.batches, [1, 2, 3]);
	await sent(world.batches, batch, [lost, lost, lost]);
	return { ...world, batch };
}

test("rows are sent again only as they were when they were looked for", async () => {
	const { batches, journal, batch } = await threeDoubts();
	for (const intent of ["1", "2"]) await journal.settle(intent, notCreated, 1);
	const takes = ["not-created"] as const;
	expect((await batches.notMade(batch, takes)).map(({ intent }) => intent)).toEqual(["1", "2"]);
	expect(await batches.notMade(batch, ["planned"])).toEqual([]);
	const others = [1, 2].map((rows) => codeOf(batches.begin(batch, takes, { ...none, again: { rows, attempts: 2 * rows - 1 } })));
	expect(await Promise.all(others)).toEqual(["ANOTHER_ATTEMPT", "ANOTHER_ATTEMPT"]);
	await batches.begin(batch, takes, { ...none, again: { rows: 2, attempts: 2 } });
	// Another process says of the third that it was not created, while these are sent: nobody has looked for it.
	await journal.settle("3", notCreated, 1);
	expect((await batches.advance(batch, [], 5)).map(({ number }) => number)).toEqual([1, 2]);
	await batches.release(batch);
	expect((await journal.show("3"))?.record).toMatchObject({ state: "not-created", attempt: 1 });
});

test.each([
	["settled as not created", lost],
	["refused", { state: "refused", status: 422 }],
] as const)("a payment from elsewhere, %s, that a row would send again is told", async (_, outcome) => {
	const { batches, journal, batch, clock } = await threeDoubts();
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
});
