/**
 * The sheet of a batch in Chromium, with foreign text in every place that has any.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sheetPage } from "../../src/payments/batch/sheet/page.js";
import { pageBytes } from "../../src/shell/html/page.js";
import { hostileSheet } from "../payments/batch/sheets.js";
import { browserFor, startBrowser } from "../support/browser.js";
import { lookAt } from "../support/page-check.js";

const program = browserFor("the sheet of a batch");

describe.skipIf(program === undefined)("the sheet of a batch", () => {
	let browser: Browser;
	let folder: string;
	beforeAll(async () => {
		browser = await startBrowser(program as string);
		folder = await mkdtemp(join(tmpdir(), "purser-sheet-"));
	});
	afterAll(async () => {
		await browser?.close();
		await rm(folder, { recursive: true, force: true });
	});

	test("of a million hostile rows fits a telephone, and does nothing", async () => {
		const path = join(folder, "sheet.html");
		await writeFile(path, pageBytes(sheetPage(await hostileSheet())));
		// Its many rows take axe and print long, and those of a usual one are looked at with the other pages.
		const { faults, elements } = await lookAt(browser, { url: pathToFileURL(path).href, whole: false });
		expect(faults).toEqual([]);
		expect([elements.h1, Object.keys(elements).filter((name) => /^script|^a |^form/.test(name))]).toEqual([1, []]);
	});
});
