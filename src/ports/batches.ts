/**
 * The ports of batches: many transfers planned, approved and sent as one. Types only.
 * A batch's rows are intents of the journal like every other transfer; what they have in common is stored once, with the batch.
 */

import type { Transfer } from "../api/operations/transfer.js";
import type { Advice } from "../errors.js";
import type { Approval, BatchDigest, BatchPlan, BatchTotal, PlannedRow } from "./batch-plan.js";
import type { IntentRecord, IntentState, JournalIntent, JournalOutcome } from "./intent.js";
import type { RuleFacts, Rules } from "./journal.js";
import type { Moment } from "./machine.js";

/** `loading` while rows are read, `planned` when all are recorded, `begun` once sending was allowed, `abandoned` once the rest was cancelled. */
export type BatchState = "loading" | "planned" | "begun" | "abandoned";

/** Rows of a batch that were never marked as being sent, with their exact sums. */
export interface BatchRest {
	rows: number;
	/** By currency; absent where none is known. */
	totals: Omit<BatchTotal, "ledgerFromId">[];
}

export interface AbandonedRest extends BatchRest {
	/** RFC 3339 UTC. */
	at: string;
	reason: string;
}

export interface BatchRecord extends Pick<JournalIntent, "service" | "sandbox"> {
	batch: string;
	state: BatchState;
	plan: BatchPlan;
	/** RFC 3339 UTC. */
	begun?: string;
	/** The approvals that it was begun with, if it needed any. */
	approvals?: readonly Approval[];
	abandoned?: AbandonedRest;
	sending: boolean;
	counts: Readonly<Record<IntentState, number>>;
	/** Why rows were refused, the most frequent reason first; absent in a list of batches. */
	refusals?: readonly Refusal[];
}

/** One reason for which rows were refused: the status and the service's own code, both absent for all reasons beyond the first hundred. */
export interface Refusal {
	status?: number;
	apiCode?: string;
	rows: number;
	first: readonly number[];
}

export interface BatchRow extends IntentRecord {
	row: number;
	batch: string;
	transfer: Transfer;
}

export interface RowOutcome {
	number: number;
	outcome: JournalOutcome;
	/** It was not sent and is to be, in this run: {@link Batches.advance} marks it before any other. */
	again?: true;
}

/** A row recorded as being sent: it may be sent now, once. */
export interface MarkedRow extends PlannedRow {
	number: number;
	attempt: number;
	/** When it was about to be recorded, by who sends it. */
	recorded?: Moment;
}

export interface BatchDuplicates {
	inside: number;
	/** Rows that look the same as a payment within the duplicate window, or in a batch under way. */
	earlier: number;
	/** Rows that duplicate a transfer in doubt or being sent; at most 20 of those transfers' intents. */
	doubts: { rows: number; intents: string[] };
	/** Other recent batches with the same rows. `same`: all rows are the same; `abandoned`: the batch was cancelled. */
	batches: { batch: string; rows: number; same: boolean; abandoned?: true }[];
}

/** The rows that a person should look at before they are sent, the first of each kind. */
export interface RowsToCheck {
	first: PlannedRow[];
	/** `same`: the first row of this file that looks the same. */
	inside: (PlannedRow & { same: number })[];
	/** The newest earlier payment that looks the same, and how many rows of this file look like it. */
	earlier: (PlannedRow & {
		rows: number;
		intent: string;
		id?: string;
		batch?: string;
		batchRow?: number;
		state: IntentState;
		at: string;
	})[];
	/** Credited parties that no accepted transfer of this journal has paid before, and the first row to each of them. */
	newPayees: { ledgers: number; beneficiaries: number; first: PlannedRow[] };
	to: { rows: number; first: PlannedRow[] };
}

export interface BatchShared extends Pick<JournalIntent, "profile" | "origin" | "service" | "sandbox"> {
	operations: Record<Transfer["kind"], Pick<JournalIntent, "operation" | "method" | "path">>;
}

/** The guards that the plan, or a person who was shown them, overrode, and conditions that must still hold when the batch begins. */
export interface BatchOverrides {
	/** Most duplicate rows that may be sent. */
	duplicates: number;
	/** Checked if the batch was not begun before. */
	approvals?: readonly Approval[];
	/** It may only be begun, not resumed: another process may have begun it since it was checked. */
	unbegun?: true;
	/**
	 * Rows settled as not created that the service's list was checked for before they are sent again: their number and the sum of their attempts, which the
	 * journal compares, and the transactions that a person declared to be different payments.
	 */
	again?: { rows: number; attempts: number; notThis?: readonly string[] };
	/** Number of rows that a person was shown and confirmed; if it has changed, the batch must not be sent. */
	rows?: number;
	operator?: string;
	/** In a team's journal: the machine that sends. */
	machine?: string;
	/** The digest of the mapping that this run sends with, as `JournalIntent.mapping`. */
	mapping?: string;
}

/** A plan in a team's journal, and what second persons said of it. */
export interface TeamPlan {
	batch: string;
	plan: BatchPlan;
	/** The login that planned it. */
	planner: string;
	/** Whether the team's policy asks for an approval of it. */
	needed: boolean;
	/** The logins that may approve it. */
	approvers: readonly string[];
	/** Those with a signature; `approver`: the login. */
	approvals: readonly Approval[];
	/** The logins that approved it. */
	approvedBy: readonly string[];
	/** By whom and why it was rejected first; it is never sent then. `at`: RFC 3339 UTC. */
	rejected?: { by: string; reason: string; at: string };
}

/** What second persons say, which a team's journal keeps. */
export interface TeamApprovals {
	/** The plans of batches that were not begun yet, newest first. */
	waiting(): Promise<TeamPlan[]>;
	of(batch: string): Promise<TeamPlan | undefined>;
	/** @throws PurserError guard, if this login planned it or may not approve, or the batch was begun or cancelled */
	approve(plan: BatchPlan, approval: Approval): Promise<void>;
	/** @throws PurserError as {@link approve} */
	reject(plan: BatchPlan, reason: string): Promise<void>;
}

export interface Batches {
	/** Absent where the journal is a file on this machine, which approvals are not written to. */
	readonly team?: TeamApprovals;
	/** Creates a batch to add rows to. @returns its number and the journal's installation */
	open(shared: BatchShared): Promise<{ batch: string; installation: string }>;
	/** Adds rows in their order; durable only after {@link seal}. */
	load(batch: string, rows: readonly PlannedRow[]): Promise<void>;
	/** Duplicates, within the batch and in the journal, of the rows in the states `takes`; for a batch begun before, only of payments since then. */
	duplicates(batch: string, digest: BatchDigest, takes: readonly IntentState[], skew?: number): Promise<BatchDuplicates>;
	/**
	 * Payments that count as not made and would be sent again: rows of the batch that were refused, not sent or settled as not created, of
	 * the states in `takes`, and other payments refused or settled as not created that duplicate a row in one of these states.
	 */
	notMade(batch: string, takes: readonly IntentState[]): Promise<IntentRecord[]>;
	/**
	 * The rows in the states `takes` that a person should look at.
	 * @param asked `most`: most rows of each list; `alike`: {@link duplicates} found some; `to`: parties whose rows are wanted
	 */
	toCheck(
		batch: string,
		asked: {
			takes: readonly IntentState[];
			most: number;
			alike: boolean;
			to: readonly Pick<Transfer, "kind" | "counterpartyId">[];
			skew?: number;
		},
	): Promise<RowsToCheck>;
	/** Completes the loading; durable when it resolves. */
	seal(batch: string, plan: BatchPlan): Promise<void>;
	/** Removes a batch that never began. @throws PurserError guard otherwise */
	discard(batch: string): Promise<void>;
	/**
	 * Allows the sending, in one transaction: checks the rows against doubts, duplicates and caps, and counts them as sent today. Rows that a dead sender
	 * of the batch left as being sent become doubts. From then on this process sends it; on a team's journal beside others, with the planned
	 * rows alone and by the same mapping.
	 * @param skew the service's clock minus this machine's, in milliseconds, if known
	 * @returns with a warning if settings were changed without purser
	 */
	begin(
		batch: string,
		states: readonly IntentState[],
		allowed: BatchOverrides & { only?: readonly number[] },
		skew?: number,
	): Promise<BatchRecord & { warning?: Advice }>;
	/** Records outcomes and marks the next rows as being sent, in one durable step. @returns the marked rows; empty if none is left */
	advance(batch: string, ended: readonly RowOutcome[], want: number, skew?: number): Promise<MarkedRow[]>;
	release(batch: string): Promise<void>;
	rest(batch: string): Promise<BatchRest>;
	/**
	 * Cancels, in one transaction and permanently, every row that was never marked as being sent. Repeating it changes nothing.
	 * @throws PurserError guard, if another process sends it, every row was accepted, or the number of remaining rows has changed
	 */
	abandon(batch: string, asked: { reason: string; rows?: number }): Promise<BatchRecord>;
	list(): Promise<BatchRecord[]>;
	show(batch: string): Promise<BatchRecord | undefined>;
	/** The rows in the order of the file, in groups; only those in these states, or all. */
	rows(batch: string, states?: readonly IntentState[]): AsyncIterable<BatchRow[]>;
	planned(batch: string): AsyncIterable<Transfer[]>;
	close(): Promise<void>;
}

export interface BatchRules extends Rules {
	checkBatch(plan: BatchPlan, known: BatchRuleFacts): void;
	checkDay(asked: RuleFacts["spent"], spent: RuleFacts["spent"], of: { batch: string; approved: boolean }): void;
}

export interface BatchRuleFacts {
	first: boolean;
	approved: boolean;
	/** The duplicates of its rows that are to be sent and were not checked yet. */
	duplicates: BatchDuplicates;
	allowed: BatchOverrides;
	/** How many rows would be sent; only counted if a number was shown. */
	rows?: number;
	/** Sums of those rows, in the form of what was spent today. */
	asked: RuleFacts["spent"];
	spent: RuleFacts["spent"];
	/** The latest of this machine's time, the service's, and the highest service time ever seen. */
	now: Date;
}
