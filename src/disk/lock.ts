/**
 * Cross-process lock: a folder with one entry, which names when its holder acquired it. Both steps that matter are atomic in the file system.
 * A folder that is made aside, with its entry in it, can be renamed to the lock only while there is none; and to take over the lock of a dead
 * holder is to rename that holder's entry, which only one of several processes can do.
 */
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Milliseconds between two attempts. */
const interval = 15;

/** Milliseconds. */
export interface LockTimes {
	/** How long to wait for the lock at most. */
	patience: number;
	/** When a lock counts as left behind by a process that died. */
	stale: number;
}

/**
 * Acquires the lock if nobody holds it, or if whoever holds it has had it for too long.
 * @param lock path of the folder that is the lock; its parent folder must exist
 * @param stale milliseconds after which a lock counts as left behind by a process that died
 * @param now milliseconds since 1970
 * @returns releases the lock, unless another process has taken it over since; undefined where it was not acquired
 * @throws the system's error, if the folder cannot be made for another reason
 */
export function acquireLock(lock: string, stale: number, now = Date.now()): (() => void) | undefined {
	const holder = holderOf(lock);
	if (holder !== undefined && now - acquiredAt(holder) < stale) return undefined;
	const own = `${now}-${crypto.randomUUID()}`;
	const acquired = holder === undefined ? made(lock, own) : takenOver(lock, holder, own);
	return acquired ? () => released(lock, own) : undefined;
}

/**
 * Does `act` while no other process holds the lock. A lock that cannot be had in time, or at all, does not keep it from being done: late is
 * better than never.
 * @param lock as in {@link acquireLock}
 * @param act is told whether it holds the lock
 */
export async function withLock<T>(lock: string, { patience, stale }: LockTimes, act: (held: boolean) => T | Promise<T>): Promise<T> {
	let release: (() => void) | undefined;
	for (let waited = 0; release === undefined && waited <= patience; waited += interval) {
		if (waited > 0) await new Promise((resolve) => setTimeout(resolve, interval));
		try {
			release = acquireLock(lock, stale);
		} catch {
			break;
		}
	}
	try {
		return await act(release !== undefined);
	} finally {
		release?.();
	}
}

/** The entry of whoever holds the lock; undefined where nobody does. */
function holderOf(lock: string): string | undefined {
	try {
		return readdirSync(lock)[0];
	} catch (cause) {
		if ((cause as { code?: unknown }).code === "ENOENT") return undefined;
		throw cause;
	}
}

const acquiredAt = (holder: string): number => Number.parseInt(holder, 10);

function made(lock: string, own: string): boolean {
	const draft = `${lock}.${own}`;
	mkdirSync(draft, { mode: 0o700 });
	try {
		writeFileSync(join(draft, own), "", { mode: 0o600 });
		// An empty folder is a lock that was being released when its process died. Windows does not rename onto one.
		removeEmpty(lock);
		renameSync(draft, lock);
		return true;
	} catch (cause) {
		rmSync(draft, { recursive: true, force: true });
		if (!isTaken(cause)) throw cause;
		return false;
	}
}

/** That another process was first: what Linux, macOS and Windows say of a folder that stands in the way. */
const isTaken = (cause: unknown): boolean => ["ENOTEMPTY", "EEXIST", "EPERM"].includes(String((cause as { code?: unknown }).code));

function takenOver(lock: string, holder: string, own: string): boolean {
	try {
		renameSync(join(lock, holder), join(lock, own));
		return true;
	} catch {
		// Another process took it over first, or its holder lives and has just released it.
		return false;
	}
}

function released(lock: string, own: string): void {
	rmSync(join(lock, own), { force: true });
	removeEmpty(lock);
}

function removeEmpty(lock: string): void {
	try {
		rmdirSync(lock);
	} catch {
		// It is not there, or another process holds it.
	}
}
