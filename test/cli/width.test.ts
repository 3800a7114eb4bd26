import { describe, expect, it } from "vitest";
import { noPaint, type Paint, paintOf } from "../../src/cli/output/paint.js";
import { makeStyle } from "../../src/cli/output/style.js";
import { widthOf, wrapText } from "../../src/cli/output/wrap.js";

describe("how long ago", () => {
	it("is told by the time at which it is shown, not at which the run began", () => {
		let now = new Date("2026-03-01T10:00:00Z");
		const style = makeStyle({ paint: noPaint, columns: 80, now: () => now, utc: true });
		now = new Date("2026-03-01T10:00:20Z");
		expect(style.time("2026-03-01T10:00:19Z")).toBe("2026-03-01 10:00 UTC (now)");
	});
});

describe("width", () => {
	it.each([
		["plain", 5],
		["\u001b[32mACTIVE\u001b[39m", 6],
		["日本", 4],
		["e\u0301", 1],
		["Example® GmbH™ ©", 16],
		["𠮷野家", 6],
		["🚢", 2],
		["می\u200cخواهم", 7],
		["", 0],
	])("of %j is %i", (text, width) => {
		expect(widthOf(text)).toBe(width);
	});
});

describe("wrapping", () => {
	it.each([
		["fits", 10, "fits"],
		["two words here", 9, "two words\nhere"],
		["averylongword", 5, "avery\nlongw\nord"],
		["a averylongword", 5, "a\navery\nlongw\nord"],
		["a averylong", 9, "a\naverylong"],
		["\u001b[32mACTIVE\u001b[39m", 6, "\u001b[32mACTIVE\u001b[39m"],
		["日本語", 4, "日本\n語"],
		["\u001b[33mPENDING_REVIEW\u001b[39m", 8, "\u001b[33mPENDING_\u001b[39m\n\u001b[33mREVIEW\u001b[39m"],
		["\u001b[2mexternal id\u001b[22m now", 8, "\u001b[2mexternal\u001b[22m\n\u001b[2mid\u001b[22m now"],
		[
			"\u001b[1m\u001b[31mtwo words\u001b[39m\u001b[22m",
			5,
			"\u001b[1m\u001b[31mtwo\u001b[39m\u001b[22m\n\u001b[1m\u001b[31mwords\u001b[39m\u001b[22m",
		],
	])("%j in %i columns", (text, width, expected) => {
		expect(wrapText(text, width)).toBe(expected);
	});
});

it("a coloured cell takes as much room as a noPaint one", async () => {
	const coloured = await paintOf(1);
	const table = (paint: Paint) =>
		makeStyle({ paint, columns: 40, now: new Date(0) }).table(
			["name", "status"],
			[["one", makeStyle({ paint, columns: 40, now: new Date(0) }).status("PENDING_REVIEW")]],
		);
	const bare = table(coloured).replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), "");
	expect(bare.split("\n").map((line) => line.trimEnd())).toEqual(table(noPaint).split("\n"));
	expect(table(coloured)).not.toBe(bare);
	expect(table(noPaint)).toBe("name  status\none   PENDING_REVIEW");
});

it("a table that is too wide has its ids below, breaks between words, and never inside an id", () => {
	const id = "7b4376f0-8553-4386-ae8f-81a6f9bfcc5b";
	const table = (columns: number) =>
		makeStyle({ paint: noPaint, columns, now: new Date(0) }).table(["id", "name", "status"], [[id, "Main account here", "NOT_STARTED"]]);
	expect(table(60)).toBe(["name               status", "Main account here  NOT_STARTED", `  ${id}`].join("\n"));
	expect(table(20)).toBe(["name     status", "Main     NOT_STARTED", "account", "here", `  ${id}`].join("\n"));
});
