/**
 * An anchor's place in memory, and what became of it.
 */
import { PurserError } from "../../src/errors.js";
import type { Anchor, AnchorPlace, StoredAnchor } from "../../src/ports/anchor.js";

export interface TestPlace extends AnchorPlace {
	/** What is kept now; the others of this configuration. */
	kept: StoredAnchor;
	beside: Anchor[];
	/** Every anchor that was written, in order. */
	written: Anchor[];
	/** Called with each, before it is kept. */
	writing?: (anchor: Anchor) => void;
}

export function testPlace(service = "https://api.example.com"): TestPlace {
	const place: TestPlace = {
		service,
		file: "anchors/test.live.json",
		kept: undefined,
		beside: [],
		written: [],
		read: () => place.kept,
		write: (anchor) => {
			place.writing?.(anchor);
			place.written.push(anchor);
			place.kept = anchor;
		},
		others: () => place.beside,
		keep: async () => {},
	};
	return place;
}

/** The anchor that another journal of a live profile left. */
export const anchorOfAnother = (): Anchor => ({
	profile: "sandbox",
	environment: "live",
	services: ["https://api.example.com"],
	installation: "00000000-0000-4000-8000-000000000009",
	seq: 12,
	hash: "a".repeat(64),
	at: "2026-02-27T10:00:00.000Z",
	adopted: 1,
	beside: [],
});

/** What becomes of each anchor on a full disk. */
export const unwritable = (): never => {
	throw new PurserError("usage", { code: "ANCHOR_UNWRITABLE", message: "x", fix: "x" });
};
