/**
 * Going on without what a deployment does not have, and telling the truth about a change whose effect cannot be read back.
 */
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";

/** Statuses by which a deployment says that it has no such operation, or not for this user (operations 3). */
const notOffered: readonly number[] = [403, 404, 405, 410, 501];

/** Whether a look-up failed because the deployment does not have it, or not for this user. */
export function isNotOffered(error: unknown): error is PurserError {
	return error instanceof PurserError && notOffered.includes(error.failure.status ?? 0);
}

/**
 * The result of `read`, or undefined with a warning where the deployment does not offer it.
 * @param without what is now not done, as the end of a sentence: "duplicates were not looked for"
 * @throws PurserError of any other failure
 */
export async function ifOffered<T>(context: Context, without: string, read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (!isNotOffered(error)) throw error;
		context.reporter.warn(`The service did not answer a look-up (HTTP ${error.failure.status}); ${without}`);
		return undefined;
	}
}

/**
 * Reads back what a change did. The change has been made by then: neither a failed read nor Ctrl-C may look like a failed change.
 * @returns undefined, with a warning, where it cannot be read
 */
export async function readBack<T>(context: Context, read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		context.reporter.warn(`The change was made, but it could not be read back: ${error.message}`);
		return undefined;
	}
}
