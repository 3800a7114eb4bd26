/**
 * Files as spreadsheet programs write them; each holds the same two payments.
 */

import { describe, expect, it } from "vitest";
import { advised } from "../../support/advice.js";
import { from, payee, readFile, to } from "./reading.js";

const head = ["ledgerFromId", "beneficiaryId", "amount", "reference"];
const first = [from, payee, "10.10", "Rent, May"];
const second = [from, payee, "7", 'say "hi"\nagain; bye'];
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const where = (separator: string) => (cell: string) => (/["\n\r]/.test(cell) || cell.includes(separator) ? quoted(cell) : cell);
const written = (separator: string, end: string, cell = where(separator)): string =>
	[head, first, second].map((row) => row.map(cell).join(separator) + end).join("");
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");

const files: Record<string, string | Buffer> = {
	"LibreOffice (comma, LF)": written(",", "\n"),
	"LibreOffice, every text cell quoted": written(",", "\n", quoted),
	"Google Sheets (comma, CRLF, no end after the last)": written(",", "\r\n").slice(0, -2),
	"Numbers (semicolon, CRLF)": written(";", "\r\n"),
	"Excel CSV UTF-8 (mark, semicolon, CRLF)": `\ufeff${written(";", "\r\n")}`,
	"Excel Unicode text (UTF-16LE, tab, CRLF)": utf16(written("\t", "\r\n")),
	"UTF-16BE": utf16(written("\t", "\r\n")).swap16(),
	"Excel for old Macs (CR)": written(";", "\r"),
	"sep= in the first line": `sep=;\r\n${written(";", "\r\n")}`,
	"sep= after a mark, quoted": `\ufeff"sep=;"\r\n${written(";", "\r\n")}`,
	"empty lines between": written(",", "\n\n"),
};
const paid = {
	kind: "beneficiary",
	ledgerFromId: from,
	counterpartyId: payee,
	amount: "10.10",
	currency: "EUR",
	reference: "Rent, May",
};

describe("one file in every dialect", () => {
	it.each(Object.entries(files))("%s, whole and cut at every byte", async (_, file) => {
		// A line break is a character that a reference may not have: the second row reads, and is refused for that alone.
		for (const size of [undefined, 1, 2, 3, 7, 64]) {
			const { rows } = await readFile(file, { size });
			expect(rows.map(({ row, cells }) => [row, cells])).toEqual([
				[1, first],
				[2, second],
			]);
			expect(rows[0]).toMatchObject({ transfer: paid, faults: [] });
			expect(new Set(rows[1]?.faults.map(({ row, field }) => `${row} ${field}`))).toEqual(new Set(["2 reference"]));
		}
	});
});

it("JSON Lines keep the literal of an amount, with a mark, CRLF and an empty line", async () => {
	const line = (amount: string, more = "") => `{"ledgerFromId":"${from}","ledgerToId":"${to}","amount":${amount}${more}}`;
	const { rows } = await readFile(`\ufeff${line("10.10")}\r\n\r\n${line('"7.00"', ',"reference":null')}`);
	expect(rows.map(({ line: at, transfer }) => [at, transfer?.amount, transfer?.kind])).toEqual([
		[1, "10.10", "ledger"],
		[3, "7.00", "ledger"],
	]);
});

it("JSON Lines: what is no payment is a fault of its row, and the others are read", async () => {
	const good = `{"ledgerFromId":"${from}","ledgerToId":"${to}","amount":1}`;
	const deep = `${"[".repeat(100_000)}`;
	const lines = ["[1]", "{", deep, '{"sum":1}', '{"amount":{"value":1}}', '{"amount":1,"amount":2}', good];
	const { rows } = await readFile(lines.toSorted((one) => (one === good ? -1 : 0)).join("\n"));
	expect(rows.map(({ faults }) => faults.length)).toEqual([0, 1, 1, 1, 1, 1, 1]);
});

it("JSON Lines: a faulty line stands as it is beside what could be read of it", async () => {
	const { rows, heading } = await readFile('{"amount":1,\n{"amount":2,"sum":3} \n');
	expect(heading.lines).toBe(true);
	expect(rows.map(({ original }) => original)).toEqual(['{"amount":1,', '{"amount":2,"sum":3}']);
});

it("one JSON list is refused with how to make lines of it", async () => {
	await expect(readFile(`\n [{"ledgerFromId":"${from}","ledgerToId":"${to}","amount":1}]`)).rejects.toMatchObject({
		failure: {
			code: "FILE_UNREADABLE",
			message: "pay.csv is one JSON list, but payments are read one per line",
			fix: advised("Write one JSON object per line: jq -c '.[]' pay.csv > payments.jsonl"),
		},
	});
});

it("a plan in the place of the file is refused with what is done with a plan", async () => {
	await expect(readFile('{\n  "format": "purser batch plan",\n  "count": 1\n}\n')).rejects.toMatchObject({
		failure: {
			message: "pay.csv is one JSON object on many lines, but payments are read one per line",
			fix: advised(
				"If it is a plan already: purser pay batch send pay.csv. Else: write one JSON object per line: jq -c '.' pay.csv > payments.jsonl",
			),
		},
	});
});

it("columns named otherwise, given for all rows, switches and kinds", async () => {
	const { rows, heading } = await readFile("Betrag;Empfänger;Notiz;Schnell\n5;bbbbbbbb-0000-4000-8000-000000000001;x;no\n", {
		map: ["amount=Betrag", "beneficiaryId=Empfänger", "allowFastPayment=Schnell"],
		given: { ledgerFromId: from },
	});
	expect(heading).toEqual({ header: ["Betrag", "Empfänger", "Notiz", "Schnell"], separator: ";", ignored: ["Notiz"] });
	expect(rows[0]?.transfer).toEqual({
		kind: "beneficiary",
		ledgerFromId: from,
		counterpartyId: payee,
		amount: "5",
		currency: "EUR",
		allowFastPayment: false,
	});
	const kinds = await readFile(
		`kind,ledgerFromId,ledgerToId,beneficiaryId,amount\nledger,${from},${to},,1\nBeneficiary,${from},,${payee},2\n`,
	);
	expect(kinds.rows.map(({ transfer }) => [transfer?.kind, transfer?.counterpartyId])).toEqual([
		["ledger", to],
		["beneficiary", payee],
	]);
});

it("the empty lines that a spreadsheet leaves are no payments, whatever is given for every row", async () => {
	const { rows } = await readFile("reference;note\nRent;x\n;\n \u00a0; \n;kept\n", {
		given: { ledgerFromId: from, ledgerToId: to, amount: "5" },
	});
	expect(rows.map(({ transfer, faults }) => [transfer?.reference, faults[0]?.message])).toEqual([
		["Rent", undefined],
		[undefined, "is empty; delete the line"],
		[undefined, "is empty; delete the line"],
		[undefined, undefined],
	]);
});

it("an empty text in a JSON line is a cell with nothing in it", async () => {
	const line = `{"kind":"","ledgerFromId":"${from}","ledgerToId":"${to}","beneficiaryId":"","amount":1,"currency":"","reference":""}`;
	const csv = `ledgerFromId,ledgerToId,beneficiaryId,amount,reference\n${from},${to},,1,\n`;
	const [json, cells] = [await readFile(line), await readFile(csv)];
	expect(json.rows[0]?.faults).toEqual([]);
	expect(json.rows[0]?.transfer).toEqual(cells.rows[0]?.transfer);
});

it("a title with characters that nobody sees is the title", async () => {
	const { rows, heading } = await readFile(`ledgerFromId,ledgerToId,amount,refe\u00adrence\u200b\n${from},${to},1,Rent\n`);
	expect([rows[0]?.transfer?.reference, heading.ignored]).toEqual(["Rent", []]);
});

describe("blank lines before the header", () => {
	const rows = `${from};${to};1,5\n${from};${to};2,5\n`;
	const header = "ledgerFromId;ledgerToId;amount\n";
	const seen = async (text: string, size?: number) => {
		const { rows, heading } = await readFile(text, { size });
		return [heading.separator, heading.header.length, ...rows.map(({ row, line }) => [row, line])];
	};

	it.each<[string, string, number]>([
		["none (control)", "", 0],
		["empty ones", "\n\n", 2],
		["with the line ends of Windows", "\r\n\r\n\r\n", 3],
		["of blanks, or of empty cells", "   \n,,,,,\n;;\n\t\n", 4],
		["after a mark of byte order", "\ufeff\n", 1],
	])("%s are skipped: the header is found, row 1 is the first payment, and lines count as in an editor", async (_, before, lines) => {
		for (const size of [undefined, 1, 7])
			expect(await seen(before + header + rows, size)).toEqual([";", 3, [1, 2 + lines], [2, 3 + lines]]);
	});

	it("thousands of them too; a file of nothing else has no payments", async () => {
		expect((await seen(`${"\n".repeat(20_000)}${header}${rows}`)).at(-1)).toEqual([2, 20_003]);
		await expect(seen("\n\n,,\n")).rejects.toMatchObject({ kind: "validation" });
	});
});
