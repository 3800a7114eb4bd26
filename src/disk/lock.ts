/**
 * A lock between processes: a folder, because making one is atomic and fails for all but one of several processes.
 */
import { mkdirSync, renameSync, rmdirSync, statSync } from "node:fs";

/**
 * Acquires the lock if nobody holds it, or if whoever holds it has had it for too long.
 * @param lock path of the folder that is the lock; its parent folder must exist
 * @param longest milliseconds after which a lock counts as left behind by a process that died
 * @param now milliseconds since 1970, by the clock that dates the folder
 * @returns whether it was acquired
 * @throws the system's error, if the folder cannot be made for another reason
 */
export function acquireLock(lock: string, longest: number, now = Date.now()): boolean {
	return made(lock) || (cleared(lock, longest, now) && made(lock));
}

/** Releases the lock; a lock that is gone is no error. */
export function releaseLock(lock: string): void {
	try {
		rmdirSync(lock);
	} catch {
		// Another process took it for left behind.
	}
}

function made(lock: string): boolean {
	try {
		mkdirSync(lock, { mode: 0o700 });
		return true;
	} catch (cause) {
		if ((cause as { code?: unknown }).code !== "EEXIST") throw cause;
		return false;
	}
}

/**
 * Clears a stale lock. It is renamed first, which only one process can do: if two processes both saw a stale lock, the second one would
 * otherwise remove the lock that the first has acquired since. If what was renamed turns out not to be stale, it is put back.
 */
function cleared(lock: string, longest: number, now: number): boolean {
	const isOld = (path: string): boolean => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) >= longest;
	try {
		if (!isOld(lock)) return false;
		const aside = `${lock}.${crypto.randomUUID()}`;
		renameSync(lock, aside);
		if (isOld(aside)) rmdirSync(aside);
		else renameSync(aside, lock);
		return true;
	} catch {
		return false;
	}
}
