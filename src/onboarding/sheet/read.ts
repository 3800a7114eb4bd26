/**
 * The rows of a spreadsheet: its header, its cells, and every fault in them. Pure.
 */
import type { Fault } from "../../errors.js";
import { cellText, cellValue } from "./cells.js";
import { type Column, columnLike, columnNamed } from "./columns.js";

/** A record of a CSV file; `line` is the line it begins on, from 1. */
export interface SheetRecord {
	line: number;
	cells: readonly string[];
}

/** A row with its values by the names of the columns; empty cells are not there. */
export interface SheetRow {
	/** Its number in the spreadsheet: the header is row 1. */
	row: number;
	values: Map<string, unknown>;
}

export interface Sheet {
	rows: SheetRow[];
	/** Names of the columns that the header has. */
	present: ReadonlySet<string>;
	/** A column as messages name it. */
	label(name: string): string;
	faults: Fault[];
	/** Cells that have a fault, as `row column`. */
	told: Set<string>;
}

/** Reads the records of a file, of which the first is the header. */
export function readSheet(records: readonly SheetRecord[]): Sheet {
	const numbers = rowNumbers(records);
	const [head, ...rest] = records;
	const faults: Fault[] = [];
	const header = (head?.cells ?? []).map((cell) => cellText(cell));
	const placed = header.map((name, at) => placedColumn(name, at, header, faults, rest));
	const letters = new Map<string, string>();
	for (const [at, column] of placed.entries()) if (column !== undefined) letters.set(column.name, letterOf(at));
	const label = (name: string): string => (letters.has(name) ? `${name} (column ${letters.get(name)})` : name);
	const sheet: Sheet = { rows: [], present: new Set(letters.keys()), label, faults, told: new Set() };
	for (const [at, record] of rest.entries()) {
		const row = numbers[at + 1] as number;
		if (record.cells.some((cell) => cell.trim() !== "")) sheet.rows.push({ row, values: valuesOf(sheet, record, row, placed) });
	}
	return sheet;
}

function placedColumn(
	name: string,
	at: number,
	header: readonly string[],
	faults: Fault[],
	rows: readonly SheetRecord[],
): Column | undefined {
	const wrong = (message: string): undefined => {
		faults.push({ row: 1, field: `${name === "" ? "" : `${name} `}(column ${letterOf(at)})`, message });
	};
	if (name === "") return rows.some(({ cells }) => (cells[at] ?? "").trim() !== "") ? wrong("has values and no name in row 1") : undefined;
	const column = columnNamed(name);
	if (column === undefined) {
		const like = columnLike(name);
		return wrong(`is not a column of this sheet${like === undefined ? "" : `; did you mean ${like}?`}`);
	}
	const before = header.findIndex((other, place) => place < at && columnNamed(other)?.name === column.name);
	return before < 0 ? column : wrong(`appears twice: column ${letterOf(before)} has it too`);
}

function valuesOf(sheet: Sheet, { cells }: SheetRecord, row: number, placed: readonly (Column | undefined)[]): Map<string, unknown> {
	const values = new Map<string, unknown>();
	for (const [at, column] of placed.entries()) {
		const text = cellText(cells[at] ?? "");
		if (column === undefined || text === "") continue;
		const read = cellValue(column.kind, text);
		if (read.fault === undefined) values.set(column.name, read.value);
		else tell(sheet, row, column.name, read.fault);
	}
	if (cells.slice(placed.length).some((cell) => cell.trim() !== ""))
		sheet.faults.push({ row, field: "", message: `has ${cells.length} cells, and row 1 has ${placed.length}` });
	return values;
}

/** Adds a fault of one cell. */
export function tell({ faults, told, label }: Sheet, row: number, column: string, message: string): void {
	faults.push({ row, field: label(column), message });
	told.add(`${row} ${column}`);
}

/** Whether a cell has a fault already. */
export const faulty = ({ told }: Sheet, row: number, column: string): boolean => told.has(`${row} ${column}`);

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
