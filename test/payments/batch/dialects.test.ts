/**
 * What stands around the payments of a file: other columns, empty lines.
 */

import { describe, expect, it } from "vitest";
import { from, readFile, to } from "./reading.js";

it("a title with characters that nobody sees is the title", async () => {
	const { rows, ignored } = await readFile(`ledgerFromId,ledgerToId,amount,refe\u00adrence\u200b\n${from},${to},1,Rent\n`);
	expect([rows[0]?.transfer?.reference, ignored]).toEqual(["Rent", []]);
});

describe("blank lines before the header", () => {
	const rows = `${from};${to};1,5\n${from};${to};2,5\n`;
	const header = "ledgerFromId;ledgerToId;amount\n";
	const seen = async (text: string, size?: number) => {
		return (await readFile(text, { size })).rows.map(({ row }) => row).join(" ");
	};

	it.each([
		["none (control)", "", "2 3"],
		["empty ones", "\n\n", "4 5"],
		["with the line ends of Windows", "\r\n\r\n\r\n", "5 6"],
		["of blanks, or of empty cells", "   \n,,,,,\n;;\n\t\n", "6 7"],
		["after a mark of byte order", "\ufeff\n", "3 4"],
	])("%s are skipped: the header is found, and rows are numbered as a spreadsheet program shows them", async (_, before, expected) => {
		for (const size of [undefined, 1, 7]) expect(await seen(before + header + rows, size)).toBe(expected);
	});

	it("thousands of them too", async () => {
		expect((await seen(`${"\n".repeat(20_000)}${header}${rows}`)).split(" ").at(-1)).toBe("20003");
	});
});
