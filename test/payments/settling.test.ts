import { describe, expect, test } from "vitest";
import type { TransactionView } from "../../src/api/operations/transaction.js";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { listStart } from "../../src/payments/settlement/attempt-times.js";
import { type Doubt, type Observation, settleByCounting } from "../../src/payments/settlement/counting.js";
import { similarity } from "../../src/payments/settlement/matching/similarity.js";
import type { Look } from "../../src/ports/intent.js";

const hour = 3_600_000;
const patience = { settleAfter: 24 * hour, apart: 10 * 60_000, absence: "list" } as const;
const from = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const to = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
/** The id of a transaction, as the journal has it and as a list may write it. */
const id = "aaaaaaaa-0000-4000-8000-00000000000a";
const inCapitals = id.toUpperCase();
const transfer: Transfer = {
	kind: "ledger",
	ledgerFromId: from,
	counterpartyId: to,
	amount: "10.10",
	currency: "EUR",
	reference: "Invoice 2041",
};

const at = (hours: number): string => new Date(Date.parse("2026-03-01T10:00:00Z") + hours * hour).toISOString();

function doubts(count: number, looks: readonly Look[] = [], every = 0): Doubt[] {
	return Array.from({ length: count }, (_, index) => ({ intent: String(index + 1), transfer, begun: at(index * every), looks }));
}

function listed(id: string, hours: number, changed: Partial<TransactionView> = {}): TransactionView {
	return {
		id,
		createdAt: at(hours),
		amount: "10.1",
		currency: "EUR",
		reference: "Invoice 2041",
		senderLedgerId: from,
		receiverLedgerId: to,
		...changed,
	};
}

function seen(hours: number, transactions: TransactionView[], changed: Partial<Observation> = {}): Observation {
	return {
		source: "service",
		at: new Date(at(hours)),
		complete: true,
		listed: transactions,
		claimed: new Set(),
		counted: [],
		sending: 0,
		unnamed: 0,
		...changed,
	};
}

function verdicts(of: readonly Doubt[], looked: Observation): string[] {
	return settleByCounting(of, looked, patience).map((one) =>
		one.state === "accepted" ? `${one.intent} is ${one.id}` : `${one.intent} ${one.state}`,
	);
}

const nothing = (hours: number, changed: Partial<Look> = {}): Look => ({
	number: 1,
	at: at(hours),
	source: "service",
	complete: true,
	unclaimed: 0,
	possible: 0,
	...changed,
});

describe("settling by counting", () => {
	test("U = A: all were made, each by one transaction", () => {
		expect(verdicts(doubts(1), seen(0.1, [listed("a", 0.01)]))).toEqual(["1 is a"]);
		expect(verdicts(doubts(3), seen(1, [listed("c", 0.03), listed("a", 0.01), listed("b", 0.02)]))).toEqual(["1 is a", "2 is b", "3 is c"]);
	});

	test("0 < U < A: as many as there are were made, the rest stay in doubt", () => {
		expect(verdicts(doubts(3), seen(48, [listed("a", 0.01)], {}))).toEqual(["1 is a", "2 in-doubt", "3 in-doubt"]);
		expect(verdicts(doubts(2, [nothing(25)]), seen(48, [listed("a", 0.01)]))).toEqual(["1 is a", "2 in-doubt"]);
	});

	test("U > A: a person looks", () => {
		const all = settleByCounting(doubts(1), seen(1, [listed("a", 0.01), listed("b", 0.02)]), patience);
		expect(all).toMatchObject([{ state: "in-doubt", why: expect.stringContaining("2 matching transactions for 1 in doubt") }]);
	});

	test("what another attempt holds is not counted", () => {
		expect(verdicts(doubts(1), seen(1, [listed(inCapitals, 0.01), listed("b", 0.02)], { claimed: new Set([id]) }))).toEqual(["1 is b"]);
	});

	test("the same transaction listed twice is one", () => {
		expect(verdicts(doubts(2), seen(1, [listed(id, 0.01), listed(inCapitals, 0.01)]))).toEqual([`1 is ${id}`, "2 in-doubt"]);
	});

	test("two ids of a deployment's own form that differ in capitals alone are two transactions", () => {
		const two = [listed("tx_0a", 0.01), listed("tx_0A", 0.02)];
		expect(verdicts(doubts(2), seen(1, two))).toEqual(["1 is tx_0a", "2 is tx_0A"]);
		expect(verdicts(doubts(1), seen(1, two, { claimed: new Set(["tx_0a"]) }))).toEqual(["1 is tx_0A"]);
	});

	test("a transaction from before an attempt is not that attempt's", () => {
		// Two doubts five hours apart, and both transactions are of the first hour: one was made by somebody else.
		expect(verdicts(doubts(2, [], 5), seen(30, [listed("a", 0.1), listed("b", 0.2)]))).toEqual(["1 in-doubt", "2 in-doubt"]);
		expect(verdicts(doubts(2, [], 5), seen(30, [listed("a", 0.1), listed("b", 5.2)]))).toEqual(["1 is a", "2 is b"]);
		expect(verdicts(doubts(2, [], 5), seen(30, [listed("b", 5.2), listed("a", 5.1)]))).toEqual(["1 is a", "2 is b"]);
	});

	test("what one was given by counting may have been the other's", () => {
		// Begun at 0 and 5; the first was given b, of 5.2, when only that was listed. Now a shows, of 0.1.
		const second = doubts(2, [nothing(26), nothing(29)], 5).slice(1);
		const counted = [{ begun: at(0), id: "b" }];
		const claimed = new Set(["b"]);
		expect(verdicts(second, seen(30, [listed("a", 0.1), listed("b", 5.2)], { counted, claimed }))).toEqual(["2 is a"]);
		expect(verdicts(second, seen(30, [listed("b", 5.2)], { counted, claimed }))).toEqual(["2 not-created"]);
	});

	test("not created waits for the last of those whose times overlap", () => {
		// The one begun at 5 may still get the transaction that the one begun at 0 was given.
		const first = doubts(1, [nothing(25)]);
		const counted = [{ begun: at(5), id: "b" }];
		expect(verdicts(first, seen(28, [], { counted }))).toEqual(["1 in-doubt"]);
		expect(verdicts(doubts(1, [nothing(29)]), seen(30, [], { counted }))).toEqual(["1 not-created"]);
		expect(verdicts(first, seen(28, [], { counted: [{ begun: at(-48), id: "b" }] }))).toEqual(["1 not-created"]);
	});

	test("what lies apart in time is counted apart", () => {
		const apart = [...doubts(1), { ...(doubts(1)[0] as Doubt), intent: "2", begun: at(100) }];
		expect(verdicts(apart, seen(110, [listed("a", 100.1)]))).toEqual(["1 in-doubt", "2 is a"]);
		expect(listStart([at(100)], [at(80), at(60), at(0)], 24 * hour)).toBe(at(60 - 24));
	});

	test.each<[Look["source"], string]>([
		["service", "1 listed may be it, but the service does not show enough to be sure; a person must check: a"],
		[
			"statement",
			"1 listed may be it, but the statement does not show the payee's ledger (a column payeeLedger), so it cannot settle anything as created; a person must check: a",
		],
	])("what the %s does not tell is said of it, and another look is not promised to help", (source, why) => {
		const [verdict] = settleByCounting(doubts(1), seen(26, [listed("a", 1, { receiverLedgerId: undefined })], { source }), patience);
		expect(verdict).toMatchObject({ state: "in-doubt", why, after: undefined });
	});

	test.each<[string, readonly Look[], Observation, string]>([
		["the first look", [], seen(25, []), "in-doubt"],
		["two looks that agree, both late enough", [nothing(24)], seen(25, []), "not-created"],
		["an early look and one late enough", [nothing(23.9)], seen(25, []), "in-doubt"],
		["two early looks", [nothing(22)], seen(23.9, []), "in-doubt"],
		["two looks nine minutes apart", [nothing(25)], seen(25.15, []), "in-doubt"],
		["two looks ten minutes apart", [nothing(25)], seen(25 + 1 / 6, []), "not-created"],
		["a list that is not complete", [nothing(25)], seen(26, [], { complete: false }), "in-doubt"],
		["an earlier list that was not complete", [nothing(25, { complete: false })], seen(26, []), "in-doubt"],
		["an earlier look that saw one", [nothing(25, { unclaimed: 1 })], seen(26, []), "in-doubt"],
		["an earlier look that saw a possible one", [nothing(25, { possible: 1 })], seen(26, []), "in-doubt"],
		["one alike being sent", [nothing(25)], seen(26, [], { sending: 1 }), "in-doubt"],
		["a list that cannot be believed", [nothing(25)], seen(26, [], { lacks: "it is of another ledger" }), "in-doubt"],
		["one alike accepted without an id", [nothing(25)], seen(26, [], { unnamed: 1 }), "in-doubt"],
		["a transaction that may be it", [nothing(25)], seen(26, [listed("a", 1, { reference: undefined })]), "in-doubt"],
		["a transaction after the settling time", [nothing(25)], seen(40, [listed("a", 30)]), "in-doubt"],
		[
			"only others",
			[nothing(25)],
			seen(26, [listed("a", 1, { amount: "10.11", reference: "Rent" }), listed("b", 1, { receiverLedgerId: from })]),
			"not-created",
		],
		["one that differs in its amount alone", [nothing(25)], seen(26, [listed("a", 1, { amount: "10.11" })]), "in-doubt"],
		["one that differs in its reference alone", [nothing(25)], seen(26, [listed("a", 1, { reference: "Rent" })]), "in-doubt"],
		["one that differs in its date alone", [nothing(25)], seen(26, [listed("a", -48)]), "in-doubt"],
		["one that differs in its payee alone", [nothing(25)], seen(26, [listed("a", 1, { receiverLedgerId: from })]), "not-created"],
		["one that differs in its ledger alone", [nothing(25)], seen(26, [listed("a", 1, { senderLedgerId: to })]), "not-created"],
		[
			"one that differs in its date, and is another open doubt",
			[nothing(25)],
			seen(26, [listed(inCapitals, -48)], { taken: new Set([id]) }),
			"not-created",
		],
		["an earlier look of an older build", [nothing(25, { number: undefined })], seen(26, []), "in-doubt"],
		["a look between that saw a possible one", [nothing(24), nothing(25, { possible: 1 })], seen(26, []), "in-doubt"],
		["a list that nothing speaks for", [nothing(25)], seen(26, [], { unproven: "no payment is known" }), "in-doubt"],
		["an earlier list that nothing spoke for", [nothing(25, { lacks: "no payment is known" })], seen(26, []), "in-doubt"],
	])("U = 0, %s", (_, looks, looked, expected) => {
		expect(verdicts(doubts(1, looks), looked)).toEqual([`1 ${expected}`]);
	});

	describe("with a token each, doubts alike are settled each by its own", () => {
		const marked = (intent: string, token: string, begun: number, looks: readonly Look[] = []): Doubt => ({
			intent,
			transfer: { ...transfer, reference: `Inv 2041 ${token}`, token },
			begun: at(begun),
			looks,
		});
		const [one, other] = ["BDMPBKZX6B", "RTN00K3KSQ"];
		const shown = (id: string, token: string, hours: number) => listed(id, hours, { reference: `Inv 2041 ${token}` });
		const late = [nothing(25)];

		test("the first not made, the second made", () => {
			const both = [marked("2", other, 0.1, late), marked("1", one, 0, late)];
			const taken = new Set(["a", "b"]);
			expect(verdicts(both, seen(26, [shown("b", other, 0.2)], { taken }))).toEqual(["1 not-created", "2 is b"]);
			expect(verdicts(both, seen(26, [shown("a", one, 0.1)], { taken }))).toEqual(["1 is a", "2 not-created"]);
			expect(verdicts(both, seen(26, [shown("b", other, 0.2), shown("a", one, 0.1)]))).toEqual(["1 is a", "2 is b"]);
		});

		test("a reference cut short before the token may be that of each", () => {
			const both = [marked("1", one, 0, late), marked("2", other, 0.1, late)];
			expect(verdicts(both, seen(26, [listed("a", 0.2, { reference: "Inv 2041" })]))).toEqual(["1 in-doubt", "2 in-doubt"]);
		});

		test("beside one without a token, what may be either's is nobody's by itself", () => {
			const plain = { ...marked("1", one, 0, late), transfer: { ...transfer, reference: "Inv 2041" } };
			expect(verdicts([plain, marked("2", other, 0.1, late)], seen(26, [shown("b", other, 0.2)]))).toEqual(["1 in-doubt", "2 is b"]);
		});
	});

	test("not created names the two looks, and says when another may settle what stays in doubt", () => {
		const done = settleByCounting(doubts(1, [nothing(24)]), seen(25, []), patience)[0];
		expect(done).toMatchObject({ state: "not-created", evidence: { source: "service", looks: [{ at: at(24) }, { at: at(25) }] } });
		expect(settleByCounting(doubts(1), seen(2, []), patience)[0]).toMatchObject({ after: at(24) });
		expect(settleByCounting(doubts(1), seen(30, []), patience)[0]).toMatchObject({ after: at(30 + 1 / 6) });
	});

	test("where a person decides, two looks that agree prove nothing by themselves, and say what a person may confirm", () => {
		const asked = { ...patience, absence: "person" } as const;
		expect(settleByCounting(doubts(1, [nothing(24, { number: 7 })]), seen(25, [], { unproven: "no payment is known" }), asked)).toEqual([
			{
				intent: "1",
				state: "in-doubt",
				why: "not found in two checks, which look complete; a person decides whether it was created",
				look: { at: at(25), source: "service", complete: true, unclaimed: 0, possible: 0, lacks: "no payment is known", agrees: 7 },
			},
		]);
		expect(settleByCounting(doubts(1), seen(25, []), asked)[0]).not.toHaveProperty("look.agrees");
	});

	test("what the clocks leave open is a person's: the later of two times counts, and the list proves nothing", () => {
		const [doubt] = doubts(1, [nothing(49)]);
		const open = { ...(doubt as Doubt), latest: at(25), clock: "the clock was set" };
		expect(verdicts([open], seen(48, []))).toEqual(["1 in-doubt"]);
		expect(settleByCounting([open], seen(48, []), patience)[0]).toMatchObject({ why: "it is not listed, but it may still appear" });
		expect(settleByCounting([open], seen(50, []), patience)[0]).toMatchObject({ look: { lacks: "the clock was set", agrees: 1 } });
	});

	test("counting identifies nobody's payment, a token does", () => {
		const [counted] = settleByCounting(doubts(1), seen(1, [listed("a", 0.1)]), patience);
		expect(counted).toMatchObject({
			evidence: { reason: expect.stringMatching(/^counted, not identified: one matching payment found for this one/) },
		});
		const token = { ...transfer, reference: "Inv BDMPBKZX6B", token: "BDMPBKZX6B" };
		const marked = doubts(1).map((one) => ({ ...one, transfer: token }));
		const [named] = settleByCounting(marked, seen(1, [listed("a", 0.1, { reference: "INV BDMPBKZX6B" })]), patience);
		expect(named).toMatchObject({ evidence: { reason: expect.stringMatching(/^identified by its token/) } });
		// Somebody else's payment alike has no token.
		expect(verdicts(marked, seen(1, [listed("a", 0.1, { reference: "Inv" })]))).toEqual(["1 in-doubt"]);
	});

	test("a statement without the payee's ledger settles nothing as created, and says why", () => {
		const line = (changed: Partial<TransactionView> = {}) => seen(1, [listed("B1", 0.1, changed)], { source: "statement" });
		const payment = doubts(1).map((one) => ({
			...one,
			transfer: { ...transfer, kind: "beneficiary" } as const,
			payee: { name: "Supplies" },
		}));
		const named = settleByCounting(payment, line({ receiverLedgerId: undefined, receiverName: "Supplies" }), patience);
		expect(named).toMatchObject([
			{ state: "in-doubt", why: expect.stringContaining("does not show the payee's ledger (a column payeeLedger)") },
		]);
		expect(verdicts(doubts(1), line())).toEqual(["1 is B1"]);
		expect(verdicts(doubts(1), line({ receiverLedgerId: undefined }))).toEqual(["1 in-doubt"]);
	});

	test("accepted ones without an id take part in the count", () => {
		expect(verdicts(doubts(1), seen(1, [listed("a", 0.1)], { unnamed: 1 }))).toEqual(["1 in-doubt"]);
		expect(verdicts(doubts(1), seen(1, [listed("a", 0.1), listed("b", 0.2)], { unnamed: 1 }))).toEqual(["1 is a"]);
	});
});

describe("whether a listed transaction is the transfer", () => {
	const sought = { transfer, begun: at(0) };
	const payee = { name: "Example Supplies GmbH", friendlyName: "Supplies" };
	const paid: Transfer = { ...transfer, kind: "beneficiary" };

	test.each<[string, Partial<TransactionView>, string]>([
		["told in full", {}, "same"],
		["a debit with its sign", { amount: "-10.10" }, "same"],
		["capitals", { reference: "INVOICE 2041", senderLedgerId: from.toUpperCase() }, "same"],
		["no reference told", { reference: undefined }, "possible"],
		["a reference cut short", { reference: "Invoice" }, "possible"],
		["a reference that is added to", { reference: "Invoice 2041 EXAMPLE" }, "possible"],
		["another reference", { reference: "Invoice 2042" }, "other"],
		["points and blanks left out", { reference: "INVOICE2041." }, "possible"],
		["another amount", { amount: "10.11" }, "other"],
		["an amount in another currency", { amount: "9.01", currency: "GBP" }, "possible"],
		["no amount told", { amount: undefined }, "possible"],
		["no ledger told", { senderLedgerId: undefined }, "possible"],
		["another ledger", { senderLedgerId: to }, "other"],
		["another payee", { receiverLedgerId: from }, "other"],
		["no time told", { createdAt: undefined }, "possible"],
		["nine minutes before (the clocks differ)", { createdAt: at(-0.15) }, "same"],
		["an hour before (our clock may have been ahead)", { createdAt: at(-1) }, "possible"],
		["a day before", { createdAt: at(-24) }, "possible"],
		["more than a day before", { createdAt: at(-24.01) }, "other"],
		["a date alone", { createdAt: "2026-03-01" }, "same"],
		["the date before", { createdAt: "2026-02-26" }, "other"],
		["a time without an offset, of a service to the east", { createdAt: "2026-03-01T23:30:00.123" }, "same"],
		["a time without an offset, of a service to the west", { createdAt: "2026-03-01 00:10:00" }, "same"],
		["a time without an offset, two days before", { createdAt: "2026-02-27T10:00:00" }, "other"],
		["an offset without its colon", { createdAt: "2026-03-01T11:05:00.000+0100" }, "same"],
		["an offset that makes it an hour before", { createdAt: "2026-03-01T11:00:00+02:00" }, "possible"],
		["a day and a month that may be the other way round", { createdAt: "02/01/2026 10:00" }, "possible"],
		["an amount with more places than are calculated with", { amount: `10.1${"0".repeat(31)}` }, "possible"],
		["after the settling time", { createdAt: at(25) }, "possible"],
	])("%s: %s", (_, changed, expected) => {
		expect(similarity(sought, listed("a", 0.1, changed), 24 * hour)).toBe(expected);
	});

	test.each<[string, Partial<TransactionView>, string]>([
		["by the beneficiary's id", { beneficiaryId: to, receiverLedgerId: undefined }, "same"],
		["by another beneficiary's id", { beneficiaryId: from, receiverLedgerId: undefined }, "other"],
		["by name", { receiverLedgerId: undefined, receiverName: "EXAMPLE  Supplies gmbh" }, "same"],
		["by your own name for it", { receiverLedgerId: undefined, receiverName: "Supplies" }, "same"],
		["another name, our reference", { receiverLedgerId: undefined, receiverName: "Ex. Supplies" }, "possible"],
		["no name", { receiverLedgerId: undefined }, "possible"],
	])("a beneficiary %s", (_, changed, expected) => {
		expect(similarity({ transfer: paid, begun: at(0), payee }, listed("a", 0.1, changed), 24 * hour)).toBe(expected);
	});

	test("another name never proves another payment: a bank may write a name in its own way", () => {
		const silent = { ...paid, reference: undefined };
		const other = listed("a", 0.1, { receiverLedgerId: undefined, receiverName: "Ex. Supplies", reference: undefined });
		expect(similarity({ transfer: silent, begun: at(0), payee }, other, 24 * hour)).toBe("possible");
	});

	test.each<[string, Partial<TransactionView>, { currency?: string; name?: string }, string]>([
		["of an account whose currency is not told", {}, {}, "possible"],
		["of an account in another currency", {}, { currency: "GBP" }, "possible"],
		["of an account in the currency that is listed", {}, { currency: "EUR" }, "other"],
		["without a currency", { currency: undefined }, { currency: "EUR" }, "possible"],
		["and another name", { receiverName: "Corner Shop", reference: undefined }, { name: "Example Supplies GmbH" }, "other"],
		["and another name, our reference", { receiverName: "Ex. Supplies" }, { name: "Example Supplies GmbH" }, "possible"],
	])("to a beneficiary another amount, %s, in the ledger's currency: %j %j %s", (_, changed, of, expected) => {
		// The currency on record is the ledger's, taken for that of the account.
		const other = listed("a", 0.1, { amount: "11.60", receiverLedgerId: undefined, ...changed });
		expect(similarity({ transfer: paid, begun: at(0), payee: of }, other, 24 * hour)).toBe(expected);
	});

	test.each([
		["Façade Rénovée", "FACADE RENOVEE", "possible"],
		["Façade Rénovée", "Fa?ade R?nov?e", "possible"],
		["Façade Rénovée", "FAADE RNOVE", "possible"],
		["Façade Rénovée", "FACADE REN", "possible"],
		["Straße 7", "STRASSE 7", "same"],
		["Straße 7", "Stra.e 7", "possible"],
		["Façade Rénovée", "FACADE VERTE", "other"],
		["Straße 7", "STRASSE 8", "other"],
	])("the reference %s listed as %s: %s", (reference, written, expected) => {
		const ours = { transfer: { ...transfer, reference }, begun: at(0) };
		expect(similarity(ours, listed("a", 0.1, { reference: written }), 24 * hour)).toBe(expected);
	});

	test("a payment in a currency that was not looked up may be listed with what left the ledger", () => {
		const unknown = { ...paid, currency: undefined };
		expect(similarity({ transfer: unknown, begun: at(0), payee }, listed("a", 0.1, { amount: "9.01", beneficiaryId: to }), 24 * hour)).toBe(
			"possible",
		);
	});

	test("a token decides, where it is told", () => {
		const marked = { ...transfer, reference: "Inv 204 BCDFGHJKL2", token: "BCDFGHJKL2" };
		const with_ = (reference: string | undefined, changed: Partial<TransactionView> = {}) =>
			similarity({ transfer: marked, begun: at(0) }, listed("a", 0.1, { reference, ...changed }), 24 * hour);
		expect(with_("BCDFGHJKL2", { senderLedgerId: undefined, receiverLedgerId: undefined, createdAt: undefined })).toBe("same");
		expect(with_("Inv 204 BCDFGHJKL2", { amount: "10.11" })).toBe("other");
		// Cut short, as any reference may be: that the token is gone proves nothing.
		expect(with_("Inv 204")).toBe("possible");
		expect(with_("Inv 204 ZXWVTSRQP0")).toBe("other");
		expect(with_(undefined)).toBe("possible");
	});
});
