/**
 * The plan of a batch: what is shown, approved and sent. Types only.
 */
import type { Transfer } from "../api/operations/transfer.js";

export interface PlannedRow {
	/** Of the file, as a spreadsheet program numbers it: the header is usually row 1. */
	row: number;
	transfer: Transfer;
}

/** Digests over every row. Two plans with the same `rows` hold the same transfers, in whatever order. */
export interface BatchDigest {
	/** Hex; independent of order, quoting and column names, but not of any data. */
	rows: string;
	/** Hex; over the rows in their order: what is approved and sent. */
	sequence: string;
}

export interface BatchTotal {
	ledgerFromId: string;
	/** Absent if neither the file nor the service names it. */
	currency?: string;
	rows: number;
	amount: string;
}

/** One JSON file; a signature covers every field. */
export interface BatchPlan {
	version: 1;
	/** Its number in the journal of the installation that planned it. */
	batch: string;
	installation: string;
	profile: string;
	environment: "sandbox" | "live";
	origin: string;
	/** The file's name without its folder; `-` for standard input. */
	source: string;
	/** SHA-256 of its bytes, hex. */
	sourceDigest: string;
	count: number;
	digest: BatchDigest;
	/** The page that shows this plan to the person who approves it: the SHA-256 of its bytes, hex. */
	sheet?: { sha256: string };
	totals: BatchTotal[];
	largest: { currency?: string; amount: string }[];
	/** Settings of the profile that decide what is sent: caps, duplicate-days, refusing-statuses, approval. */
	settings: Record<string, string>;
	/** Duplicate rows: `inside` the file, and of `earlier` payments that the journal knows as recent or in doubt. */
	duplicates: { inside: number; earlier: number };
	/** How many duplicates the planner overrode, and why. */
	despite?: { duplicates: number; reason: string };
	/** RFC 3339 UTC. */
	planned: string;
	expires: string;
	/** The planner's public key, if the planner has one. It counts only with the {@link signature} of its private half. */
	planner?: string;
	/** Who planned it: `PURSER_OPERATOR`, else the system's user. A statement, not a proof; beside a {@link planner} only. */
	operator?: string;
	/** Base64url; the planner's, over every other field. */
	signature?: string;
}

export interface Approval {
	/** The name that the profile has for the key. For display only: no decision depends on it, and the journal does not store it. */
	approver?: string;
	/** The approver's Ed25519 public key: base64url of its 32 bytes. */
	key: string;
	/** RFC 3339 UTC. */
	at: string;
	/** Base64url, over the plan and the time. */
	signature: string;
}
