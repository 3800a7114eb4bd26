/**
 * Payments alike, one of which was answered with another payment's id: what is counted, and to whom an id goes, also where this machine's clock
 * was wrong when they were sent.
 */
import { expect, test } from "vitest";
import type { Received } from "../../src/api/answer.js";
import { PurserError } from "../../src/errors.js";
import { journalOver } from "../../src/journal/store.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import { lookAtLedger } from "../../src/payments/settlement/look-again.js";
import { isTransfer } from "../../src/payments/settlement/matching/doubts.js";
import { settleByService, type Tools } from "../../src/payments/settlement/settle.js";
import type { IntentRecord, JournalOutcome } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { Disk } from "./simulation/memory.js";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse("2026-03-01T10:00:00.000Z");
const ledgerFromId = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const counterpartyId = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** A transaction as the service has it. */
const made = (number: number, minutes: number, reference: string): Received => ({
	id: idOf(number),
	creationDate: new Date(start + minutes * minute).toISOString(),
	amount: "5.00",
	currency: "EUR",
	information: { reference },
	sender: { ledgerId: ledgerFromId },
	receiver: { ledgerId: counterpartyId },
});

const lost: JournalOutcome = { state: "in-doubt", reason: "no answer came" };
const accepted = (number?: number): JournalOutcome => ({
	state: "accepted",
	status: 201,
	id: number === undefined ? undefined : idOf(number),
});

/** @param ahead milliseconds that this machine's clock was ahead when payments were sent; it is right afterwards */
function world(ahead = 0) {
	let now = start;
	const life = { name: "one", check: () => {}, committing: () => {} };
	const journal: Journal = journalOver(new Disk(() => new Date(now)).store(life), moneyRules({ "duplicate-days": "60" }));
	/** Pays 5.00 so many minutes after the start, whatever stands in the way. */
	async function pay(minutes: number, reference: string, outcome: JournalOutcome): Promise<string> {
		now = start + minutes * minute + ahead;
		const alike = (await journal.list({})).filter(({ transfer }) => transfer?.reference === reference).map(({ intent }) => intent);
		const intent = await journal.begin({
			operation: "create-inter-ledger",
			effect: "money",
			profile: "test",
			origin: "https://api.example.com",
			service: "https://api.example.com",
			method: "POST",
			path: "/x",
			transfer: { kind: "ledger", ledgerFromId, counterpartyId, amount: "5.00", currency: "EUR", reference },
			despite: alike.length > 0 ? { intents: alike, reason: "owed twice" } : undefined,
			skew: -ahead,
		} as Parameters<Journal["begin"]>[0]);
		await journal.end(intent, outcome);
		return intent;
	}
	/** A look so many hours after the start. @param asked what is told of transactions by themselves; the others cannot be read */
	function toolsAt(hours: number, listed: readonly Received[], { whole = true, asked = listed } = {}): Tools {
		now = start + hours * hour;
		const at = now;
		return {
			journal,
			service: {
				through: async () => undefined,
				get: async (_, { params }) => {
					const { transactionId } = params as { transactionId?: string };
					const found = transactionId === undefined ? { id: ledgerFromId } : asked.find(({ id }) => id === transactionId);
					if (found) return found;
					throw new PurserError("rejected", { code: "NOT_FOUND", message: "there is none", fix: "Look at the id." });
				},
				list: async () => ({ records: [], complete: false }),
				page: async (_, { startDate }, page) => {
					const found = listed.filter(({ creationDate }) => page === 0 && String(creationDate) >= String(startDate));
					return { found, whole, at };
				},
			},
			place: { baseUrl: "https://api.example.com", overrides: {} },
			now: () => new Date(now),
			settleAfter: 24 * hour,
			absence: "list",
			dry: false,
		};
	}
	const record = async (intent: string) => (await journal.show(intent))?.record as IntentRecord;
	return { journal, pay, toolsAt, record };
}

/** A doubt that was never made, and one alike that was, and was answered with the id of a third payment. A part of the list shows its own. */
async function partly(tellsOther: readonly Received[]) {
	const { pay, toolsAt, record } = world();
	await pay(0, "Other", lost);
	const doubt = await pay(2, "Rent", lost);
	const holder = await pay(5, "Rent", accepted(1));
	const settled = await settleByService(toolsAt(1, [made(2, 5, "Rent")], { whole: false, asked: tellsOther }), { intent: doubt });
	return { doubt: settled.find(({ intent }) => intent === doubt), holder: await record(holder) };
}

test("what is listed is not counted for a doubt where one alike holds an id that is another payment's", async () => {
	const { doubt, holder } = await partly([made(1, 0, "Other")]);
	expect(doubt).toMatchObject({
		state: "in-doubt",
		why: `intent 3 is identical and holds the id ${idOf(1)}, which the service does not show as its own, so the listed payment may be that one; a person must check`,
	});
	expect(holder).toMatchObject({ state: "accepted", mistaken: { id: idOf(1) } });
	expect(holder.id).toBeUndefined();
});

test("nor where the service does not tell whose that id is", async () => {
	const { doubt, holder } = await partly([]);
	expect([doubt?.state, holder.id]).toEqual(["in-doubt", idOf(1)]);
});

test("control: where the transaction of the one alike is its own, the other is the doubt's", async () => {
	const { doubt, holder } = await partly([made(1, 5, "Rent")]);
	expect(doubt).toMatchObject({ state: "accepted", id: idOf(2) });
	expect(holder.id).toBe(idOf(1));
});

test.each([0, 48 * hour, -48 * hour])(
	"an id goes to its owner where the clock was %i ms ahead when both were sent, and the holder gets its own",
	async (ahead) => {
		const { pay, toolsAt, record } = world(ahead);
		const owner = await pay(0, "Other", lost);
		const holder = await pay(5, "Rent", accepted(1));
		const listed = [made(1, 0, "Other"), made(2, 5, "Rent")];
		await settleByService(toolsAt(2, listed));
		expect(await record(owner)).toMatchObject({ state: "accepted", id: idOf(1) });
		// What was begun more than a day after the look, by this machine's clock, is found by its number alone.
		if ((await record(holder)).id === undefined) await settleByService(toolsAt(3, listed), { intent: holder });
		expect(await record(holder)).toMatchObject({ state: "accepted", id: idOf(2) });
	},
);

test("an id goes to whichever of those alike is left in doubt, where another one was counted", async () => {
	const { pay, toolsAt, record } = world();
	const first = await pay(0, "Rent", lost);
	const holder = await pay(5, "Other", accepted(1));
	const second = await pay(15, "Rent", lost);
	const all = [made(1, 0, "Rent"), made(2, 5, "Other"), made(3, 15, "Rent")];
	// The part shows what is the second's, and it is counted for the first.
	await settleByService(toolsAt(1, [all[2] as Received], { whole: false, asked: all }));
	expect(await record(first)).toMatchObject({ state: "accepted", id: idOf(3) });
	await settleByService(toolsAt(2, all));
	expect(await record(second)).toMatchObject({ state: "accepted", id: idOf(1) });
	expect(await record(holder)).toMatchObject({ state: "accepted", id: idOf(2) });
});

test("control: of another time than all of them, it stays where it is", async () => {
	const { pay, toolsAt, record } = world();
	const holder = await pay(5, "Other", accepted(1));
	await pay(50 * 60, "Rent", lost);
	await settleByService(toolsAt(51, [made(1, 0, "Rent")]));
	expect((await record(holder)).id).toBe(idOf(1));
});

test.each([0, 48 * hour, -48 * hour])(
	"the look before the same is sent again finds what was made while the clock was %i ms ahead",
	async (ahead) => {
		const { pay, toolsAt, record } = world(ahead);
		const intent = await pay(0, "Rent", lost);
		const sought = [await record(intent)].filter(isTransfer);
		const { suspects } = await lookAtLedger(toolsAt(100, [made(1, 0, "Rent")]), sought, new Set());
		expect(suspects).toMatchObject([{ intent, similarity: "same", transaction: { id: idOf(1) } }]);
	},
);
