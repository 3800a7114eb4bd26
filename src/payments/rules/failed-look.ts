import { PurserError } from "../../errors.js";

/** Whether a look-up's failure leaves the payment possible. A 403 does: whoever may pay may still lack the right to look. */
export function mayGoOn(cause: unknown): cause is PurserError {
	if (!(cause instanceof PurserError) || cause.kind === "interrupted") return false;
	return cause.kind !== "auth" || cause.failure.status === 403;
}
