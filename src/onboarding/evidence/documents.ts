/**
 * Documents saved to files or shown in the browser.
 */
import { pathToFileURL } from "node:url";
import { flag } from "../../api/fields.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";

/**
 * Saves a document, readable by its owner only.
 * @throws PurserError guard, where the file exists and `force` is not given; PurserError usage, where it cannot be written
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
		throw new PurserError("usage", {
			code: "FILE_NOT_WRITTEN",
			message: `Cannot write ${path}`,
			why: cause instanceof Error ? cause.message : undefined,
			fix: "Check that the folder exists and that you may write there.",
			cause,
		});
	}
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
 * Writes a document to a new private folder and opens it in the browser. The folder stays, because the browser reads it later.
 * @returns the file's path, and whether a browser was found
 */
export async function openDocument(context: Context, name: string, content: Uint8Array): Promise<{ path: string; opened: boolean }> {
	const folder = await context.files.temporary();
	const path = `${folder.path}/${name}`;
	await context.files.write(path, content, 0o600);
	return { path, opened: await context.openBrowser(pathToFileURL(path).href) };
}

/** The flag that answers for a script what a person is asked. */
export const allowOtherHost = () => flag("Also follow addresses to other hosts than the service's, without a credential");

/** Whether an address on another host may be followed: by the flag, else by a person's Yes; without a terminal No. */
export function otherHosts(context: Context, allowed: boolean): (host: string) => Promise<boolean> {
	return async (host) => {
		if (allowed) return true;
		if (!(await context.settings()).interactive) return false;
		const prompts = await context.prompts();
		return prompts.confirm({
			message: `The document is on ${host}, not where the service is. Follow it there, without a credential?`,
			fallback: false,
		});
	};
}

/**
 * Opens an address from the service: on the profile's own scheme, host and port, elsewhere only where `mayFollow` allows it.
 * @returns whether a browser opened it; false with a warning otherwise
 */
export async function openAddress(context: Context, address: string, mayFollow: (host: string) => Promise<boolean>): Promise<boolean> {
	const { profile } = await context.settings();
	const target = parsed(address);
	const own = target !== undefined && target.origin === new URL(profile.baseUrl).origin;
	if (target === undefined || !(own || (target.username === "" && target.password === "" && (await mayFollow(target.host))))) {
		context.reporter.warn(
			target === undefined
				? "The address that the service gave is not a web address; it was not opened"
				: `The address is on ${target.host}, not where the service is; it was not opened. Open it yourself if you trust it`,
		);
		return false;
	}
	const opened = await context.openBrowser(target.href);
	if (!opened) context.reporter.warn("No browser could be opened here; open the address yourself");
	return opened;
}

function parsed(address: string): URL | undefined {
	try {
		const url = new URL(address);
		return url.protocol === "https:" || url.protocol === "http:" ? url : undefined;
	} catch {
		return undefined;
	}
}
