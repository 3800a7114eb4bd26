import { PurserError } from "../../errors.js";

/** Whether a payment may go on although a look-up failed. After a 403 it may: a user who may pay may still lack the right to read. */
export function canProceed(cause: unknown): cause is PurserError {
	if (!(cause instanceof PurserError) || cause.kind === "interrupted") return false;
	return cause.kind !== "auth" || cause.failure.status === 403;
}

/** What is read, or undefined where it cannot be and a payment may go on without it. @throws PurserError unless {@link canProceed} */
export async function unlessUnreadable<T>(read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return undefined;
	}
}
