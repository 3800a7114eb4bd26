/**
 * What an error of the journal's storage means for whoever pays.
 */

import { readFileSync, statSync } from "node:fs";
import { advice, purser } from "../../api/advice.js";
import { type Advice, PurserError } from "../../errors.js";
import { reasons, type StorageTrouble, storageTrouble, systemCode } from "../../sqlite/storage.js";
import { Contradiction, type Trouble } from "../tables/connection.js";

const fixes: Readonly<Record<StorageTrouble, (file: string) => Advice>> = {
	full: () => "Make room on that disk, then run this again.",
	busy: () => "Wait until the other purser on this machine has finished, then run this again.",
	denied: (file) =>
		`Give yourself permission to write ${file}, then run this again. Another folder in PURSER_STATE_DIR is a new journal, which knows no earlier payment.`,
	damaged: (file) =>
		advice`Do not delete ${file}: it says what was sent. Keep a copy of it with its -wal file, then restore a backup, and look at the service before paying: ${purser`pay list`}.`,
	failed: (file) => `Check the disk that holds ${file}, then run this again.`,
};

/** The error for a journal that cannot be used; what cannot be recorded is not sent. With a full disk the same command can be run again. */
export function unusable(cause: unknown, file: string): PurserError {
	if (cause instanceof PurserError) return cause;
	const trouble = storageTrouble(cause);
	const holder = trouble === "busy" ? lockHolder(file) : undefined;
	if (holder !== undefined) return heldBy(holder, file, cause);
	const isFull = trouble === "full";
	return new PurserError(isFull ? "unavailable" : "usage", {
		code: `JOURNAL_${trouble.toUpperCase()}`,
		message: isFull
			? "No space left on the disk: nothing was sent that is not on record"
			: `The journal cannot be written (${reasons[trouble]}), and nothing is sent that is not on record`,
		why: `${file}: ${cause instanceof Contradiction ? cause.message : systemCode(cause)}`,
		fix: fixes[trouble](file),
		cause,
	});
}

/** The error for a journal that another process held for as long as this one waited. */
function heldBy({ pid, command, since, stopped }: LockHolder, file: string, cause: unknown): PurserError {
	return new PurserError("usage", {
		code: "JOURNAL_BUSY",
		message: `The journal is held by process ${pid}${stopped ? ", which is stopped" : ""}, and nothing is sent that is not on record`,
		why: `${file}: ${command}, running since ${since}`,
		fix: stopped
			? `Let it go on (fg where it was stopped, or kill -CONT ${pid}), or end it (kill -KILL ${pid}; what it was sending is then in doubt). Then run this again.`
			: `Wait until process ${pid} has finished, then run this again.`,
		cause,
	});
}

/** What the errors of a journal in this file mean. */
export function troubleWith(file: string): Trouble {
	return {
		isBusy: (error) => storageTrouble(error) === "busy",
		async guarded(work) {
			try {
				return await work();
			} catch (error) {
				throw unusable(error, file);
			}
		},
	};
}

/** A process that holds the lock. */
interface LockHolder {
	pid: number;
	/** Its program and the words of its command, without flags and what follows them. */
	command: string;
	/** Since when it runs, RFC 3339 UTC by this machine's clock. */
	since: string;
	/** It was stopped (Ctrl-Z, SIGSTOP) and holds the lock until it goes on or ends. */
	stopped: boolean;
}

/** Parts of a second in which the kernel counts a process's start; the same on every architecture that Node runs on. */
const ticks = 100;

/** The process that writes to this database now; undefined if there is none or it cannot be known. */
export function lockHolder(file: string): LockHolder | undefined {
	try {
		const inodes = [`${file}-shm`, file].flatMap((path) => statSync(path, { throwIfNoEntry: false })?.ino ?? []);
		const pid = readFileSync("/proc/locks", "utf8")
			.split("\n")
			.map((line) => / WRITE +(\d+) \w+:\w+:(\d+) /.exec(line))
			.find((lock) => lock !== null && inodes.includes(Number(lock[2])))?.[1];
		return pid === undefined ? undefined : processOf(Number(pid));
	} catch {
		// Another system, or the process has ended meanwhile.
		return undefined;
	}
}

function processOf(pid: number): LockHolder {
	const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
	// The name in parentheses may hold anything, so the fields are counted from its end.
	const [state, ...fields] = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "").split(" ");
	const booted = Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]);
	return {
		pid,
		command: commandIn(words),
		since: new Date((booted + Number(fields[18]) / ticks) * 1_000).toISOString(),
		stopped: state === "T" || state === "t",
	};
}

/** The program and its command; Node and its own flags before a script are left out. */
function commandIn(words: readonly string[]): string {
	const script = /(^|\/)node$/.test(words[0] ?? "") ? words.findIndex((word, at) => at > 0 && !word.startsWith("-")) : 0;
	const own = words.slice(Math.max(script, 0));
	const flag = own.findIndex((word) => word.startsWith("-"));
	return own.slice(0, flag < 0 ? undefined : flag).join(" ");
}
