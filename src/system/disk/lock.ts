/**
 * Cross-process lock: a folder with one entry, whose name says when which process acquired it. Both critical steps are atomic in the file
 * system. To acquire the lock, a prepared folder is renamed to it, which fails where the lock exists. To take over the lock of a dead
 * holder, that holder's entry is renamed, which only one of several processes can do.
 */
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pid } from "node:process";

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
 * Acquires the lock if nobody holds it, or if whoever holds it has had it for too long, or has it from a future as far away.
 * @param lock path of the folder that is the lock; its parent folder must exist
 * @param stale milliseconds after which a lock counts as left behind by a process that died
 * @param now milliseconds since 1970
 * @returns releases the lock, unless another process has taken it over since; undefined where it was not acquired
 * @throws the system's error, if the folder cannot be made for another reason
 */
export function acquireLock(lock: string, stale: number, now = Date.now()): (() => void) | undefined {
	const holder = holderOf(lock);
	if (holder !== undefined && isHeld(holder, stale, now)) return undefined;
	const own = `${now}-${pid}-${crypto.randomUUID()}`;
	const acquired = holder === undefined ? createLock(lock, own) : takeOver(lock, holder, own);
	return acquired ? () => releaseLock(lock, own) : undefined;
}

/**
 * Runs `act` while no other process holds the lock. Where the lock cannot be acquired in time, or at all, `act` runs without it.
 * @param lock as in {@link acquireLock}
 * @param act receives whether the lock is held
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

/** The holder's entry; undefined where nobody holds the lock. */
function holderOf(lock: string): string | undefined {
	try {
		return readdirSync(lock)[0];
	} catch (cause) {
		if ((cause as { code?: unknown }).code === "ENOENT") return undefined;
		throw cause;
	}
}

function isHeld(holder: string, stale: number, now: number): boolean {
	return Math.abs(now - Number(holder.split("-", 1)[0])) < stale;
}

function createLock(lock: string, own: string): boolean {
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

/** Whether the error says that another process was first, in the codes of Linux, macOS and Windows for an existing folder. */
const isTaken = (cause: unknown): boolean => ["ENOTEMPTY", "EEXIST", "EPERM"].includes(String((cause as { code?: unknown }).code));

function takeOver(lock: string, holder: string, own: string): boolean {
	try {
		renameSync(join(lock, holder), join(lock, own));
		return true;
	} catch {
		// Another process took it over first, or its holder lives and has just released it.
		return false;
	}
}

function releaseLock(lock: string, own: string): void {
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
