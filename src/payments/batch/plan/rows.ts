/**
 * Reads a file into checked transfers, one piece of the file at a time, so that memory does not grow with the file.
 */

import { advice, purser } from "../../../api/advice.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { type IdForms, plainId } from "../../../api/text/ids.js";
import { type Fault, PurserError } from "../../../errors.js";
import type { Separator } from "../../../system/disk/csv-line.js";
import { CsvReader, type CsvRecord, textOf } from "../../rules/csv.js";
import { type BatchField, type Places, placesOf, requireColumns } from "./columns.js";
import { checkRow, type KnownCurrencies, type RawRow } from "./row.js";

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
