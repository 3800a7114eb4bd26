/**
 * The rows of a spreadsheet: its header, its cells, and every fault in them. Pure.
 */
import { suggestionFor } from "../../api/suggest.js";
import type { Fault } from "../../errors.js";
import { type Column, cellValue, columnNamed, columns } from "./columns.js";

/** A record of a CSV file; `line` is the line it begins on, from 1. */
export interface SheetRecord {
	line: number;
	cells: readonly string[];
}

/** A row with its values by the names of the columns; empty cells are not there. */
export interface SheetRow {
	/** Its number in the spreadsheet: the header is row 1. */
	row: number;
	values: ReadonlyMap<string, unknown>;
}

/** What is wrong, by row and column; a cell has one fault. */
export class SheetFaults {
	readonly all: Fault[] = [];
	#told = new Set<string>();

	/** @param places of the columns in the header */
	constructor(private readonly places: ReadonlyMap<string, number> = new Map()) {}

	/** Tells of a cell, of a row (no column), or of the header (row 1). */
	tell(row: number, column: string, message: string): void {
		if (column !== "" && this.has(row, column)) return;
		const place = this.places.get(column);
		this.all.push({ row, field: place === undefined ? column : `${column} (column ${letterOf(place)})`, message });
		this.#told.add(`${row} ${column}`);
	}

	has(row: number, column: string): boolean {
		return this.#told.has(`${row} ${column}`);
	}
}

export interface Sheet {
	rows: SheetRow[];
	/** Names of the columns that the header has. */
	present: ReadonlySet<string>;
	faults: SheetFaults;
}

/** Reads the records of a file, of which the first is the header. */
export function readSheet(records: readonly SheetRecord[]): Sheet {
	const [head, ...rest] = records;
	const header = (head?.cells ?? []).map(cellText);
	const placed = header.map((name) => columnNamed(name));
	const places = new Map(placed.map((column, at): [string, number] => [column?.name ?? "", at]).reverse());
	const faults = new SheetFaults(places);
	for (const [at, name] of header.entries()) {
		const column = placed[at];
		const wrong = (message: string): void => faults.tell(1, `${name === "" ? "" : `${name} `}(column ${letterOf(at)})`, message);
		const first = column === undefined ? at : (places.get(column.name) as number);
		if (first !== at) wrong(`appears twice: column ${letterOf(first)} has it too`);
		if (column !== undefined) continue;
		if (name !== "") {
			const like = suggestionFor(
				name,
				columns.map((one) => one.name),
			);
			wrong(`is not a column of this sheet${like === undefined ? "" : `; did you mean ${like}?`}`);
		} else if (rest.some(({ cells }) => cellText(cells[at] ?? "") !== "")) wrong("has values and no name in row 1");
	}
	const numbers = rowNumbers(records);
	const rows = rest.flatMap((record, at): SheetRow[] => {
		if (record.cells.every((cell) => cell.trim() === "")) return [];
		const row = numbers[at + 1] as number;
		return [{ row, values: valuesOf(record, row, placed, faults) }];
	});
	return { rows, present: new Set([...places.keys()].filter(Boolean)), faults };
}

function valuesOf({ cells }: SheetRecord, row: number, placed: readonly (Column | undefined)[], faults: SheetFaults): Map<string, unknown> {
	const values = new Map<string, unknown>();
	for (const [at, column] of placed.entries()) {
		const text = cellText(cells[at] ?? "");
		if (column === undefined || text === "") continue;
		const { value, fault } = cellValue(column, text);
		if (fault === undefined) values.set(column.name, value);
		else faults.tell(row, column.name, fault);
	}
	if (cells.slice(placed.length).some((cell) => cell.trim() !== ""))
		faults.tell(row, "", `has ${cells.length} cells, and row 1 has ${placed.length}`);
	return values;
}

/** The rows of the records as the spreadsheet counts them: a cell may have several lines, and the reader leaves out empty lines. */
function rowNumbers(records: readonly SheetRecord[]): number[] {
	let row = 0;
	let next: number | undefined;
	return records.map(({ line, cells }) => {
		row += 1 + (next === undefined ? 0 : line - next);
		next = line + 1 + cells.reduce((sum, cell) => sum + cell.split(/\r\n|\r|\n/).length - 1, 0);
		return row;
	});
}

/** `A`, `Z`, `AA`, as spreadsheets name their columns. */
function letterOf(at: number): string {
	const last = String.fromCharCode(65 + (at % 26));
	return at < 26 ? last : `${letterOf(Math.floor(at / 26) - 1)}${last}`;
}

/** Before a sign with which a formula begins, an apostrophe says that it is text; other apostrophes belong to names. */
const guard = /^'(?=[\s=+\-@\uff1d\uff0b\uff0d\uff20\u2212])/;

/** The text of a cell without what only the spreadsheet needs. */
const cellText = (cell: string): string => cell.trim().replace(guard, "").trim();
