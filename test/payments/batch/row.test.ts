/**
 * A row is accepted exactly where a single payment of the same fields is.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createBeneficiaryTransaction, createInterLedger } from "../../../src/api/operations/transaction.js";
import { checkRow } from "../../../src/payments/batch/plan/rows.js";
import { seedOfRun } from "../../support/seed.js";
import { from, payee, to } from "./reading.js";

const id = fc.oneof(
	fc.constantFrom(from, to, payee, from.toUpperCase(), `${from} `, from.replaceAll("-", ""), "x", `{${from}}`),
	fc.uuid(),
	fc.string({ maxLength: 40 }),
);
const amount = fc.oneof(
	fc.constantFrom("1", "10.10", "0", "0.00", "00.1", "01", "1.", ".5", "1e3", "-1", "+1", "1,5", "1.234,56", "1 000", "١", "１", "1\n"),
	fc.stringMatching(/^[0-9]{1,17}(\.[0-9]{1,4})?$/),
	fc.string({ maxLength: 6 }),
);
const reference = fc.oneof(
	fc.stringMatching(/^[a-zA-ZÀ-ÿ0-9 .,?]{1,200}$/),
	fc.string({ maxLength: 200, unit: "binary" }),
	fc.string({ maxLength: 40, unit: "grapheme" }),
	fc.constantFrom(undefined, "\ud800", "a\nb", "\u202e", "x".repeat(140), "x".repeat(141), "é".repeat(80)),
);
const seed = seedOfRun("rows of batches");
const unknown = { ledger: new Map(), beneficiary: new Map() };

it.each([
	["ledger", "ledgerToId", createInterLedger, id],
	["beneficiary", "beneficiaryId", createBeneficiaryTransaction, fc.constantFrom(from, "x")],
] as const)("accepts of a payment to a %s what the schema accepts", (kind, paid, operation, ledgers) => {
	let [accepted, refused] = [0, 0];
	fc.assert(
		fc.property(ledgers, id, amount, reference, (ledgerFromId, counterpartyId, typed, text) => {
			const values = { ledgerFromId, [paid]: counterpartyId, amount: typed, ...(text ? { reference: text } : {}) };
			const isItself = kind === "ledger" && ledgerFromId.toLowerCase() === counterpartyId.toLowerCase();
			const allowed = operation.body.safeParse(values).success && !isItself;
			const { transfer, faults } = checkRow({ faults: [], values }, unknown);
			expect([transfer !== undefined, faults.length === 0]).toEqual([allowed, allowed]);
			if (transfer)
				expect(transfer).toEqual({
					...{ kind, ledgerFromId, counterpartyId, amount: typed },
					...(text ? { reference: text.normalize("NFC") } : {}),
				});
			if (allowed) accepted += 1;
			else refused += 1;
		}),
		{ seed, numRuns: 3_000 },
	);
	expect([accepted > 20, refused > 20]).toEqual([true, true]);
});

const faultsOf = (values: Record<string, string>, currency?: string) =>
	checkRow(
		{ faults: [], values: { ledgerFromId: from, ledgerToId: to, amount: "1", ...values } },
		{ ledger: new Map([[from, currency]]), beneficiary: new Map([[payee, "GBP"]]) },
	).faults.map(({ field, message }) => `${field} ${message}`);

it("holds currency, decimals and switches", () => {
	expect(faultsOf({ amount: "1.005" }, "EUR")).toEqual(["amount has 3 decimals; EUR has 2"]);
	expect(faultsOf({ amount: "1.005", currency: "KWD" })).toEqual([]);
	expect(faultsOf({ amount: "1.5", currency: "jpy" })).toEqual(["amount has decimals; JPY has none"]);
	expect(faultsOf({ currency: "USD" }, "EUR")).toEqual(["currency is USD, but the debited ledger is in EUR"]);
	expect(faultsOf({ currency: "Euro" })).toEqual(['currency must be three letters of ISO 4217, not "Euro"']);
	expect(faultsOf({ beneficiaryId: payee })).toEqual(["beneficiaryId cannot be given with a ledger: a row pays one"]);
	const unpaid = { faults: [], values: { ledgerFromId: from, amount: "1" } };
	expect(checkRow(unpaid, { ledger: new Map([[from, undefined]]), beneficiary: new Map() }).faults).toEqual([
		{ field: "beneficiaryId", message: "is required: a row names who is paid" },
	]);
	expect(faultsOf({ allowFastPayment: "true" })).toEqual(["allowFastPayment is for payments to a beneficiary only"]);
	expect(faultsOf({ ledgerToId: from.toUpperCase() })).toEqual(["ledgerToId is the ledger to debit; choose another one"]);
	expect(
		faultsOf({ amount: "1,5", ledgerToId: "x", currency: "Euro" })
			.map((text) => text.split(" ")[0])
			.toSorted(),
	).toEqual(["amount", "currency", "ledgerToId"]);
});

it("an amount is in the currency of the beneficiary's account, which is not the ledger's where nothing is known of it", () => {
	const known = { ledger: new Map([[from, "EUR"]]), beneficiary: new Map([[payee, "JPY"]]) };
	const row = (values: Record<string, string>) => checkRow({ faults: [], values: { ledgerFromId: from, amount: "5", ...values } }, known);
	expect(row({ beneficiaryId: payee.toUpperCase() }).transfer?.currency).toBe("JPY");
	expect(row({ beneficiaryId: payee, ledgerFromId: to }).transfer?.currency).toBe("JPY");
	expect(row({ beneficiaryId: to }).transfer).toMatchObject({ counterpartyId: to, currency: undefined });
	expect(row({ beneficiaryId: to, currency: "usd" }).transfer?.currency).toBe("USD");
	expect(row({ ledgerToId: to }).transfer?.currency).toBe("EUR");
	expect(row({ beneficiaryId: payee, currency: "EUR" }).faults).toEqual([
		{ field: "currency", message: "is EUR, but the beneficiary's account is in JPY" },
	]);
	expect(row({ beneficiaryId: payee, amount: "1.5" }).faults).toEqual([{ field: "amount", message: "has decimals; JPY has none" }]);
});
