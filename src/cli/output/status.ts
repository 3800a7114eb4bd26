/**
 * The colour of a status word, by what it means.
 */
import type { Paint } from "./paint.js";

const good = new Set(["VALIDATED", "APPROVED", "ACTIVE", "VALID", "ACCEPTED", "YES", "VERIFIED", "DONE"]);
const bad = new Set(["DECLINED", "ABORTED", "REVERSED", "FAILED", "CLOSED", "SUSPENDED", "REFUSED", "IN-DOUBT", "IN DOUBT"]);

/** Yellow where nothing is known of the word. */
export function statusText(word: string | undefined, paint: Paint): string {
	if (word === undefined) return paint.dim("unknown");
	if (good.has(word.toUpperCase())) return paint.green(word);
	return bad.has(word.toUpperCase()) ? paint.red(word) : paint.yellow(word);
}
