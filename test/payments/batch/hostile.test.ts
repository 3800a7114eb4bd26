/**
 * Files that are no files of payments: said with the line, and with memory that does not grow.
 */
import { expect, it } from "vitest";
import { readRows } from "../../../src/payments/batch/plan/rows.js";
import { from, pieces, readFile, readingWith, to } from "./reading.js";

const head = "ledgerFromId,ledgerToId,amount,reference";
const good = `${from},${to},1,x`;

it.each<[string, string | Buffer, string]>([
	["no header", `${good}\n${good}\n`, "pay.csv: there is no column From, To, Amount"],
	["NUL", `${head}\n${good}\n${from},${to},1,\0\n`, "pay.csv, line 3: contains a NUL character"],
	["UTF-16 without its mark", Buffer.from(`${head}\n`, "utf16le"), "pay.csv, line 1: contains a NUL character"],
	[
		"no text at all",
		Buffer.concat([Buffer.from(`${head}\n${good}\n`), Buffer.from([0x00, 0xff])]),
		"pay.csv, line 3: contains a NUL character",
	],
	[
		"a letter in UTF-8 and one in Windows-1252",
		Buffer.concat([Buffer.from(`${head}\n${from},${to},1,é\n`), Buffer.from([0xe9, 0x0a])]),
		"pay.csv, line 3: is not valid UTF-8",
	],
	["bytes that are no letters", Buffer.from(`${head}\n${good}\x81 x\n`, "latin1"), "pay.csv, line 2: is not valid UTF-8 or Windows-1252"],
	[
		"a letter cut at the end",
		Buffer.concat([Buffer.from(`${head}\n${from},${to},1,`), Buffer.from([0xe2, 0x82])]),
		"line 2: is not valid UTF-8",
	],
	["a quote left open", `${head}\n${from},${to},1,"x\n${good}\n`, "row 2: a quote is opened and never closed"],
	["text after a quote", `${head}\n${from},${to},1,"x"y\n`, "row 2: text follows a closing quote"],
	["many columns, none of them known", `${"c,".repeat(900)}c\n`, '"c" and 861 more'],
])("%s", async (_, file, words) => {
	for (const size of [undefined, 5]) await expect(readFile(file, { size })).rejects.toThrow(words);
});

it("a million columns are no file of payments", async () => {
	await expect(readFile(`${head}${",".repeat(1_000_000)}\n`, { size: 64 * 1024 })).rejects.toThrow(
		"pay.csv: the header has 1000004 columns, and at most 1000 are read",
	);
});

it.each(["", " \r\n\r\n", "\n\n,,\n", `${head}\n`])("%j has no rows", async (file) => {
	expect((await readFile(file)).rows).toEqual([]);
});

/** What it gives is counted: a reader that kept it all would ask for all of it. */
function endless(start: string, piece: string, count: { given: number }): AsyncIterable<Uint8Array> {
	return (async function* () {
		yield Buffer.from(start);
		const bytes = Buffer.from(piece.repeat(64 * 1024));
		for (; count.given < 1024 ** 3; count.given += bytes.length) yield bytes;
	})();
}

it.each<[string, string, string, string]>([
	["a quote never closed", `${head}\n${from},${to},1,"`, "x", "is a quote never closed?"],
	["quotes alone", `${head}\n${from},${to},1,"`, '""', "is a quote never closed?"],
	["one line without an end", `${head}\n`, "x", "a record of more than 1048576 characters"],
	["blanks", "", " ", "pay.csv"],
	["columns without an end", "", "a,", "a record of more than 1048576 characters"],
])("a gigabyte of %s is cancelled after a few megabytes", async (_, start, piece, words) => {
	const count = { given: 0 };
	await expect(readFile(endless(start, piece, count))).rejects.toThrow(words);
	expect(count.given).toBeLessThan(4 * 1024 ** 2);
});

it("rows as long as rows can be come a few at a time", async () => {
	const line = `${good}${"y".repeat(64 * 1024 - good.length - 1)}\n`;
	let most = 0;
	const read = readRows(pieces(Buffer.from(`${head}\n${line.repeat(100)}`), 64 * 1024), {
		...readingWith(),
		name: "pay.csv",
		given: {},
		currencyOf: async () => new Map(),
		ignored: () => {},
	});
	for await (const rows of read) most = Math.max(most, rows.length);
	expect([most > 0, most < 8]).toEqual([true, true]);
});
