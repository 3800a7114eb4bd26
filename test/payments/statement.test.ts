import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readStatement } from "../../src/payments/matching/statement.js";
import { readTable } from "../../src/payments/rules/csv.js";
import { failure } from "../support/failure.js";

const ledger = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";

const fault = (work: () => unknown): string => failure(work).message;

describe("separated values", () => {
	test("a short record and nothing at all are refused by their line", () => {
		expect(fault(() => readTable("a,b\n1,2\n3\n", "x.csv"))).toBe("x.csv, row 3: 1 cells, but the header has 2");
		expect(fault(() => readTable("", "x.csv"))).toBe("x.csv, row 1: there is no header");
	});

	test("whatever is written with quotes comes back as it was", () => {
		const cell = fc.string({ unit: fc.constantFrom("a", "é", '"', ",", ";", "\t", "\n", "\r\n", " ", "0") });
		const row = fc.tuple(cell, cell, cell);
		fc.assert(
			fc.property(
				fc.array(row, { maxLength: 8 }),
				fc.constantFrom(",", ";", "\t"),
				fc.constantFrom("\n", "\r\n"),
				(rows, separator, end) => {
					const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;
					const text = [["a", "b", "c"], ...rows].map((cells) => cells.map(quote).join(separator)).join(end);
					// The separator is found in a header with quotes left out, so one without quotes is written.
					const file = text.replace(/^.*/, ["a", "b", "c"].join(separator));
					expect(readTable(file, "x").rows.map(({ cells }) => cells)).toEqual(rows.map((cells) => [...cells]));
				},
			),
		);
	});
});

describe("a statement", () => {
	test("is read by its columns' names; of signed amounts the debits count", () => {
		const text =
			"Ref;Buchungstag;Betrag;Text\nB1;2026-03-01;-10.10;Invoice 2041\nB2;2026-03-02;10.10;Invoice 2041\nB3;2026-03-05;-0.50;Fee\n";
		const line = { currency: undefined, receiverName: undefined, senderLedgerId: ledger };
		expect(readStatement(text, "s.csv", ledger)).toEqual([
			{ ...line, id: "B1", createdAt: "2026-03-01", amount: "10.10", reference: "Invoice 2041" },
			{ ...line, id: "B3", createdAt: "2026-03-05", amount: "0.50", reference: "Fee" },
		]);
	});

	test("a line with a plus, where what left has no sign, is not surely of a payment that left", () => {
		const listed = readStatement("id,date,amount\n1,2026-03-01,5\n2,2026-03-02,+5\n", "s.csv", ledger);
		expect(listed.map(({ id, amount, senderLedgerId }) => [id, amount, senderLedgerId])).toEqual([
			["1", "5", ledger],
			["2", "5", undefined],
		]);
	});

	test("may tell the payee's ledger, by which a payment is recognised", () => {
		const text = "id,date,amount,payeeLedger\n1,2026-03-01,5,8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21\n2,2026-03-02,5,\n";
		const listed = readStatement(text, "s.csv", ledger);
		expect(listed.map(({ receiverLedgerId }) => receiverLedgerId)).toEqual(["8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21", undefined]);
	});

	test.each<[string, string, string]>([
		["a missing column", "id,amount\n1,2\n", 's.csv, row 1: there is no column "date"; there are id, amount'],
		["two for one", "id,date,Betrag,amount\n", 's.csv, row 1: two columns may be "amount"; there are id, date, Betrag, amount'],
		["a decimal comma", 'id,date,amount\n1,2026-03-01,"1,50"\n', 's.csv, row 2: the amount "1,50" cannot be read'],
		["a date of two meanings", "id,date,amount\n1,01/02/2026,5\n", 's.csv, row 2: the date "01/02/2026" is not YYYY-MM-DD'],
		["a day that is none", "id,date,amount\n1,2026-13-01,5\n", 's.csv, row 2: the date "2026-13-01" is not YYYY-MM-DD'],
	])("with %s is refused", (_, text, expected) => {
		expect(fault(() => readStatement(text, "s.csv", ledger))).toBe(expected);
	});
});
