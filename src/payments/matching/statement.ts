/**
 * A statement of one ledger as a source for settling doubts.
 */
import * as z from "zod/mini";
import { plain } from "../../api/fields.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { field } from "../../api/schema.js";
import { spanOf } from "../../api/text/duration.js";
import { troubleWords } from "../../api/text/trouble.js";
import { invalidField, PurserError } from "../../errors.js";
import type { Files } from "../../ports/machine.js";
import { readTable } from "../rules/csv.js";

/** Largest statement that is read, in bytes. */
const largestStatement = 64 * 1024 * 1024;

/** The fields read from a statement's line. */
const statementFields = ["id", "date", "amount", "currency", "reference", "counterparty", "payeeLedger"] as const;
/** Field → text: what a line has there, or the column's name in the file, by default the field's. */
type Columns = Partial<Record<(typeof statementFields)[number], string>>;

/** The flag that says which column of a statement is which field. */
export const columnsFlag = () =>
	z.optional(
		field(z.array(plain("Column")), {
			description: `FIELD=COLUMN of the statement: ${statementFields.join(", ")}`,
			placeholder: "field=column",
		}),
	);

/**
 * Reads the debits of a statement's CSV. If any amount is negative, only the negative ones are debits.
 * @param name the file's name, for messages
 * @param ledgerId the statement's ledger
 * @throws PurserError validation, naming line and column: an unknown column, a date that is not YYYY-MM-DD (or RFC 3339), an amount with a comma
 */
export function readStatement(text: string, name: string, ledgerId: string, columns: Columns): TransactionView[] {
	const { header, rows } = readTable(text, name);
	const refused = (line: number, what: string, instead: string): PurserError => {
		const fix = `Expected: ${instead}. Nothing was settled; correct it and run this again.`;
		return new PurserError("validation", { code: "STATEMENT_UNREADABLE", message: `${name}, line ${line}: ${what}`, fix });
	};
	const places = statementFields.map((name) => {
		const wanted = columns[name] ?? name;
		const place = header.findIndex((column) => column.toLowerCase() === wanted.toLowerCase());
		// Without these a line cannot be used.
		const isRequired = ["id", "date", "amount"].includes(name);
		if (place < 0 && (isRequired || columns[name] !== undefined))
			throw refused(1, `there is no column ${JSON.stringify(wanted)}; there are ${header.join(", ")}`, `--columns ${name}=COLUMN`);
		return [name, place] as const;
	});
	const lines = rows.map(({ line, cells }) => {
		const texts: Columns = Object.fromEntries(places.map(([name, place]) => [name, cells[place]?.trim() || undefined]));
		const { date = "", amount = "" } = texts;
		if (!/^\d{4}-\d{2}-\d{2}(T[0-9:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(date) || !spanOf(date))
			throw refused(line, `the date ${JSON.stringify(date)} is not YYYY-MM-DD`, "YYYY-MM-DD; 01/02 could be two different days");
		if (!/^[-+]?\d+(\.\d+)?$/.test(amount)) {
			const digits = amount.includes(",") ? 'the decimal separator is ".", without thousands separators' : "digits, like 10.10 or -10.10";
			throw refused(line, `the amount ${JSON.stringify(amount)} cannot be read`, digits);
		}
		return { ...texts, date, amount };
	});
	const signed = lines.some(({ amount }) => amount.startsWith("-"));
	const debits = lines.filter(({ amount }) => !signed || amount.startsWith("-"));
	return debits.map(({ id, date, amount, currency, reference, counterparty, payeeLedger }) => ({
		id,
		createdAt: date,
		amount: amount.replace(/^[-+]/, ""),
		currency,
		reference,
		receiverName: counterparty,
		receiverLedgerId: payeeLedger,
		// A plus marks a credit even in files whose debits have no sign, so such a line is not surely a debit of this ledger.
		senderLedgerId: amount.startsWith("+") ? undefined : ledgerId,
	}));
}

/**
 * @param columns each as FIELD=COLUMN
 * @throws PurserError usage, if the file cannot be read; validation, if its content cannot be understood
 */
export async function readStatementFile(files: Files, path: string, ledgerId: string, columns: readonly string[] = []) {
	const code = "FILE_UNREADABLE";
	const bytes = await files.read(path, largestStatement).catch((cause: unknown) => {
		const fix = "Check the name and the right to read it, then run this again.";
		throw new PurserError("usage", { code, message: `The statement ${path} could not be read`, why: troubleWords(cause), fix, cause });
	});
	let text: string;
	try {
		text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		const fix = "Save it as CSV (UTF-8) and run this again.";
		throw new PurserError("validation", { code, message: `The statement ${path} is not UTF-8 text`, fix });
	}
	return readStatement(text, path, ledgerId, Object.fromEntries(columns.map(columnOf)));
}

function columnOf(pair: string): [name: string, column: string] {
	const [, name = "", column = ""] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
	if (statementFields.some((one) => one === name)) return [name, column];
	const fix = `Write FIELD=COLUMN, with one of ${statementFields.join(", ")}: --columns date=Booked`;
	throw invalidField("validation", "columns", "must be FIELD=COLUMN", `${JSON.stringify(pair)} is not a column of a statement`, fix);
}
