import { expect, it } from "vitest";
import { csvLine } from "../../src/disk/csv-line.js";

const comma = { separator: ",", safe: true } as const;

it.each(
	["=1", "+1", "-1", "@a", "\t1", "\r1", "\n1", "＝1", "＋1", "－1", "＠a", " =1", " \u00a0\u3000@a", "\u200b=1", "\u0000+1"].map(
		(cell) => [cell],
	),
)("a cell that a spreadsheet takes for a formula gets an apostrophe, and is written as it is for programs: %j", (cell) => {
	const written = (safe: boolean) => csvLine([cell], { separator: ",", safe }).replaceAll('"', "").slice(0, -2);
	expect([written(true), written(false)]).toEqual([`'${cell}`, cell]);
});

it.each(["a=1", "a -1", "1-2", "'=1", "", " a", "(-1)"])("what is no formula stays as it is: %j", (cell) => {
	expect(csvLine([cell, "x"], comma).replaceAll('"', "")).toBe(`${cell},x\r\n`);
});

it("what would end a cell is quoted, blanks at its ends too, and quotes are doubled", () => {
	expect(csvLine(["a,b", 'a"b', "a\nb", " a", "a ", undefined, "a;b", "=1"], comma)).toBe('"a,b","a""b","a\nb"," a","a ",,a;b,\'=1\r\n');
	expect(csvLine(["a,b", "a;b", "a\tb"], { separator: ";", safe: true })).toBe('a,b;"a;b";a\tb\r\n');
	expect(csvLine(["a", undefined], { separator: ",", safe: true, quoteAll: true })).toBe('"a",""\r\n');
	expect(csvLine(["a\tb", "=1"], { separator: "\t", safe: false })).toBe('"a\tb"\t=1\r\n');
});
