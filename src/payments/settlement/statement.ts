/**
 * A statement of one ledger as a source for settling doubts.
 */
import type { TransactionView } from "../../api/operations/transaction.js";
import { PurserError } from "../../errors.js";
import { readTable, type Table } from "../rules/csv.js";
import { spanOf } from "./matching/time-span.js";

/** The fields read from a statement's line. */
export const statementFields = ["id", "date", "amount", "currency", "reference", "counterparty", "payeeLedger"] as const;
type StatementField = (typeof statementFields)[number];

/** Field → column name in the file; by default a column has the field's name. */
export type Columns = Partial<Record<StatementField, string>>;

export interface Statement {
	/** Debits of the ledger. */
	listed: TransactionView[];
	/** If amounts have signs: the lines with the other sign. They are credits, unless the file marks only reversals with a sign. */
	unlisted?: TransactionView[];
	/** The period that the lines surely cover, in milliseconds; undefined without lines. */
	covers?: { from: number; to: number };
}

/** Without these a line cannot be used. */
const required: readonly StatementField[] = ["id", "date", "amount"];

/**
 * Reads a statement's CSV. If any amount is negative, only the negative ones are debits.
 * @param name the file's name, for messages
 * @param ledgerId the statement's ledger
 * @throws PurserError validation, naming line and column: an unknown column, a date that is not YYYY-MM-DD (or RFC 3339), an amount with a comma
 */
export function readStatement(text: string, name: string, ledgerId: string, columns: Columns): Statement {
	const table = readTable(text, name);
	const places = placesOf(table, name, columns);
	const lines = table.rows.map(({ line, cells }) => {
		const cell = (field: StatementField): string | undefined => {
			const place = places.get(field);
			return place === undefined ? undefined : cells[place]?.trim() || undefined;
		};
		return { line, id: cell("id"), date: dateOf(cell("date"), name, line), amount: amountOf(cell("amount"), name, line), cell };
	});
	const signed = lines.some(({ amount }) => amount.startsWith("-"));
	const views = (ours: boolean): TransactionView[] =>
		lines
			.filter(({ amount }) => (!signed || amount.startsWith("-")) === ours)
			.map(({ id, date, amount, cell }): TransactionView => {
				const [currency, reference, receiverName] = [cell("currency"), cell("reference"), cell("counterparty")];
				// A plus marks a credit even in files whose debits have no sign, so such a line is not surely a debit of this ledger.
				const senderLedgerId = amount.startsWith("+") ? undefined : ledgerId;
				const line = { id, createdAt: date, amount: amount.replace(/^[-+]/, ""), currency, reference, receiverName, senderLedgerId };
				const receiverLedgerId = cell("payeeLedger");
				return receiverLedgerId === undefined ? line : { ...line, receiverLedgerId };
			});
	return { listed: views(true), unlisted: signed ? views(false) : undefined, covers: coveredBy(lines.map(({ date }) => date)) };
}

function placesOf({ header }: Table, name: string, columns: Columns): Map<StatementField, number> {
	const places = new Map<StatementField, number>();
	for (const field of statementFields) {
		const wanted = columns[field] ?? field;
		const place = header.findIndex((column) => column.toLowerCase() === wanted.toLowerCase());
		if (place >= 0) places.set(field, place);
		else if (columns[field] !== undefined || required.includes(field))
			throw statementError(
				name,
				1,
				`there is no column ${JSON.stringify(wanted)}; there are ${header.join(", ")}`,
				`--columns ${field}=COLUMN`,
			);
	}
	return places;
}

function dateOf(text: string | undefined, name: string, line: number): string {
	if (text !== undefined && /^\d{4}-\d{2}-\d{2}(T[0-9:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) && spanOf(text)) return text;
	throw statementError(
		name,
		line,
		`the date ${JSON.stringify(text ?? "")} is not YYYY-MM-DD`,
		"YYYY-MM-DD; 01/02 could be two different days",
	);
}

function amountOf(text: string | undefined, name: string, line: number): string {
	if (text !== undefined && /^[-+]?\d+(\.\d+)?$/.test(text)) return text;
	const hint = text?.includes(",") ? 'the decimal separator is ".", without thousands separators' : "digits, like 10.10 or -10.10";
	throw statementError(name, line, `the amount ${JSON.stringify(text ?? "")} cannot be read`, hint);
}

/** A statement is complete between its first and its last day, excluding both, because they may be cut short. */
function coveredBy(dates: readonly string[]): Statement["covers"] {
	const spans = dates.flatMap((date) => spanOf(date) ?? []);
	if (spans.length === 0) return undefined;
	const from = spans.reduce((first, span) => Math.min(first, span.to), Infinity);
	const to = spans.reduce((last, span) => Math.max(last, span.from), -Infinity);
	return from < to ? { from, to } : undefined;
}

function statementError(name: string, line: number, what: string, instead: string): PurserError {
	return new PurserError("validation", {
		code: "STATEMENT_UNREADABLE",
		message: `${name}, line ${line}: ${what}`,
		fix: `Expected: ${instead}. Nothing was settled; correct it and run this again.`,
	});
}
