/**
 * What is kept of a journal outside it, so that another one in its place is noticed before money moves. Types only.
 */

/** The journal as it was when money last moved from it. */
export interface Anchor {
	/** Whose journal it is. */
	profile: string;
	environment: "sandbox" | "live";
	/** Scheme, host, port and base path of every service that money left through it for. */
	services: readonly string[];
	/** The journal's own id, given when it was made. */
	installation: string;
	/** Number and hash of its newest event. */
	seq: number;
	hash: string;
	/** RFC 3339 UTC. */
	at: string;
	/** How often a person has said that another journal is the one from now on: of two copies the one with more of these is the newer. */
	adopted: number;
	/** Installations of other journals of the same service, beside which a person has said that this one is used. */
	beside: readonly string[];
}

/** What is kept for one journal: an anchor, nothing, or something that was not written by this installation. */
export type StoredAnchor = Anchor | "broken" | undefined;

/**
 * The place of one journal's anchor. Methods are synchronous: the anchor is written while the journal is locked, so that of two processes
 * the later never puts it back.
 */
export interface AnchorPlace {
	/** The service that the profile pays at now. */
	readonly service: string;
	/** The file, to be named to people. */
	readonly file: string;
	/** The newer one of the file and of the keyring's copy. @throws PurserError usage, where the file is there and cannot be read */
	read(): StoredAnchor;
	/** Durable when it returns. @throws PurserError usage, where it cannot be written: then nothing may be sent */
	write(anchor: Anchor): void;
	/** The anchors of other journals of this configuration. */
	others(): Anchor[];
	/** Brings the keyring's copy up to date, where there is a keyring. Never rejects: the file is what is relied on. */
	keep(): Promise<void>;
}

/** How a journal stands to its anchor. */
export type Standing =
	/** It is the one: the anchor's event is in it. */
	| { kind: "held"; anchor: Anchor }
	/** Nothing is kept of it, and no payment stands in it. */
	| { kind: "new" }
	/** Nothing is kept of it, but payments stand in it: it was written before anchors were, or the configuration is another one. */
	| { kind: "unanchored" }
	/** What is kept was not written by this installation. */
	| { kind: "broken" }
	/** The anchor is of another journal, of one that had more events, or of one in which that event was another. */
	| { kind: "other" | "behind" | "changed"; anchor?: Anchor }
	/** Another journal pays at the same service. */
	| { kind: "second"; other: Anchor; anchor?: Anchor };
