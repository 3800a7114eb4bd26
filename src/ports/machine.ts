/**
 * The machine: files, clock, randomness, processes. Types only.
 */

export interface Files {
	/** @throws the system's error (ENOENT, EACCES …), or RangeError beyond `limit` bytes */
	read(path: string, limit: number): Promise<Uint8Array>;
	/** A file of any size, a piece at a time. @throws the system's error, with the first piece */
	stream(path: string): AsyncIterable<Uint8Array>;
	/** A file of any size, written piece by piece beside its place; there, whole and synced, with `finish` alone. */
	writer(path: string, mode?: number): Promise<FileWriter>;
	/** Writes a new file or replaces it whole; mode is applied where the system has modes. */
	write(path: string, content: Uint8Array | string, mode?: number): Promise<void>;
	/** Makes a folder, private where it is new, and those above it. */
	folder(path: string): Promise<void>;
	/** Removes a file; one that is not there is no error. */
	remove(path: string): Promise<void>;
	/** Whether a symbolic link stands there, wherever it points. */
	isLink(path: string): Promise<boolean>;
	/** A new private folder, and how to remove it. */
	temporary(): Promise<{ path: string; remove(): Promise<void> }>;
}

export interface FileWriter {
	write(text: string): Promise<void>;
	finish(): Promise<void>;
	/** Leaves nothing behind. */
	discard(): Promise<void>;
}

export interface Clock {
	now(): Date;
	/** Milliseconds, only for differences. */
	monotonic(): number;
	/** Resolves after `milliseconds`; rejects with PurserError `interrupted` when cancelled. */
	sleep(milliseconds: number): Promise<void>;
}

/** One moment by both clocks of this machine. */
export interface Moment {
	now: Date;
	/** Milliseconds. */
	monotonic: number;
}

/**
 * What time it is at a service, by the newest answer of this run that told it, carried forward by the monotonic clock: a change of this
 * machine's clock after the answer is therefore seen. One for each run; services are told apart by their address with its base path.
 */
export interface ServiceClock {
	/**
	 * Takes the time from an answer that has just come.
	 * @param dated what its `Date` says, in milliseconds since 1970; @param asked when its request began, in monotonic milliseconds
	 */
	heard(service: string, dated: number, asked: number): void;
	/**
	 * The service's clock minus this machine's in whole milliseconds, right to half a second and half of the time that the answer took;
	 * undefined while no answer told the time.
	 * @param moment for which it is asked; now without it
	 */
	skew(service: string, moment?: Moment): number | undefined;
	/** What time it is there; by this machine's clock while no answer told it. */
	now(service: string): Date;
}

export interface Random {
	uuid(): string;
	/** From 0 up to, not including, 1. */
	fraction(): number;
}

export interface Processes {
	/** Runs this very program with arguments; `both` is standard output and error together, as they came. */
	self(
		argv: readonly string[],
		options: { env: Record<string, string>; input?: string },
	): Promise<{ exit: number; stdout: string; stderr: string; both: string }>;
	/** Starts this very program with arguments and lets it go: nothing is read of it, and it outlives this run. */
	background(argv: readonly string[]): Promise<void>;
}
