/**
 * The sheet of a batch in Chromium: as it is usually, and with foreign text in every place that has any.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sheet, sheetPage } from "../../src/payments/batch/sheet/page.js";
import { pageBytes } from "../../src/shell/html/page.js";
import { hostileSheet, pay, sheetOf } from "../payments/batch/sheets.js";
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

	test.each<[string, boolean, () => Promise<Sheet>]>([
		[
			"of some payments",
			true,
			() =>
				sheetOf(
					Array.from({ length: 60 }, (_, at) => pay(at + 1, `${(at + 1) ** 3}.50`)),
					{ unmasked: true },
				),
		],
		// Its many rows take axe and print long; what it does is what matters.
		["of a million hostile ones", false, hostileSheet],
	])("%s is whole on a telephone, on a screen and on paper, and does nothing", async (name, whole, sheet) => {
		const path = join(folder, `${name}.html`);
		await writeFile(path, pageBytes(sheetPage(await sheet())));
		const { faults, text } = await lookAt(browser, { url: pathToFileURL(path).href, whole });
		expect(faults).toEqual([]);
		expect(text).toContain("Fingerprint of the rows, in order (SHA-256)");
	});
});
