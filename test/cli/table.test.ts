import { expect, test } from "vitest";
import { noPaint } from "../../src/cli/output/paint.js";
import { makeStyle } from "../../src/cli/output/style.js";

const table = (columns: number) =>
	makeStyle({ paint: noPaint, columns, now: new Date(0) }).table(
		["id", "name", "roles", "KYC"],
		[
			["100998d3-78b5-409a-b6dd-c1ef98c3c7db", "Grace Sample", "director, account owner", "NOT_STARTED"],
			["20eeb023-a628-4141-895b-61096e5c4913", "Linus Placeholder", "", "VALIDATED"],
		],
	);

test("a wide terminal has everything on one line", () => {
	expect(table(120)).toBe(
		[
			"id                                    name               roles                    KYC",
			"100998d3-78b5-409a-b6dd-c1ef98c3c7db  Grace Sample       director, account owner  NOT_STARTED",
			"20eeb023-a628-4141-895b-61096e5c4913  Linus Placeholder                           VALIDATED",
		].join("\n"),
	);
});

test.each([80, 60])("in %i columns the id goes below its row before anything is folded", (columns) => {
	expect(table(columns)).toBe(
		[
			"name               roles                    KYC",
			"Grace Sample       director, account owner  NOT_STARTED",
			"  100998d3-78b5-409a-b6dd-c1ef98c3c7db",
			"Linus Placeholder                           VALIDATED",
			"  20eeb023-a628-4141-895b-61096e5c4913",
		].join("\n"),
	);
});

test("ids of the last column go below too, and a row without one has nothing below", () => {
	const { table: drawn } = makeStyle({ paint: noPaint, columns: 60, now: new Date(0) });
	const rows = [
		["2", "in doubt", "5.64 EUR to ledger", ""],
		["1", "accepted", "10.10 EUR to ledger", "44384854-3457-417c-9de7-50ffe426a840"],
	];
	expect(drawn(["intent", "state", "what", "id"], rows)).toBe(
		[
			"intent  state     what",
			"2       in doubt  5.64 EUR to ledger",
			"1       accepted  10.10 EUR to ledger",
			"  44384854-3457-417c-9de7-50ffe426a840",
		].join("\n"),
	);
});

test("an endless name is cut, the statuses beside it are not", () => {
	const style = makeStyle({ paint: noPaint, columns: 48, now: new Date(0) });
	expect(style.table(["name", "KYB", "terms"], [["N".repeat(40), "NEED_ADDITIONAL_INFORMATION", "no"]])).toBe(
		[
			"name          KYB                          terms",
			"NNNNNNNNNNNN  NEED_ADDITIONAL_INFORMATION  no",
			"NNNNNNNNNNNN",
			"NNNNNNNNNNNN",
			"NNNN",
		].join("\n"),
	);
});

test("an amount stays on one line, and the name beside it is folded", () => {
	const { table: drawn } = makeStyle({ paint: noPaint, columns: 40, now: new Date(0) });
	expect(drawn(["name", "available", "balance"], [["Main account", "9 966.40 EUR", "10 966.40 EUR"]])).toBe(
		["name            available        balance", "Main         9 966.40 EUR  10 966.40 EUR", "account"].join("\n"),
	);
});

test("a time stays on one line, and the words beside it are folded", () => {
	const { table: drawn } = makeStyle({ paint: noPaint, columns: 37, now: new Date(0) });
	expect(drawn(["intent", "begun", "what"], [["12", "2026-03-01 10:00 UTC", "to ledger"]])).toBe(
		["intent  begun                 what", "12      2026-03-01 10:00 UTC  to", "                              ledger"].join("\n"),
	);
});

test("amounts and counts stand to the right, whatever is missing; the first column, and what is not all numbers, to the left", () => {
	expect(
		makeStyle({ paint: noPaint, columns: 60, now: new Date(0) }).table(
			["row", "balance", "rows", "note"],
			[
				["1", "10 000.00 EUR", "3", "12"],
				["22", "0.00 EUR", "120", "none"],
				["3", "", "7", ""],
			],
		),
	).toBe(
		["row        balance  rows  note", "1    10 000.00 EUR     3  12", "22        0.00 EUR   120  none", "3                      7"].join(
			"\n",
		),
	);
});

test("the last columns go below their rows, with their names, before a word of any column is cut", () => {
	const style = makeStyle({ paint: noPaint, columns: 60, now: new Date(0) });
	const rows = [
		["2026-11-22 16:38 +00:00", "12.50 EUR", "Example Supplies Ltd", "Invoice 7", "APPROVED", "44384854-3457-417c-9de7-50ffe426a840"],
		["2026-11-22 16:37 +00:00", "1 012.50 EUR", "Savings", "", "PENDING", "44384854-3457-417c-9de7-50ffe426a841"],
	];
	expect(style.table(["created", "amount", "to", "reference", "status", "id"], rows)).toBe(
		[
			"created                        amount  to          reference",
			"2026-11-22 16:38 +00:00     12.50 EUR  Example     Invoice 7",
			"                                       Supplies",
			"                                       Ltd",
			"  status: APPROVED",
			"  44384854-3457-417c-9de7-50ffe426a840",
			"2026-11-22 16:37 +00:00  1 012.50 EUR  Savings",
			"  status: PENDING",
			"  44384854-3457-417c-9de7-50ffe426a841",
		].join("\n"),
	);
});

test.each([50, 60])("an id in a deployment's own form is never cut, at %i columns", (columns) => {
	const id = "acc_0123456789abcdefghijklmnopqrstuvwxyz0123";
	const drawn = (ids = {}) =>
		makeStyle({ paint: noPaint, columns, now: new Date(0), ids }).table(
			["name", "account", "roles"],
			[["Main account of Example Florist", id, "director, UBO, account owner"]],
		);
	expect(drawn({ ledger: "acc_[0-9a-z]{40}" })).toContain(id);
	expect(drawn()).not.toContain(id);
});
