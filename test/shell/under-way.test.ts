import { expect, test } from "vitest";
import type { Batches } from "../../src/ports/batches.js";
import type { Journal } from "../../src/ports/journal.js";
import { UnderWay } from "../../src/shell/under-way.js";

test("an intent is under way from its beginning to its end", async () => {
	const underWay = new UnderWay();
	const numbers = ["12", "13"];
	const fake = { begin: async () => numbers.shift(), end: async () => {} } as unknown as Journal;
	const journal = underWay.followJournal(fake);
	await journal.begin({ effect: "write" } as never);
	expect([underWay.isEmpty, underWay.paid]).toEqual([false, false]);
	await journal.begin({ effect: "money" } as never);
	expect(underWay.intents).toEqual([
		{ intent: "12", money: false },
		{ intent: "13", money: true },
	]);
	await journal.end("12", {} as never);
	await journal.end("13", {} as never);
	expect([underWay.intents, underWay.isEmpty, underWay.paid]).toEqual([[], true, true]);
});

test("rows of a batch are under way from their beginning to their end", async () => {
	const underWay = new UnderWay();
	const answers = [[1, 2, 3], [4], []];
	const batches = underWay.followBatches({ advance: async () => answers.shift() } as unknown as Batches);
	expect([underWay.isEmpty, underWay.paid]).toEqual([true, false]);
	await batches.advance("b" as never, [], 3);
	expect([underWay.rows, underWay.isEmpty, underWay.paid]).toEqual([3, false, true]);
	await batches.advance("b" as never, [{}, {}] as never, 1);
	expect(underWay.rows).toBe(2);
	await batches.advance("b" as never, [{}, {}] as never, 0);
	expect([underWay.rows, underWay.isEmpty, underWay.paid]).toEqual([0, true, true]);
});
