/**
 * A statement of one ledger as a source for settling doubts.
 */
import type { TransactionView } from "../../api/operations/transaction.js";
import { spanOf } from "../../api/text/duration.js";
import { fileNotRead } from "../../api/text/trouble.js";
import { PurserError } from "../../errors.js";
import type { Files } from "../../ports/machine.js";
import { readTable, textOf } from "../rules/csv.js";

const largestStatement = 64 * 1024 * 1024;

/** The fields read from a statement's line, and what its columns may be called, in lower case without spaces, dashes and underscores. */
const names = {
	id: "id transaction transactionid ref bookingreference buchungsreferenz",
	date: "date booked bookingdate booking datum buchungsdatum buchungstag",
	amount: "amount sum betrag",
	currency: "currency währung waehrung",
	reference: "reference paymentreference purpose text verwendungszweck",
	counterparty: "counterparty payee name empfänger empfaenger",
	payeeLedger: "payeeledger toledger",
};
type Texts = Partial<Record<keyof typeof names, string>>;

/**
 * Reads the debits of a statement's CSV. If any amount is negative, only the negative ones are debits.
 * @throws PurserError validation, naming row and column: an unknown column, a date that is not YYYY-MM-DD (or RFC 3339), an amount with a comma
 */
export function readStatement(text: string, name: string, ledgerId: string): TransactionView[] {
	const { header, rows } = readTable(text, name);
	const refused = (row: number, what: string, instead: string): PurserError => {
		const fix = `Expected: ${instead}. Nothing was settled; correct it and run this again.`;
		return new PurserError("validation", { code: "STATEMENT_UNREADABLE", message: `${name}, row ${row}: ${what}`, fix });
	};
	const titles = header.map((title) => title.toLowerCase().replace(/[\s_-]/g, ""));
	const places = Object.entries(names).map(([field, known]) => {
		const [place = -1, other] = titles.flatMap((title, at) => (known.split(" ").includes(title) ? [at] : []));
		const shown = `there are ${header.join(", ")}`;
		if (other !== undefined) throw refused(1, `two columns may be ${JSON.stringify(field)}; ${shown}`, `one column called ${field}`);
		// Without these a line cannot be used.
		if (place < 0 && ["id", "date", "amount"].includes(field))
			throw refused(1, `there is no column ${JSON.stringify(field)}; ${shown}`, `a column called ${field}`);
		return [field, place] as const;
	});
	const lines = rows.map(({ row, cells }) => {
		const texts: Texts = Object.fromEntries(places.map(([name, place]) => [name, cells[place]?.trim() || undefined]));
		const { date = "", amount = "" } = texts;
		if (!/^\d{4}-\d{2}-\d{2}(T[0-9:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(date) || !spanOf(date))
			throw refused(row, `the date ${JSON.stringify(date)} is not YYYY-MM-DD`, "YYYY-MM-DD; 01/02 could be two different days");
		if (!/^[-+]?\d+(\.\d+)?$/.test(amount)) {
			const digits = amount.includes(",") ? 'the decimal separator is ".", without thousands separators' : "digits, like 10.10 or -10.10";
			throw refused(row, `the amount ${JSON.stringify(amount)} cannot be read`, digits);
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

/** @throws PurserError usage, if the file cannot be read; validation, if its content cannot be understood */
export async function readStatementFile(files: Files, path: string, ledgerId: string) {
	const bytes = await files.read(path, largestStatement).catch((cause: unknown) => {
		throw fileNotRead(path, cause);
	});
	let text = "";
	for await (const piece of textOf([bytes], path)) text += piece;
	return readStatement(text, path, ledgerId);
}
