/**
 * Turns between programs that change one file: what one reads before it writes, no other changes meanwhile.
 */
import { mkdirSync, renameSync, rmdirSync, statSync } from "node:fs";

/** Milliseconds between two looks. */
const pause = 15;

/** Milliseconds: how long to wait at most, and when a turn counts as left behind by a program that died. */
interface Patience {
	longest: number;
	stale: number;
}
const short: Patience = { longest: 5_000, stale: 3_000 };
/** For one exchange with the service. */
const long: Patience = { longest: 15_000, stale: 40_000 };

/**
 * Does `act`, which must not wait for anything, while no other program holds the turn.
 * A turn that cannot be had in time is taken all the same: a change late is better than none.
 * @param lock a folder that exists while someone has the turn; the folder it is in must exist
 * @throws the system's error, where the folder cannot be made for another reason
 */
export async function inTurn<T>(lock: string, act: () => T): Promise<T> {
	const mine = await had(lock, short);
	try {
		return act();
	} finally {
		if (mine) quietly(() => rmdirSync(lock));
	}
}

/**
 * The same for what waits for an answer of the service.
 * @param act is told whether it has the turn; where none can be had, or no folder can be made, it has not
 */
export async function inLongTurn<T>(lock: string, act: (mine: boolean) => Promise<T>): Promise<T> {
	const mine = await had(lock, long).catch(() => false);
	try {
		return await act(mine);
	} finally {
		if (mine) quietly(() => rmdirSync(lock));
	}
}

async function had(lock: string, { longest, stale }: Patience): Promise<boolean> {
	let mine = taken(lock, stale);
	for (let waited = 0; !mine && waited < longest; waited += pause) {
		await new Promise((resolve) => setTimeout(resolve, pause));
		mine = taken(lock, stale);
	}
	return mine;
}

function taken(lock: string, stale: number): boolean {
	try {
		mkdirSync(lock, { mode: 0o700 });
		return true;
	} catch (cause) {
		if ((cause as { code?: unknown }).code !== "EEXIST") throw cause;
		if (isStale(lock, stale)) quietly(() => clear(lock, stale));
		return false;
	}
}

const isStale = (lock: string, stale: number): boolean => Date.now() - (quietly(() => statSync(lock).mtimeMs) ?? Date.now()) > stale;

/**
 * Moved away first, by one of many: of two programs that both saw a turn left behind, the second one would else remove the turn that
 * the first has taken since. What was moved and is no old one goes back to its place, where nobody has taken the turn meanwhile.
 */
function clear(lock: string, stale: number): void {
	const aside = `${lock}.${crypto.randomUUID()}`;
	renameSync(lock, aside);
	if (isStale(aside, stale)) rmdirSync(aside);
	else renameSync(aside, lock);
}

function quietly<T>(act: () => T): T | undefined {
	try {
		return act();
	} catch {
		return undefined;
	}
}
