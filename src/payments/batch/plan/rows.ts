/**
 * Reads a file into checked transfers, one group of rows at a time, so that memory does not grow with the file.
 */

import { Decimal, parseJson } from "../../../api/json.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { isRecord } from "../../../api/schema.js";
import { type IdForms, plainId } from "../../../api/text/ids.js";
import { troubleWords } from "../../../api/text/trouble.js";
import type { Separator } from "../../../disk/csv-line.js";
import type { Fault } from "../../../errors.js";
import { CsvReader } from "../../rules/csv.js";
import { type BatchField, fields, type Places, placesOf, requireColumns } from "./columns.js";
import { textOf } from "./decode.js";
import { checkRow, type KnownCurrencies, type RawRow } from "./row.js";
import { empty, notLines, tooLong } from "./unplanned.js";

export interface ReadRow {
	/** From 1; the header is not counted. */
	row: number;
	/** From 1, as an editor counts. */
	line: number;
	/** As in the file. */
	cells: string[];
	/** The original JSON line; its cells are only what could be read of it. */
	original?: string;
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
	/** Rows have an {@link ReadRow.original} beside their cells. */
	lines?: true;
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

/** Most rows of a group, and most pieces of the file in one, so that very long rows do not fill the memory. */
const [group, mostPieces] = [1_000, 64];
/** Characters. */
const longestLine = 1024 * 1024;
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
	for await (const raws of groups(rawRows(textOf(source, options.name), options))) {
		for (const kind of ["ledger", "beneficiary"] as const) {
			const unknown = unknownOf(raws, kind, known, options.everyPayee ?? false);
			const found = unknown.size === 0 ? undefined : await options.currencyOf([...unknown], kind);
			for (const id of unknown) known[kind].set(id, found?.get(id));
		}
		yield raws.map((raw) => {
			row += 1;
			const { transfer, faults } = raw.fault ? { transfer: undefined, faults: [raw.fault] } : checkRow(raw, known, options.ids);
			return {
				row,
				line: raw.line,
				cells: raw.cells,
				original: raw.original,
				transfer,
				faults: faults.map((fault) => ({ row, ...fault })),
			};
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

async function* groups(rows: AsyncIterable<RawRow[]>): AsyncGenerator<RawRow[]> {
	let waiting: RawRow[] = [];
	let pieces = 0;
	for await (const some of rows) {
		waiting = waiting.length === 0 ? some : waiting.concat(some);
		pieces += 1;
		while (waiting.length >= group || (waiting.length > 0 && pieces >= mostPieces)) {
			yield waiting.slice(0, group);
			waiting = waiting.slice(group);
			pieces = 0;
		}
	}
	if (waiting.length > 0) yield waiting;
}

async function* rawRows(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<RawRow[]> {
	let start = "";
	const pieces = text[Symbol.asyncIterator]();
	for (;;) {
		const { value, done } = await pieces.next();
		if (done) break;
		start += value;
		if (start.trim() !== "") break;
		if (start.length > longestLine) throw tooLong(options.name, 1);
	}
	const all = (async function* () {
		yield start;
		for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
	})();
	if (/^\s*(?:\[|\{\s*\n)/.test(start)) throw notLines(options.name, start.trimStart().startsWith("["));
	yield* start.trimStart().startsWith("{") ? jsonRows(all, options) : csvRows(all, options);
}

async function* csvRows(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<RawRow[]> {
	const { name, given, ids = {} } = options;
	const reader = new CsvReader(name);
	let places: Places | undefined;
	let header: string[] = [];
	const rows = (records: ReturnType<CsvReader["push"]>): RawRow[] => {
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
		return records.map(({ line, cells }) => rawOf(line, cells, header.length, known, given));
	};
	for await (const piece of text) {
		const found = rows(reader.push(piece));
		if (found.length > 0) yield found;
	}
	yield rows(reader.end());
	if (places === undefined) throw empty(name);
}

function rawOf(line: number, cells: string[], width: number, places: readonly [BatchField, number][], given: ReadOptions["given"]): RawRow {
	if (cells.length !== width)
		return {
			line,
			cells,
			values: {},
			fault: { field: "", message: lengthFault(cells, width) },
		};
	// Spreadsheets leave empty lines after the last row; values given for all rows must not turn them into payments.
	if (cells.every((cell) => cell.trim() === ""))
		return { line, cells, values: {}, fault: { field: "", message: "is empty; delete the line" } };
	const values: RawRow["values"] = { ...given };
	for (const [field, place] of places) {
		const cell = (cells[place] as string).trim();
		if (cell !== "") values[field] = cell;
	}
	return { line, cells, values };
}

/** Describes a row of the wrong length, including its surplus cells, which have no column in the fault file. */
function lengthFault(cells: readonly string[], width: number): string {
	const surplus = cells.slice(width, width + maxSurplus).map((cell) => JSON.stringify(cell.slice(0, 40)));
	const more = cells.length > width + maxSurplus ? ` and ${cells.length - width - maxSurplus} more` : "";
	const named = surplus.length === 0 ? "" : `: too many ${surplus.length === 1 ? "is" : "are"} ${surplus.join(", ")}${more}`;
	return `has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, but the header has ${width}${named}`;
}

async function* jsonRows(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<RawRow[]> {
	options.heading({ header: [...fields], separator: ",", ignored: [], lines: true });
	let rest = "";
	let line = 0;
	const rows = (lines: string[]): RawRow[] =>
		lines.flatMap((one) => {
			line += 1;
			return one.trim() === "" ? [] : [jsonRow(one, line, options.given)];
		});
	for await (const piece of text) {
		const lines = (rest + piece).split("\n");
		rest = lines.pop() as string;
		if (rest.length > longestLine) throw tooLong(options.name, line + 1);
		const found = rows(lines);
		if (found.length > 0) yield found;
	}
	yield rows([rest]);
}

/** Values that other programs write for an empty cell in JSON. */
const emptyValues: ReadonlySet<unknown> = new Set([null, ""]);

function jsonRow(text: string, line: number, given: ReadOptions["given"]): RawRow {
	const values: RawRow["values"] = { ...given };
	let fault: Fault | undefined;
	try {
		const read = parseJson(text);
		if (!isRecord(read)) fault = { field: "", message: "is not a JSON object" };
		else
			for (const [name, value] of Object.entries(read)) {
				const field = fields.find((one) => one === name);
				if (field === undefined) fault ??= { field: name, message: `is not a field; the fields are ${fields.join(", ")}` };
				else if (emptyValues.has(value)) continue;
				else if (typeof value === "string" || typeof value === "boolean" || value instanceof Decimal) values[field] = String(value);
				else fault ??= { field: name, message: "must be a text, a number or true or false" };
			}
	} catch (error) {
		fault = { field: "", message: `is not JSON (${troubleWords(error) ?? "unknown"})` };
	}
	return { line, cells: fields.map((field) => values[field] ?? ""), original: text.trim(), values, fault };
}
