/**
 * What a report tells: rows and sums, checked against the plan; when rows were sent and by whom, why rows were refused, and the first rows
 * of each list of its page. However many rows there are, what is kept is bounded.
 */

import { inCurrency } from "../../../api/amount.js";
import { paidStates } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRow } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import { sameAmount, sum } from "../../rules/decimal.js";
import { type PartName, partOf } from "./row.js";

/** Number of rows and their exact sum. */
interface Sum {
	rows: number;
	amount: string;
}

/** What leaves one ledger in one currency: as planned, as the journal has it, and what of it was accepted. */
export interface LedgerControl {
	ledgerFromId: string;
	/** Absent where it is not known. */
	currency?: string;
	planned: Sum;
	recorded: Sum;
	accepted: Sum;
}

/** Rows and exact sums by state and currency, and by debited ledger and currency. */
export class Control {
	rows = 0;
	readonly #states = new Map<IntentState, Map<string, Sum>>();
	readonly #ledgers = new Map<string, Sum>();
	readonly #accepted = new Map<string, Sum>();

	add({ state, transfer: { ledgerFromId, currency = "", amount } }: BatchRow): void {
		this.rows += 1;
		const currencies = this.#states.get(state) ?? new Map<string, Sum>();
		this.#states.set(state, currencies);
		put(currencies, currency, amount);
		const ledger = `${plainId(ledgerFromId)} ${currency}`;
		put(this.#ledgers, ledger, amount);
		if ((paidStates as readonly IntentState[]).includes(state)) put(this.#accepted, ledger, amount);
	}

	/** By state and currency; without `currency` if it is not known. */
	get totals(): ({ state: IntentState; currency?: string } & Sum)[] {
		return [...this.#states].flatMap(([state, currencies]) =>
			[...currencies].map(([currency, total]) => ({ state, ...(currency === "" ? {} : { currency }), ...total })),
		);
	}

	/** The plan beside what is on record, in the order of the plan. */
	ledgers({ totals }: Pick<BatchPlan, "totals">): LedgerControl[] {
		const planned = new Map<string, Sum>();
		for (const { ledgerFromId, currency = "", rows, amount } of totals) put(planned, `${plainId(ledgerFromId)} ${currency}`, amount, rows);
		return [...new Set([...planned.keys(), ...this.#ledgers.keys()])].map((key) => {
			const [ledgerFromId = "", currency = ""] = key.split(" ");
			return {
				ledgerFromId,
				...(currency === "" ? {} : { currency }),
				planned: planned.get(key) ?? noRows,
				recorded: this.#ledgers.get(key) ?? noRows,
				accepted: this.#accepted.get(key) ?? noRows,
			};
		});
	}

	/** Differences from the plan; empty if there are none. */
	faults(plan: BatchPlan): string[] {
		const faults = this.rows === plan.count ? [] : [`${this.rows} rows are on record, ${plan.count} were planned`];
		for (const ledger of this.ledgers(plan)) {
			const { ledgerFromId, currency, planned, recorded } = ledger;
			if (agrees(ledger)) continue;
			faults.push(
				`ledger ${ledgerFromId}: ${inCurrency(recorded.amount, currency)} in ${recorded.rows} rows are on record, ${inCurrency(planned.amount, currency)} in ${planned.rows} were planned`,
			);
		}
		return faults;
	}
}

/** Whether rows and sum of a ledger are those of the plan. */
export const agrees = ({ planned, recorded }: Pick<LedgerControl, "planned" | "recorded">): boolean =>
	planned.rows === recorded.rows && sameAmount(planned.amount, recorded.amount);

const noRows: Sum = { rows: 0, amount: "0" };

function put(sums: Map<string, Sum>, key: string, amount: string, rows = 1): void {
	const before = sums.get(key);
	if (before === undefined) sums.set(key, { rows, amount });
	else {
		before.rows += rows;
		before.amount = sum(before.amount, amount);
	}
}

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
