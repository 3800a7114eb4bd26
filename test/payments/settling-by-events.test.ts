/**
 * Doubts settled by events alone, at a service without a list: each transaction that an event named is read, and counts by the rule of the
 * list. Events lie, come twice, in any order, or never.
 */
import { expect, test } from "vitest";
import type { Received } from "../../src/api/answer.js";
import { PurserError } from "../../src/errors.js";
import { journalOver } from "../../src/journal/store.js";
import { readNamed } from "../../src/payments/matching/events.js";
import { type DoubtFilter, settleBy } from "../../src/payments/matching/settle.js";
import type { Tools } from "../../src/payments/matching/sides.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import type { IntentRecord } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { Disk } from "./simulation/memory.js";

const start = Date.parse("2026-03-01T10:00:00.000Z");
const ledgerFromId = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const counterpartyId = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** A transaction as the service tells it. */
const told = (id: string, reference: string, more: Partial<Record<string, unknown>> = {}): Received => ({
	id,
	creationDate: new Date(start + 60_000).toISOString(),
	amount: "5.00",
	currency: "EUR",
	information: { reference },
	sender: { ledgerId: ledgerFromId },
	receiver: { ledgerId: counterpartyId },
	...more,
});

function world(transactions: ReadonlyMap<string, Received>) {
	let now = start;
	const life = { name: "one", check: () => {}, committing: () => {} };
	const journal: Journal = journalOver(new Disk(() => new Date(now)).store(life), moneyRules({ "duplicate-days": "60" }));
	const read: string[] = [];
	const tools: Tools = {
		journal,
		service: {
			mappingOf: () => undefined,
			get: async (_, { params }) => {
				const { transactionId } = params as { transactionId: string };
				read.push(transactionId);
				const found = transactions.get(transactionId);
				if (found !== undefined) return found;
				throw new PurserError("rejected", { code: "NOT_FOUND", message: "there is none", fix: "Look at the id." });
			},
			list: () => Promise.reject(new Error("this service has no list")),
			page: () => Promise.reject(new Error("this service has no list")),
		},
		place: { baseUrl: "https://api.example.com" },
		now: () => new Date(now),
		settleAfter: 24 * 3_600_000,
		dry: false,
	};
	async function lose(reference: string): Promise<string> {
		now += 10;
		const alike = (await journal.list({})).filter(({ transfer }) => transfer?.reference === reference);
		const intent = await journal.begin({
			operation: "create-inter-ledger",
			effect: "money",
			profile: "test",
			origin: "https://api.example.com",
			service: "https://api.example.com",
			method: "POST",
			path: "/x",
			transfer: { kind: "ledger", ledgerFromId, counterpartyId, amount: "5.00", currency: "EUR", reference },
			despite: alike.length > 0 ? { intents: alike.map((one) => one.intent), reason: "owed twice" } : undefined,
			skew: 0,
		} as Parameters<Journal["begin"]>[0]);
		await journal.end(intent, { state: "in-doubt", reason: "no answer came" });
		return intent;
	}
	const after = async (hours: number): Promise<void> => {
		now = start + hours * 3_600_000;
	};
	const all = async (): Promise<IntentRecord[]> => journal.list({});
	return { tools, lose, after, all, read, journal };
}

/** What `pay settle --by events` does with the ids that events named. */
async function settleByEvents(tools: Tools, ids: readonly string[], which: DoubtFilter = {}) {
	const held = await tools.journal.holders(ids);
	const free = ids.filter((id) => !held.has(id));
	return settleBy(tools, which, { ...(await readNamed(tools.service, free)), source: "events" });
}

test("no event proves nothing: neither at once nor after the settling time, however often it is asked", async () => {
	const { tools, lose, after } = world(new Map());
	const intent = await lose("Rent");
	for (const hours of [1, 48, 72, 96]) {
		await after(hours);
		const [settled] = await settleByEvents(tools, []);
		expect(settled).toMatchObject({
			intent,
			state: "in-doubt",
			why: "it is not listed, but only transactions that events named were read, which proves nothing of the others",
		});
	}
});

test("an id that a payment holds is not read, and settles nothing else", async () => {
	const { tools, lose, after, journal, read } = world(new Map([[idOf(1), told(idOf(1), "Rent")]]));
	const first = await lose("Rent");
	await journal.settle(first, { state: "accepted", id: idOf(1), evidence: { source: "person", reason: "seen on the bank's screen" } }, 1);
	await lose("Rent");
	await after(1);
	const [second] = await settleByEvents(tools, [idOf(1), idOf(1).toUpperCase()]);
	expect([second?.state, read]).toEqual(["in-doubt", []]);
});

test("what could not be read is told", async () => {
	const { tools, lose } = world(new Map());
	await lose("Rent");
	const [settled] = await settleByEvents(tools, [idOf(5)]);
	expect(settled).toMatchObject({
		state: "in-doubt",
		why: "it is not listed, but 1 of the transactions that events named could not be read, and only transactions that events named were read, which proves nothing of the others",
	});
});

test("an answer about another transaction than the one that was asked for counts for nothing", async () => {
	const { tools, lose } = world(new Map([[idOf(5), told(idOf(6), "Rent")]]));
	await lose("Rent");
	expect(await settleByEvents(tools, [idOf(5)])).toMatchObject([{ state: "in-doubt" }]);
});

test("a transaction that surely is another doubt's makes nobody look at this one, where this one alone is settled", async () => {
	const { tools, lose, after } = world(new Map([[idOf(1), told(idOf(1), "Rent March")]]));
	const april = await lose("Rent April");
	await lose("Rent March");
	await after(1);
	const [settled] = await settleByEvents(tools, [idOf(1)], { intent: april });
	expect(settled).toMatchObject({ intent: april, state: "in-doubt", check: { fitting: 0 } });
});
