import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { pageBytes } from "../../src/pages/page.js";
import type { Block, Page } from "../../src/ports/page.js";

const textOf = (page: Page): string => new TextDecoder().decode(pageBytes(page));
const page = (blocks: Block[], more: Partial<Page> = {}): Page => ({
	title: "Batch 7",
	madeBy: "purser 0.1.0",
	sections: [{ title: "What it moves", blocks }],
	...more,
});

/** The first section's content. */
const content = (...blocks: Block[]): string =>
	/<h2 id="part-1">What it moves<\/h2>\n([\s\S]*?)\n<\/section>/.exec(textOf(page(blocks)))?.[1] ?? "";

describe("a page", () => {
	test("is one file in English with a policy that allows its own styles alone", () => {
		const text = textOf(page([]));
		const styles = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] as string;
		const digest = createHash("sha256").update(styles).digest("base64");
		expect(
			text.startsWith(
				'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="generator" content="purser">\n<meta http-equiv',
			),
		).toBe(true);
		expect(text).toContain(
			`content="default-src 'none'; style-src 'sha256-${digest}'; img-src data:; form-action 'none'; base-uri 'none'"`,
		);
		expect(text).not.toMatch(/<(script|form|a|iframe|img|base|button)\b|\son\w+=|\sstyle=|https?:/);
	});

	test("says when its data was read, where it comes from and whether personal data is shown", () => {
		const text = textOf(page([], { madeAt: "2026-03-01T10:22:33Z", of: "acme (sandbox)", personalData: "masked" }));
		expect(text).toContain("<p>Data of <time>2026-03-01 10:22 UTC</time></p>");
		expect(text).toContain("<p>acme (sandbox) · Made by purser 0.1.0.");
		expect(text).toContain("Personal data is masked: *** or a number stands in its place.");
		expect(textOf(page([], { personalData: "shown" }))).toContain("This file shows personal data.");
		expect(textOf(page([]))).not.toContain("ersonal data");
	});
});

describe("the parts of a page", () => {
	test("facts leave out what is not known; times are in UTC, amounts have their currency, codes are never formatted", () => {
		expect(
			content({
				kind: "facts",
				rows: [
					["Planned", { time: "2026-03-01T11:22:33+01:00" }],
					["Total", { amount: "1234567.5", currency: "EUR" }],
					["Rows", { code: "0f1e" }],
					["State", { text: "in doubt", tone: "bad" }],
					["Unknown", undefined],
				],
			}),
		).toBe(
			'<dl><dt>Planned</dt><dd><time>2026-03-01 10:22 UTC</time></dd>\n<dt>Total</dt><dd>1 234 567.50 EUR</dd>\n<dt>Rows</dt><dd><code>0f1e</code></dd>\n<dt>State</dt><dd><span class="bad">in doubt</span></dd></dl>',
		);
	});

	test("a table has its caption, its columns and what is left out, or a sentence in its place", () => {
		const table = {
			kind: "table",
			caption: "Payments",
			columns: [{ name: "To" }, { name: "Amount", right: true }],
			empty: "No payments.",
		} as const;
		expect(content({ ...table, rows: [["Acme", { amount: "1.00" }]], of: 2, where: "all.csv" })).toBe(
			'<div class="scroll" role="region" aria-label="Payments" tabindex="0"><table><caption>Payments</caption><thead><tr><th scope="col">To</th>\n<th scope="col" class="right">Amount</th></tr></thead>\n<tbody><tr><td>Acme</td>\n<td class="right">1.00</td></tr></tbody></table></div><p class="quiet">The first 1 of 2. All of them: all.csv</p>',
		);
		expect(content({ ...table, rows: [] })).toBe('<p class="quiet">No payments.</p>');
	});

	test("a page that would be too large has fewer rows in its tables, and says how many there are", () => {
		const rows = Array.from({ length: 200 }, (_, at) => Array.from({ length: 9 }, () => `${at} ${"<".repeat(400)}`));
		const columns = Array.from({ length: 9 }, () => ({ name: "Text" }));
		const table: Block = { kind: "table", caption: "Many", columns, rows, empty: "" };
		const bytes = pageBytes(page([table]));
		expect(bytes.length).toBeLessThanOrEqual(1_048_576);
		expect(new TextDecoder().decode(bytes)).toMatch(/<p class="quiet">The first 50 of 200<\/p>/);
		expect(textOf(page([{ ...table, rows: rows.slice(0, 3) }]))).not.toContain("The first");
	});

	test("a picture is one that was drawn by the same kit, and no text that looks like one", () => {
		const forged: Block = { kind: "picture", picture: { title: "A", markup: { text: "<script>alert(1)</script>" } } };
		expect(() => pageBytes(page([forged]))).toThrow("not drawn here");
	});

	test("a text is cut", () => {
		expect(content({ kind: "text", text: "a".repeat(601) })).toBe(`<p>${"a".repeat(600)}…</p>`);
		expect(content({ kind: "text", text: `${"a".repeat(599)}😀` })).toBe(`<p>${"a".repeat(599)}…</p>`);
	});
});

describe("foreign text", () => {
	test("stays text wherever it stands", () => {
		const hostile = `<img src=x onerror=alert(1)>"'&\`</style></title>\u202e\0\ufffe`;
		const safe = "&#60;img src=x onerror=alert(1)&#62;&#34;&#39;&#38;&#96;&#60;/style&#62;&#60;/title&#62;&#60;U+202E&#62;␀\ufffd";
		const blocks: Block[] = [
			{ kind: "text", text: hostile },
			{ kind: "notice", tone: "warn", text: hostile },
			{ kind: "facts", rows: [[hostile, hostile]] },
			{
				kind: "facts",
				rows: [
					["a", { time: hostile }],
					["b", { code: hostile }],
					["c", { amount: hostile, currency: hostile }],
				],
			},
			{ kind: "table", caption: hostile, columns: [{ name: hostile }], rows: [[{ text: hostile }]], empty: hostile, of: 2, where: hostile },
		];
		const text = textOf({
			title: hostile,
			lead: hostile,
			madeBy: hostile,
			madeAt: hostile,
			of: hostile,
			sections: [{ title: hostile, blocks }],
		});
		expect(text).not.toContain("<img");
		expect(text.match(/<\/style>/g)).toHaveLength(1);
		expect(text.split(safe).length - 1).toBe(20);
	});
});
