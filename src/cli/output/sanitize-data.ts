/**
 * Answers made safe to show. This is not part of `api/text/sanitize.ts`, because help and Tab load that one and need no JSON library.
 */
import { Decimal } from "../../api/json.js";
import { sanitizeLine } from "../../api/text/sanitize.js";

/** A copy of an answer in which every text, keys too, is safe to show. */
export function sanitizeData<T>(data: T): T {
	return copy(data) as T;
}

function copy(value: unknown): unknown {
	if (typeof value === "string") return sanitizeLine(value);
	if (value instanceof Decimal || value instanceof Uint8Array || value === null || typeof value !== "object") return value;
	if (Array.isArray(value)) return value.map(copy);
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [sanitizeLine(key), copy(part)]));
}
