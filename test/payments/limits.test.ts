/**
 * The one rule that counts money against the caps and the approval's limit, for single payments and batches: what is in no known currency
 * counts against every currency, and every currency beside it.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { batchRules } from "../../src/payments/batch/send/guards.js";
import { approvalNeeded } from "../../src/payments/rules/approval-needed.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import type { JournalIntent } from "../../src/ports/intent.js";
import { refusal } from "./batch/plans.js";

type Sums = Record<string, string>;

const ofBatch = (settings: Record<string, string>, asked: Sums, spent: Sums = {}) =>
	refusal(() => batchRules(settings).checkDay(asked, spent, { batch: "1", approved: false }));

function ofPayment(settings: Record<string, string>, amount: string, currency: string | undefined, spent: Sums) {
	const transfer = { kind: "ledger", ledgerFromId: "a", counterpartyId: "b", amount, currency } as const;
	const intent = { effect: "money", operation: "", transfer } as unknown as JournalIntent;
	return refusal(() => moneyRules(settings).check(intent, { duplicates: [], spent, now: new Date(0) }));
}

function needed(approval: string, asked: Sums, spent: Sums = {}): boolean {
	const totals = Object.entries(asked).map(([currency, amount]) => ({
		ledgerFromId: "a",
		rows: 1,
		amount,
		currency: currency || undefined,
	}));
	return approvalNeeded({ totals }, { approval }, spent);
}

test.each<[string, Sums, Sums, string | undefined]>([
	["1500", { EUR: "1000.00", "": "1000.00" }, {}, "CAP_PER_DAY"],
	["1500", { EUR: "1000.00", "": "500.01" }, {}, "CAP_PER_DAY"],
	["1500", { EUR: "1000.00", GBP: "1000.00" }, {}, undefined],
	["1500", { EUR: "1000", GBP: "1000", "": "0.01" }, {}, "CAP_PER_DAY"],
	["1500", { EUR: "1000" }, { "": "500.01" }, "CAP_PER_DAY"],
	["1500", { "": "1000" }, { EUR: "500.01" }, "CAP_PER_DAY"],
	["1500", { EUR: "1500.000" }, {}, undefined],
	["1500 EUR", { EUR: "1500.00" }, { GBP: "9000" }, undefined],
	["1500 EUR", { EUR: "1000" }, { "": "500.01" }, "CAP_PER_DAY"],
	["1500 EUR", { EUR: "1000", "": "1" }, {}, "CAP_CURRENCY"],
])("a cap per day of %s, %o beside %o: %s", (cap, asked, spent, expected) => {
	expect(ofBatch({ "cap-per-day": cap }, asked, spent)).toBe(expected);
	// An approval by the limit of a day counts as the cap does.
	expect(ofBatch({ approval: `above ${cap} a day` }, asked, spent)).toBe(expected && "APPROVAL_NEEDED");
	expect(needed(`above ${cap} a day`, asked, spent)).toBe(expected !== undefined);
});

/** Cents as a person may write them: `1.5`, `1.50`, `1.500`, or `1` for a whole number. */
const written = fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 3 })).map(([cents, zeros]) => {
	const [whole, fraction] = [
		Math.floor(cents / 100),
		String(cents % 100)
			.padStart(2, "0")
			.replace(/0+$/, ""),
	];
	const tail = fraction + "0".repeat(zeros);
	return { cents, text: tail === "" ? String(whole) : `${whole}.${tail}` };
});
const row = fc.record({ amount: written, currency: fc.constantFrom("EUR", "GBP", undefined) });
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

/** The oracle: whole cents over the rows themselves, without sums by currency. */
function above(limit: { cents: number; currency?: string }, asked: readonly Row[], spent: readonly Row[]): boolean {
	return asked.some(({ currency }) => {
		if (limit.currency !== undefined && currency !== limit.currency) return true;
		let cents = 0;
		for (const other of [...asked, ...spent])
			if (currency === undefined || other.currency === undefined || other.currency === currency) cents += other.amount.cents;
		return cents > limit.cents;
	});
}

function sumsOf(rows: readonly Row[]): Sums {
	const { add } = moneyRules({});
	const sums: Sums = {};
	for (const { amount, currency = "" } of rows) sums[currency] = add(sums[currency] ?? "0", amount.text, 1);
	return sums;
}

test("caps and approvals agree with whole cents counted row by row, whatever is known of the currencies", () => {
	let [held, passed] = [0, 0];
	fc.assert(
		fc.property(
			fc.array(row, { minLength: 1, maxLength: 6 }),
			fc.array(row, { maxLength: 4 }),
			fc.record({ amount: written, currency: fc.constantFrom("EUR", undefined), times: fc.integer({ min: 1, max: 8 }) }),
			(asked, spent, { amount, currency, times }) => {
				const limit = { cents: amount.cents * times, currency };
				const setting = `${(limit.cents / 100).toFixed(2)}${currency ? ` ${currency}` : ""}`;
				const [daily, alone] = [above(limit, asked, spent), above(limit, asked, [])];
				daily ? held++ : passed++;
				const [sums, before] = [sumsOf(asked), sumsOf(spent)];
				expect(ofBatch({ "cap-per-day": setting }, sums, before) !== undefined).toBe(daily);
				expect(needed(`above ${setting} a day`, sums, before)).toBe(daily);
				expect(needed(`above ${setting}`, sums, before)).toBe(alone);
				const [first] = asked as [Row];
				const one = above(limit, [first], []);
				expect(ofPayment({ "cap-per-transfer": setting }, first.amount.text, first.currency, before) !== undefined).toBe(one);
				expect(ofPayment({ "cap-per-day": setting }, first.amount.text, first.currency, before) !== undefined).toBe(
					above(limit, [first], spent),
				);
			},
		),
		{ numRuns: 2_000 },
	);
	// The control: it was not always the same answer.
	expect([held > 200, passed > 200]).toEqual([true, true]);
});
