/**
 * One change asked of the service, as the journal keeps it: what is asked, what can happen to it, and where it stands. Types only.
 */
import type { Effect, Method } from "../api/operation.js";
import type { Transfer } from "../api/operations/transfer.js";

/** What is about to be asked of the service. No personal data but who asks, which may be initials: ids, digests, amounts, references. */
export interface JournalIntent {
	operation: string;
	effect: Exclude<Effect, "read">;
	profile: string;
	/** Scheme, host and port. */
	origin: string;
	/** The same with the base path. Absent in what builds before 2026-11-22 wrote. */
	service?: string;
	method: Method;
	/** Whole path, with the base path and parameters filled in. */
	path: string;
	/** SHA-256 of the exact body bytes, hex. Of a row of a batch the transfer says it all. */
	digest?: string;
	/** For money: what the transfer is. */
	transfer?: Transfer;
	/** A creation: while one like it is in doubt, another is not begun. */
	creates?: boolean;
	/** For creations: the externalId given, so that a lost reply can be looked up. */
	externalId?: string;
	/** The numbers of the intents (in doubt, or paid recently) that would hold this one back and are overridden, and why. */
	despite?: { intents: readonly string[]; reason: string };
	/** Who asked: a name, initials or an account, as `PURSER_OPERATOR` or the system says. Absent where it is not known, as in older records. */
	operator?: string;
	/** For money: the service's clock minus this machine's when the attempt began, in milliseconds. Absent: not known. */
	skew?: number;
}

/** `skew`: of the attempt's beginning, where only its own answer told the time; see {@link JournalIntent}. */
export type JournalOutcome = { skew?: number } & (
	| { state: "accepted"; id?: string; status: number; waiting?: boolean }
	| { state: "refused"; status: number; apiCode?: string }
	| { state: "not-sent"; reason: string }
	| { state: "in-doubt"; reason: string; status?: number }
);

/**
 * Where a transfer stands; one state at a time, also after a crash. `waiting`: accepted, waiting for strong authentication; `abandoned`: a
 * row that was never begun, given up with the rest of its batch.
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

/** What a doubt was settled on. No personal data. */
export interface Evidence {
	/** The service's list, one transaction of it, a statement file, a person's word. */
	source: "service" | "transaction" | "statement" | "person";
	/** In words: what was seen, or the person's reason. */
	reason: string;
	/** The looks it rests on, where absence was to be proven. */
	looks?: readonly Look[];
	/** What was seen before a person's word that it was not created. Absent in what older builds wrote: then it is not known. */
	before?: {
		look?: Look;
		/** The code of the error for which nothing could be looked at. */
		unread?: string;
		/** Listed transactions that may be it, and of which the person said that they are others. */
		notThis?: readonly string[];
	};
}

/** The attempt, settled as not created, that a new one follows, as it was when somebody looked; empty where there was none. */
export interface ExpectedAttempt {
	intent?: string;
	attempt?: number;
}

/** How a doubt ended. */
export type Settlement = { state: "accepted"; id?: string; evidence: Evidence } | { state: "not-created"; evidence: Evidence };

/** One look for what may have been created, as it is kept for each doubt that it left open. */
export interface Look {
	/** Journal-wide, from 1: one look of a run has one number for all its doubts. Absent in what builds before 2026-11-22 wrote. */
	number?: number;
	/** When, RFC 3339 UTC. */
	at: string;
	source: "service" | "statement";
	/** Whether it showed everything there was in the time concerned. */
	complete: boolean;
	/** Transactions like the transfer that no attempt holds. */
	unclaimed: number;
	/** Transactions that may be it, as far as the service tells, or that differ from it in one property. */
	possible: number;
	/** In words: why what it does not show is not proven absent by it. Absent where nothing is lacking. */
	lacks?: string;
	/** Milliseconds that the service's clock was ahead of this machine's; absent where that is not known. */
	skew?: number;
	/** The earlier look of this attempt that it agrees with: neither showed it, and a person may confirm that it was not created. */
	agrees?: number;
}

/** An id that an accepted payment is to lose or to get, and on what ground. */
export interface IdCorrection {
	id: string;
	evidence: Evidence;
}

/** An id that an answer gave to a payment although it is another one's. */
export interface MistakenId {
	id: string;
	/** In words: what differs. */
	reason: string;
}

/**
 * One thing that happened to an intent. `died`: the sending process ended without an outcome; `abandoned`: its batch was given up before its
 * turn; `unnamed`: its id was found to be another payment's, so that its own is not known; `named`: the id of one without any was found.
 */
export type JournalStep =
	| { kind: "begun" }
	| { kind: "ended"; outcome: JournalOutcome }
	| { kind: "died" }
	| { kind: "looked"; look: Look }
	| { kind: "settled"; settlement: Settlement }
	| { kind: "abandoned" }
	| ({ kind: "unnamed" } & IdCorrection)
	| ({ kind: "named" } & IdCorrection);

/** An intent with where it stands, derived from its events. */
export interface IntentRecord extends JournalIntent {
	/** Its number. */
	intent: string;
	state: IntentState;
	/** Which attempt is the latest, from 1. */
	attempt: number;
	/** When the latest attempt began and when anything last happened, RFC 3339 UTC. */
	begun: string;
	changed: string;
	/** The same for all that cannot be told apart at the service. */
	fingerprint?: string;
	/** The service's id of what was created. */
	id?: string;
	/** HTTP status and the service's own code, where there was an answer. */
	status?: number;
	apiCode?: string;
	/** Why it is in doubt, was not sent. */
	why?: string;
	evidence?: Evidence;
	/** Of one that was accepted with another payment's id, which it holds no more. */
	mistaken?: MistakenId;
	/** Of a row of a batch: the batch's number, and which row of its file it is, from 1. */
	batch?: string;
	row?: number;
}
