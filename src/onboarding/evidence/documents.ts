/**
 * Documents saved to files or shown in the browser.
 */

import { flag } from "../../api/fields.js";
import { fileNotWritten, troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";

/**
 * Saves a document, readable by its owner only.
 * @throws PurserError guard, where the file exists and `force` is not given; PurserError usage, where it cannot be written, or
 *   unavailable, where the disk is full
 */
export async function saveDocument(context: Context, path: string, content: Uint8Array, force: boolean): Promise<void> {
	if (!force && (await exists(context, path)))
		throw new PurserError("guard", {
			code: "FILE_EXISTS",
			message: `${path} exists already and was left as it is`,
			fix: "Choose another file, or add --force to replace it.",
		});
	try {
		await context.files.write(path, content, 0o600);
	} catch (cause) {
		throw fileNotWritten(path, cause);
	}
}

/**
 * Makes a folder, where it is not there.
 * @returns its path without a slash at the end
 * @throws PurserError usage, where it cannot be made
 */
export async function makeFolder(context: Context, path: string): Promise<string> {
	const folder = path.replace(/[/\\]+$/, "") || path;
	try {
		await context.files.folder(folder);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "FILE_TROUBLE",
			message: `Cannot make the folder ${folder}`,
			why: troubleWords(cause),
			fix: "Check that you may write there.",
			cause,
		});
	}
	return folder;
}

/** Anything but "no such file" counts as existing: an unreadable file must not be replaced. */
async function exists(context: Context, path: string): Promise<boolean> {
	try {
		await context.files.read(path, 1);
		return true;
	} catch (error) {
		const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
		return code !== "ENOENT" && code !== "ENOTDIR";
	}
}

/**
 * Shows a document in the browser, a page without anything that acts by itself; waits until it has been read. Nothing is written to the disk.
 * @param kind `own`: a page that purser made
 * @param keep the flag that saves it instead
 * @returns whether a browser has read it; false with a warning
 * @throws PurserError interrupted
 */
export async function showDocument(
	context: Context,
	content: Uint8Array,
	kind: "page" | "own" | "pdf",
	keep = "--save FILE",
): Promise<boolean> {
	const document =
		kind === "pdf"
			? { bytes: content, contentType: "application/pdf" }
			: { bytes: kind === "own" ? content : inertPage(content), contentType: "text/html; charset=utf-8" };
	const opened = await context.report.during("Waiting until the browser has read the document", () =>
		context.system.showDocument(document),
	);
	if (opened === "none") context.report.warn(`No browser could be opened here; keep the document with ${keep}`);
	if (opened === "unknown")
		context.report.warn(`The system was asked to open the document, but no browser read it in time; keep it with ${keep}`);
	return opened === "opened";
}

/** Elements for which a browser connects somewhere before it asks the policy of the page (`preconnect`, frames), or leaves the page. */
const connecting = /<(link|meta|base|i?frame)(?=[\s/>])/gi;

/** Bytes in which a page says how it is written. */
const mostPrelude = 1024;

/**
 * A page of a service as it is shown in a browser: UTF-8, and without elements that act by themselves. What else acts is forbidden by the
 * policy under which it is shown.
 */
export function inertPage(bytes: Uint8Array): Uint8Array {
	return new TextEncoder().encode(decoded(bytes).replace(connecting, "<x-$1"));
}

/** By the byte order mark, else by what the page says, else as UTF-8. */
function decoded(bytes: Uint8Array): string {
	const [first, second] = bytes;
	if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
	if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
	const prelude = new TextDecoder("latin1").decode(bytes.subarray(0, mostPrelude));
	const charset = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]{1,40})/i.exec(prelude)?.[1] ?? "utf-8";
	try {
		// A page that says UTF-16 in bytes that could be read is none (HTML standard, 13.2.3.2).
		return new TextDecoder(/^utf-16/i.test(charset) ? "utf-8" : charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

/** The flag that answers for a script what a person is asked. */
export const allowOtherHost = () => flag("Also follow addresses to other hosts than the service's, without a credential");

/** Whether an address on another host may be followed: by the flag, else by a person's Yes; without a terminal No. */
export function otherHosts(context: Context, allowed: boolean): (host: string) => Promise<boolean> {
	return async (host) => {
		if (allowed) return true;
		if (!(await context.settings.read()).interactive) return false;
		const prompts = await context.ask.prompts();
		return prompts.confirm({
			message: `The document is on ${host}, not where the service is. Follow it there, without a credential?`,
			fallback: false,
		});
	};
}

/** Whether a document was opened, for people. */
export const openedWords = (opened: boolean | undefined): string | undefined => (opened ? "in the browser" : undefined);
