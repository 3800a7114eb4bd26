/**
 * Errors and warnings for programs, a line of JSON each. Loaded with every start, for a second signal: it imports nothing that is large.
 */
import { sanitizeJson } from "../../api/text/sanitize.js";
import type { Failure, Kind } from "../../errors.js";

export interface ShownError {
	kind: Kind;
	failure: Failure<string>;
}

/** @param json what writes it: `formatJson` where an answer with the digits of the service may stand in it */
export function errorJson(
	error: ShownError,
	warnings: readonly string[],
	exit: number,
	json: (value: unknown) => string = JSON.stringify,
): string {
	const { failure } = error;
	const { code, message, why, fix, status, apiCode, moneyMayHaveMoved = false, intent, done, inDoubt, notDone, answer } = failure;
	const shown = {
		...{ code, kind: error.kind, exit, message, why, fix, status, apiCode },
		details: (failure.details ?? []).map(({ flag: _, heading: __, ...fault }) => fault),
		...{ moneyMayHaveMoved, intent, done, inDoubt, notDone, answer },
		warnings: warnings.length > 0 ? warnings : undefined,
	};
	return sanitizeJson(json({ error: shown })).replaceAll("\n", " ");
}

export const warningJson = (message: string): string => sanitizeJson(JSON.stringify({ warning: { message } }));
