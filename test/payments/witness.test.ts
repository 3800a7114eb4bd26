/** What makes a list believed where it shows nothing: payments known to be made that stand in it. */
import { expect, test } from "vitest";
import type { TransactionView } from "../../src/api/transaction.js";
import { Listing } from "../../src/payments/listing.js";
import type { Open } from "../../src/payments/settle-doubts.js";
import { contradicted, unwitnessed } from "../../src/payments/witness.js";
import type { IntentRecord, Journal } from "../../src/ports/journal.js";

const hour = 3_600_000;
const ledgerId = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const payee = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
const start = Date.parse("2026-03-01T00:00:00Z");

function intent(number: number, more: Partial<IntentRecord> = {}): Open {
	return {
		intent: String(number),
		state: "accepted",
		origin: "https://api.example.com",
		begun: "2026-03-05T10:00:00.000Z",
		id: `0000000${number % 10}-7f0e-4b6e-9d2a-5a1b8c7d6e4f`,
		fingerprint: "f",
		transfer: { kind: "beneficiary", ledgerFromId: ledgerId, counterpartyId: payee, amount: "25.00", reference: "Invoice 7" },
		...more,
	} as Open;
}

const journalOf = (...known: IntentRecord[]) => ({ list: async () => known }) as unknown as Journal;
const asked = (listed: readonly TransactionView[]) => ({
	doubts: [intent(9, { state: "in-doubt", begun: "2026-03-05T12:00:00.000Z" })],
	covers: { from: start, to: start + 9 * 24 * hour },
	listing: new Listing("statement", new Date(start + 9 * 24 * hour), true, listed),
	settleAfter: 24 * hour,
});
const line = (more: Partial<TransactionView>): TransactionView => ({
	createdAt: "2026-03-05",
	amount: "25.00",
	senderLedgerId: ledgerId,
	...more,
});

test.each<[string, Partial<TransactionView>, boolean]>([
	["the amount, nothing else told", {}, true],
	["another amount under the very reference: it was exchanged", { amount: "29.17", reference: "INVOICE 7" }, true],
	["another amount without a reference: any line of that day would be it", { amount: "29.17" }, false],
	["another amount and a part of the reference", { amount: "29.17", reference: "7" }, false],
	["the amount, another month", { createdAt: "2026-02-05" }, false],
])("a statement shows %s", async (_, more, believed) => {
	expect((await unwitnessed(journalOf(intent(1)), asked([line(more)]))) === undefined).toBe(believed);
});

test.each<[string, TransactionView[], Partial<IntentRecord>, boolean]>([
	["nothing of it came in by the signs", [line({ amount: "30.00" })], {}, true],
	["what left is the reversal of what came in by the signs", [line({})], {}, false],
	["it was made before the time that is shown whole, so what left may be a reversal", [], { begun: "2026-02-28T20:00:00.000Z" }, false],
])("a statement with signs: %s", async (_, lines, known, believed) => {
	const unlisted = new Listing("statement", new Date(start + 9 * 24 * hour), true, lines);
	const listed = asked([line({ createdAt: known.begun ? "2026-03-01" : "2026-03-06" })]);
	expect((await unwitnessed(journalOf(intent(1, known)), listed, unlisted)) === undefined).toBe(believed);
});

test("of many payments those in the statement's time are looked for first", async () => {
	const later = Array.from({ length: 150 }, (_, at) => intent(at + 10, { begun: "2026-03-20T10:00:00.000Z" }));
	await expect(unwitnessed(journalOf(...later, intent(1)), asked([line({})]))).resolves.toBeUndefined();
});

test("what another service or ledger made says nothing of a list", async () => {
	const elsewhere = intent(1, { origin: "https://old.example.com" });
	const other = intent(2, { transfer: { ...intent(2).transfer, ledgerFromId: payee } });
	await expect(contradicted(journalOf(intent(3)), asked([]))).resolves.toMatch(/^the service lists none of the payments/);
	await expect(contradicted(journalOf(elsewhere, other), asked([]))).resolves.toBeUndefined();
	await expect(unwitnessed(journalOf(elsewhere), asked([line({})]))).resolves.toMatch(/^the statement shows no payment/);
});
