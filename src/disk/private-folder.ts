/**
 * A folder of the tool's own: made a level at a time, and its entries made to last.
 */
import { closeSync, constants, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder that only its owner can look into, with the folders above it that are missing. Node's own `recursive` never ends on Linux
 * where a folder is there and can hold none: below /proc, a home of some services and containers.
 * @returns the first folder that was made; undefined where all were there
 * @throws the system's error, also where something else stands in a folder's place
 */
export function makeFolder(path: string): string | undefined {
	const missing: string[] = [];
	// The top is its own parent, and may be missing: a drive that is not there.
	for (let level = resolve(path); !isFolder(level); level = dirname(level)) {
		missing.unshift(level);
		if (level === dirname(level)) break;
	}
	for (const level of missing) makeLevel(level);
	return missing[0];
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function makeLevel(path: string): void {
	try {
		mkdirSync(path, { mode: 0o700 });
	} catch (cause) {
		// Another program was quicker.
		if ((cause as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(path)) throw cause;
	}
}

/** Makes a folder's entries last. Some systems cannot open a folder: there the file's own syncs must do. @throws the system's error EIO */
export function settleFolder(folder: string): void {
	let handle: number;
	try {
		handle = openSync(folder, constants.O_RDONLY);
	} catch {
		return;
	}
	try {
		fsyncSync(handle);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EIO") throw error;
	} finally {
		closeSync(handle);
	}
}
