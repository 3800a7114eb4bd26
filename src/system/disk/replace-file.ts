/**
 * Files that are replaced as a whole: written under another name, synced, and renamed, so that after a crash or a power cut either the old or
 * the new content is there.
 */
import { closeSync, constants, copyFileSync, fsyncSync, linkSync, openSync, promises, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./private-folder.js";

/** Where a file is written before it gets its name. */
const draftOf = (file: string): string => `${file}.${crypto.randomUUID()}.tmp`;

/**
 * Replaces a file, or makes it.
 * @param draft where it is written first; one that a killed process left there is removed
 * @throws the system's error
 */
export function replaceFile(file: string, content: string | Uint8Array, mode: number, draft = draftOf(file)): void {
	rmSync(draft, { force: true });
	placed(file, content, mode, draft, renameSync);
}

/**
 * Creates a file unless it exists; an existing one is not changed, even where another process creates it at the same time.
 * @throws the system's error
 */
export function addFile(file: string, content: string | Uint8Array, mode: number): void {
	const draft = draftOf(file);
	placed(file, content, mode, draft, (from, to) => {
		try {
			linkNew(from, to);
		} catch (cause) {
			if ((cause as { code?: unknown }).code !== "EEXIST") throw cause;
		}
		rmSync(from, { force: true });
	});
}

/** On a file system without links the file is copied, which is not atomic. */
function linkNew(from: string, to: string): void {
	try {
		linkSync(from, to);
	} catch (cause) {
		if ((cause as { code?: unknown }).code === "EEXIST") throw cause;
		copyFileSync(from, to, constants.COPYFILE_EXCL);
	}
}

function placed(file: string, content: string | Uint8Array, mode: number, draft: string, place: (from: string, to: string) => void): void {
	try {
		const handle = openSync(draft, "wx", mode);
		try {
			writeFileSync(handle, content);
			fsyncSync(handle);
		} finally {
			closeSync(handle);
		}
		place(draft, file);
	} catch (cause) {
		rmSync(draft, { force: true });
		throw cause;
	}
	syncFolder(dirname(file));
}

/**
 * The same for a file that is written in parts: the old content stays until it is finished.
 * @param keepsGroup the group of the file that is there, and what that may do, stay @throws the system's error, as its functions do
 */
export async function openReplacement(file: string, mode = 0o644, keepsGroup = false) {
	const draft = draftOf(file);
	const before = keepsGroup ? await promises.stat(file).catch(() => undefined) : undefined;
	const handle = await promises.open(draft, "wx", mode);
	// A strict umask could take even its owner's rights away. Not every file system knows modes.
	if ((mode & 0o077) === 0) await handle.chmod(mode).catch(() => {});
	if (before !== undefined && (before.mode & 0o060) !== 0)
		try {
			await handle.chown(-1, before.gid);
			await handle.chmod(mode | (before.mode & 0o060));
		} catch (cause) {
			await handle.close();
			await promises.rm(draft, { force: true });
			throw cause;
		}
	return {
		// Unlike `write`, it goes on until everything is written.
		write: (content: string | Uint8Array) => handle.appendFile(content),
		finish: async () => {
			await handle.sync();
			await handle.close();
			await promises.rename(draft, file);
			syncFolder(dirname(file));
		},
		discard: async () => {
			await handle.close().catch(() => {});
			await promises.rm(draft, { force: true });
		},
	};
}
