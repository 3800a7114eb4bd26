/**
 * What a report tells beside its sums: when rows were sent and by whom, why rows were refused, and the first rows of each list of its page.
 * However many rows there are, what is kept is bounded.
 */
import type { BatchRow } from "../../../ports/batches.js";
import { type PartName, partOf } from "./row.js";

/** Why rows were refused: the status and the service's own code. Neither stands for all reasons beyond the bound. */
export interface Refusals {
	status?: number;
	apiCode?: string;
	rows: number;
}

/** The rows that were started, whatever became of them. */
export interface SentRows {
	rows: number;
	/** When the first one was started, RFC 3339 UTC. Absent where none was. */
	first?: string;
	/** When the last one was started or answered. What settled it later does not count. */
	last?: string;
	/** Who asked for the runs that sent them, as recorded; at most 20. */
	operators: string[];
}

/** A row that a page lists. */
export interface ListedRow
	extends Pick<BatchRow, "row" | "state" | "intent" | "begun" | "status" | "apiCode" | "id" | "why">,
		Pick<BatchRow["transfer"], "ledgerFromId" | "counterpartyId" | "amount" | "currency" | "reference"> {
	/** Where it is known. */
	payeeName?: string;
}

/** The first rows in each part of a report that needs somebody's attention. */
export type Listed = Record<ListedPart, ListedRow[]>;

export type ListedPart = Exclude<PartName, "accepted">;

const mostReasons = 100;
const mostOperators = 20;
const mostListed = 200;

/** Takes each row of a batch once. */
export class Gathered {
	readonly sent: SentRows = { rows: 0, operators: [] };
	readonly listed: Listed = { refused: [], doubt: [], unsent: [] };
	readonly #reasons = new Map<string, Refusals>();
	#otherReasons = 0;

	/** @param nameOf the name of a payee, where one is known */
	constructor(private readonly nameOf: (id: string) => string | undefined) {}

	add(row: BatchRow): void {
		const { state } = row;
		if (state !== "planned" && state !== "abandoned") this.#addSent(row);
		if (state === "refused") this.#addReason(row);
		const part = partOf(state);
		if (part !== "accepted" && this.listed[part].length < mostListed) this.listed[part].push(this.#listed(row));
	}

	/** The reasons by which most rows were refused first. */
	get refusals(): Refusals[] {
		const known = [...this.#reasons.values()].sort((one, other) => other.rows - one.rows);
		return [...known, ...(this.#otherReasons > 0 ? [{ rows: this.#otherReasons }] : [])];
	}

	#addSent({ state, begun, changed, operator, evidence }: BatchRow): void {
		const { sent } = this;
		sent.rows += 1;
		if (sent.first === undefined || begun < sent.first) sent.first = begun;
		const isAnswer = evidence === undefined && state !== "in-doubt" && state !== "sending" && state !== "not-created";
		const last = isAnswer ? changed : begun;
		if (sent.last === undefined || last > sent.last) sent.last = last;
		if (operator !== undefined && sent.operators.length < mostOperators && !sent.operators.includes(operator))
			sent.operators.push(operator);
	}

	#addReason({ status, apiCode }: BatchRow): void {
		const key = `${status} ${apiCode ?? ""}`;
		const known = this.#reasons.get(key);
		if (known !== undefined) known.rows += 1;
		else if (this.#reasons.size === mostReasons) this.#otherReasons += 1;
		else this.#reasons.set(key, { status, apiCode, rows: 1 });
	}

	#listed({ row, state, intent, begun, status, apiCode, id, why, transfer }: BatchRow): ListedRow {
		const { ledgerFromId, counterpartyId, amount, currency, reference } = transfer;
		const payeeName = this.nameOf(counterpartyId);
		return { row, state, intent, begun, status, apiCode, id, why, ledgerFromId, counterpartyId, amount, currency, reference, payeeName };
	}
}
