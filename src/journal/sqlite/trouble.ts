/**
 * What an error of the journal's storage means for whoever pays.
 */
import { advice, purser } from "../../api/advice.js";
import { type Advice, PurserError } from "../../errors.js";
import { reasons, type StorageTrouble, storageTrouble, systemCode } from "../../sqlite/storage.js";
import { type LockHolder, lockHolder } from "./holder.js";

const fixes: Readonly<Record<StorageTrouble, (file: string) => Advice>> = {
	full: () => "Make room on that disk, then run this again.",
	busy: () => "Wait until the other purser on this machine has finished, then run this again.",
	denied: (file) =>
		`Give yourself permission to write ${file}, then run this again. Another folder in PURSER_STATE_DIR is a new journal, which knows no earlier payment.`,
	damaged: (file) =>
		advice`Do not delete ${file}: it says what was sent. Keep a copy of it with its -wal file, then restore a backup, and look at the service before paying: ${purser`pay list`}.`,
	failed: (file) => `Check the disk that holds ${file}, then run this again.`,
};

/** That what was to be recorded contradicts the journal; the message says how. */
export class Contradiction extends Error {
	override readonly name = "Contradiction";
}

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

/** Runs work and turns storage errors into PurserErrors. */
export type Guarded = <T>(work: () => T | Promise<T>) => Promise<T>;

/** Makes a function that runs work and turns storage errors into PurserErrors that name the journal's file. */
export function guardedFor(file: string): Guarded {
	return async (work) => {
		try {
			return await work();
		} catch (error) {
			throw unusable(error, file);
		}
	};
}
