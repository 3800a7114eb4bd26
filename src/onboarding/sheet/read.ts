/**
 * The rows of a spreadsheet: its header, its cells, and every fault in them. Pure.
 */

import { Decimal } from "../../api/json.js";
import { isRecord, placeholder } from "../../api/schema.js";
import { dateFault } from "../../api/typed.js";
import type { Fault } from "../../errors.js";
import { type CellKind, type Column, columnLike, columnNamed, type Role } from "./columns.js";

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

/** A value, or what is wrong with the cell. */
export type Cell = { value: unknown; fault?: undefined } | { fault: string };

/** Before a sign with which a formula begins, an apostrophe says that it is text; other apostrophes belong to names. */
const guard = /^'(?=[\s=+\-@\uff1d\uff0b\uff0d\uff20\u2212])/;

/** The text of a cell without what only the spreadsheet needs. */
export const cellText = (cell: string): string => cell.trim().replace(guard, "").trim();

/** The value of a cell that is not empty. */
export function cellValue(kind: CellKind, text: string): Cell {
	if (text.includes(placeholder)) return { fault: `still says ${placeholder}` };
	switch (kind) {
		case "yes":
			return yesOrNo(text);
		case "date":
			return dateFault(text) === undefined
				? { value: text }
				: { fault: `is ${JSON.stringify(text)}; write the date as YYYY-MM-DD, like 2019-04-01, and format the column so` };
		case "percent":
			return percent(text);
		case "role":
			return role(text);
		case "legal form":
			return legalForm(text);
		case "text":
			return /^\d(?:[.,]\d+)?E[+-]?\d+$/i.test(text)
				? { fault: `is ${JSON.stringify(text)}, a number that the spreadsheet shortened; format the column as text and write it again` }
				: { value: text };
	}
}

function yesOrNo(text: string): Cell {
	const word = text.toLowerCase();
	if (["yes", "true"].includes(word)) return { value: true };
	return ["no", "false"].includes(word) ? { value: false } : { fault: `is ${JSON.stringify(text)}; write yes or no` };
}

/** `33.5`, `33,5`, `33,5 %`: a percentage has no thousands, so that one comma can only be the decimal's. */
function percent(text: string): Cell {
	const digits = text.replace(/\s*%$/, "");
	const match = /^(\d{1,3})(?:[.,](\d+))?$/.exec(digits);
	if (match === null) return { fault: `is ${JSON.stringify(text)}; write a number from 0 to 100, like 33.5` };
	const whole = (match[1] as string).replace(/^0+(?=\d)/, "");
	return { value: new Decimal(match[2] === undefined ? whole : `${whole}.${match[2]}`) };
}

const roles: Readonly<Record<string, Role>> = { accountowner: "account owner", person: "person", company: "company" };

function role(text: string): Cell {
	const known = roles[text.toLowerCase().replace(/[\s_-]/g, "")];
	if (known !== undefined) return { value: known };
	const remark = /director|ubo|owner|shareholder/i.test(text) ? "; directors and owners have columns of their own" : "";
	return { fault: `is ${JSON.stringify(text)}; write account owner, person or company${remark}` };
}

/** The form alone, whose key follows from the country, or the object as the service takes it. */
function legalForm(text: string): Cell {
	if (!text.startsWith("{")) return { value: text };
	try {
		const value: unknown = JSON.parse(text);
		if (isRecord(value)) return { value };
	} catch {
		// Told below.
	}
	return { fault: 'is not a JSON object, like {"austriaValue":"AT_AKTIENGESELLSCHAFT_AG"}' };
}
