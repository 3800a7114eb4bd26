/**
 * What an error of the inbox's storage means for whoever listens.
 */
import { type Advice, PurserError } from "../errors.js";
import { reasons, type StorageTrouble, storageTrouble, systemCode } from "../sqlite/storage.js";

const fixes: Readonly<Record<StorageTrouble, (file: string) => Advice>> = {
	full: () => "Make room on that disk, then run this again.",
	busy: () => "Wait until the other purser on this machine has finished, then run this again.",
	denied: (file) => `Give yourself permission to write ${file} and its folder, then run this again.`,
	damaged: (file) =>
		`Move ${file} away with the files beside it whose names begin alike, then run this again: it begins a new inbox. Payments are not recorded there.`,
	failed: (file) => `Check the disk that holds ${file}, then run this again.`,
};

/** The error for an inbox that cannot be used: what cannot be stored is not acknowledged to its sender. */
export function unusableInbox(cause: unknown, file: string): PurserError {
	if (cause instanceof PurserError) return cause;
	const trouble = storageTrouble(cause);
	return new PurserError(trouble === "full" ? "unavailable" : "usage", {
		code: `INBOX_${trouble.toUpperCase()}`,
		message: `The inbox of events cannot be used: ${reasons[trouble]}`,
		why: `${file}: ${systemCode(cause)}`,
		fix: fixes[trouble](file),
		cause,
	});
}
