/**
 * A statement of one ledger as a source for settling doubts.
 */
import type { TransactionView } from "../../api/operations/transaction.js";
import { spanOf } from "../../api/text/time-span.js";
import { troubleWords } from "../../api/text/trouble.js";
import { PurserError } from "../../errors.js";
import type { Files } from "../../ports/machine.js";
import { readTable, type Table } from "../rules/csv.js";

/** Largest statement that is read, in bytes. */
const largestStatement = 64 * 1024 * 1024;

/** The fields read from a statement's line. */
export const statementFields = ["id", "date", "amount", "currency", "reference", "counterparty", "payeeLedger"] as const;
type StatementField = (typeof statementFields)[number];

/** Field → column name in the file; by default a column has the field's name. */
export type Columns = Partial<Record<StatementField, string>>;

/** Without these a line cannot be used. */
const required: readonly StatementField[] = ["id", "date", "amount"];

/**
 * Reads the debits of a statement's CSV. If any amount is negative, only the negative ones are debits.
 * @param name the file's name, for messages
 * @param ledgerId the statement's ledger
 * @throws PurserError validation, naming line and column: an unknown column, a date that is not YYYY-MM-DD (or RFC 3339), an amount with a comma
 */
export function readStatement(text: string, name: string, ledgerId: string, columns: Columns): TransactionView[] {
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
	const debits = lines.filter(({ amount }) => !signed || amount.startsWith("-"));
	return debits.map(({ id, date, amount, cell }) => ({
		id,
		createdAt: date,
		amount: amount.replace(/^[-+]/, ""),
		currency: cell("currency"),
		reference: cell("reference"),
		receiverName: cell("counterparty"),
		receiverLedgerId: cell("payeeLedger"),
		// A plus marks a credit even in files whose debits have no sign, so such a line is not surely a debit of this ledger.
		senderLedgerId: amount.startsWith("+") ? undefined : ledgerId,
	}));
}

/** @throws PurserError usage, if the file cannot be read; validation, if its content cannot be understood */
export async function readStatementFile(
	files: Files,
	path: string,
	ledgerId: string,
	columns: readonly string[] = [],
): Promise<TransactionView[]> {
	let bytes: Uint8Array;
	try {
		bytes = await files.read(path, largestStatement);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "FILE_UNREADABLE",
			message: `The statement ${path} could not be read`,
			why: troubleWords(cause),
			fix: "Check the name and the right to read it, then run this again.",
			cause,
		});
	}
	let text: string;
	try {
		text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw new PurserError("validation", {
			code: "FILE_UNREADABLE",
			message: `The statement ${path} is not UTF-8 text`,
			fix: "Save it as CSV (UTF-8) and run this again.",
		});
	}
	return readStatement(text, path, ledgerId, columnsOf(columns));
}

function columnsOf(pairs: readonly string[]): Columns {
	const entries = pairs.map((pair) => {
		const at = pair.indexOf("=");
		const name = pair.slice(0, at);
		const known = statementFields.find((one) => one === name);
		if (known !== undefined && at < pair.length - 1) return [known, pair.slice(at + 1)];
		throw new PurserError("validation", {
			code: "INVALID_INPUT",
			message: `${JSON.stringify(pair)} is not a column of a statement`,
			fix: `Write FIELD=COLUMN, with one of ${statementFields.join(", ")}: --columns date=Booked`,
			details: [{ field: "columns", message: "must be FIELD=COLUMN" }],
		});
	});
	return Object.fromEntries(entries) as Columns;
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

function statementError(name: string, line: number, what: string, instead: string): PurserError {
	return new PurserError("validation", {
		code: "STATEMENT_UNREADABLE",
		message: `${name}, line ${line}: ${what}`,
		fix: `Expected: ${instead}. Nothing was settled; correct it and run this again.`,
	});
}
