/**
 * An intent: one change requested of the service, as the journal records it, with the steps that can happen to it and its state. Types
 * only.
 */
import type { Effect, Method } from "../api/operation.js";
import type { Transfer } from "../api/operations/transfer.js";

/**
 * A change about to be requested. Holds ids, digests, amounts and references, and no personal data except the operator, which may be
 * initials.
 */
export interface JournalIntent {
	operation: string;
	effect: Exclude<Effect, "read">;
	profile: string;
	/** Scheme, host and port. */
	origin: string;
	/** The same with the base path. Absent in what builds before 2026-11-22 wrote. */
	service?: string;
	/**
	 * The identity of the local sandbox that it was sent to: a sandbox started anew is another service at the same address. Absent for every
	 * other service, where it could not be read, and in what builds before 2026-11-23 wrote.
	 */
	sandbox?: string;
	method: Method;
	/** Whole path, with the base path and parameters filled in. */
	path: string;
	/** SHA-256 of the exact body bytes, hex. Absent for a row of a batch, whose transfer determines the body. */
	digest?: string;
	/** For money: what the transfer is. */
	transfer?: Transfer;
	/** It creates a record: while a duplicate is in doubt, it is not begun. */
	creates?: boolean;
	/** For creations: the externalId given, so that a lost reply can be looked up. */
	externalId?: string;
	/** The duplicates (in doubt or paid recently), or the gates of a KYB request, that would prevent this one and are overridden, and why. */
	despite?: { intents: readonly string[]; gates?: readonly string[]; reason: string };
	/** For a KYB request: SHA-256 of the due-diligence review that was read, and of what was declared by then. Absent where not known. */
	reviewed?: string;
	declared?: string;
	/** For an acceptance of the terms: whose word it is that the account owner accepted them. Absent for anything else and in older records. */
	confirmedBy?: "account-owner" | "operator";
	/** The digest of the mapping that it was sent with; absent: it was sent as described. */
	mapping?: string;
	/** Who asked: a name, initials or an account, from `PURSER_OPERATOR` or the system. Absent if not known, as in older records. */
	operator?: string;
	/** For money: the service's clock minus this machine's when the attempt began, in milliseconds. Absent if not known. */
	skew?: number;
}

/**
 * `skew`: for the beginning of the attempt, if only its own answer told the service's time; see {@link JournalIntent}. `validUntil`: of a link
 * or a code, if the service said how long it is valid, RFC 3339 UTC.
 */
export type JournalOutcome = { skew?: number } & (
	| { state: "accepted"; id?: string; status: number; waiting?: boolean; validUntil?: string }
	| { state: "refused"; status: number; apiCode?: string }
	| { state: "not-sent"; reason: string }
	| { state: "in-doubt"; reason: string; status?: number }
);

/**
 * The state of an intent; always exactly one, also after a crash. `waiting`: accepted, waiting for strong authentication; `abandoned`: a
 * row
 * that was cancelled with the rest of its batch before it was sent.
 */
export type IntentState =
	| "planned"
	| "sending"
	| "accepted"
	| "waiting"
	| "refused"
	| "not-sent"
	| "in-doubt"
	| "not-created"
	| "abandoned";

/** The evidence by which a doubt was settled. No personal data. */
export interface Evidence {
	/** The service's list, one transaction of it, a statement file, a person's word. */
	source: "service" | "transaction" | "statement" | "person";
	/** For people: what was seen, or the person's reason. */
	reason: string;
	/** The looks that it is based on, if absence had to be proven. */
	looks?: readonly Look[];
	/** What the service's list showed before a person declared that it was not created. */
	before?: {
		look?: Look;
		/** The error code, if the list could not be read. */
		unread?: string;
		/** What a person confirmed separately: that there is no list, or that the mapping changed since. */
		confirmed?: string;
		/** Listed possible matches that the person declared to be different payments. */
		notThis?: readonly string[];
	};
}

/** The attempt, settled as not created, that a new one follows, as of the last look at the service's list; empty if there was none. */
export interface ExpectedAttempt {
	intent?: string;
	attempt?: number;
}

/** How a doubt ended. */
export type Settlement = { state: "accepted"; id?: string; evidence: Evidence } | { state: "not-created"; evidence: Evidence };

/** One check of a source for a payment, as recorded for each doubt that it did not settle. */
export interface Look {
	/** Journal-wide, from 1; one run has one number for all its doubts. */
	number?: number;
	/** When, RFC 3339 UTC: the older of both clocks. */
	at: string;
	source: "service" | "events" | "statement";
	/** Whether it was read to its end, reaching back before the attempt, and showed every payment of that time whose id is known. */
	complete: boolean;
	/** Number of lines that may be it. */
	fitting: number;
	/** Why it is not complete, for people. */
	lacks?: string;
	/** How many milliseconds the service's clock was ahead of this machine's; absent if not known. */
	skew?: number;
}

/**
 * One step in the life of an intent. `died`: the sending process ended without recording an outcome; `abandoned`: its batch was cancelled
 * before it was sent; `reopened`: a person opened again what was decided, and the id that it held is free; `resent`: the same request was sent
 * once more with the idempotency key of the attempt, because a person asked for it.
 */
export type JournalStep =
	| { kind: "begun" }
	| { kind: "ended"; outcome: JournalOutcome }
	| { kind: "died" }
	| { kind: "looked"; look: Look }
	| { kind: "settled"; settlement: Settlement }
	| { kind: "abandoned" }
	| { kind: "reopened"; reason: string; id?: string }
	| { kind: "resent" };

/** An intent with its state, derived from its events. */
export interface IntentRecord extends JournalIntent {
	/** Its number. */
	intent: string;
	state: IntentState;
	/** Number of the latest attempt, from 1. */
	attempt: number;
	/** When the latest attempt began, RFC 3339 UTC. */
	begun: string;
	/** When it last changed, RFC 3339 UTC. */
	changed: string;
	/** Identical for all intents that the service's records cannot distinguish. */
	fingerprint?: string;
	/** The service's id of what was created. */
	id?: string;
	/** HTTP status and the service's own code, if there was an answer. */
	status?: number;
	apiCode?: string;
	/** Of a link or a code: until when it is valid, as the service said, RFC 3339 UTC. */
	validUntil?: string;
	/** Why it is in doubt or was not sent. */
	why?: string;
	evidence?: Evidence;
	/** If a person reopened it: the ids that it held before. Only a person gives one of them to a payment. */
	formerIds?: readonly string[];
	/** For a row of a batch: the batch's number, and the row's number in its file, from 1. */
	batch?: string;
	row?: number;
}
