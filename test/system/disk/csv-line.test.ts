import { expect, it } from "vitest";
import { CsvReader } from "../../../src/payments/rules/csv.js";
import { csvLine, type Separator } from "../../../src/system/disk/csv-line.js";
import { Random } from "../../payments/simulation/random.js";
import { seedOfRun } from "../../support/seed.js";

const comma = { separator: ",", safe: true } as const;

/** The text of a cell as it stands between its quotes. */
const bare = (line: string): string =>
	line
		.slice(0, -2)
		.replace(/^"(.*)"$/s, "$1")
		.replaceAll('""', '"');

const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫", "\u2212"];
const unseen = [
	" ",
	"\u00a0",
	"\u3000",
	"\u2028",
	"\ufeff",
	"\u200b",
	"\u2060",
	"\u00ad",
	"\u0000",
	"\u001b",
	"\u3164",
	"\u2800",
	"\ufe0f",
	"\u000b",
];

it.each(signs.flatMap((sign) => ["", "\ufeff", "\u00a0 "].map((before) => [`${before}${sign}1`])))(
	"a cell that a spreadsheet takes for a formula gets an apostrophe, and is written as it is for programs: %j",
	(cell) => {
		const written = (safe: boolean) => bare(csvLine([cell], { separator: ",", safe }));
		expect([written(true), written(false)]).toEqual([`'${cell}`, cell]);
	},
);

it.each(["a=1", "a -1", "1-2", "'=1", "", " a", "(-1)", "a;b", "a, b", "a\nb", "5.00", "0", "1e5"])(
	"what is no formula stays as it is, an amount without a sign too: %j",
	(cell) => {
		expect(csvLine([cell, "x"], comma).replaceAll('"', "")).toBe(`${cell},x\r\n`);
	},
);

it("what would end a cell is quoted, blanks at its ends too, and quotes are doubled", () => {
	expect(csvLine(["a,b", 'a"b', "a\nb", " a", "a ", undefined, "a;b", "=1"], comma)).toBe('"a,b","a""b","a\nb"," a","a ",,a;b,\'=1\r\n');
	expect(csvLine(["a,b", "a;b", "a\tb"], { separator: ";", safe: true })).toBe('a,b;"a;b";a\tb\r\n');
	expect(csvLine(["a", undefined], { separator: ",", safe: true, quoteAll: true })).toBe('"a",""\r\n');
	expect(csvLine(["a\tb", "=1"], { separator: "\t", safe: false })).toBe('"a\tb"\t=1\r\n');
});

it.each(["\t", "\n", "\u00a0", ";", "\t;\u200b", "'"])("a cell of a million characters takes no longer than its length: %j", (part) => {
	const cell = part.repeat(1_000_000 / part.length);
	const start = performance.now();
	const length = csvLine([`${cell}=1`, `${cell}x`, `a;${cell}=1`, `a;${cell}x`], comma).length;
	expect(length).toBeGreaterThan(4_000_000);
	// Where each blank is passed over again from every separator before it, this takes hours.
	expect(performance.now() - start).toBeLessThan(60_000);
});

const without = (cell: string): string => cell.replaceAll("'", "");

const seed = seedOfRun("CSV cells");
it(`whatever a record holds, no cell begins as a formula, and apostrophes are all that is added (seed ${seed})`, () => {
	const random = new Random(seed);
	const pick = <T>(from: readonly T[]): T => random.pick(from);
	const characters = [...signs, ...unseen, "'", "'", '"', ",", ";", "\t", "\n", "\r", "a", "1", "é"];
	const wrong: unknown[] = [];
	for (let run = 0; run < 20_000; run++) {
		const separator: Separator = pick([",", ";", "\t"]);
		const cells = Array.from({ length: 3 }, () => Array.from({ length: random.below(8) }, () => pick(characters)).join(""));
		const text = `a${separator}b${separator}c\r\n${csvLine(cells, { separator, safe: true })}`;
		const reader = new CsvReader("file.csv");
		const read = [...reader.push(text), ...reader.end()][1]?.cells ?? ["", "", ""];
		const formulas = read
			.flatMap((one) => one.split(/[,;\t\r\n]/))
			.filter((cell) => /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠]/u.test(cell));
		if (formulas.length > 0 || read.map(without).join("\0") !== cells.map(without).join("\0")) wrong.push([text, read, cells]);
	}
	expect(wrong.slice(0, 3)).toEqual([]);
});
