/**
 * Two senders on one journal: rows that a batch sends again, and a payment alike that comes before their turn.
 */
import { afterEach, expect, test } from "vitest";
import { endWorlds, none, planned, sent, worldWith } from "./batch.js";
import { newUuid } from "./journals.js";
import { payment } from "./payment.js";

// Each journal adds up at the end.
afterEach(endWorlds);

const alone = (index: number, more = {}) => ({ ...payment({ amount: "1.10", currency: "EUR", reference: `Row ${index}` }), ...more });

test.each([
	["refused", { state: "refused", status: 422 }],
	["not-sent", { state: "not-sent", reason: "connection refused" }],
] as const)(
	"a %s row that is being sent again holds back a payment alike before its turn comes, and after it no more",
	async (state, outcome) => {
		const { batches, another, journal } = await worldWith();
		const other = await another();
		const batch = await planned(batches, [1, 2]);
		await sent(batches, batch, [outcome, outcome]);
		await batches.begin(batch, ["planned", state], none);
		const [row] = await batches.advance(batch, [], 1);
		// The second one is not marked yet, and will leave without being looked at once more.
		await expect(journal.begin(alone(2))).rejects.toMatchObject({ failure: { code: "PLANNED_IN_BATCH", intent: "2" } });
		const near = await planned(other, [2, 3]);
		await expect(other.begin(near, ["planned"], none)).rejects.toMatchObject({ failure: { code: "DUPLICATE" } });
		// Who names it means another payment.
		await journal.begin(alone(2, { despite: { intents: ["2"], reason: "another delivery" } }));
		await batches.advance(batch, [{ number: row?.number as number, outcome }], 0);
		await batches.release(batch);
		await journal.begin(alone(1));
	},
);

test("a payment said to be another one than what was not created stays another one", async () => {
	const { journal } = await worldWith();
	const first = await journal.begin(alone(1));
	await journal.end(first, { state: "in-doubt", reason: "timeout" });
	await journal.settle(first, { state: "not-created", evidence: { source: "person", reason: "asked" } }, 1);
	const script = alone(1, { despite: { intents: [first], reason: "second delivery" } });
	const second = await journal.begin(script);
	expect(second).not.toBe(first);
	await journal.end(second, { state: "accepted", id: newUuid(), status: 201 });
	// The same words once more are no second payment in spite of the first.
	await expect(journal.begin(script)).rejects.toMatchObject({ failure: { code: "DUPLICATE", intent: second } });
});

const capped = { "cap-per-day": "3" };
const overCap = { failure: { code: "CAP_PER_DAY" } };
const refusedOnce = { state: "refused", status: 422 } as const;

test("what others paid since a batch was gone on with leaves no room in the day for more of its rows", async () => {
	const { batches, journal } = await worldWith(capped);
	const batch = await planned(batches, [1, 2]);
	await sent(batches, batch, [refusedOnce, refusedOnce]);
	await batches.begin(batch, ["refused"], none);
	const rows = await batches.advance(batch, [], 1);
	await journal.begin(alone(8));
	const number = rows[0]?.number as number;
	const outcome = { state: "accepted", id: newUuid(), status: 201 } as const;
	await expect(batches.advance(batch, [{ number, outcome }], 1)).rejects.toMatchObject(overCap);
	// What was refused was not recorded by half; alone it is recorded.
	expect((await batches.show(batch))?.counts).toMatchObject({ sending: 1, refused: 1 });
	await batches.advance(batch, [{ number, outcome }], 0);
	expect((await batches.show(batch))?.counts).toMatchObject({ accepted: 1, refused: 1 });
});

test("what is left of yesterday's batch counts in today's cap, and only once however often it is refused", async () => {
	const { batches, journal, clock } = await worldWith(capped);
	const batch = await planned(batches, [1, 2]);
	await sent(batches, batch, [refusedOnce]);
	clock.set("2026-03-02T00:00:01.000Z");
	await journal.begin(payment({ amount: "2", currency: "EUR", reference: "by hand" }));
	for (const _ of [1, 2, 3]) await expect(batches.begin(batch, ["planned"], none)).rejects.toMatchObject(overCap);
	await journal.begin(payment({ amount: "1", currency: "EUR", reference: "the rest of the day" }));
	clock.set("2026-03-03T00:00:01.000Z");
	expect((await batches.begin(batch, ["planned"], none)).sending).toBe(true);
});

test("rows that are still to leave at midnight count in the new day's cap", async () => {
	const { batches, journal, clock } = await worldWith(capped);
	const batch = await planned(batches, [1, 2]);
	await batches.begin(batch, ["planned"], none);
	await batches.advance(batch, [], 1);
	clock.set("2026-03-02T00:00:01.000Z");
	await journal.begin(payment({ amount: "2", currency: "EUR", reference: "by hand" }));
	await expect(batches.advance(batch, [], 1)).rejects.toMatchObject(overCap);
});
