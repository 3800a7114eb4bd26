/**
 * A row in a report: the columns of a batch's file, so that it can be corrected and planned again, and its outcome.
 */

import { paidStates, type Transfer } from "../../../api/operations/transfer.js";
import type { BatchRow } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import { type CsvStyle, csvLine } from "../../../system/disk/csv-line.js";
import { type BatchField, fields } from "../plan/columns.js";

/** The files of a report and the states of their rows; each row is in exactly one file. */
export const parts = {
	accepted: paidStates,
	refused: ["refused"],
	unsent: ["planned", "not-sent", "not-created", "abandoned"],
	doubt: ["in-doubt", "sending"],
} as const satisfies Readonly<Record<string, readonly IntentState[]>>;

export type PartName = keyof typeof parts;

/** The columns of the outcome, which are ignored when a file is planned. */
const outcomeColumns = ["row", "state", "status", "apiCode", "intent", "id", "why"] as const;

/** Whether a file with these additional columns is part of a report. */
export function isOfReport(columns: readonly string[]): boolean {
	return outcomeColumns.every((column) => columns.includes(column));
}

/** The first line of a report. */
export function headerLine(style: CsvStyle): string {
	return csvLine([...fields, ...outcomeColumns, "payee"], style);
}

/** One line of a report; amount and reference are written as planned. @param payee its name, where one is known */
export function reportLine(
	{ row, state, status, apiCode, intent, id, why, transfer }: BatchRow,
	style: CsvStyle,
	payee: string | undefined,
): string {
	const outcome: Record<(typeof outcomeColumns)[number], string | undefined> = {
		row: String(row),
		state,
		status: status === undefined ? undefined : String(status),
		apiCode,
		intent,
		id,
		why: state === "sending" ? "it is being sent now" : why,
	};
	const cells = cellsOf(transfer);
	return csvLine([...fields.map((field) => cells[field]), ...outcomeColumns.map((column) => outcome[column]), payee], style);
}

function cellsOf({ counterpartyId, allowFastPayment, allowInterLedger, ...rest }: Transfer): Partial<Record<BatchField, string>> {
	const text = (flag: boolean | undefined): string | undefined => (flag === undefined ? undefined : String(flag));
	const { kind, ledgerFromId, amount, currency, reference } = rest;
	return {
		kind,
		ledgerFromId,
		[kind === "ledger" ? "ledgerToId" : "beneficiaryId"]: counterpartyId,
		amount,
		currency,
		reference,
		allowFastPayment: text(allowFastPayment),
		allowInterLedger: text(allowInterLedger),
	};
}

/** The part that a row in this state belongs to. */
export function partOf(state: IntentState): PartName {
	for (const [name, states] of Object.entries(parts)) if ((states as readonly IntentState[]).includes(state)) return name as PartName;
	throw new Error(`no part of a report holds rows that are ${state}`);
}
