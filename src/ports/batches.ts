/**
 * The ports of batches: many transfers planned, approved and sent as one. Types only, beside those of a single transfer.
 * A batch's rows are intents of the journal like every other transfer; what they have in common stands once, in the batch.
 */

import type { Method } from "../api/operation.js";
import type { Transfer } from "../api/operations/transfer.js";
import type { Advice } from "../errors.js";
import type { Approval, BatchDigest, BatchPlan, PlannedRow } from "./batch-plan.js";
import type { IntentRecord, IntentState, JournalOutcome } from "./intent.js";
import type { Rules } from "./journal.js";

/** `loading` while rows are read, `planned` when all are on record, `begun` once sending was allowed, `abandoned` when it sends nothing more. */
export type BatchState = "loading" | "planned" | "begun" | "abandoned";

/** Rows of a batch that were never marked as being sent, with their exact sums. */
export interface BatchRest {
	rows: number;
	/** By currency; absent where none is known. */
	totals: { currency?: string; rows: number; amount: string }[];
}

/** When and why the rest of a batch was given up, and what that rest was. */
export interface AbandonedRest extends BatchRest {
	/** RFC 3339 UTC. */
	at: string;
	/** The operator's words. */
	reason: string;
}

/** A batch as the journal keeps it. */
export interface BatchRecord {
	batch: string;
	state: BatchState;
	plan: BatchPlan;
	/** Scheme, host, port and base path of its service; absent where the build that planned it did not keep the base path. */
	service?: string;
	/** RFC 3339 UTC. */
	begun?: string;
	/** Those that it was begun with, where it needed any. */
	approvals?: readonly Approval[];
	/** Of a batch that was given up. */
	abandoned?: AbandonedRest;
	/** A process is sending it now. */
	sending: boolean;
	/** How many rows are in which state; all states stand there, so that a program finds each. */
	counts: Readonly<Record<IntentState, number>>;
}

/** A row with where it stands. */
export interface BatchRow extends IntentRecord {
	row: number;
	batch: string;
	transfer: Transfer;
}

/** What became of one row. */
export interface RowOutcome {
	/** The journal's number. */
	number: number;
	outcome: JournalOutcome;
}

/** A row that is on record as being sent: it may leave now, once. */
export interface MarkedRow extends PlannedRow {
	number: number;
	attempt: number;
}

/** Which rows of a batch look the same as other payments. */
export interface BatchDuplicates {
	/** Rows that are the same as another row of this batch. */
	inside: number;
	/** Rows that look the same as a payment within the duplicate window, or in a batch under way. */
	earlier: number;
	/** Rows like a transfer in doubt, by the doubts' numbers, at most 20. */
	doubts: { rows: number; intents: string[] };
	/** Rows like a transfer that another process is sending at this moment, by the transfers' numbers, at most 20; absent where there is none. */
	sending?: { rows: number; intents: string[] };
	/** Other recent batches that hold the same rows. `same`: every row is the same; `abandoned`: it was given up. */
	batches: { batch: string; rows: number; same: boolean; abandoned?: true }[];
}

/** What all rows of a batch have in common. */
export interface BatchShared {
	profile: string;
	/** Scheme, host and port; with the base path. Batches of builds before 2026-11-22 do not know the latter. */
	origin: string;
	service?: string;
	/** How each kind of row is asked of the service. */
	operations: Record<Transfer["kind"], { operation: string; method: Method; path: string }>;
}

/** The guards that the plan, or a person who was shown them, overrode; and what must still be so when the batch begins. */
export interface BatchOverrides {
	/** Most duplicate rows that are meant. */
	duplicates: number;
	/** Earlier batches with the same rows that are meant to be sent beside this one. */
	batches: readonly string[];
	/** Looked at where the batch was not begun before. */
	approvals?: readonly Approval[];
	/** It may only be begun, not gone on with: another process may have begun it since it was looked at. */
	unbegun?: true;
	/**
	 * Rows settled as not created that the service's list was looked at for before they are sent again: how many, and the sum of their
	 * attempts, which the journal compares; and what a person said to be other payments. Absent where nobody looked.
	 */
	again?: { rows: number; attempts: number; notThis?: readonly string[] };
	/** Rows that a person was shown as about to be sent: where it is another number by now, nobody has seen what would leave. */
	rows?: number;
	/** Who asked for this run. */
	operator?: string;
}

/** Batches in the journal. */
export interface Batches {
	/** Makes a batch that rows can be added to. @returns its number and the journal's installation */
	open(shared: BatchShared): Promise<{ batch: string; installation: string }>;
	/** Adds rows in their order; durable with {@link seal} only. */
	load(batch: string, rows: readonly PlannedRow[]): Promise<void>;
	/**
	 * Finds duplicates within the batch and in the journal, of the rows in the states `takes` that would be compared if the batch
	 * were begun now. Of a batch that was begun before these are what is sent again, against what went out since then.
	 */
	duplicates(batch: string, digest: BatchDigest, takes: readonly IntentState[], skew?: number): Promise<BatchDuplicates>;
	/**
	 * Payments settled as not created that would be sent again: rows of the batch, where `takes` names that state, and others that are the
	 * same as a row in one of these states.
	 */
	notCreated(batch: string, takes: readonly IntentState[]): Promise<IntentRecord[]>;
	/** Parties credited that no accepted transfer of this journal went to before. */
	firstTimePayees(batch: string): Promise<{ ledgers: number; beneficiaries: number }>;
	/** Ends the loading; durable when it resolves. */
	seal(batch: string, plan: BatchPlan): Promise<void>;
	/** Removes a batch of which nothing was ever sent. @throws PurserError guard otherwise */
	discard(batch: string): Promise<void>;
	/**
	 * Allows the sending, in one transaction: the rows are held against doubts, duplicates and caps, and counted as gone out.
	 * A batch that was begun before goes on; what its dead sender left open is in doubt. From then on this process is its only sender.
	 * @param skew the service's clock minus this machine's, in milliseconds, where it is known
	 * @returns with it what the operator should know: settings that were changed without purser
	 * @throws PurserError guard
	 */
	begin(batch: string, states: readonly IntentState[], allowed: BatchOverrides, skew?: number): Promise<BatchRecord & { warning?: Advice }>;
	/** Records what became of rows and marks the next ones as being sent, in one durable step. Empty: no row is left. */
	advance(batch: string, ended: readonly RowOutcome[], want: number, skew?: number): Promise<MarkedRow[]>;
	/** Says that this process sends the batch no more. */
	release(batch: string): Promise<void>;
	/** What {@link abandon} would give up now. */
	rest(batch: string): Promise<BatchRest>;
	/**
	 * Gives up, in one transaction and for good, every row that was never marked as being sent; from then on the batch sends nothing.
	 * Rows that were begun stay as they are. Once more it changes nothing.
	 * @param asked why; `rows`: how many a person was shown as about to be given up
	 * @throws PurserError guard, where another process sends it, every row was accepted, or other rows are left than were shown
	 */
	abandon(batch: string, asked: { reason: string; rows?: number }): Promise<BatchRecord>;
	list(): Promise<BatchRecord[]>;
	show(batch: string): Promise<BatchRecord | undefined>;
	/** The rows in the order of the file, in groups; of these states only, or all. */
	rows(batch: string, states?: readonly IntentState[]): AsyncIterable<BatchRow[]>;
	/** Every row's transfer, in the order of the file, whatever became of it. */
	planned(batch: string): AsyncIterable<Transfer[]>;
	close(): Promise<void>;
}

/** The rules as the journal of batches asks for them. */
export interface BatchRules extends Rules {
	/** @throws PurserError guard, where the batch, or what is to be sent of it again, may not be sent now */
	permitBatch(plan: BatchPlan, known: BatchRuleFacts): void;
	/**
	 * @param of the batch, and whether it was begun with an approval that counted
	 * @throws PurserError guard, where decimal sums by currency are more than may go out today beside what did
	 */
	permitDay(asked: BatchRuleFacts["asked"], spent: BatchRuleFacts["spent"], of: { batch: string; approved: boolean }): void;
}

/** What the rules of a batch are asked with. */
export interface BatchRuleFacts {
	/** It was not begun before: its approval is still to be looked at. */
	first: boolean;
	/** It was begun before with an approval that counted. */
	approved: boolean;
	/** How its rows that are to be sent, and were not counted yet, are like others. */
	duplicates: BatchDuplicates;
	allowed: BatchOverrides;
	/** How many rows would be sent; counted where a number was shown. */
	rows?: number;
	/** Decimal sums by currency (`""`: not known): of those rows, and of what went out today. */
	asked: Readonly<Record<string, string>>;
	spent: Readonly<Record<string, string>>;
	/** The latest of this machine's time, the service's, and the highest time of the service that was seen. */
	now: Date;
}
