import { expect, test } from "vitest";
import { UnderWay } from "../../src/cli/under-way.js";
import { PurserError } from "../../src/errors.js";
import type { Batches } from "../../src/ports/batches.js";
import type { Journal } from "../../src/ports/journal.js";

test("an intent is under way from its beginning to its end", async () => {
	const underWay = new UnderWay();
	const numbers = ["12", "13"];
	const fake = { begin: async () => numbers.shift(), end: async () => {} } as unknown as Journal;
	const journal = underWay.followJournal(fake);
	await journal.begin({ effect: "write" } as never);
	expect([underWay.isEmpty, underWay.isMoneyInDoubt]).toEqual([false, false]);
	await journal.begin({ effect: "money" } as never);
	expect(underWay.open).toEqual([
		{ intent: "12", money: false, state: "sending" },
		{ intent: "13", money: true, state: "sending" },
	]);
	await journal.end("12", { state: "in-doubt", reason: "reset" });
	await journal.end("13", { state: "accepted", id: "t-1", status: 200 });
	expect([underWay.open, underWay.isEmpty, underWay.isMoneyInDoubt]).toEqual([[], true, false]);
	expect(underWay.changes).toEqual([
		{ intent: "12", money: false, state: "in-doubt" },
		{ intent: "13", money: true, state: "accepted", id: "t-1" },
	]);
	expect(underWay.followJournal(fake)).toBe(journal);
});

test("rows of a batch are under way from their beginning to their end", async () => {
	const underWay = new UnderWay();
	const answers = [[1, 2, 3], [4], []];
	const batches = underWay.followBatches({ advance: async () => answers.shift() } as unknown as Batches);
	const accepted = { number: 1, outcome: { state: "accepted", status: 200 } } as const;
	const lost = { number: 2, outcome: { state: "in-doubt", reason: "reset" } } as const;
	expect([underWay.isEmpty, underWay.isMoneyInDoubt]).toEqual([true, false]);
	await batches.advance("b", [], 3);
	expect([underWay.rows, underWay.isEmpty, underWay.isMoneyInDoubt]).toEqual([3, false, true]);
	await batches.advance("b", [accepted, accepted], 1);
	expect(underWay.rows).toBe(2);
	await batches.advance("b", [accepted, lost], 0);
	expect([underWay.rows, underWay.isEmpty, underWay.isMoneyInDoubt]).toEqual([0, true, true]);
	expect(underWay.ended).toEqual({ accepted: 3, refused: 0, "not-sent": 0, "in-doubt": 1 });
});

test.each([
	["the machine's log keeps is known, once", "OUTCOME_KEPT", [0, 2]],
	["nothing keeps is in doubt", "JOURNAL_AWAY", [2, 0]],
])("a row whose outcome the team's journal cannot take and %s", async (_, code, expected) => {
	const underWay = new UnderWay();
	const away = () => Promise.reject(new PurserError("unavailable", { code, message: "away", fix: "Wait." }));
	const advance = async (_batch: string, ended: readonly unknown[]) => (ended.length === 0 ? [1, 2] : away());
	const batches = underWay.followBatches({ advance } as unknown as Batches);
	const [one, two] = [1, 2].map((number) => ({ number, outcome: { state: "accepted", status: 200 } as const }));
	await batches.advance("b", [], 2);
	await batches.advance("b", [one as never], 0).catch(() => {});
	await batches.advance("b", [one as never, two as never], 0).catch(() => {});
	expect([underWay.rows, underWay.ended.accepted]).toEqual(expected);
});
