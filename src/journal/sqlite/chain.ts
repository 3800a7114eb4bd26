import { sha256OfParts } from "../../api/digest.js";

/** The hash before the first event. */
export const genesis = "0".repeat(64);

/** An event as it lies in the table; `content` is the JSON text itself, so nothing need be canonical but the text. */
export interface Link {
	seq: number;
	at: string;
	intent: number | null;
	kind: string;
	content: string;
}

/** SHA-256, hex, over the hash before and every part of the event; lengths keep the parts apart. */
export function hashOf(before: string, { seq, at, intent, kind, content }: Link): string {
	return sha256OfParts([before, String(seq), at, intent === null ? "" : String(intent), kind, content]);
}
