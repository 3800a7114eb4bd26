/** The browser of a suite, and the files that it opens. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { startBrowser } from "../support/browser.js";
import { type Looked, lookAt } from "../support/page-check.js";

export interface BrowserSuite {
	/** There once the tests run. */
	readonly browser: Browser;
	/** Writes a file. @returns its address */
	file(name: string, content: string | Uint8Array): Promise<string>;
	/** What a page is like as a file. @param whole with the checks that take long */
	look(html: string | Uint8Array, whole?: boolean): Promise<Looked>;
}

/** To be called first in the suite: its hooks start the browser and end it. */
export function browserSuite(program: string | undefined): BrowserSuite {
	let [browser, folder]: [Browser | undefined, string] = [undefined, ""];
	beforeAll(async () => {
		browser = await startBrowser(program as string);
		folder = await mkdtemp(join(tmpdir(), "purser-pages-"));
	});
	afterAll(async () => {
		await browser?.close();
		await rm(folder, { recursive: true, force: true });
	});
	const file: BrowserSuite["file"] = async (name, content) => {
		await writeFile(join(folder, name), content);
		return pathToFileURL(join(folder, name)).href;
	};
	return {
		get browser() {
			return browser as Browser;
		},
		file,
		look: async (html, whole) => lookAt(browser as Browser, { url: await file("page.html", html), whole }),
	};
}
