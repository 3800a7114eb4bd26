/**
 * Chromium, in which pages are looked at: the one that PURSER_BROWSER names, else the first of the PATH. Where there is none, these tests are
 * skipped and say so, unless PURSER_TEST_REQUIRE names `chromium`.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** @throws Error where PURSER_BROWSER names none, or none is here and must be */
export function findBrowser(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
	const named = env.PURSER_BROWSER;
	if (named) {
		if (!isProgram(named)) throw new Error(`PURSER_BROWSER=${named} is no program`);
		return named;
	}
	const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
	const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
	if (found === undefined && (env.PURSER_TEST_REQUIRE ?? "").split(/[\s,]+/).includes("chromium"))
		throw new Error("Chromium is not installed here, and PURSER_TEST_REQUIRE demands it (PURSER_BROWSER names one elsewhere)");
	return found;
}

function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** The browser's program, or undefined after a line that says what is skipped. @throws Error as findBrowser */
export function browserFor(what: string): string | undefined {
	const found = findBrowser();
	if (found === undefined)
		process.stderr.write(`skipped: ${what} in Chromium, which is not installed here (PURSER_BROWSER names one elsewhere)\n`);
	return found;
}

/** Starts it. It reaches nothing but this machine, and has no files of its user. */
export function startBrowser(executablePath: string): Promise<Browser> {
	return chromium.launch({
		executablePath,
		// It refuses to run as root with its own sandbox.
		chromiumSandbox: process.getuid?.() !== 0,
		args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
		timeout: 300_000,
	});
}

/** A window of its own, in which nothing ends because the machine is slow: the library's default is 30 seconds. */
export async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
	const context = await browser.newContext(options);
	context.setDefaultTimeout(600_000);
	return context;
}
