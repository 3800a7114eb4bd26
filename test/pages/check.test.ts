/**
 * The check that every page passes finds what is wrong: each of these pages has one fault, and beside it a page that has none.
 */
import { describe, expect, test } from "vitest";
import { browserFor } from "../support/browser.js";
import { browserSuite } from "./browser-suite.js";

const program = browserFor("the check of pages");

const page = (content: string, head = ""): string =>
	`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>A page</title><style>:root{color-scheme:light dark}</style>${head}</head><body><main><h1>A page</h1>${content}</main></body></html>`;
const faulty: readonly [name: string, html: string, fault: RegExp][] = [
	["a script that asks", page("<script>alert('here')</script>"), /^a dialog: here$/],
	[
		"a script that the policy holds back",
		page("<script>alert(1)</script>", `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`),
		/^the console: .*Content Security Policy/,
	],
	["a picture from elsewhere", page('<img alt="" src="http://127.0.0.1:9/x.png">'), /^a request: http:\/\/127\.0\.0\.1:9\/x\.png$/],
	[
		"a page that leads on by itself",
		page("", '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/next">'),
		/^a request: .*next$/,
	],
	["something wide", page('<div style="width: 400px">wide</div>'), /^scrolls sideways 360 px wide: 4\d\d px in 360$/],
	[
		"grey on grey",
		page('<p style="color: #888; background: #999">Hard to read</p>'),
		/^axe, dark, 360 px wide: color-contrast \(serious\)/,
	],
	["no language", page("text").replace(' lang="en"', ""), /^axe, .*html-has-lang/],
];

describe.skipIf(program === undefined)("what the check finds", () => {
	const { look } = browserSuite(program);

	test("nothing in a page that is right", async () => {
		const { faults, text, elements } = await look(page("<p>One</p><p>Two</p>"));
		expect(faults).toEqual([]);
		expect(text).toMatch(/^A page\n/);
		expect(elements).toMatchObject({ p: 2, "html lang": 1 });
	});

	test.each(faulty)("%s", async (_, html, fault) => {
		const { faults } = await look(html, /axe|1280/.test(fault.source));
		expect(faults).toContainEqual(expect.stringMatching(fault));
	});
});
