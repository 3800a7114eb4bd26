import { describe, expect, it } from "vitest";
import type { PurserError } from "../../src/errors.js";
import { type Facts, refuseAmount } from "../../src/payments/single/facts.js";
import { previewOf } from "../../src/payments/single/preview.js";

const from = "11111111-1111-4111-8111-111111111111";
const to = "22222222-2222-4222-8222-222222222222";
const who = "33333333-3333-4333-8333-333333333333";
const now = new Date("2026-03-10T12:00:00Z");

const ledgerPayment = (more: Partial<Facts> = {}): Facts => ({
	transfer: { kind: "ledger", ledgerFromId: from, counterpartyId: to, amount: "10.10", reference: "Invoice 2041" },
	from: { found: { id: from, name: "Main account", status: "ACTIVE", currency: "EUR", available: "1000.00" } },
	toLedger: { found: { id: to, name: "Savings", status: "ACTIVE", currency: "EUR", available: "5" } },
	earlier: { found: { transactions: [], complete: true } },
	days: 3,
	now,
	...more,
});

const outsidePayment = (more: Partial<Facts> = {}): Facts => ({
	transfer: { kind: "beneficiary", ledgerFromId: from, counterpartyId: who, amount: "250.00" },
	from: { found: { id: from, name: "Main account", status: "ACTIVE", currency: "EUR", available: "1000" } },
	beneficiary: {
		found: { id: who, name: "Sample Supplies GmbH", status: "VALID", active: true, account: "DE89370400440532013000", currency: "EUR" },
	},
	earlier: { found: { transactions: [{ id: "t1", beneficiaryId: who, amount: "99", createdAt: "2026-01-01T00:00:00Z" }], complete: true } },
	days: 3,
	now,
	...more,
});

const row = (facts: Facts, label: string): string | undefined => previewOf(facts).rows.find(([name]) => name === label)?.[1];

describe("the preview between ledgers", () => {
	it("shows both parties, the amount, what is left, the rail and the reference", () => {
		expect(previewOf(ledgerPayment())).toEqual({
			title: "Send 10.10 EUR to Savings",
			listed: [],
			rows: [
				["From", `Main account · ${from} · ACTIVE`],
				["To", `Savings · ${to} · ACTIVE`],
				["Amount", "10.10 EUR"],
				["Available", "1 000.00 EUR"],
				["Left after", "989.90 EUR"],
				["Rail", "inter-ledger"],
				["Reference", '"Invoice 2041"'],
			],
			warnings: [],
			amount: "10.10",
			currency: "EUR",
		});
	});

	it("invents nothing where a side cannot be read", () => {
		const facts = ledgerPayment({ from: { unread: "no answer" }, toLedger: { unread: "HTTP 404" }, earlier: { unread: "HTTP 405" } });
		const { rows, warnings, title, currency } = previewOf(facts);
		expect([title, currency, rows.slice(0, 5).map(([, value]) => value)]).toEqual([
			...[`Send 10.10 to ledger ${to}`, undefined],
			[`${from} (could not be read)`, `${to} (could not be read)`, "10.10 (currency not known)", "not known", "not known"],
		]);
		expect(warnings).toEqual([
			"The ledger to debit could not be read: no answer",
			"The ledger to credit could not be read: HTTP 404",
			"Earlier payments could not be read: HTTP 405",
		]);
	});

	it("warns of a balance that is not enough, exactly", () => {
		const facts = ledgerPayment({ from: { found: { id: from, currency: "EUR", available: "10.09", status: "ACTIVE" } } });
		expect(row(facts, "Left after")).toBe("-0.01 EUR");
		expect(previewOf(facts).warnings).toEqual(["The available balance is not enough: 0.01 EUR is missing"]);
	});

	it("warns of ledgers that are not active and of two currencies", () => {
		const facts = ledgerPayment({
			from: { found: { id: from, currency: "EUR", available: "1000", status: "SUSPENDED" } },
			toLedger: { found: { id: to, currency: "GBP", status: "CLOSED" } },
		});
		expect(previewOf(facts).warnings).toEqual([
			"The ledger to debit is SUSPENDED, not ACTIVE",
			"The ledger to credit is CLOSED, not ACTIVE",
			"The ledgers differ in currency: EUR is debited, GBP credited",
		]);
	});
});

describe("the preview to a beneficiary", () => {
	it("names the payee, masks the account and forecasts the rail", () => {
		const preview = previewOf(outsidePayment());
		expect(preview.rows).toEqual([
			["From", `Main account · ${from} · ACTIVE`],
			["To", `Sample Supplies GmbH · ${who} · VALID`],
			["Account", "DE89••••3000"],
			["Amount", "250.00 EUR"],
			["Available", "1 000.00 EUR"],
			["Left after", "750.00 EUR"],
			["Rail", "instant where possible (SEPA instant), else standard SEPA"],
			["Reference", "none"],
		]);
		expect(preview.warnings).toEqual([]);
	});

	it.each([
		["DECLINED", true, ["The beneficiary is not VALID: DECLINED"]],
		["VALID", false, ["The beneficiary is inactive"]],
		[undefined, undefined, ["The beneficiary is not VALID: the service gives no status"]],
	])("warns of a beneficiary that is %s, active %s", (status, active, warnings) => {
		const beneficiary = { found: { id: who, name: "Sample Supplies GmbH", status, active, currency: "EUR" } };
		expect(previewOf(outsidePayment({ beneficiary })).warnings).toEqual(warnings);
	});

	it("takes the amount in the beneficiary account's currency and leaves the rest unknown when the ledger holds another", () => {
		const facts = outsidePayment({ beneficiary: { found: { id: who, name: "Sample", status: "VALID", currency: "GBP" } } });
		expect(row(facts, "Amount")).toBe("250.00 GBP");
		expect(row(facts, "Left after")).toBe("not known");
		expect(previewOf(facts).warnings).toContain("The amount is in GBP, the beneficiary account's currency; the ledger to debit holds EUR");
	});

	it.each([
		[[], true, "This beneficiary was never paid before from this ledger"],
		[
			[{ id: "x", beneficiaryId: "b", amount: "1" }],
			false,
			"This beneficiary is not among the ledger's latest 1 transactions; earlier ones were not checked",
		],
	])("where nobody was paid before: %j, complete: %s", (transactions, complete, warning) => {
		expect(previewOf(outsidePayment({ earlier: { found: { transactions, complete } } })).warnings).toEqual([warning]);
	});

	it("recognises a likely duplicate by party, amount and time", () => {
		const same = { id: "t9", beneficiaryId: who, amount: "250", createdAt: "2026-03-09T12:00:00Z", status: "APPROVED", reference: "Rent" };
		const listed = (...more: object[]) =>
			previewOf(outsidePayment({ earlier: { found: { transactions: more.map((one) => ({ ...same, ...one })), complete: true } } })).listed;
		const found = { id: "t9", at: "2026-03-09T12:00:00Z", otherReference: true };
		expect(listed({})).toEqual([found]);
		expect(listed({}, { id: "t8", createdAt: undefined })).toEqual([found, { ...found, id: "t8", at: undefined }]);
		for (const other of [{ createdAt: "2026-03-07T11:59:59Z" }, { amount: "250.01" }, { status: "DECLINED" }])
			expect(listed(other)).toEqual([]);
	});
});

describe("the rail forecast", () => {
	it.each([
		[true, true, true, "inter-ledger (the account is hosted at the service)"],
		[true, true, false, "instant where possible (SEPA instant), else standard SEPA; never inter-ledger (switched off)"],
		[true, false, false, "standard SEPA, no instant rail (switched off); never inter-ledger (switched off)"],
		[false, false, true, "standard SEPA, no instant rail (switched off)"],
		[undefined, true, true, "inter-ledger if the account is hosted at the service, else instant where possible, else the standard rail"],
		[false, undefined, undefined, "instant where possible (SEPA instant), else standard SEPA"],
	])("hosted %s, fast %s, inter-ledger %s", (hosted, allowFastPayment, allowInterLedger, expected) => {
		const found = { id: who, name: "Sample", status: "VALID", currency: "EUR", hostedLedgerId: hosted ? to : undefined };
		const { transfer, ...facts } = outsidePayment();
		const beneficiary = hosted === undefined ? { unread: "no answer" } : { found };
		const known = hosted === undefined ? { from: { unread: "no answer" } } : {};
		expect(row({ ...facts, transfer: { ...transfer, allowFastPayment, allowInterLedger }, beneficiary, ...known }, "Rail")).toBe(expected);
	});
});

it("an amount finer than its currency stops it; one that fits, or whose currency is not known, does not", () => {
	const faultOf = (amount: string, known?: string) => {
		try {
			refuseAmount({ ...ledgerPayment().transfer, amount }, known);
			return undefined;
		} catch (error) {
			return (error as PurserError).failure.details;
		}
	};
	expect(faultOf("10.10", "JPY")).toEqual([{ field: "amount", message: "has decimals; JPY has none" }]);
	expect(faultOf("10.101", "EUR")).toEqual([{ field: "amount", message: "has 3 decimals; EUR has 2" }]);
	expect([faultOf("10.10", "EUR"), faultOf("10.101")]).toEqual([undefined, undefined]);
});
