/**
 * Writes a page or a picture to a file.
 */
import { sha256 } from "../api/digest.js";
import { fileNotWritten } from "../api/text/trouble.js";
import { PurserError } from "../errors.js";
import type { Files } from "../ports/machine.js";
import { pageMark, pictureMark } from "./markup.js";

/** The file that was written, as `--json` names it. */
export interface WrittenPage {
	path: string;
	bytes: number;
	/** Hex. */
	sha256: string;
}

/** A file of ours is never larger, with room to spare; a larger one is somebody else's. */
const mostRead = 64 * 1024 * 1024;

/**
 * Writes a page atomically, readable by its owner only. It replaces an earlier page, and with `force` any file.
 * @throws PurserError guard, where another file, a symbolic link, a pipe or a device is in its place; PurserError usage, where it cannot be written; unavailable, where the disk is full
 */
export async function writePage(
	files: Pick<Files, "read" | "write" | "isLink" | "isSpecial">,
	path: string,
	bytes: Uint8Array,
	force?: boolean,
): Promise<WrittenPage> {
	await requirePlace(files, path, force);
	try {
		await files.write(path, bytes, 0o600);
	} catch (cause) {
		throw fileNotWritten(path, cause, `The page ${path}`);
	}
	return { path, bytes: bytes.length, sha256: sha256(bytes) };
}

/**
 * Checks before long work that a page may be written to this file.
 * @param force undefined where the command has no such flag
 * @throws PurserError guard, as {@link writePage} does
 */
export async function requirePlace(files: Pick<Files, "read" | "isLink" | "isSpecial">, path: string, force?: boolean): Promise<void> {
	if (await files.isLink(path)) throw inPlace(path, "is a symbolic link, whose target can change", "Choose another file.");
	if (await files.isSpecial(path)) throw inPlace(path, "is a pipe or a device, and a page is a file", "Choose another file.");
	const orForce = force === undefined ? "" : ", or add --force to replace it";
	if (!force && !(await isReplaceable(files, path)))
		throw inPlace(path, "exists and is not a page of purser; it was left as it is", `Choose another file${orForce}.`);
}

/** Whether there is no file, or one of ours. Anything but "no such file" counts as a file: one that cannot be read must not be replaced. */
async function isReplaceable(files: Pick<Files, "read">, path: string): Promise<boolean> {
	try {
		const text = new TextDecoder().decode((await files.read(path, mostRead)).subarray(0, 200));
		return text.startsWith(pageMark) || text.startsWith(pictureMark);
	} catch (error) {
		const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
		return code === "ENOENT" || code === "ENOTDIR";
	}
}

function inPlace(path: string, what: string, fix: string): PurserError {
	return new PurserError("guard", { code: "FILE_EXISTS", message: `${path} ${what}`, fix });
}
