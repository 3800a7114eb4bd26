/**
 * What holds of every page, seen in Chromium: it works without a network and says nothing to anybody, everybody can read it, on a telephone
 * too.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openWindow } from "./browser.js";

/** An answer in the place of what the address leads to: a page that a server would give once. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Uint8Array;
}

/** Names and attributes of the elements of a document → how many of them there are. */
export type Elements = Record<string, number>;

export interface Looked {
	/** Empty where all is well. */
	faults: string[];
	elements: Elements;
	/** The text of the page, where it was looked at as a whole. */
	text: string;
}

interface Check {
	/** Of this machine, or `file:`. */
	url: string;
	answer?: Answer;
	/** Also read by axe, in light and dark. Without it: opened, and what it does is noted. */
	whole?: boolean;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Looks at one page. */
export async function lookAt(browser: Browser, { url, answer, whole = true }: Check): Promise<Looked> {
	const context = await openWindow(browser, { offline: true, colorScheme: "dark", viewport: { width: 360, height: 740 } });
	const faults: string[] = [];
	let elements: Elements = {};
	let text = "";
	try {
		await note(context, { url, answer }, faults);
		const page = await context.newPage();
		await page.goto(url);
		// What a page does by itself once it is there, it does by now.
		await page.evaluate("new Promise((resolve) => setTimeout(resolve, 50))");
		elements = await page.evaluate<Elements>(countElements("document"));
		if (whole) text = await page.evaluate<string>("document.body?.innerText ?? document.documentElement.textContent");
		faults.push(...(await readings(page, whole)));
		if (page.frames().length > 1) faults.push(`${page.frames().length - 1} frames`);
	} catch (error) {
		faults.push(`it could not be read to its end: ${error instanceof Error ? error.message : error}`);
	} finally {
		await context.close();
	}
	return { faults, elements, text };
}

async function readings(page: Page, whole: boolean): Promise<string[]> {
	const narrow = await scrollsSideways(page, "360 px wide");
	if (!whole) return narrow;
	const dark = await readByAxe(page, "dark, 360 px wide");
	await page.emulateMedia({ colorScheme: "light" });
	await page.setViewportSize({ width: 1280, height: 900 });
	const wide = await scrollsSideways(page, "1280 px wide");
	return [...narrow, ...dark, ...wide, ...(await readByAxe(page, "light, 1280 px wide"))];
}

/** Notes what a page must not do, while it is open. */
async function note(context: BrowserContext, { url, answer }: Check, faults: string[]): Promise<void> {
	if (answer !== undefined)
		await context.route(url, (route) => route.fulfill({ status: answer.status, headers: answer.headers, body: Buffer.from(answer.body) }));
	let opened = 0;
	context.on("page", (page) => {
		opened += 1;
		if (opened > 1) faults.push(`another page: ${page.url()}`);
		page.on("pageerror", (error) => faults.push(`a script's error: ${error.message}`));
		page.on("download", (download) => faults.push(`a download: ${download.url()}`));
	});
	context.on("request", (request) => {
		if (!request.isNavigationRequest() || request.url() !== url || request.frame().parentFrame() !== null)
			faults.push(`a request: ${request.url().slice(0, 200)}`);
	});
	context.on("dialog", (dialog) => {
		faults.push(`a dialog: ${dialog.message()}`);
		void dialog.dismiss();
	});
	context.on("console", (message) => {
		if (message.type() === "error" && !isStatus(message.text(), answer)) faults.push(`the console: ${message.text().slice(0, 300)}`);
	});
}

/** Chromium writes the status of a page that is refused to the console. */
const isStatus = (text: string, answer: Answer | undefined): boolean =>
	answer !== undefined &&
	answer.status >= 400 &&
	text.startsWith(`Failed to load resource: the server responded with a status of ${answer.status}`);

async function scrollsSideways(page: Page, where: string): Promise<string[]> {
	const [needed = 0, there = 0] = await page.evaluate<number[]>(
		"[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
	);
	return needed > there ? [`scrolls sideways ${where}: ${needed} px in ${there}`] : [];
}

async function readByAxe(page: Page, where: string): Promise<string[]> {
	await page.evaluate(axe);
	const { violations, passes } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'], preload: false })")) as AxeResults;
	if (passes.length === 0) return [`axe found nothing to check (${where})`];
	return violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.map(({ id, impact, nodes }) => `axe, ${where}: ${id} (${impact}) in ${nodes[0]?.html.slice(0, 200)}`);
}

/** An expression of the browser: how many elements of each name and attributes the document `of` has. */
export const countElements = (of: string): string => `[...${of}.querySelectorAll("*")].reduce((found, element) => {
	const name = [element.localName, ...element.getAttributeNames().sort()].join(" ");
	found[name] = (found[name] ?? 0) + 1;
	return found;
}, {})`;
