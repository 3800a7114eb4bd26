/**
 * Turns between programs that change one file: what one reads before it writes, no other changes meanwhile.
 */
import { mkdirSync, renameSync, rmdirSync, statSync } from "node:fs";

/** Milliseconds between two looks, how long to wait at most, and when a turn counts as left behind by a program that died. */
const pause = 15;
const longest = 5_000;
const stale = 3_000;

/**
 * Does `act`, which must not wait for anything, while no other program holds the turn.
 * A turn that cannot be had in time is taken all the same: a change late is better than none.
 * @param lock a folder that exists while someone has the turn; the folder it is in must exist
 */
export async function inTurn<T>(lock: string, act: () => T): Promise<T> {
	let mine = taken(lock);
	for (let waited = 0; !mine && waited < longest; waited += pause) {
		await new Promise((resolve) => setTimeout(resolve, pause));
		mine = taken(lock);
	}
	try {
		return act();
	} finally {
		if (mine) quietly(() => rmdirSync(lock));
	}
}

function taken(lock: string): boolean {
	try {
		mkdirSync(lock, { mode: 0o700 });
		return true;
	} catch (cause) {
		if ((cause as { code?: unknown }).code !== "EEXIST") throw cause;
		if (isStale(lock)) quietly(() => clear(lock));
		return false;
	}
}

const isStale = (lock: string): boolean => Date.now() - (quietly(() => statSync(lock).mtimeMs) ?? Date.now()) > stale;

/**
 * Moved away first, by one of many: of two programs that both saw a turn left behind, the second one would else remove the turn that
 * the first has taken since. What was moved and is no old one goes back to its place, where nobody has taken the turn meanwhile.
 */
function clear(lock: string): void {
	const aside = `${lock}.${crypto.randomUUID()}`;
	renameSync(lock, aside);
	if (isStale(aside)) rmdirSync(aside);
	else renameSync(aside, lock);
}

function quietly<T>(act: () => T): T | undefined {
	try {
		return act();
	} catch {
		return undefined;
	}
}
