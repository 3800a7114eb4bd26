export interface Files {
	/** @throws the system's error (ENOENT, EACCES …), or RangeError beyond `limit` bytes, whose message says so in a sentence */
	read(path: string, limit: number): Promise<Uint8Array>;
	/** Reads a file of any size in pieces, each of which holds until the next is asked for. @throws the system's error, with the first piece */
	stream(path: string): AsyncIterable<Uint8Array>;
	writer(path: string, mode?: number): Promise<FileWriter>;
	/**
	 * Writes a new file or replaces it atomically; `mode` applies on systems with modes. With `keepsGroup` the group of the file that is there, and
	 * what that may do, stay.
	 */
	write(path: string, content: Uint8Array | string, mode?: number, keepsGroup?: boolean): Promise<void>;
	folder(path: string): Promise<void>;
	/** The names of the files in a folder; none where there is no such folder. @throws the system's error */
	list(path: string): Promise<readonly string[]>;
	remove(path: string): Promise<void>;
	/** Whether the path is a symbolic link, even a broken one. */
	isLink(path: string): Promise<boolean>;
	/** Whether a pipe or a device is there: reading one may wait for ever. */
	isSpecial(path: string): Promise<boolean>;
	temporary(): Promise<{ path: string; remove(): Promise<void> }>;
}

export interface FileWriter {
	write(text: string): Promise<void>;
	finish(): Promise<void>;
	discard(): Promise<void>;
}

/**
 * What became of something that a browser was to open: `opened`; `unknown` where the system was asked and does not say; `none` where there is
 * no browser, or it failed.
 */
export type Opened = "opened" | "unknown" | "none";

export interface ShownDocument {
	bytes: Uint8Array;
	/** As a header says it. A page (`text/html; …`) is shown under a policy that runs and loads nothing. */
	contentType: string;
}

export interface Clock {
	now(): Date;
	/** Milliseconds since an arbitrary moment; use it for differences only. */
	monotonic(): number;
	/** Resolves after `milliseconds`; rejects with PurserError `interrupted` when cancelled. */
	sleep(milliseconds: number): Promise<void>;
}

export interface Moment {
	now: Date;
	monotonic: number;
}

/**
 * The time at a service, from the newest answer of this run that had a date, carried forward by the monotonic clock so that a later change of this machine's
 * clock is detected. Services are distinguished by address and base path.
 */
export interface ServiceClock {
	/**
	 * Learns the time from an answer that has just arrived.
	 * @param dated its `Date` header, in milliseconds since 1970
	 * @param asked when its request began, in monotonic milliseconds
	 */
	noteDate(service: string, dated: number, asked: number): void;
	/**
	 * The service's clock minus this machine's, accurate to half a second plus half of the answer's duration; undefined until an answer had a date.
	 * @param moment defaults to now
	 */
	skew(service: string, moment?: Moment): number | undefined;
	/** The service's present time; this machine's until an answer had a date. */
	now(service: string): Date;
}

export interface Random {
	uuid(): string;
	/** From 0 up to, not including, 1. */
	fraction(): number;
}

export interface ProgramOptions {
	input: string;
	/** Milliseconds that it may take; then it is ended. */
	limit: number;
	/** Ends it at once where this is aborted. */
	signal?: AbortSignal;
}

export interface Processes {
	/** Runs this program with arguments; `both` is standard output and error interleaved. */
	self(
		argv: readonly string[],
		options: { env: Record<string, string>; input?: string },
	): Promise<{ exit: number; stdout: string; stderr: string; both: string }>;
	/**
	 * Runs another program by its words, without a shell. What it prints goes to standard error, made safe to show. Ctrl-C at the terminal does not reach it.
	 * @returns undefined where it ended with 0, else what became of it, as a sentence without a full stop
	 */
	program(words: readonly [string, ...string[]], options: ProgramOptions): Promise<string | undefined>;
}
