/**
 * From a file to checked transfers, a group of rows at a time: memory does not grow with the file.
 */
import { advice, purser } from "../../../api/advice.js";
import { Decimal, parseJson } from "../../../api/json.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { isRecord } from "../../../api/schema.js";
import type { Separator } from "../../../disk/csv-line.js";
import { type Fault, PurserError } from "../../../errors.js";
import { CsvReader } from "../../rules/csv.js";
import { type BatchField, fields, needColumns, type Places, placesOf } from "./columns.js";
import { textOf } from "./decode.js";
import { checkRow, type KnownCurrencies, type RawRow } from "./row.js";

export interface ReadRow {
	/** From 1; the header is not counted. */
	row: number;
	/** From 1, as an editor counts. */
	line: number;
	/** As they stand in the file. */
	cells: string[];
	/** A JSON line as it stands in the file: its cells are only what could be read of it. */
	original?: string;
	/** Where nothing is wrong. */
	transfer?: Transfer;
	faults: Fault[];
}

/** What is known once the first line was read. */
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
	/** What is the same for every row that does not say otherwise. */
	given: Partial<Record<BatchField, string>>;
	/** The currencies of debited ledgers, or of beneficiaries' accounts, asked once for each; one without an entry has none that is known. */
	currencyOf(ids: readonly string[], kind: "ledger" | "beneficiary"): Promise<ReadonlyMap<string, string>>;
	/** Told once, before the first rows. */
	heading(heading: Heading): void;
}

/** Rows of one group, and pieces of the file that one may be made of: rows as long as they can be must not fill the memory. */
const [group, mostPieces] = [1_000, 64];
/** Characters. */
const longestLine = 1024 * 1024;
/** Beneficiaries that are asked about: a file may have one in each of a million rows, and what was asked is kept. */
const mostAsked = 1_000;
/** Cells beyond the header that a fault names. */
const mostOver = 3;

/**
 * @throws PurserError validation, where the file as a whole cannot be read: its encoding, its quotes, its columns
 */
export async function* readRows(source: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<ReadRow[]> {
	const known: KnownCurrencies = { ledger: new Map(), beneficiary: new Map() };
	let row = 0;
	for await (const raws of groups(rawRows(textOf(source, options.name), options))) {
		for (const kind of ["ledger", "beneficiary"] as const) {
			const unknown = unknownOf(raws, kind, known);
			const found = unknown.size === 0 ? undefined : await options.currencyOf([...unknown], kind);
			for (const id of unknown) known[kind].set(id, found?.get(id));
		}
		yield raws.map((raw) => {
			row += 1;
			const { transfer, faults } = raw.fault ? { transfer: undefined, faults: [raw.fault] } : checkRow(raw, known);
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

/** Ids of one kind that nobody asked about yet. */
function unknownOf(rows: readonly RawRow[], kind: keyof KnownCurrencies, { [kind]: asked }: KnownCurrencies): Set<string> {
	const unknown = new Set<string>();
	for (const { values } of rows) {
		if (kind === "beneficiary" && asked.size + unknown.size >= mostAsked) break;
		const id = values[kind === "ledger" ? "ledgerFromId" : "beneficiaryId"]?.toLowerCase();
		if (id !== undefined && !asked.has(id)) unknown.add(id);
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
	if (/^\s*(?:\[|\{\s*\n)/.test(start)) throw oneValue(options.name, start.trimStart().startsWith("["));
	yield* start.trimStart().startsWith("{") ? jsonRows(all, options) : csvRows(all, options);
}

async function* csvRows(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<RawRow[]> {
	const { name, given } = options;
	const reader = new CsvReader(name);
	let places: Places | undefined;
	let header: string[] = [];
	const rows = (records: ReturnType<CsvReader["push"]>): RawRow[] => {
		if (places === undefined) {
			const head = records.shift();
			if (head === undefined) return [];
			header = head.cells.map((cell) => cell.trim());
			const found = placesOf(header, options.map, name);
			needColumns(found.places, new Set(Object.keys(given)), header, name);
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
			fault: { field: "", message: lengthWords(cells, width) },
		};
	// What is the same for every row would else make a payment of the empty lines that a spreadsheet leaves below the last one.
	if (cells.every((cell) => cell.trim() === ""))
		return { line, cells, values: {}, fault: { field: "", message: "is empty; delete the line" } };
	const values: RawRow["values"] = { ...given };
	for (const [field, place] of places) {
		const cell = (cells[place] as string).trim();
		if (cell !== "") values[field] = cell;
	}
	return { line, cells, values };
}

/** Cells beyond the header have no column in the report of faults, so they are told here. */
function lengthWords(cells: readonly string[], width: number): string {
	const over = cells.slice(width, width + mostOver).map((cell) => JSON.stringify(cell.slice(0, 40)));
	const more = cells.length > width + mostOver ? ` and ${cells.length - width - mostOver} more` : "";
	const named = over.length === 0 ? "" : `: too many ${over.length === 1 ? "is" : "are"} ${over.join(", ")}${more}`;
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

/** A cell with nothing in it, as other programs write it in JSON. */
const nothing: ReadonlySet<unknown> = new Set([null, ""]);

function jsonRow(text: string, line: number, given: ReadOptions["given"]): RawRow {
	const values: RawRow["values"] = { ...given };
	let fault: Fault | undefined;
	try {
		const read = parseJson(text);
		if (!isRecord(read)) fault = { field: "", message: "is no JSON object" };
		else
			for (const [name, value] of Object.entries(read)) {
				const field = fields.find((one) => one === name);
				if (field === undefined) fault ??= { field: name, message: `is not a field; there are ${fields.join(", ")}` };
				else if (nothing.has(value)) continue;
				else if (typeof value === "string" || typeof value === "boolean" || value instanceof Decimal) values[field] = String(value);
				else fault ??= { field: name, message: "must be a text, a number or true or false" };
			}
	} catch (error) {
		fault = { field: "", message: `is no JSON (${error instanceof Error ? error.message : "unknown"})` };
	}
	return { line, cells: fields.map((field) => values[field] ?? ""), original: text.trim(), values, fault };
}

function empty(name: string): PurserError {
	return new PurserError("validation", {
		code: "FILE_EMPTY",
		message: `${name} is empty`,
		fix: "Write a header line and one line for each payment: ledgerFromId,beneficiaryId,amount,reference",
	});
}

function oneValue(name: string, list: boolean): PurserError {
	const lines = `one JSON object a line: jq -c '${list ? ".[]" : "."}' ${name === "standard input" ? "" : `${name} `}> payments.jsonl`;
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name} is one JSON ${list ? "list" : "object on many lines"}, and payments are read one a line`,
		fix: list ? `Write ${lines}` : advice`If it is a plan already: ${purser`pay batch send PLAN`}. Else: write ${lines}`,
	});
}

function tooLong(name: string, line: number): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name}, line ${line}: longer than a payment can be`,
		fix: "Write one JSON object a line.",
	});
}
