/**
 * Which process holds a journal's lock, so that whoever waits for it can be told. Linux alone shows that; elsewhere nobody is named.
 */
import { readFileSync, statSync } from "node:fs";

/** A process that holds the lock. */
export interface LockHolder {
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
