/**
 * What an error of the journal's storage means for whoever pays.
 */

import { advice, purser } from "../../api/advice.js";
import { type Advice, PurserError } from "../../errors.js";
import { reasons, type StorageTrouble, storageTrouble, systemCode } from "../../sqlite/storage.js";
import { Contradiction, type Trouble } from "../tables/connection.js";

const fixes: Readonly<Record<StorageTrouble, (file: string) => Advice>> = {
	full: () => "Make room on that disk, then run this again.",
	busy: () =>
		"Wait until the other purser on this machine has finished, then run this again. One that was stopped (Ctrl-Z) goes on with fg, where it was stopped.",
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
