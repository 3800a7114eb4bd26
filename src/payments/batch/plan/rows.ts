/**
 * Reads a file into checked transfers, one piece of the file at a time, so that memory does not grow with the file.
 */

import { advice, purser } from "../../../api/advice.js";
import { currencyFault, decimalsFault } from "../../../api/amount.js";
import { sameId } from "../../../api/answer.js";
import { check } from "../../../api/check/check.js";
import { transferOperations } from "../../../api/operations/transaction.js";
import { payeeField, type Transfer, transferFromBody } from "../../../api/operations/transfer.js";
import { heldToForms, type IdForms, plainId } from "../../../api/text/ids.js";
import { type Fault, PurserError } from "../../../errors.js";
import type { Separator } from "../../../system/disk/csv-line.js";
import { CsvReader, type CsvRecord, textOf } from "../../rules/csv.js";
import { type BatchField, type Places, placesOf, requireColumns } from "./columns.js";

export interface ReadRow {
	/** From 1; the header is not counted. */
	row: number;
	/** As in the file. */
	cells: string[];
	/** Absent if there are faults. */
	transfer?: Transfer;
	faults: Fault[];
}

/** What the first line determines. */
export interface Heading {
	header: string[];
	separator: Separator;
	/** Columns that are not read. */
	ignored: string[];
}

export interface ReadOptions {
	/** For messages. */
	name: string;
	/** Entries like `amount=Betrag`. */
	map: readonly string[];
	/** Values for every row that has none of its own. */
	given: Partial<Record<BatchField, string>>;
	/** Every beneficiary's currency is looked up; otherwise that of the first {@link someLookedUp}, since a file may have a million. */
	everyPayee?: boolean;
	/** Looks up the currencies of debited ledgers or beneficiaries' accounts, once for each id; a missing entry is unknown. */
	currencyOf(ids: readonly string[], kind: "ledger" | "beneficiary"): Promise<ReadonlyMap<string, string>>;
	/** The profile's forms of ids. */
	ids?: IdForms;
	/** Called once, before the first rows. */
	heading(heading: Heading): void;
}

/** Most beneficiaries that are looked up where no limit needs their currency. */
const someLookedUp = 1_000;
/** Most surplus cells that a fault names. */
const maxSurplus = 3;

/**
 * @throws PurserError validation, if the file as a whole cannot be read: its encoding, quotes or columns
 */
export async function* readRows(source: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<ReadRow[]> {
	const known: KnownCurrencies = { ledger: new Map(), beneficiary: new Map() };
	let row = 0;
	for await (const raws of rawRows(textOf(source, options.name), options)) {
		for (const kind of ["ledger", "beneficiary"] as const) {
			const unknown = unknownOf(raws, kind, known, options.everyPayee ?? false);
			const found = unknown.size === 0 ? undefined : await options.currencyOf([...unknown], kind);
			for (const id of unknown) known[kind].set(id, found?.get(id));
		}
		yield raws.map((raw) => {
			row += 1;
			const { transfer, faults } = raw.fault ? { transfer: undefined, faults: [raw.fault] } : checkRow(raw, known, options.ids);
			return { row, cells: raw.cells, transfer, faults: faults.map((fault) => ({ row, ...fault })) };
		});
	}
}

/** Ids of one kind that were not looked up yet. */
function unknownOf(rows: readonly RawRow[], kind: keyof KnownCurrencies, { [kind]: known }: KnownCurrencies, every: boolean): Set<string> {
	const unknown = new Set<string>();
	for (const { values } of rows) {
		if (!every && kind === "beneficiary" && known.size + unknown.size >= someLookedUp) break;
		const id = values[kind === "ledger" ? "ledgerFromId" : "beneficiaryId"];
		if (id !== undefined && !known.has(plainId(id))) unknown.add(plainId(id));
	}
	return unknown;
}

async function* rawRows(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<RawRow[]> {
	const { name, given, ids = {} } = options;
	const reader = new CsvReader(name);
	let places: Places | undefined;
	let header: string[] = [];
	let isBegun = false;
	const rows = (records: CsvRecord[]): RawRow[] => {
		if (places === undefined) {
			const head = records.shift();
			if (head === undefined) return [];
			header = head.cells.map((cell) => cell.trim());
			const found = placesOf(header, options.map, name);
			requireColumns(found.places, new Set(Object.keys(given)), { header, name, ids });
			options.heading({ header, separator: reader.separator, ignored: found.ignored });
			places = found.places;
		}
		const known = [...places];
		return records.map(({ cells }) => rawOf(cells, header.length, known, given));
	};
	for await (const piece of text) {
		if (!isBegun && /^\s*[[{]/.test(piece)) throw isJson(name);
		isBegun ||= piece.trim() !== "";
		const found = rows(reader.push(piece));
		if (found.length > 0) yield found;
	}
	yield rows(reader.end());
	if (places === undefined) throw empty(name);
}

function rawOf(cells: string[], width: number, places: readonly [BatchField, number][], given: ReadOptions["given"]): RawRow {
	if (cells.length !== width) return { cells, values: {}, fault: { field: "", message: lengthFault(cells, width) } };
	// Spreadsheets leave empty lines after the last row; values given for all rows must not turn them into payments.
	if (cells.every((cell) => cell.trim() === "")) return { cells, values: {}, fault: { field: "", message: "is empty; delete the line" } };
	const values: RawRow["values"] = { ...given };
	for (const [field, place] of places) {
		const cell = (cells[place] as string).trim();
		if (cell !== "") values[field] = cell;
	}
	return { cells, values };
}

/** Describes a row of the wrong length, including its surplus cells, which have no column in the fault file. */
function lengthFault(cells: readonly string[], width: number): string {
	const surplus = cells.slice(width, width + maxSurplus).map((cell) => JSON.stringify(cell.slice(0, 40)));
	const more = cells.length > width + maxSurplus ? ` and ${cells.length - width - maxSurplus} more` : "";
	const named = surplus.length === 0 ? "" : `: too many ${surplus.length === 1 ? "is" : "are"} ${surplus.join(", ")}${more}`;
	return `has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, but the header has ${width}${named}`;
}

/** The error for a file with nothing in it. */
function empty(name: string): PurserError {
	return new PurserError("validation", {
		code: "FILE_EMPTY",
		message: `${name} is empty`,
		fix: "Write a header line and one line for each payment: ledgerFromId,beneficiaryId,amount,reference",
	});
}

/** The error for JSON, such as a plan in the place of the file. */
function isJson(name: string): PurserError {
	const send = name === "standard input" ? purser`pay batch send PLAN` : purser`pay batch send ${{ path: name }}`;
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name} is JSON, but payments are read from CSV`,
		fix: advice`If it is a plan already: ${send}. Else write a header line and one line for each payment: ledgerFromId,beneficiaryId,amount,reference`,
	});
}

/** A row as read: texts by field, without empty ones. */
interface RawRow {
	cells: string[];
	values: Partial<Record<BatchField, string>>;
	/** A fault of the row as a whole. */
	fault?: Fault;
}

/** Currencies of debited ledgers and of beneficiaries' accounts, by plain id; undefined if not known. */
interface KnownCurrencies {
	ledger: Map<string, string | undefined>;
	beneficiary: Map<string, string | undefined>;
}

/** @param known the currencies looked up so far @param ids the profile's forms of ids */
export function checkRow(
	{ values }: RawRow,
	known: Readonly<KnownCurrencies>,
	ids: IdForms = {},
): { transfer?: Transfer; faults: Fault[] } {
	const faults: Fault[] = [];
	const kind = kindOf(values, faults);
	const hasBadAmount = values.amount !== undefined && !/^[\d.]*$/.test(values.amount);
	if (hasBadAmount) faults.push({ field: "amount", message: amountFault(values.amount as string) });
	// Check the rest of the row with a valid amount, so that all faults are reported at once.
	const found = kind && read(kind, hasBadAmount ? { ...values, amount: "1" } : values, faults, ids);
	const transfer = hasBadAmount ? undefined : found;
	const currency = currencyOf(values, kind, known, faults);
	const decimals = transfer && decimalsFault(transfer.amount, currency);
	if (decimals) faults.push({ field: "amount", message: decimals });
	if (transfer === undefined || faults.length > 0) return { faults };
	return { transfer: currency === undefined ? transfer : { ...transfer, currency }, faults };
}

function kindOf(values: RawRow["values"], faults: Fault[]): Transfer["kind"] | undefined {
	const { kind, ledgerToId, beneficiaryId } = values;
	if (ledgerToId !== undefined && beneficiaryId !== undefined && kind === undefined) {
		faults.push({ field: "kind", message: "is required: the row names both a ledger and a beneficiary" });
		return undefined;
	}
	const word = kind?.toLowerCase();
	if (word === "ledger" && beneficiaryId !== undefined)
		faults.push({ field: "beneficiaryId", message: "is for payments to a beneficiary, and this row's kind is ledger" });
	if (word === "beneficiary" && ledgerToId !== undefined)
		faults.push({ field: "ledgerToId", message: "is for payments to a ledger, and this row's kind is beneficiary" });
	if (word === "ledger" || word === "beneficiary") return word;
	if (kind !== undefined) {
		faults.push({ field: "kind", message: `must be ledger or beneficiary, not ${JSON.stringify(kind)}` });
		return undefined;
	}
	if (ledgerToId === undefined && beneficiaryId === undefined) {
		faults.push({ field: "beneficiaryId", message: "is required where there is no ledgerToId: a row names who is paid" });
		return undefined;
	}
	return beneficiaryId !== undefined ? "beneficiary" : "ledger";
}

function read(kind: Transfer["kind"], values: RawRow["values"], faults: Fault[], ids: IdForms): Transfer | undefined {
	const { ledgerFromId, amount, reference } = values;
	const switches = kind === "beneficiary" ? switchesOf(values, faults) : {};
	if (kind === "ledger")
		for (const field of ["allowFastPayment", "allowInterLedger"] as const)
			if (values[field] !== undefined) faults.push({ field, message: "is for payments to a beneficiary only" });
	const operation = transferOperations[kind];
	const body = defined({ ledgerFromId, [payeeField[kind]]: values[payeeField[kind]], amount, reference });
	const result = heldToForms(ids, () => operation.body.safeParse(body));
	if (!result.success) {
		faults.push(...check(operation.body, body, ids).faults);
		return undefined;
	}
	// Undo the schema's defaults for switches, because the plan's digest covers only what the file contains.
	const transfer = { ...transferFromBody(operation, result.data), allowFastPayment: undefined, allowInterLedger: undefined, ...switches };
	if (kind === "ledger" && sameId(transfer.ledgerFromId, transfer.counterpartyId)) {
		faults.push({ field: "ledgerToId", message: "is the ledger to debit; choose another one" });
		return undefined;
	}
	return defined(transfer) as Transfer;
}

function switchesOf(values: RawRow["values"], faults: Fault[]): Pick<Transfer, "allowFastPayment" | "allowInterLedger"> {
	return { allowFastPayment: switchOf(values, "allowFastPayment", faults), allowInterLedger: switchOf(values, "allowInterLedger", faults) };
}

function switchOf(values: RawRow["values"], field: "allowFastPayment" | "allowInterLedger", faults: Fault[]): boolean | undefined {
	const value = values[field]?.toLowerCase();
	if (value === undefined) return undefined;
	if (["true", "yes", "1"].includes(value)) return true;
	if (["false", "no", "0"].includes(value)) return false;
	faults.push({ field, message: `must be true or false, not ${JSON.stringify(values[field])}` });
	return undefined;
}

/**
 * The amount's currency: that of the debited ledger, or of the beneficiary's account (specification 2.8), which may differ from the
 * ledger's.
 * If the account's is not known, neither is the row's.
 */
function currencyOf(
	values: RawRow["values"],
	kind: Transfer["kind"] | undefined,
	{ ledger, beneficiary }: Readonly<KnownCurrencies>,
	faults: Fault[],
): string | undefined {
	const own = values.currency?.toUpperCase();
	if (own !== undefined && !/^[A-Z]{3}$/.test(own))
		faults.push({ field: "currency", message: `must be three letters of ISO 4217, not ${JSON.stringify(values.currency)}` });
	const [id, of] = kind === "beneficiary" ? [values.beneficiaryId, beneficiary] : [values.ledgerFromId, ledger];
	const known = id === undefined ? undefined : of.get(plainId(id));
	const fault = currencyFault(kind ?? "ledger", own, known);
	if (fault) faults.push({ field: "currency", message: fault });
	return own ?? known;
}

/** Names the fault of an amount as other programs write it; nothing is converted by guessing. */
function amountFault(text: string): string {
	const shown = JSON.stringify(text);
	if (/^[-+]/.test(text)) return `${shown} has a sign; write an amount greater than 0 without one`;
	if (/^[\d.' \u00a0\u202f]+,\d{1,4}$/.test(text)) return `${shown} has a decimal comma; write the decimals after a point, like 1234.56`;
	if (/^\d{1,3}([,' \u00a0\u202f]\d{3})+(\.\d+)?$/.test(text))
		return `${shown} has thousands separators; write the digits together, like 1234.56`;
	if (/^[\d.,]+\s*\p{Sc}$|^\p{Sc}/u.test(text)) return `${shown} has a currency sign; write only digits and a point`;
	if (/^[\d.]+\s*[A-Za-z]{3}$|^[A-Za-z]{3}\s*[\d.]+$/.test(text))
		return `${shown} has a currency next to it; write only digits and a point, and the currency in a column of its own`;
	if (/^[\d.,]+[eE][-+]?\d+$/.test(text))
		return `${shown} is in exponent form, as a spreadsheet shows long numbers; format the column as text`;
	return `${shown} is not an amount; write digits and a point, like 1234.56`;
}

function defined<T extends Record<string, unknown>>(values: T): Partial<T> {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
