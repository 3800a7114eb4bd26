/**
 * Chromium, in which pages are looked at: the one that PURSER_BROWSER names, else the first of the PATH.
 */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { installed, isProgram } from "./installed.js";

/** The browser's program, or undefined after a line that says what is skipped. @throws Error where one is named or demanded and is not here */
export function browserFor(what: string): string | undefined {
	const named = process.env.PURSER_BROWSER;
	if (named && !isProgram(named)) throw new Error(`PURSER_BROWSER=${named} is no program`);
	return named || installed(["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"], what);
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
