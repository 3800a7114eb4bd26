/**
 * What an error of the journal's storage means for whoever pays.
 */
import { advice, purser } from "../../api/advice.js";
import { type Advice, PurserError } from "../../errors.js";
import { reasons, type StorageTrouble, storageTrouble, systemCode } from "../../sqlite/storage.js";

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

/** The error for a journal that cannot be used; what cannot be recorded is not sent. */
export function unusable(cause: unknown, file: string): PurserError {
	if (cause instanceof PurserError) return cause;
	const trouble = storageTrouble(cause);
	const isFull = trouble === "full";
	// Nothing is wrong with what was typed: once there is room, the same command works.
	return new PurserError(isFull ? "unavailable" : "usage", {
		code: `JOURNAL_${trouble.toUpperCase()}`,
		message: `${isFull ? "The disk is full" : `The journal cannot be written (${reasons[trouble]})`}, and nothing is sent that is not on record`,
		why: `${file}: ${cause instanceof Contradiction ? cause.message : systemCode(cause)}`,
		fix: fixes[trouble](file),
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
