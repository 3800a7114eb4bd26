import { describe, expect, it } from "vitest";
import { readPage } from "../../src/onboarding/evidence/page-text.js";
import { processorSeconds } from "../support/time.js";

const page = (html: string) => readPage(new TextEncoder().encode(html));

describe("the text of a due-diligence page", () => {
	it("rows that follow each other stand in columns, a very long cell aside", () => {
		const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
		const long = "x".repeat(60);
		const rows = [row("Ada Example", "director", "60 %"), row("Max", "UBO", ""), row(long, "UBO", "5 %")];
		expect(page(`<table>${rows.join("")}</table><p>Then</p><table>${row("a", "b")}</table>`).lines).toEqual([
			"Ada Example  director  60 %",
			"Max          UBO",
			`${long}  UBO       5 %`,
			"Then",
			"a  b",
		]);
	});

	it("puts blocks on lines, cells beside each other, items behind a dash", () => {
		const html = `<!doctype html><html><head><title>Review</title><style>p { color: red }</style></head><body>
			<h1>Example   Trading
			SAS</h1><p>Terms:&nbsp;accepted &amp; signed</p>
			<table><tr><th>Name</th><th>Role</th></tr><tr><td>Ada Example</td><td>director</td></tr></table>
			<ul><li>one</li><li>two</li></ul><script>alert("<p>never</p>")</script>last</body></html>`;
		expect(page(html).lines).toEqual([
			"Review",
			"Example Trading SAS",
			"Terms: accepted & signed",
			"Name         Role",
			"Ada Example  director",
			"- one",
			"- two",
			"last",
		]);
		expect(page(html).cut).toBe(false);
	});

	it.each([
		["5 < 6 and 7 > 3", ["5 < 6 and 7 > 3"]],
		["a<!-- <p>hidden</p> -->b", ["ab"]],
		["a<!-- never closed", ["a"]],
		["a<script>never closed", ["a"]],
		["a<SCRIPT>x</sCrIpT >b", ["ab"]],
		["&#233;&#xE9;&eacute;&unknown;&#0;&#xD800;&#x110000;", ["ééé&unknown;&#0;&#xD800;&#x110000;"]],
		["&lt;p&gt;not a tag&lt;/p&gt;", ["<p>not a tag</p>"]],
		["", []],
	])("reads %j", (html, lines) => {
		expect(page(html).lines).toEqual(lines);
	});

	it("keeps a bound on lines and columns, and says that it was cut", () => {
		const long = page(`<p>${"x".repeat(5000)}</p>${"<p>y</p>".repeat(5000)}`);
		expect(long.lines).toHaveLength(400);
		expect(long.lines[0]).toBe(`${"x".repeat(400)}…`);
		expect(long.cut).toBe(true);
	});

	it.each([
		["unclosed tags", "<p "],
		["unclosed comments", "<!--"],
		["unclosed scripts", "<script "],
		["quotes", '<a title="'],
		["entities", "&#"],
	])("stays quick on megabytes of %s", async (_, piece) => {
		const bytes = new TextEncoder().encode(piece.repeat(Math.floor((6 * 1024 * 1024) / piece.length)));
		let cut = false;
		const took = await processorSeconds(() => {
			({ cut } = readPage(bytes));
		});
		// A second pass over the rest at each tag would take minutes.
		expect(took).toBeLessThan(10);
		expect(cut).toBe(true);
	});
});
