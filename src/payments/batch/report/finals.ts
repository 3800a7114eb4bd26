/**
 * Follows the accepted rows of a batch to their final status with few requests: many rows of one ledger by its list, a few rows
 * individually,
 * with limited parallelism and growing pauses. Memory holds the rows that are not final yet, up to a limit.
 */

import { otherRecord, type Received } from "../../../api/answer.js";
import { getTransaction, listTransactions, viewTransaction } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import { PurserError } from "../../../errors.js";
import type { BatchRow } from "../../../ports/batches.js";
import type { Clock } from "../../../ports/machine.js";
import type { Reading } from "../../../ports/service.js";
import { differencesOf } from "../../matching/difference.js";
import { groupBy } from "../../rules/group-by.js";
import { isFinal } from "../../single/after.js";

/** The result of following the rows. */
export interface Finals {
	/** Rows by final status. */
	final: Record<string, number>;
	/** Rows that were read and are not final, by status; `unknown` if the answer had none. */
	moving: Record<string, number>;
	/** How many of those answers had no status. */
	untold: number;
	/** Rows accepted without an id (202), or with another payment's id; they cannot be followed. */
	unnamed: number;
	/** Rows not read before the time was over. */
	unseen: number;
	/** Final, and not APPROVED: the first 1,000. */
	failed: Followed[];
	/** Why rows could not be read when they were last asked for, where that was so. */
	trouble?: string;
}

export interface FollowTools {
	rows: AsyncIterable<BatchRow[]>;
	reading: Reading;
	clock: Pick<Clock, "monotonic">;
	/** Waits so many milliseconds, at most the second, and as the service asked; events may make it shorter or longer. Returns how long it was. */
	rest(usual: number, most: number, asked: number): Promise<number>;
	signal: AbortSignal;
	/** From 0 up to, not including, 1. */
	fraction(): number;
	/** Called for each row with an unsuccessful final status, as it is found. */
	failed(row: Followed): void;
	/** Called for a record that differs from its row. Resolves true if it is another payment's; the row then has no id any more. */
	another(row: Followed, record: Received): Promise<boolean>;
	/** Reports how many rows are final, and why rows cannot be read now, where that is so. */
	progress(final: number, trouble: string | undefined): void;
}

/** Least rows of one ledger for which its list needs fewer requests than reading them individually. */
const worthListing = 20;
/** Most records of a list that are read per row. */
const listedPerRow = 20;
/** Parallel requests. */
const parallel = 4;
/** Most listed records that differ from their rows and are read individually. */
const maxDiffering = 200;
/** Most rows in memory that are not final. */
const maxHeld = 20_000;
/** Most failed rows in the answer. */
const maxFailed = 1_000;
/** Milliseconds that the service's clock may differ, for the period of a list. */
const skew = 120_000;
/** Milliseconds of the first pause, and of the longest. */
const [firstPause, longestPause] = [1_000, 30_000];

/**
 * @param timeout milliseconds in all
 * @throws PurserError auth; interrupted
 */
export async function followRows(tools: FollowTools, timeout: number): Promise<Finals> {
	return new Following(tools, timeout).run();
}

class Following {
	readonly #held = new Map<string, HeldRow>();
	readonly #result: Finals = { final: {}, moving: {}, untold: 0, unnamed: 0, unseen: 0, failed: [] };
	readonly #started: number;
	#slept = 0;
	#pause = firstPause;
	#final = 0;
	#unlike = 0;
	#trouble: PurserError | undefined;
	/** Ids whose records differ from their rows but were not found to be another payment's. */
	readonly #sameAnyway = new Set<string>();

	constructor(
		private readonly tools: FollowTools,
		private readonly timeout: number,
	) {
		this.#started = tools.clock.monotonic();
	}

	async run(): Promise<Finals> {
		for await (const rows of this.tools.rows) {
			const named: HeldRow[] = [];
			for (const row of rows) if (row.id !== undefined) named.push(heldOf(row, row.id));
			this.#result.unnamed += rows.length - named.length;
			if (this.#left <= 0) {
				this.#result.unseen += named.length;
				continue;
			}
			await this.#look(named);
			while (this.#held.size > maxHeld && (await this.#rest())) await this.#look([...this.#held.values()]);
		}
		while (this.#held.size > 0 && (await this.#rest())) await this.#look([...this.#held.values()]);
		for (const { status = "unknown", untold } of this.#held.values()) {
			add(this.#result.moving, status);
			if (untold) this.#result.untold += 1;
		}
		return { ...this.#result, ...(this.#trouble === undefined ? {} : { trouble: this.#trouble.message }) };
	}

	/** Milliseconds left. Counts the pauses as well, so that a clock that stands still cannot make this wait for ever. */
	get #left(): number {
		return this.timeout - Math.max(this.#slept, this.tools.clock.monotonic() - this.#started);
	}

	/** @returns false if the time is over */
	async #rest(): Promise<boolean> {
		if (this.tools.signal.aborted) throw interrupted();
		const left = this.#left;
		if (left <= 0) return false;
		const pause = Math.max(1, Math.round(Math.min(left, this.#pause * (0.75 + this.tools.fraction() * 0.5))));
		this.#slept += await this.tools.rest(pause, left, this.#trouble?.failure.wait ?? 0);
		this.#pause = Math.min(longestPause, this.#pause * 1.5);
		return true;
	}

	async #look(rows: readonly HeldRow[]): Promise<void> {
		for (const row of rows) this.#held.set(row.id, row);
		const single: HeldRow[] = [];
		for (const [ledgerId, ledgerRows] of groupBy(rows, ({ ledger }) => ledger))
			for (const row of ledgerRows.length < worthListing ? ledgerRows : await this.#list(ledgerId, ledgerRows)) single.push(row);
		await this.#ask(single);
		this.tools.progress(this.#final, this.#trouble?.message);
	}

	/** @returns the rows that the list did not show */
	async #list(ledgerId: string, rows: readonly HeldRow[]): Promise<HeldRow[]> {
		const [from, to] = sentBetween(rows);
		const query = { ledgerId, startDate: time(from - skew), endDate: time(to + skew), sortDirection: "ASC" as const };
		const wanted = new Map(rows.map((row) => [row.id, row]));
		try {
			const { records } = await this.tools.reading.list(listTransactions, { query }, rows.length * listedPerRow);
			this.#trouble = undefined;
			for (const record of records) {
				const id = plainId(viewTransaction(record).id ?? "");
				const row = wanted.get(id);
				// A list may render fields differently, so a record that differs is read individually before anything is concluded.
				if (row === undefined || (isOther(row, record) && ++this.#unlike <= maxDiffering)) continue;
				wanted.delete(id);
				this.#seen(row, record);
			}
		} catch (error) {
			// Without a list, or while it is unreachable, rows can still be read individually.
			if (!isTransient(error)) throw error;
		}
		return [...wanted.values()];
	}

	async #ask(rows: readonly HeldRow[]): Promise<void> {
		const waiting = [...rows];
		const next = async (): Promise<void> => {
			for (let row = waiting.shift(); row !== undefined && this.#left > 0; row = waiting.shift()) {
				try {
					const record = (await this.tools.reading.get(getTransaction, { params: { transactionId: row.id } })) as Received;
					this.#trouble = undefined;
					await this.#asked(row, record);
				} catch (error) {
					if (!isTransient(error)) throw error;
					this.#trouble = error;
					row.untold = error.kind === "bug";
				}
			}
		};
		await Promise.all(Array.from({ length: parallel }, next));
	}

	/** Handles the answer to a request for one row. */
	async #asked(row: HeldRow, record: Received): Promise<void> {
		const differs = !this.#sameAnyway.has(row.id) && otherRecord(row.id, viewTransaction(record).id) === undefined && isOther(row, record);
		if (!differs || !(await this.tools.another(followedOf(row), record))) {
			if (differs) this.#sameAnyway.add(row.id);
			return this.#seen(row, record);
		}
		this.#held.delete(row.id);
		this.#result.unnamed += 1;
	}

	#seen(row: HeldRow, record: Received): void {
		const { id, status, declineReason } = viewTransaction(record);
		// Ignore an answer that names another transaction.
		if (otherRecord(row.id, id) !== undefined) return;
		row.status = status;
		row.untold = !status;
		if (status === undefined || !isFinal(status)) return;
		this.#held.delete(row.id);
		this.#final += 1;
		add(this.#result.final, status);
		if (status === "APPROVED") return;
		const failure = { ...followedOf(row), declineReason };
		this.tools.failed(failure);
		if (this.#result.failed.length < maxFailed) this.#result.failed.push(failure);
	}
}

function interrupted(): PurserError {
	return new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped", fix: "Run the command again." });
}

/** Whether an error may be gone at the next read; a missing right is permanent. */
function isTransient(error: unknown): error is PurserError {
	return error instanceof PurserError && ["unavailable", "rejected", "bug"].includes(error.kind);
}

function add(counts: Record<string, number>, key: string): void {
	counts[key] = (counts[key] ?? 0) + 1;
}

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** A followed row with its last known status. */
export interface Followed {
	row: number;
	intent: string;
	id: string;
	amount: string;
	currency?: string;
	counterpartyId: string;
	reference?: string;
	status?: string;
	declineReason?: string;
}

/** A row that is not final yet. */
export interface HeldRow extends Followed {
	ledger: string;
	transfer: Transfer;
	begun: string;
	changed: string;
	/** The answer had no status. */
	untold?: boolean;
}

export function followedOf({
	ledger: _ledger,
	transfer: _transfer,
	begun: _begun,
	changed: _changed,
	untold: _untold,
	...followed
}: HeldRow): Followed {
	return followed;
}

/** Whether a record differs from the row as it was sent. */
export const isOther = ({ transfer }: HeldRow, record: Received): boolean => differencesOf(transfer, record).length > 0;

/** The row to follow, which was accepted with this id. */
export function heldOf({ row, intent, transfer, begun, changed }: BatchRow, id: string): HeldRow {
	const { ledgerFromId, counterpartyId, amount, currency, reference } = transfer;
	const ledger = plainId(ledgerFromId);
	return { row, intent, id: plainId(id), amount, currency, counterpartyId, reference, ledger, transfer, begun, changed };
}

/** The period in which rows were sent and answered, in milliseconds. */
export function sentBetween(rows: readonly HeldRow[]): [number, number] {
	let [from, to] = [Date.parse(rows[0]?.begun ?? ""), Date.parse(rows[0]?.changed ?? "")];
	for (const { begun, changed } of rows) {
		from = Math.min(from, Date.parse(begun));
		to = Math.max(to, Date.parse(changed));
	}
	return [from, to];
}
