import type { Advice } from "../errors.js";
import type { Anchor, Missing, Restored, Standing } from "./anchor.js";
import type {
	Check,
	ExpectedAttempt,
	IntentRecord,
	IntentState,
	JournalIntent,
	JournalOutcome,
	JournalStep,
	Settlement,
} from "./intent.js";

/** Number and hash of the newest event. */
export interface Head {
	seq: number;
	hash: string;
}

/** One line of the append-only record. Each hash covers the one before it. */
export interface JournalEvent extends Head {
	/** RFC 3339 UTC. */
	at: string;
	intent?: string;
	kind: string;
	content: Record<string, unknown>;
}

/** The facts by which the rules decide about a payment; read inside the transaction that records the attempt. */
export interface RuleFacts {
	/** With the same fingerprint: being sent, in doubt, paid since `Rules.duplicateWindowStart`, or still to be sent by a begun batch. */
	duplicates: readonly Pick<IntentRecord, "intent" | "state" | "begun" | "id" | "batch" | "skew" | "operator" | "machine">[];
	/** Decimal sums of what was sent today (UTC), including doubts, by currency (`""`: not known). */
	spent: Readonly<Record<string, string>>;
	now: Date;
	service?: Date;
	/** The highest service time ever seen. */
	highest?: Date;
}

/** The rules that the journal applies to money. Pure; implemented in `payments/`. */
export interface Rules {
	/** The settings in force that guard money, in the form in which they are recorded. */
	readonly guards: Readonly<Record<string, string>>;
	/** Identical for all intents that the service's records cannot distinguish; undefined if repeating the change is harmless. */
	fingerprint(intent: JournalIntent): string | undefined;
	/** @throws PurserError bug, if the step is not allowed in that state */
	next(state: IntentState | undefined, step: JournalStep): IntentState;
	/** The start of the duplicate window: an earlier payment of the same payee, amount and reference since then prevents another. */
	duplicateWindowStart(now: Date): Date;
	/** @throws PurserError guard, if it may not be sent now */
	check(intent: JournalIntent, known: RuleFacts): void;
	/**
	 * @param sandbox the identity of a local sandbox, whose time a person moves
	 * @throws PurserError guard, if a limit counts by the day and both clocks are on different ones
	 */
	checkClocks(times: Pick<RuleFacts, "now" | "service">, sandbox: string | undefined): void;
	/** Whether a payment in this state counts as spent. */
	counts(state: IntentState): boolean;
	/** The exact sum of two decimal texts, or their difference if `sign` is -1. */
	add(one: string, other: string, sign: 1 | -1): string;
}

export interface Verification {
	events: number;
	intents: number;
	/** To be noted elsewhere. */
	head: Head;
	installation: string;
	/** The journal's anchor, if it has one; `holds`: the journal matches it. */
	anchor?: Pick<Anchor, "seq" | "hash" | "at" | "installation"> & { holds: boolean };
	/** Set if it is a restored backup that nobody has adopted. */
	restored?: Pick<Restored, "copied" | "last">;
	/** Everything that was altered; empty if nothing was. */
	faults: readonly string[];
}

/** The result of `history adopt`. */
export interface Adoption {
	/** How the journal compared with its anchor before. */
	found: Standing["kind"];
	reason: string;
	/** What it lacks of the journal that was used before, where that one was ahead. */
	missing?: Missing;
	/** Rows that became in doubt, because the service lists a payment that may be theirs; of a restored backup only. */
	inDoubt?: number;
	installation: string;
	head: Head;
}

/** A row of a batch that may have been sent after the backup was made from which the journal was restored. */
export interface SentSince {
	intent: string;
	/** When, RFC 3339 UTC by the service's clock, as far as it is known. */
	at: string;
}

export interface Backup {
	file: string;
	bytes: number;
	events: number;
	head: Head;
}

export interface Begins {
	/** The attempt that was looked for before this one; without it nothing was looked for and nothing is compared. */
	expected?: ExpectedAttempt;
	warn?: (message: Advice) => void;
}

/** Every change requested of the service, recorded durably before it is sent. */
export interface Journal {
	/**
	 * Records an attempt; durable when it resolves. A transfer whose duplicate was proven not created becomes a new attempt of that intent.
	 * @returns the intent's number
	 * @throws PurserError guard, if a doubt, a duplicate or a cap forbids it, or the attempt to follow is not `expected`; usage, if nothing can be written
	 */
	begin(intent: JournalIntent, asked?: Begins): Promise<string>;
	/**
	 * Records the outcome of the attempt.
	 * @throws PurserError unknown, if another attempt holds the id from the service's answer; this one is then in doubt
	 */
	end(intent: string, outcome: JournalOutcome): Promise<void>;
	/** Intents, newest first; without `states`, rows of batches that are only planned or were cancelled are left out. */
	list(filter: JournalFilter): Promise<IntentRecord[]>;
	/** One intent with its events, oldest first. */
	show(intent: string): Promise<{ record: IntentRecord; events: JournalEvent[] } | undefined>;
	/** The intents that hold these ids of the service, by id. */
	holders(ids: readonly string[]): Promise<ReadonlyMap<string, IntentRecord>>;
	/** The looks at an intent's latest attempt, oldest first. */
	checks(intent: string): Promise<Check[]>;
	/** Records a look for each of these doubts. @param look without a number it gets the journal's next one @returns the number */
	recordCheck(intents: readonly string[], check: Check): Promise<number>;
	/**
	 * Settles a doubt; one settled as not created can still be settled as accepted by a transaction that was named and looked up.
	 * @param attempt the attempt that the evidence is about; it proves nothing about a later one
	 * @param changed when the record that was read had changed last: what was sent once more since is not settled as not created
	 * @throws PurserError guard, if that attempt is not in doubt (any more), or another attempt holds the id
	 */
	settle(intent: string, settlement: Settlement, attempt: number, changed?: string): Promise<void>;
	/**
	 * Opens a decided payment again: it is in doubt, and the id that it held is free and stays named with it.
	 * @param attempt the attempt that the person was shown
	 * @throws PurserError guard, if nothing about that attempt is decided
	 */
	reopen(intent: string, reason: string, attempt: number): Promise<void>;
	/**
	 * Records that the request of a doubt is sent once more with its idempotency key; durable when it resolves.
	 * @throws PurserError guard, if that attempt is not in doubt; usage, if nothing can be written; nothing may be sent then
	 */
	resend(intent: string, attempt: number): Promise<void>;
	/**
	 * Keeps on this machine that the service accepted a payment that was sent once more, until {@link settle} has recorded it: a team's database
	 * may be away just then, and the next run records it. No other answer is kept: it says nothing of the first time.
	 */
	answered(intent: string, outcome: JournalOutcome): Promise<void>;
	/** The identity of this journal, from its first day. */
	installation(): Promise<string>;
	/** Every event after number `after` (0: all), oldest first. */
	events(after: number): AsyncIterable<JournalEvent>;
	/** Records that a command changes what guards money. @param change `before` defaults to the recorded ones */
	changeSettings(change: { before?: Rules["guards"]; after: Rules["guards"]; operator?: string }): Promise<void>;
	verify(): Promise<Verification>;
	/**
	 * Checks, on a live profile, that the journal matches its anchor, so that money may be sent.
	 * @param fresh accept a journal without any known payment
	 * @returns `new`: it has no known payment, and {@link adopt} must be called before money is sent
	 * @throws PurserError guard, if it may be another journal than the one paid from before, or is new and `fresh` is false
	 */
	guard(fresh: boolean): Promise<"held" | "new" | "unguarded">;
	/**
	 * Makes this journal the profile's. In the same step the rows that were sent since become in doubt; a batch that was not begun and has such rows is cancelled.
	 * @param since needed for a restored backup: what both sides showed to have been sent after it
	 * @throws PurserError guard, for a sandbox's journal that is no restored backup, and for a restored one without `since`
	 */
	adopt(reason: string, since?: readonly SentSince[]): Promise<Adoption>;
	/** How the journal compares with its anchor; undefined for a sandbox, unless it is a restored backup. */
	standing(): Promise<Standing | undefined>;
	/**
	 * Writes a consistent copy, even while others write, and verifies it. The copy is marked: once it is restored, money leaves from it only
	 * after it was adopted.
	 * @throws PurserError guard, if the file exists; usage, if it cannot be written or is faulty
	 */
	backup(file: string): Promise<Backup>;
	close(): Promise<void>;
	readonly file: string;
}

export interface JournalFilter {
	states?: readonly IntentState[];
	effect?: JournalIntent["effect"];
	fingerprint?: string;
	/** Leaves out intents that are known to have been sent to another sandbox than this one; see {@link JournalIntent.sandbox}. */
	sandbox?: string;
	batch?: string;
	below?: string;
	/** Intents whose latest attempt began in this time, RFC 3339 UTC, by this machine's clock. */
	since?: string;
	until?: string;
	limit?: number;
}

/** A changed setting; `old` or `new` is absent if it was or is not set. */
export interface SettingChange {
	key: string;
	old?: string;
	new?: string;
}

/** The content of a `settings` event; public keys are recorded without names. */
export interface SettingsRecord {
	/**
	 * `first`: in force when recording began; `command`: changed by a command; `outside`: found changed without a command when money was
	 * about to move.
	 */
	how: "first" | "command" | "outside";
	/** Who changed it; for `outside`, who asked for the payment that found it. Absent if not known. */
	operator?: string;
	/** In a team's journal: the machine whose profile they are. Each machine's settings are compared with its own. */
	machine?: string;
	changes: readonly SettingChange[];
	/** All settings in force after it. */
	settings: Readonly<Record<string, string>>;
}
