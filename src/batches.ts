/**
 * The ports of batches: many transfers planned, approved and sent as one. Types only, beside those of context.ts.
 * A batch's rows are intents of the journal like every other transfer; what they have in common stands once, in the batch.
 */
import type { IntentRecord, IntentState, JournalOutcome, Transfer } from "./context.js";

/** One transfer of a batch, as it is to be sent. */
export interface BatchTransfer extends Omit<Transfer, "token"> {
	/** To a beneficiary only, where the file says so: the two switches; the service's defaults (true) otherwise. */
	allowFastPayment?: boolean;
	allowInterLedger?: boolean;
}

/** One row of the file, from 1; the header is not counted. */
export interface PlannedRow {
	row: number;
	transfer: BatchTransfer;
}

/** Both over every row. Two plans with one `rows` hold the same transfers, whatever the order of the file. */
export interface BatchDigest {
	/** Hex; order, quoting and column names do not change it, any change of data does. */
	rows: string;
	/** Hex; over the rows in their order: what is approved and sent. */
	sequence: string;
}

/** What leaves one ledger in one currency. */
export interface BatchTotal {
	ledgerFromId: string;
	/** Absent where neither the file nor the service tells it. */
	currency?: string;
	rows: number;
	/** Decimal text, exact. */
	amount: string;
}

/** The plan of a batch: what is shown, approved and sent. One JSON file; a signature covers every field. */
export interface BatchPlan {
	version: 1;
	/** Its number in the journal of the installation that planned it. */
	batch: string;
	installation: string;
	profile: string;
	environment: "sandbox" | "live";
	/** Scheme, host and port. */
	origin: string;
	/** The file's name without its folder; `-` for standard input. */
	source: string;
	count: number;
	digest: BatchDigest;
	totals: BatchTotal[];
	/** Settings of the profile that decide what is sent: caps, duplicate-days, refusing-statuses, approval. */
	settings: Record<string, string>;
	/** Rows alike: within the file, and paid lately or in doubt according to the journal. */
	duplicates: { inside: number; earlier: number };
	/** What the planner said in spite of duplicates or of an earlier batch alike, and why. */
	despite?: { duplicates?: number; batches?: string[]; reason: string };
	/** RFC 3339 UTC. */
	planned: string;
	expires: string;
	/** The planner's public key, where the planner has one. */
	planner?: string;
}

/** `loading` while rows are read, `planned` when all are on record, `begun` once sending was allowed. */
export type BatchState = "loading" | "planned" | "begun";

/** A batch as the journal keeps it. */
export interface BatchRecord {
	batch: string;
	state: BatchState;
	plan: BatchPlan;
	/** RFC 3339 UTC. */
	begun?: string;
	/** A process is sending it now. */
	sending: boolean;
	/** How many rows are in which state. */
	counts: Partial<Record<IntentState, number>>;
}

/** A row with where it stands. */
export interface BatchRow extends IntentRecord {
	row: number;
	batch: string;
	transfer: BatchTransfer;
}

/** What became of one row. */
export interface RowEnd {
	/** The journal's number. */
	number: number;
	outcome: JournalOutcome;
}

/** A row that is on record as being sent: it may leave now, once. */
export interface BegunRow extends PlannedRow {
	number: number;
	attempt: number;
}

/** Which earlier batches hold rows alike, and how many. */
export interface Alikeness {
	/** Rows of the batch that are the same as another row of it. */
	inside: number;
	/** Rows like a transfer that went out lately or is being sent. */
	earlier: number;
	/** Rows like a transfer in doubt, by the doubts' numbers, at most 20. */
	doubts: { rows: number; intents: string[] };
	/** Other batches that went out lately and hold rows alike. `same`: they are the same batch. */
	batches: { batch: string; rows: number; same: boolean }[];
	/** Beneficiaries and ledgers credited that no transfer of this journal went to before. */
	newCounterparties: number;
}

/** Batches in the journal. */
export interface Batches {
	/** Makes a batch that rows can be added to. @returns its number and the journal's installation */
	open(): Promise<{ batch: string; installation: string }>;
	/** Adds rows in their order; durable with {@link seal} only. */
	load(batch: string, rows: readonly PlannedRow[]): Promise<void>;
	/** Looks for rows alike, inside and in the journal. */
	alike(batch: string, digest: BatchDigest): Promise<Alikeness>;
	/** Ends the loading; durable when it resolves. */
	seal(batch: string, plan: BatchPlan): Promise<void>;
	/** Removes a batch of which nothing was ever sent. @throws PurserError guard otherwise */
	discard(batch: string): Promise<void>;
	/**
	 * Allows the sending, in one transaction: the rows are held against doubts, duplicates and caps, and counted as gone out.
	 * A batch that was begun before goes on; what its dead sender left open is in doubt. From then on this process is its only sender.
	 * @throws PurserError guard
	 */
	begin(batch: string, states: readonly IntentState[]): Promise<BatchRecord>;
	/** Records what became of rows and marks the next ones as being sent, in one durable step. Empty: no row is left. */
	advance(batch: string, ended: readonly RowEnd[], want: number): Promise<BegunRow[]>;
	list(): Promise<BatchRecord[]>;
	show(batch: string): Promise<BatchRecord | undefined>;
	/** The rows in the order of the file, in groups; of these states only, or all. */
	rows(batch: string, states?: readonly IntentState[]): AsyncIterable<BatchRow[]>;
	close(): Promise<void>;
}
