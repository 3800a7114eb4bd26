import { PurserError } from "../../errors.js";

/** Whether a payment may go on although a look-up failed. After a 403 it may: a user who may pay may still lack the right to read. */
export function canProceed(cause: unknown): cause is PurserError {
	if (!(cause instanceof PurserError) || cause.kind === "interrupted") return false;
	return cause.kind !== "auth" || cause.failure.status === 403;
}
