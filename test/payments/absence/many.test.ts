/**
 * Many doubts, many lines, many known payments: what is asked and compared grows with each of them alone, never with their product where
 * the journal or the service is asked.
 */

import { expect, test } from "vitest";
import type { Received } from "../../../src/api/answer.js";
import type { TransactionView } from "../../../src/api/operations/transaction.js";
import type { Transfer } from "../../../src/api/operations/transfer.js";
import { journalOver } from "../../../src/journal/store.js";
import { moneyRules } from "../../../src/payments/rules/rules.js";
import { checkList } from "../../../src/payments/settlement/corroboration.js";
import { Listing } from "../../../src/payments/settlement/lists/listing.js";
import type { Open } from "../../../src/payments/settlement/matching/doubts.js";
import { settleByService, type Tools } from "../../../src/payments/settlement/settle.js";
import { checkStatement } from "../../../src/payments/settlement/statement-corroboration.js";
import type { IntentRecord, JournalIntent } from "../../../src/ports/intent.js";
import type { Journal, JournalFilter } from "../../../src/ports/journal.js";
import { Disk } from "../simulation/memory.js";
import { hour, ledgerA, ledgerB } from "./world.js";

const start = Date.parse("2026-03-10T10:00:00.000Z");
const at = (milliseconds: number): string => new Date(start + milliseconds).toISOString();
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const payeeOf = (number: number): string => `11111111-0000-4000-8000-${String(number).padStart(12, "0")}`;
const origin = "https://api.example.com";

function intentOf(transfer: Transfer): JournalIntent {
	return {
		operation: "transaction.interLedger",
		effect: "money",
		profile: "test",
		origin,
		service: origin,
		method: "POST",
		path: "/x",
		transfer,
		skew: 0,
	};
}

/** 96 doubts of one amount and one reference, to as many payees, and one payment that is known. */
async function manyDoubts(records: Received[]): Promise<{ tools: Tools; asked: { ids: number; lists: number }; journal: Journal }> {
	let now = start;
	const disk = new Disk(() => new Date(now));
	const journal = journalOver(disk.store({ name: "one", check: () => {}, committing: () => {} }), moneyRules({}));
	const salary = (counterpartyId: string): Transfer => ({
		kind: "ledger",
		ledgerFromId: ledgerA,
		counterpartyId,
		amount: "1000.00",
		currency: "EUR",
		reference: "Salary March",
	});
	await journal.end(await journal.begin(intentOf({ ...salary(ledgerB), amount: "5.00" })), { state: "accepted", status: 201, id: uuid(0) });
	for (let number = 0; number < 96; number++) {
		now += 100;
		await journal.end(await journal.begin(intentOf(salary(payeeOf(number)))), { state: "in-doubt", reason: "no answer" });
	}
	const asked = { ids: 0, lists: 0 };
	const counted: Journal = {
		...journal,
		holders: async (ids) => {
			asked.ids += ids.length;
			return journal.holders(ids.slice(0, 5));
		},
		list: async (filter) => {
			asked.lists += 1;
			return journal.list(filter);
		},
	};
	let hours = 25;
	const tools: Tools = {
		journal: counted,
		service: {
			through: async () => undefined,
			get: async () => ({}),
			list: async () => {
				throw new Error("a list that settles is walked by its pages");
			},
			page: async (_operation, _query, page) =>
				page === 0 ? { found: [...records], whole: true, at: start + hours++ * hour } : { found: [], whole: true },
		},
		place: { baseUrl: origin, overrides: {} },
		now: () => new Date(start + hours * hour),
		settleAfter: 24 * hour,
		absence: "list",
		dry: false,
	};
	return { tools, asked, journal };
}

const recordOf = (number: number, payee: string, more: object = {}): Received => ({
	id: uuid(number),
	creationDate: at(number * 10),
	amount: "1000.00",
	currency: "EUR",
	information: { reference: "Salary March" },
	sender: { ledgerId: ledgerA },
	receiver: { ledgerId: payee },
	...more,
});

test("96 doubts of one amount and one reference, of which half were made, among 40,000 lines of one ledger", async () => {
	const others = Array.from({ length: 40_000 }, (_, number) => recordOf(number + 1_000, payeeOf(1_000 + (number % 5_000))));
	const own = Array.from({ length: 48 }, (_, number) => recordOf(number + 1, payeeOf(number * 2)));
	const known = recordOf(0, ledgerB, { amount: "5.00", creationDate: at(0) });
	const { tools, asked } = await manyDoubts([known, ...own, ...others]);
	const first = await settleByService(tools);
	expect(first.filter(({ state }) => state === "accepted").length).toBe(48);
	expect(asked.ids, "each line once, and those that may be in doubt once more").toBeLessThanOrEqual(40_049 + 96);
	expect(asked.lists).toBeLessThan(1_000);
	const second = await settleByService(tools);
	expect(second.map(({ state }) => state)).toEqual(Array.from({ length: 48 }, () => "not-created"));
});

test("96 doubts alike in a list that does not tell the payees are all a person's", async () => {
	const silent = Array.from({ length: 5_000 }, (_, number) => recordOf(number + 1, payeeOf(number), { receiver: {} }));
	const { tools, asked } = await manyDoubts(silent);
	const found = await settleByService(tools);
	expect(new Set(found.map(({ state }) => state))).toEqual(new Set(["in-doubt"]));
	expect(found[0]).toMatchObject({ why: expect.stringMatching(/^5000 listed may be it, .*: 0{8}-/) });
	expect(asked.ids).toBeLessThanOrEqual(5_000);
});

/** A journal that knows so many payments of one amount and reference, a page at a time. */
function knowing(count: number, change: (number: number) => Partial<IntentRecord> = () => ({})): { journal: Journal; pages(): number } {
	let pages = 0;
	const list = async ({ states, through, limit = 0 }: JournalFilter): Promise<IntentRecord[]> => {
		if (states?.includes("in-doubt")) return [];
		pages += 1;
		const newest = through === undefined ? count : Number(through);
		return Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, index) => knownOf(newest - index, change));
	};
	return { journal: { list, holders: async () => new Map() } as unknown as Journal, pages: () => pages };
}

function knownOf(number: number, change: (number: number) => Partial<IntentRecord>): IntentRecord {
	const transfer = { kind: "ledger", ledgerFromId: ledgerA, counterpartyId: ledgerB, amount: "7.00", currency: "EUR", reference: "Fee" };
	const record = {
		intent: String(number),
		state: "accepted",
		origin,
		service: origin,
		begun: at(number * 100),
		skew: 0,
		id: uuid(number),
		transfer,
	};
	return { ...record, ...change(number) } as IntentRecord;
}

const line = (number: number): TransactionView => ({
	id: uuid(number),
	createdAt: at(number * 100),
	amount: "7.00",
	currency: "EUR",
	reference: "Fee",
	senderLedgerId: ledgerA,
	receiverLedgerId: ledgerB,
});

const asked = {
	doubts: [knownOf(1, () => ({})) as Open],
	covers: { from: start - 48 * hour, to: start + 72 * hour },
	settleAfter: 24 * hour,
};

test.each([
	["stand there", () => true, { unproven: undefined }],
	["stand there but for one", (number: number) => number !== 27_777, { lacks: expect.stringContaining("intent 27777") }],
] as const)("a list is held against 40,000 known payments: all of them %s", async (_, shown, expected) => {
	const { journal, pages } = knowing(40_000);
	const lines = Array.from({ length: 40_000 }, (_, index) => line(index + 1)).filter((_, index) => shown(index + 1));
	const listing = new Listing("service", new Date(asked.covers.to), true, lines);
	expect(await checkList(journal, listing, asked, async () => "APPROVED")).toMatchObject(expected);
	expect(pages()).toBe(41);
	const statement = new Listing(
		"statement",
		new Date(asked.covers.to),
		true,
		lines.map((one, index) => ({ ...one, id: `B${index}` })),
	);
	const checked = await checkStatement(journal, statement, asked, async () => "APPROVED");
	// A statement has ids of its own: which of those alike is missing cannot be told.
	expect(checked.lacks === undefined).toBe(!("lacks" in expected));
});

test("a known payment that ended without success may be left out where the list shows none that ended so", async () => {
	const { journal } = knowing(3);
	const seen = (status: string | undefined, more: readonly TransactionView[] = []) =>
		checkList(journal, new Listing("service", new Date(asked.covers.to), true, [line(1), line(2), ...more]), asked, async () => status);
	expect(await seen("DECLINED")).toEqual({ unproven: undefined, mistaken: [] });
	expect(await seen("PENDING")).toMatchObject({ lacks: expect.stringContaining("intent 3") });
	expect(await seen(undefined)).toMatchObject({ lacks: expect.stringContaining("intent 3") });
	const declined = { ...line(9), id: uuid(9), status: "DECLINED", amount: "1.00" };
	expect(await seen("DECLINED", [declined])).toMatchObject({ lacks: expect.stringContaining("intent 3") });
});

test.each<[string, Partial<IntentRecord>, object]>([
	["named by the service, the clocks known", {}, { unproven: undefined }],
	["of which the clocks are not known", { skew: undefined }, { unproven: expect.stringContaining("no payment from this ledger is known") }],
	[
		"found by counting",
		{ evidence: { source: "service", reason: "x" } },
		{ unproven: expect.stringContaining("no payment from this ledger") },
	],
	[
		"named by a person",
		{ evidence: { source: "person", reason: "x" } },
		{ unproven: expect.stringContaining("no payment from this ledger") },
	],
	[
		"of another ledger",
		{ transfer: { ...knownOf(1, () => ({})).transfer, ledgerFromId: ledgerB } as Transfer },
		{ unproven: expect.any(String) },
	],
	["of another service", { origin: "https://old.example.com", service: "https://old.example.com" }, { unproven: expect.any(String) }],
])("a payment %s speaks for a list", async (_, change, expected) => {
	const { journal } = knowing(1, () => change);
	expect(
		await checkList(journal, new Listing("service", new Date(asked.covers.to), true, [line(1)]), asked, async () => undefined),
	).toMatchObject(expected);
});
