/**
 * Waiting for the turn to change a file: what one program reads before it writes, no other changes meanwhile.
 */
import { acquireLock, releaseLock } from "../../disk/lock.js";

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
export async function withLock<T>(lock: string, act: () => T): Promise<T> {
	const mine = await had(lock, short);
	try {
		return act();
	} finally {
		if (mine) releaseLock(lock);
	}
}

/**
 * The same for what waits for an answer of the service.
 * @param act is told whether it has the turn; where none can be had, or no folder can be made, it has not
 */
export async function withLongLock<T>(lock: string, act: (mine: boolean) => Promise<T>): Promise<T> {
	const mine = await had(lock, long).catch(() => false);
	try {
		return await act(mine);
	} finally {
		if (mine) releaseLock(lock);
	}
}

async function had(lock: string, { longest, stale }: Patience): Promise<boolean> {
	let mine = acquireLock(lock, stale);
	for (let waited = 0; !mine && waited < longest; waited += pause) {
		await new Promise((resolve) => setTimeout(resolve, pause));
		mine = acquireLock(lock, stale);
	}
	return mine;
}
