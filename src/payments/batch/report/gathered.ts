/**
 * What a report tells: rows and exact sums, held against the plan; who sent them, and the first rows of each list of
 * its page. However many rows there are, what is kept is bounded.
 */

import { inCurrency } from "../../../api/amount.js";
import { paidStates } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRow } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import { sameAmount, sum } from "../../rules/decimal.js";
import type { Parties } from "../../rules/intent-text.js";

/** The files of a report and the states of their rows; each row is in exactly one file. */
export const parts = {
	accepted: paidStates,
	refused: ["refused"],
	unsent: ["planned", "not-sent", "not-created", "abandoned"],
	doubt: ["in-doubt", "sending"],
} as const satisfies Readonly<Record<string, readonly IntentState[]>>;

export type PartName = keyof typeof parts;

export function partOf(state: IntentState): PartName {
	for (const [name, states] of Object.entries(parts)) if ((states as readonly IntentState[]).includes(state)) return name as PartName;
	throw new Error(`no part of a report holds rows that are ${state}`);
}

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

export const agrees = ({ planned, recorded }: Pick<LedgerControl, "planned" | "recorded">): boolean =>
	planned.rows === recorded.rows && sameAmount(planned.amount, recorded.amount);

export type ListedRow = Pick<BatchRow, "row" | "transfer" | "state" | "intent" | "begun" | "status" | "apiCode" | "why"> & Parties;

export type Listed = Record<Exclude<PartName, "accepted">, ListedRow[]>;

const [mostOperators, mostListed] = [20, 200];
const noRows: Sum = { rows: 0, amount: "0" };

class Sums {
	readonly #sums = new Map<string, Sum>();

	add(key: string, amount: string, rows = 1): void {
		const { rows: before, amount: known } = this.of(key);
		this.#sums.set(key, { rows: before + rows, amount: before === 0 ? amount : sum(known, amount) });
	}

	of(key: string): Sum {
		return this.#sums.get(key) ?? noRows;
	}

	get keys(): string[] {
		return [...this.#sums.keys()];
	}
}

export class Gathered {
	readonly rows: Record<PartName, number> = { accepted: 0, refused: 0, unsent: 0, doubt: 0 };
	readonly listed: Listed = { refused: [], doubt: [], unsent: [] };
	/** Who asked for the runs that sent rows, as recorded; at most 20. */
	readonly operators: string[] = [];
	readonly #states = new Sums();
	readonly #recorded = new Sums();
	readonly #accepted = new Sums();

	/** @param nameOf the name of a payee, where one is known */
	constructor(private readonly nameOf: (id: string) => string | undefined) {}

	add(row: BatchRow): void {
		const { state, operator } = row;
		const { ledgerFromId, currency = "", amount } = row.transfer;
		const [part, ledger] = [partOf(state), `${plainId(ledgerFromId)} ${currency}`];
		this.rows[part] += 1;
		this.#states.add(`${state} ${currency}`, amount);
		this.#recorded.add(ledger, amount);
		if (part === "accepted") this.#accepted.add(ledger, amount);
		else if (this.listed[part].length < mostListed) this.listed[part].push({ ...row, payeeName: this.nameOf(row.transfer.counterpartyId) });
		const isSent = state !== "planned" && state !== "abandoned" && operator !== undefined;
		if (isSent && this.operators.length < mostOperators && !this.operators.includes(operator)) this.operators.push(operator);
	}

	get count(): number {
		return Object.values(this.rows).reduce((all, one) => all + one, 0);
	}

	/** By state and currency; without `currency` if it is not known. */
	get totals(): ({ state: IntentState; currency?: string } & Sum)[] {
		return this.#states.keys.map((key) => {
			const [state, currency] = key.split(" ") as [IntentState, string];
			return { state, ...(currency === "" ? {} : { currency }), ...this.#states.of(key) };
		});
	}

	ledgers({ totals }: Pick<BatchPlan, "totals">): LedgerControl[] {
		const planned = new Sums();
		for (const { ledgerFromId, currency = "", rows, amount } of totals) planned.add(`${plainId(ledgerFromId)} ${currency}`, amount, rows);
		return [...new Set([...planned.keys, ...this.#recorded.keys])].map((key) => {
			const [ledgerFromId = "", currency = ""] = key.split(" ");
			const sums = { planned: planned.of(key), recorded: this.#recorded.of(key), accepted: this.#accepted.of(key) };
			return { ledgerFromId, ...(currency === "" ? {} : { currency }), ...sums };
		});
	}

	faults(plan: BatchPlan): string[] {
		const rows = this.count === plan.count ? [] : [`${this.count} rows are on record, ${plan.count} were planned`];
		const different = this.ledgers(plan).filter((ledger) => !agrees(ledger));
		return [
			...rows,
			...different.map(
				({ ledgerFromId, currency, planned, recorded }) =>
					`ledger ${ledgerFromId}: ${inCurrency(recorded.amount, currency)} in ${recorded.rows} rows are on record, ${inCurrency(planned.amount, currency)} in ${planned.rows} were planned`,
			),
		];
	}
}
