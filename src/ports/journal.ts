import type { Advice } from "../errors.js";
import type { Standing } from "./anchor.js";
import type {
	ExpectedAttempt,
	IdCorrection,
	IntentRecord,
	IntentState,
	JournalIntent,
	JournalOutcome,
	JournalStep,
	Look,
	Settlement,
} from "./intent.js";

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

/** What the rules of money decide by; read inside the transaction that records the attempt. */
export interface RuleFacts {
	/** Intents with the same fingerprint that are being sent, in doubt, went out since `Rules.duplicateWindowStart`, or are still to leave with a batch under way. */
	duplicates: readonly Pick<IntentRecord, "intent" | "state" | "begun" | "id" | "batch" | "skew">[];
	/** Decimal sums of what went out today (UTC), doubts included, by currency (`""`: not known). */
	spent: Readonly<Record<string, string>>;
	/** By this machine's clock. */
	now: Date;
	/** What time it is at the service, where that is known. */
	service?: Date;
	/** The highest time of the service that was ever seen. */
	highest?: Date;
}

/** The rules of money as the journal applies them: pure, made in `payments/`, handed in by `main.ts`. */
export interface Rules {
	/** The settings in force that guard money, in the form in which they go on record. */
	readonly guards: Readonly<Record<string, string>>;
	/** The same for all that cannot be told apart at the service; undefined where another one does no harm. */
	fingerprint(intent: JournalIntent): string | undefined;
	/** @throws PurserError bug, where the step is not allowed in that state */
	next(state: IntentState | undefined, step: JournalStep): IntentState;
	/** The start of the time in which an earlier payment to the same payee, of the same amount and reference, holds back another. */
	duplicateWindowStart(now: Date): Date;
	/** @throws PurserError guard, where it may not be sent now */
	permit(intent: JournalIntent, known: RuleFacts): void;
	/** Whether a payment in this state counts as money that went out. */
	counts(state: IntentState): boolean;
	/** The exact sum, or with -1 the difference, of two decimal texts. */
	add(one: string, other: string, sign: 1 | -1): string;
}

/** What `history verify` found. */
export interface Verification {
	/** Events and intents looked at. */
	events: number;
	intents: number;
	/** Number and hash of the newest event: to be noted elsewhere. */
	head: { seq: number; hash: string };
	installation: string;
	/** What is kept of it outside, where something is; `holds`: the record is the one that money left by. */
	anchor?: { seq: number; hash: string; at: string; installation: string; holds: boolean };
	/** Each thing that is not as it was written. Empty: all is well. */
	faults: readonly string[];
}

/** What `history purge` removed. */
export interface PurgeResult {
	events: number;
	intents: number;
	/** Why less than asked was removed, where it was. */
	kept?: string;
}

/** What `history adopt` recorded. */
export interface Adoption {
	/** How the journal stood to its anchor before. */
	found: Standing["kind"];
	reason: string;
	/** The anchor that counted before, where there was one. */
	before?: { installation: string; seq: number; hash: string };
	/** Installations of other journals of the service, beside which this one is used from now on. */
	beside?: readonly string[];
	/** The journal that is the one now. */
	installation: string;
	head: { seq: number; hash: string };
}

/** A copy of the journal that was written and read back. */
export interface Backup {
	file: string;
	bytes: number;
	events: number;
	/** Its newest event, which stands in the journal too. */
	head: { seq: number; hash: string };
	/** Whether a journal restored from it would be taken for the one until money leaves again; absent for a sandbox. */
	anchored?: boolean;
}

/** Every change asked of the service, on disk before it is sent. */
export interface Journal {
	/**
	 * Records the intent and its first attempt; durable when it resolves. Returns the intent's number.
	 * A transfer whose like was proven not created becomes a new attempt of that intent.
	 * @param asked `expected`: the attempt that was looked for before this one; without it nobody looked, and none is compared. `warn` is told what the
	 *   operator should know of it, once it is on record: settings that were changed without purser
	 * @throws PurserError guard, where an open doubt, a duplicate or a cap forbids it, or another attempt than `expected` would be followed; PurserError usage, where nothing can be written: then nothing is sent
	 */
	begin(intent: JournalIntent, asked?: { expected?: ExpectedAttempt; warn?: (message: Advice) => void }): Promise<string>;
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
	/** The same with what is known of each holder; of transfers only, by the id as it was given. */
	holderRecords(ids: readonly string[]): Promise<ReadonlyMap<string, IntentRecord>>;
	/** The looks at an intent's latest attempt, oldest first. */
	looks(intent: string): Promise<Look[]>;
	/**
	 * Records a look at doubts.
	 * @param look without a number it gets the next one of the journal; with one it is a part of the look of that number
	 * @returns the number
	 */
	recordLook(intents: readonly string[], look: Look): Promise<number>;
	/**
	 * @param attempt the one that was looked at: what proves something of it proves nothing of a later one
	 * @throws PurserError guard, where that attempt is not in doubt (any more), or another attempt holds the id. One that was settled as not
	 *   created is still settled as accepted, by a transaction that was named and looked at
	 */
	settle(intent: string, settlement: Settlement, attempt: number): Promise<void>;
	/**
	 * Takes from an accepted payment an id that is another one's. It stays accepted, so that it is never sent again, and the id is free.
	 * @param attempt the one that was looked at
	 * @throws PurserError guard, where it does not hold that id (any more)
	 */
	removeId(intent: string, naming: IdCorrection, attempt: number): Promise<void>;
	/**
	 * Gives an accepted payment without an id the one that it was found to have.
	 * @param attempt the one that was looked at
	 * @throws PurserError guard, where it has an id, or another attempt holds this one
	 */
	assignId(intent: string, naming: IdCorrection, attempt: number): Promise<void>;
	/** Every event after number `after` (0: all), oldest first. */
	events(after: number): AsyncIterable<JournalEvent>;
	/** The newest events of this kind that are of the journal itself and of no intent, newest first. */
	ownEvents(kind: string, limit: number): Promise<JournalEvent[]>;
	/**
	 * Records that settings that guard money are changed by a command.
	 * @param change both sets in the form of {@link Rules.guards}; without `before` it is what is on record
	 */
	changeSettings(change: {
		before?: Readonly<Record<string, string>>;
		after: Readonly<Record<string, string>>;
		operator?: string;
	}): Promise<void>;
	/** @param head an event that was noted elsewhere, and must be in the record */
	verify(head?: { seq?: number; hash: string }): Promise<Verification>;
	/**
	 * Whether money may leave by this journal: on a live profile it is held against its anchor.
	 * @param fresh whether a journal by which nothing is known to have been paid is all right
	 * @returns `new`: it is such a journal, and {@link adopt} is to be called before money leaves
	 * @throws PurserError guard, where it may not be the journal that money left by before, or is new and must not be
	 */
	guard(fresh: boolean): Promise<"held" | "new" | "unguarded">;
	/**
	 * Makes this journal the one that money leaves by, on record.
	 * @throws PurserError guard, for a sandbox: its journal is not guarded
	 */
	adopt(reason: string): Promise<Adoption>;
	/**
	 * Writes a consistent copy, while others may write, and reads it back.
	 * @throws PurserError guard, where something stands in the file's place; usage, where it cannot be written or is not as it should be
	 */
	backup(file: string): Promise<Backup>;
	/**
	 * Removes what ended before `before`.
	 * @throws PurserError guard, where something from before then is not settled
	 */
	purge(before: Date): Promise<PurgeResult>;
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
