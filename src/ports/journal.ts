/**
 * Every change asked of the service, on disk before it is sent, and the rules of money as the journal applies them. Types only.
 */
import type { Effect, Method } from "../api/operation.js";

/** What is about to be asked of the service. No personal data: ids, digests, amounts, references. */
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
	/** The intents like this one (in doubt, or paid lately) in spite of which it is to be sent, each by its number, and why. */
	despite?: { intents: readonly string[]; reason: string };
	/** Milliseconds that the service's clock was ahead of this machine's when it was sent; absent where that is not known. */
	skew?: number;
}

export interface Transfer {
	kind: "ledger" | "beneficiary";
	ledgerFromId: string;
	/** Ledger or beneficiary credited. */
	counterpartyId: string;
	/** Decimal text as typed. */
	amount: string;
	currency?: string;
	/** As sent, the token included. */
	reference?: string;
	/** The token at the end of `reference`, where one was folded in. */
	token?: string;
}

export type JournalOutcome =
	| { state: "accepted"; id?: string; status: number; waiting?: boolean }
	| { state: "refused"; status: number; apiCode?: string }
	| { state: "not-sent"; reason: string }
	| { state: "in-doubt"; reason: string; status?: number };

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

/** One thing that happened to an intent. `died`: the sending process ended without an outcome; `abandoned`: its batch was given up before its turn. */
export type JournalStep =
	| { kind: "begun" }
	| { kind: "ended"; outcome: JournalOutcome }
	| { kind: "died" }
	| { kind: "looked"; look: Look }
	| { kind: "settled"; settlement: Settlement }
	| { kind: "abandoned" };

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
	/** Of a row of a batch: the batch's number, and which row of its file it is, from 1. */
	batch?: string;
	row?: number;
}

/** One line of the append-only record. Each hash covers the one before it. */
export interface JournalEvent {
	seq: number;
	/** RFC 3339 UTC. */
	at: string;
	intent?: string;
	kind: string;
	content: Record<string, unknown>;
	hash: string;
}

/** What the rules of money are asked with, inside the journal's own transaction. */
export interface Known {
	/** Intents with the same fingerprint that are being sent, in doubt, went out since `Rules.lately`, or are still to leave with a batch under way. */
	alike: readonly Pick<IntentRecord, "intent" | "state" | "begun" | "id" | "batch">[];
	/** Decimal sums of what went out today (UTC), doubts included, by currency (`""`: not known). */
	spent: Readonly<Record<string, string>>;
	now: Date;
}

/** The rules of money as the journal applies them: pure, made in `payments/`, handed in by `main.ts`. */
export interface Rules {
	/** The same for all that cannot be told apart at the service; undefined where another one does no harm. */
	fingerprint(intent: JournalIntent): string | undefined;
	/** @throws PurserError bug, where the step is not allowed in that state */
	next(state: IntentState | undefined, step: JournalStep): IntentState;
	/** How long ago a transfer alike still counts: the start of that time. */
	lately(now: Date): Date;
	/** @throws PurserError guard, where it may not be sent now */
	permit(intent: JournalIntent, known: Known): void;
	/** Whether what is in this state counts as gone out. */
	counts(state: IntentState): boolean;
	/** The exact sum, or with -1 the difference, of two decimal texts. */
	add(one: string, other: string, sign: 1 | -1): string;
}

/** What `history verify` found. */
export interface Verified {
	/** Events and intents looked at. */
	events: number;
	intents: number;
	/** Number and hash of the newest event: to be noted elsewhere. */
	head: { seq: number; hash: string };
	installation: string;
	/** Each thing that is not as it was written. Empty: all is well. */
	faults: readonly string[];
}

/** What `history purge` removed. */
export interface Purged {
	events: number;
	intents: number;
	/** Why less than asked was removed, where it was. */
	kept?: string;
}

/** Every change asked of the service, on disk before it is sent. */
export interface Journal {
	/**
	 * Records the intent and its first attempt; durable when it resolves. Returns the intent's number.
	 * A transfer whose like was proven not created becomes a new attempt of that intent.
	 * @throws PurserError guard, where an open doubt, a duplicate or a cap forbids it; PurserError usage, where nothing can be written: then nothing is sent
	 */
	begin(intent: JournalIntent): Promise<string>;
	/**
	 * Records what became of the attempt.
	 * @throws PurserError unknown, where another attempt holds the id that the service gave: then this one is in doubt
	 */
	end(intent: string, outcome: JournalOutcome): Promise<void>;
	/** Intents, newest first; rows of batches that were never begun where `states` names them. */
	list(filter: JournalFilter): Promise<IntentRecord[]>;
	/** One intent with its events, oldest first. */
	show(intent: string): Promise<{ record: IntentRecord; events: JournalEvent[] } | undefined>;
	/** Which of these ids of the service an attempt holds, and whose it is. */
	holders(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
	/** The looks at an intent's latest attempt, oldest first. */
	looks(intent: string): Promise<Look[]>;
	/**
	 * Records a look at doubts.
	 * @param look without a number it gets the next one of the journal; with one it is a part of the look of that number
	 * @returns the number
	 */
	looked(intents: readonly string[], look: Look): Promise<number>;
	/**
	 * @param attempt the one that was looked at: what proves something of it proves nothing of a later one
	 * @throws PurserError guard, where that attempt is not in doubt (any more), or another attempt holds the id
	 */
	settle(intent: string, settlement: Settlement, attempt: number): Promise<void>;
	/** Every event after number `after` (0: all), oldest first. */
	events(after: number): AsyncIterable<JournalEvent>;
	verify(): Promise<Verified>;
	/**
	 * Removes what ended before `before`.
	 * @throws PurserError guard, where something from before then is not settled
	 */
	purge(before: Date): Promise<Purged>;
	close(): Promise<void>;
	/** The file, to be named to people. */
	readonly file: string;
}

export interface JournalFilter {
	states?: readonly IntentState[];
	effect?: JournalIntent["effect"];
	fingerprint?: string;
	/** Rows of this batch alone. */
	batch?: string;
	/** Intents up to this number. */
	through?: string;
	/** Intents whose latest attempt began in this time, RFC 3339 UTC, by this machine's clock. */
	since?: string;
	until?: string;
	/** Most intents; all without it. */
	limit?: number;
}
