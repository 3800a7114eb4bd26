/**
 * Documents saved to files, and pages shown in the browser.
 */

import { fileNotWritten, troubleWords } from "../../api/text/trouble.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";

/**
 * Saves a document, readable by its owner only.
 * @param force undefined where the command has no such flag
 * @throws PurserError guard, where the file exists and `force` is not given, or is a pipe or a device; PurserError usage, where it cannot be written, or
 *   unavailable, where the disk is full
 */
export async function saveDocument(context: Context, path: string, content: Uint8Array, force?: boolean): Promise<void> {
	const isSpecial = await context.files.isSpecial(path);
	if (isSpecial || (!force && (await exists(context, path))))
		throw new PurserError("guard", {
			code: "FILE_EXISTS",
			message: `${path} ${isSpecial ? "is a pipe or a device" : "exists already"} and was left as it is`,
			fix: `Choose another file${isSpecial || force === undefined ? "" : ", or add --force to replace it"}.`,
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
 * Shows a page of purser's own in the browser; waits until it has been read. Nothing is written to the disk.
 * @param keep the flag that saves it instead
 * @returns whether a browser has read it; false with a warning
 * @throws PurserError interrupted
 */
export async function showPage(context: Context, bytes: Uint8Array, keep: string): Promise<boolean> {
	const opened = await context.report.during("Waiting until the browser has read the page", () =>
		context.system.showDocument({ bytes, contentType: "text/html; charset=utf-8" }),
	);
	if (opened === "none") context.report.warn(`No browser could be opened here; keep the page with ${keep}`);
	if (opened === "unknown")
		context.report.warn(`The system was asked to open the page, but no browser read it in time; keep it with ${keep}`);
	return opened === "opened";
}
