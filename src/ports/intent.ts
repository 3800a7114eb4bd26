import type { Effect, Method } from "../api/operation.js";
import type { intentStates, Transfer } from "../api/operations/transfer.js";

/** A change about to be requested, without personal data except the operator. */
export interface JournalIntent {
	operation: string;
	effect: Exclude<Effect, "read">;
	profile: string;
	/** Scheme, host and port. */
	origin: string;
	/** The same with the base path. */
	service?: string;
	/** Of a local sandbox, which is another service at the same address once it is started anew. Absent for every other service, and where it could not be read. */
	sandbox?: string;
	method: Method;
	path: string;
	/** Of the exact body bytes. Absent for a row of a batch, whose transfer determines the body. */
	digest?: string;
	/** For money: what the transfer is. */
	transfer?: Transfer;
	/** It creates a record: while a duplicate is in doubt, it is not begun. */
	creates?: boolean;
	/** For another change than a payment: the company or person that it concerns. */
	about?: { kind: "corporate" | "related"; id: string };
	/** For creations: the externalId given, so that a lost reply can be looked up. */
	externalId?: string;
	/** The duplicates (in doubt or paid recently), or the gates of a KYB request, that would prevent this one and are overridden, and why. */
	despite?: { intents: readonly string[]; gates?: readonly string[]; reason: string };
	/** For a KYB request: SHA-256 of the due-diligence review that was read. Absent where not known. */
	reviewed?: string;
	/** For an acceptance of the terms: whose word it is that the account owner accepted them. */
	confirmedBy?: "account-owner" | "operator";
	/** The digest of the mapping that it was sent with; absent: it was sent as described. */
	mapping?: string;
	/** Who asked: a name, initials or an account, from `PURSER_OPERATOR` or the system. */
	operator?: string;
	/** In a team's journal: the machine that asked. */
	machine?: string;
	/** For money: the service's clock minus this machine's when the attempt began, in milliseconds. Absent if not known. */
	skew?: number;
}

/** `skew` and `validUntil` as in {@link IntentResult}. */
export type JournalOutcome = Pick<IntentResult, "skew"> &
	(
		| ({ state: "accepted"; id?: string; status: number; waiting?: boolean } & Pick<IntentResult, "validUntil">)
		| { state: "refused"; status: number; apiCode?: string }
		| { state: "not-sent"; reason: string }
		| { state: "in-doubt"; reason: string; status?: number }
	);

/** `waiting`: accepted, waiting for strong authentication; `abandoned`: a row that was cancelled with the rest of its batch before it was sent. */
export type IntentState = (typeof intentStates)[number];

/** The evidence by which a doubt was settled. No personal data. */
export interface Evidence {
	/** The service's list, one transaction of it, a statement file, a person's word, the log of a team's machine, which has the answer. */
	source: "service" | "transaction" | "statement" | "person" | "log";
	reason: string;
	/** The looks that it is based on, if absence had to be proven. */
	checks?: readonly Check[];
	/** What the service's list showed before a person declared that it was not created. */
	before?: {
		check?: Check;
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

export type Settlement = ({ state: "accepted"; id?: string } | { state: "not-created" }) & { evidence: Evidence };

/** One check of a source for a payment, as recorded for each doubt that it did not settle. */
export interface Check {
	/** Journal-wide, from 1; one run has one number for all its doubts. */
	number?: number;
	/** When, RFC 3339 UTC: the older of both clocks. */
	at: string;
	source: "service" | "events" | "statement" | "log";
	/** Whether it was read to its end, reaching back before the attempt, and showed every payment of that time whose id is known. */
	complete: boolean;
	fitting: number;
	/** Why it is not complete, for people. */
	lacks?: string;
	/** How many milliseconds the service's clock was ahead of this machine's; absent if not known. */
	skew?: number;
}

/**
 * `died`: the sending process ended without recording an outcome; `reopened`: a person opened again what was decided, and the id that it held is free;
 * `resent`: the same request was sent once more with the idempotency key of the attempt, because a person asked for it;
 * `carried`: as it was in the journal of a machine that joined a team.
 */
export type JournalStep =
	| { kind: "begun" }
	| { kind: "ended"; outcome: JournalOutcome }
	| { kind: "died" }
	| { kind: "checked"; check: Check }
	| { kind: "settled"; settlement: Settlement }
	| { kind: "abandoned" }
	| { kind: "reopened"; reason: string; id?: string }
	| { kind: "resent" }
	| { kind: "carried"; state: IntentState };

/** Details of the latest outcome or settlement. */
export interface IntentResult {
	status?: number;
	apiCode?: string;
	/** Of a link or a code: until when it is valid, as the service said, RFC 3339 UTC. */
	validUntil?: string;
	why?: string;
	evidence?: Evidence;
	/** For a row of a batch: as known when it began; for a payment: learned from its own answer. See {@link JournalIntent}. */
	skew?: number;
	/** If a person reopened it: the ids that it held before. Only a person gives one of them to a payment. */
	formerIds?: readonly string[];
}

export interface IntentRecord extends JournalIntent, IntentResult {
	intent: string;
	state: IntentState;
	attempt: number;
	/** When the latest attempt began, RFC 3339 UTC. */
	begun: string;
	changed: string;
	/** Identical for all intents that the service's records cannot distinguish. */
	fingerprint?: string;
	id?: string;
	/** In a team's journal, of what a machine did before it joined: the machine and its number there, like `laptop:17`. */
	carried?: string;
	/** For a row of a batch: the batch's number, and the row's number in its file, from 1. */
	batch?: string;
	row?: number;
}
