/**
 * The anchor: a record of a journal's state, stored outside the journal, so that a replaced journal is noticed before money moves. Types
 * only.
 */

/** The journal as it was when money last moved from it. */
export interface Anchor {
	profile: string;
	environment: "sandbox" | "live";
	/** Scheme, host, port and base path of every service paid from this journal. */
	services: readonly string[];
	installation: string;
	seq: number;
	hash: string;
	/** RFC 3339 UTC. */
	at: string;
	/** How often a person adopted a different journal; of two copies of the anchor, the one with the higher count is newer. */
	adopted: number;
	/** Installations of other journals that pay at the same service and that a person allowed to be used in parallel. */
	beside: readonly string[];
	/** Of a team's journal: the database cluster that had it, and how often that was begun anew from a copy of its log. */
	database?: { system: string; timeline: number };
}

/** The stored anchor of a journal: `undefined` if there is none, `broken` if this installation did not write it. */
export type StoredAnchor = Anchor | "broken" | undefined;

/** Synchronous, because the anchor is written while the journal is locked: two processes cannot overwrite a newer one with an older one. */
export interface AnchorPlace {
	readonly service: string;
	readonly file: string;
	/** The newer of the file's and the keyring's anchor. @throws PurserError usage, if the file exists and cannot be read */
	read(): StoredAnchor;
	/** Durable when it returns. @throws PurserError usage, if it cannot be written; nothing may be sent then */
	write(anchor: Anchor): void;
	others(): Anchor[];
	/** Updates the keyring's copy, if there is a keyring. Never rejects, because only the file is relied on. */
	keep(): Promise<void>;
}

export type Standing =
	/** The right journal: it contains the anchor's event. */
	| { kind: "held"; anchor: Anchor }
	/** No anchor, and no payment in the journal. */
	| { kind: "new" }
	/** No anchor, but payments in the journal: it was written before anchors existed, or the configuration was replaced. */
	| { kind: "unanchored" }
	/** The anchor was not written by this installation. */
	| { kind: "broken" }
	/** The anchor belongs to another journal, or has another hash for its event. */
	| { kind: "other" | "changed"; anchor?: Anchor }
	/** The journal is a team's, and is in another database cluster than before, or in one that went back before a failover. */
	| { kind: "elsewhere"; anchor?: Anchor }
	/** The anchor is ahead of this journal's events. */
	| { kind: "behind"; anchor: Anchor; missing: Missing }
	/** Another journal pays at the same service. */
	| { kind: "second"; other: Anchor; anchor?: Anchor }
	/** A restored backup: it does not know what was sent after it was copied. */
	| Restored;

/** What a journal lacks of the one that its anchor is of. */
export interface Missing {
	/** At least so many events: as many as were there when money last left. */
	entries: number;
	/** When its own last event was, RFC 3339 UTC. */
	since: string;
}

export interface Restored {
	kind: "restored";
	/** When it was copied, RFC 3339 UTC by this machine's clock. */
	copied: string;
	/** Number of the last event that it shares with the journal it was copied from. */
	last: number;
	anchor?: Anchor;
	/** Absent where no anchor is ahead of it. */
	missing?: Missing;
}
