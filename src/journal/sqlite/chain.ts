import { sha256OfParts } from "../../api/digest.js";

/** The hash before the first event. */
export const genesis = "0".repeat(64);

/** An event as stored; `content` is the stored JSON text, so the hash needs no canonical form. */
export interface Link {
	seq: number;
	at: string;
	intent: number | null;
	kind: string;
	content: string;
}

/** SHA-256, hex, over the previous hash and every part of the event, each with its length so that parts cannot be shifted. */
export function hashOf(before: string, { seq, at, intent, kind, content }: Link): string {
	return sha256OfParts([before, String(seq), at, intent === null ? "" : String(intent), kind, content]);
}
