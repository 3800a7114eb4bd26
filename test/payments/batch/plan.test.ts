/** What a plan is made of: sums by ledger. */
import { expect, it } from "vitest";
import { Totals } from "../../../src/payments/batch/plan/totals.js";

const pay = (ledgerFromId: string, amount: string, currency?: string) =>
	({ kind: "ledger", ledgerFromId, counterpartyId: "x", amount, currency }) as const;

it("adds up exactly, by ledger and currency, in the finest amount's decimals", () => {
	const one = "aaaaaaaa-0000-4000-8000-00000000000a";
	const totals = new Totals(new Map());
	totals.add(1, pay(one.toUpperCase(), "0.1", "EUR"));
	totals.add(2, pay(one, "0.2", "EUR"));
	totals.add(3, pay(one, "999999999999999", "EUR"));
	totals.add(4, pay(one, "0.000000000000001", "EUR"));
	totals.add(5, pay(one, "5", "JPY"));
	totals.add(6, pay("b", "7.50"));
	totals.add(7, pay("c", "8.05", "EUR"));
	expect(totals.list).toEqual([
		{ ledgerFromId: one, currency: "EUR", rows: 4, amount: "999999999999999.300000000000001" },
		{ ledgerFromId: one, currency: "JPY", rows: 1, amount: "5" },
		{ ledgerFromId: "b", rows: 1, amount: "7.50" },
		{ ledgerFromId: "c", currency: "EUR", rows: 1, amount: "8.05" },
	]);
	expect(totals.largest).toEqual([{ currency: "EUR", amount: "999999999999999" }, { currency: "JPY", amount: "5" }, { amount: "7.50" }]);
});

it("says with which row a ledger runs dry, and nothing where its balance is unknown or odd", () => {
	const balances = new Map<string, { available?: string; currency?: string }>([
		["a", { available: "10.50" }],
		["odd", { available: "lots" }],
		["empty", { available: "-3" }],
	]);
	const totals = new Totals(balances);
	totals.add(1, pay("a", "10.5"));
	totals.add(2, pay("odd", "1"));
	totals.add(3, pay("none", "1"));
	totals.add(4, pay("empty", "1"));
	expect(totals.dry).toEqual([{ ledgerFromId: "empty", row: 4 }]);
	totals.add(5, pay("a", "0.001"));
	totals.add(6, pay("a", "1"));
	expect(totals.dry).toEqual([
		{ ledgerFromId: "a", row: 5 },
		{ ledgerFromId: "empty", row: 4 },
	]);
});

it("takes a balance that becomes known later", () => {
	const balances = new Map<string, { available?: string; currency?: string }>();
	const totals = new Totals(balances);
	totals.add(1, pay("a", "6"));
	balances.set("a", { available: "10.005" });
	totals.add(2, pay("a", "4.01"));
	expect(totals.dry).toEqual([{ ledgerFromId: "a", row: 2 }]);
	// What is told has the places of the amounts, not those of the balance.
	expect([totals.list[0]?.amount, totals.largest[0]?.amount]).toEqual(["10.01", "6"]);
});

it("holds what leaves against a balance in its own currency alone", () => {
	const totals = new Totals(new Map<string, { available?: string; currency?: string }>([["a", { available: "10", currency: "EUR" }]]));
	totals.add(1, pay("a", "500", "JPY"));
	totals.add(2, pay("a", "500"));
	expect(totals.dry).toEqual([]);
	totals.add(3, pay("a", "10.01", "EUR"));
	expect(totals.dry).toEqual([{ ledgerFromId: "a", row: 3 }]);
});
