/**
 * Following the accepted rows of a batch to their final status, gently: many rows of one ledger by its list, a few by asking for each,
 * a few requests at once, pauses that grow. Memory holds the rows that are not final yet, up to a limit.
 */

import { otherRecord, type Received } from "../../../api/answer.js";
import { getTransaction, listTransactions, viewTransaction } from "../../../api/operations/transaction.js";
import { PurserError } from "../../../errors.js";
import type { BatchRow } from "../../../ports/batches.js";
import type { Clock } from "../../../ports/machine.js";
import type { Reading } from "../../../ports/service.js";
import { groupBy } from "../../rules/group-by.js";
import { isFinal } from "../../single/after.js";
import { type Followed, followedOf, type HeldRow, heldOf, isOther, sentBetween } from "./followed-row.js";

/** How the rows stand at the end. */
export interface Finals {
	/** Rows by final status. */
	final: Record<string, number>;
	/** Rows that were looked at and are not final, by status; `unknown` where none was told. */
	moving: Record<string, number>;
	/** How many of those were answered without a status: nothing follows from that. */
	untold: number;
	/** Rows accepted without an id (202), or with another payment's: of these nothing can be asked. */
	unnamed: number;
	/** Rows that were not looked at before the time was over. */
	unseen: number;
	/** Final, and not APPROVED: the first 1,000. */
	failed: Followed[];
}

export interface FollowTools {
	rows: AsyncIterable<BatchRow[]>;
	service: Reading;
	clock: Pick<Clock, "monotonic" | "sleep">;
	signal: AbortSignal;
	/** From 0 up to, not including, 1. */
	fraction(): number;
	/** Told of each row that is final and not APPROVED, as it is found. */
	failed(row: Followed): void;
	/**
	 * Told of a record that is not as its row was sent. Resolves true where it is another payment's: then it says nothing of the row, which
	 * has no id any more.
	 */
	another(row: Followed, record: Received): Promise<boolean>;
	/** Told how many are final and how many are still followed. */
	progress(final: number, held: number): void;
}

/** From so many rows of one ledger on, its list costs fewer requests than they do. */
const worthListing = 20;
/** Records of a list that are read for each row that is looked for, at most. */
const listedPerRow = 20;
/** Requests at once. */
const side = 4;
/** Records of lists that look like another payment's and are asked for by themselves, at most. */
const mostUnlike = 200;
/** Most rows held that are not final. */
const mostHeld = 20_000;
/** Most failed rows in the answer. */
const mostFailed = 1_000;
/** Milliseconds that the service's clock may be apart, for the time a list is asked for. */
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
	/** Ids whose records differ and are the rows' all the same, as far as is known. */
	readonly #sameAnyway = new Set<string>();

	constructor(
		private readonly tools: FollowTools,
		private readonly timeout: number,
	) {
		this.#started = tools.clock.monotonic();
	}

	async run(): Promise<Finals> {
		for await (const rows of this.tools.rows) {
			const named = rows.flatMap(heldOf);
			this.#result.unnamed += rows.length - named.length;
			if (this.#left <= 0) {
				this.#result.unseen += named.length;
				continue;
			}
			await this.#look(named);
			while (this.#held.size > mostHeld && (await this.#rest())) await this.#look([...this.#held.values()]);
		}
		while (this.#held.size > 0 && (await this.#rest())) await this.#look([...this.#held.values()]);
		for (const { status = "unknown", untold } of this.#held.values()) {
			add(this.#result.moving, status);
			if (untold) this.#result.untold += 1;
		}
		return this.#result;
	}

	/** Milliseconds. Pauses count by themselves too: a clock that stands still must not make this wait for ever. */
	get #left(): number {
		return this.timeout - Math.max(this.#slept, this.tools.clock.monotonic() - this.#started);
	}

	/** @returns false where the time is over */
	async #rest(): Promise<boolean> {
		if (this.tools.signal.aborted) throw interrupted();
		const left = this.#left;
		if (left <= 0) return false;
		const pause = Math.max(1, Math.round(Math.min(left, this.#pause * (0.75 + this.tools.fraction() * 0.5))));
		await this.tools.clock.sleep(pause);
		this.#slept += pause;
		this.#pause = Math.min(longestPause, this.#pause * 1.5);
		return true;
	}

	async #look(rows: readonly HeldRow[]): Promise<void> {
		for (const row of rows) this.#held.set(row.id, row);
		const single: HeldRow[] = [];
		for (const [ledgerId, those] of groupBy(rows, ({ ledger }) => ledger))
			if (those.length < worthListing) single.push(...those);
			else single.push(...(await this.#list(ledgerId, those)));
		await this.#ask(single);
		this.tools.progress(this.#final, this.#held.size);
	}

	/** @returns the rows that the list did not show */
	async #list(ledgerId: string, rows: readonly HeldRow[]): Promise<HeldRow[]> {
		const [from, to] = sentBetween(rows);
		const query = { ledgerId, startDate: time(from - skew), endDate: time(to + skew), sortDirection: "ASC" as const };
		const wanted = new Map(rows.map((row) => [row.id, row]));
		try {
			const { records } = await this.tools.service.list(listTransactions, { query }, rows.length * listedPerRow);
			for (const record of records) {
				const id = viewTransaction(record).id?.toLowerCase() ?? "";
				const row = wanted.get(id);
				// A list may tell another payment's fields of all its rows: what one record is, is said by itself.
				if (row === undefined || (isOther(row, record) && ++this.#unlike <= mostUnlike)) continue;
				wanted.delete(id);
				this.#seen(row, record);
			}
		} catch (error) {
			// A deployment without a list, or one that is out of reach just now: each row can still be asked for.
			if (!passing(error)) throw error;
		}
		return [...wanted.values()];
	}

	async #ask(rows: readonly HeldRow[]): Promise<void> {
		const waiting = [...rows];
		const next = async (): Promise<void> => {
			for (let row = waiting.shift(); row !== undefined && this.#left > 0; row = waiting.shift()) {
				try {
					await this.#asked(row, (await this.tools.service.get(getTransaction, { params: { transactionId: row.id } })) as Received);
				} catch (error) {
					if (!passing(error)) throw error;
					row.untold = error instanceof PurserError && error.kind === "bug";
				}
			}
		};
		await Promise.all(Array.from({ length: side }, next));
	}

	/** What was answered to this id alone. */
	async #asked(row: HeldRow, record: Received): Promise<void> {
		const looked = !this.#sameAnyway.has(row.id) && otherRecord(row.id, viewTransaction(record).id) === undefined && isOther(row, record);
		if (!looked || !(await this.tools.another(followedOf(row), record))) {
			if (looked) this.#sameAnyway.add(row.id);
			return this.#seen(row, record);
		}
		this.#held.delete(row.id);
		this.#result.unnamed += 1;
	}

	#seen(row: HeldRow, record: Received): void {
		const { id, status, declineReason } = viewTransaction(record);
		// An answer that names another transaction says nothing of this one.
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
		if (this.#result.failed.length < mostFailed) this.#result.failed.push(failure);
	}
}

function interrupted(): PurserError {
	return new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped", fix: "Run the command again." });
}

/** What may be otherwise at the next look. Without the right to look there is none. */
function passing(error: unknown): boolean {
	return error instanceof PurserError && ["unavailable", "rejected", "bug"].includes(error.kind);
}

function add(counts: Record<string, number>, key: string): void {
	counts[key] = (counts[key] ?? 0) + 1;
}

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();
