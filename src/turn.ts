/**
 * A turn among programs: a folder, since the system lets one of many make it.
 */
import { mkdirSync, renameSync, rmdirSync, statSync } from "node:fs";

/**
 * Takes the turn where nobody has it, or whoever took it has had their time.
 * @param lock the folder that stands for it; the folder it is in must exist
 * @param longest milliseconds that a turn is anybody's; after them it counts as left behind by a program that died
 * @param now milliseconds since 1970, by the clock that the folder's age is told by
 * @returns whether it was taken
 * @throws the system's error, where the folder cannot be made for another reason
 */
export function takeTurn(lock: string, longest: number, now = Date.now()): boolean {
	return made(lock) || (cleared(lock, longest, now) && made(lock));
}

/** Gives a turn back; one that is gone is no error. */
export function giveTurn(lock: string): void {
	try {
		rmdirSync(lock);
	} catch {
		// Somebody took it for left behind.
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
 * Moved away first, by one of many: of two programs that both saw a turn left behind, the second one would else remove the turn that
 * the first has taken since. What was moved and is no old one goes back to its place, where nobody has taken the turn meanwhile.
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
