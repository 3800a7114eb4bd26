/**
 * The connection to a journal, whichever engine has it.
 */
import type { Reading } from "./sql.js";
import type { WriteTransaction } from "./transaction.js";

/** One open journal. Work that is given to it must use the reading, or the transaction, that it is handed, and nothing else of it. */
export interface Connection {
	/**
	 * Runs a job in a transaction, possibly with others; resolves once its writes are durable. A `RefusedJob` fails only this job and must
	 * come before its first write; any other error fails the whole transaction.
	 */
	write<T>(job: (transaction: WriteTransaction) => Promise<T>): Promise<T>;
	read<T>(job: (reading: Reading) => Promise<T>): Promise<T>;
	/** Reads while nobody writes, in this process or another. */
	locked<T>(job: (reading: Reading) => Promise<T>): Promise<T>;
	close(): Promise<void>;
}

/** Which processes send. */
export interface Senders {
	/** This process's name as a sender; it counts as alive until it ends. Call it inside a write transaction. */
	own(): Promise<string>;
	/** In a team's journal: what the team calls this machine. */
	readonly machine?: string;
	/** Those of these senders that are alive. */
	living(names: Iterable<string>): Promise<ReadonlySet<string>>;
	/** Whether several may send one batch at the same time. */
	readonly several?: boolean;
	end(): Promise<void>;
}

/** What a team's journal lets a login do by its roles, and making one. */
export type Deed = "send" | "plan" | "approve" | "record" | "make";

/** What the errors of an engine mean. */
export interface Trouble {
	/**
	 * Runs work and turns the engine's errors into PurserErrors that name the journal.
	 * @param deed what the work is for; `record` where it is not told
	 */
	guarded<T>(work: () => T | Promise<T>, deed?: Deed): Promise<T>;
	/** Whether another process held the journal for too long, or the team's rules refused it, and nothing was written. */
	isBusy(error: unknown): boolean;
}

/** That what was to be recorded contradicts the journal; the message says how. */
export class Contradiction extends Error {
	override readonly name = "Contradiction";
}
