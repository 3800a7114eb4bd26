/**
 * Private folders, and the durability of their entries.
 */
import { chmodSync, closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The path of a profile's file of some kind. Profile names are lower case by rule; anything else is encoded, so that different names never
 * share a file on any file system.
 */
export function profileFile(folder: string, { name, environment }: { name: string; environment: string }, ending: string): string {
	const encoded = name.replace(/[^a-z0-9._-]/g, (odd) => `%${Buffer.from(odd).toString("hex")}`);
	return join(folder, `${encoded}.${environment}${ending}`);
}

/**
 * Makes a folder that only its owner can read, with the missing folders above it. Node's `recursive` never returns on Linux where a folder exists
 * and can hold none: below /proc, which is the home of some services and containers.
 * @returns the first folder that was made; undefined where all were there
 * @throws the system's error, also where something else stands in a folder's place
 */
export function makeFolder(path: string): string | undefined {
	const missing: string[] = [];
	// The root is its own parent, and can be missing, such as a drive that is not connected.
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
		// Another process made it first.
		if ((cause as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(path)) throw cause;
	}
}

/** Syncs a folder, so that its entries survive a power cut. Some systems cannot open a folder; there syncing the files must do. @throws the system's error EIO */
export function syncFolder(folder: string): void {
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

/** Creates an empty file that only its owner can read. @returns false where one is there */
export function createPrivate(file: string): boolean {
	try {
		closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
		throw error;
	}
}

/** Creates a private folder and syncs the parent of each new level, so that it survives a power cut. */
export function durableFolder(folder: string): void {
	const path = resolve(folder);
	const first = makeFolder(path);
	if ((lstatSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
	if (first === undefined) return;
	for (let level = path; level !== dirname(level); level = dirname(level)) {
		syncFolder(dirname(level));
		if (level === first) return;
	}
}
