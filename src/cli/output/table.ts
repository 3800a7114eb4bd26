/**
 * Answers as rows of cells: for pipes, for `--columns`, and for the formats that are tables.
 */
import { withDecimals } from "../../api/amount.js";
import { at, type Received, textAt } from "../../api/answer.js";
import { describe, type Field, isRecord, recordOf } from "../../api/schema.js";
import { shortened, suggestionFor } from "../../api/suggest.js";
import { PurserError } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import { calculatedNowhere, csvLine, type Separator } from "../../system/disk/csv-line.js";
import type { AnyCommand } from "../command.js";
import { kebab } from "../names.js";

export interface Cells {
	names: readonly string[];
	/** One for each record. */
	rows: readonly (readonly string[])[];
}

/** Wide enough for every column that a narrow terminal would leave out. */
const wide = 1000;

/**
 * The cells of a list, taken from what the command draws: nothing is shown that `text` would not show.
 * @param count of records
 * @returns undefined where the text is not one table of them
 */
export function listCells(command: AnyCommand, data: unknown, count: number | undefined, style: Style): Cells | undefined {
	const tables: Cells[] = [];
	command.text(data, {
		...style,
		columns: wide,
		cells: true,
		// A blank among digits would end the number for awk.
		money: (amount, currency) => (amount === undefined ? undefined : [withDecimals(amount, currency), currency].filter(Boolean).join(" ")),
		table: (names, rows) => {
			tables.push({ names, rows });
			return "";
		},
	});
	const [table, ...more] = tables;
	return more.length === 0 && (Array.isArray(data) || table?.rows.length === count) ? table : undefined;
}

/** The columns that were asked for, in that order. @throws PurserError usage, which lists the columns there are */
export function fieldCells(command: AnyCommand, records: readonly unknown[], asked: string | undefined): Cells {
	const leaves = new Map(leavesOf(command));
	const names = columnsChosen(command, asked, [...leaves.keys()]);
	const cell = (record: unknown, name: string): string => {
		const value = isRecord(record) ? (leaves.get(name)?.cell?.(record) ?? at(record, name)) : record;
		return textAt({ value }, "value") ?? "";
	};
	return { names, rows: records.map((record) => names.map((name) => cell(record, name))) };
}

/** One record a line, its cells between tabs, none of which a spreadsheet calculates; no header, as other tools write into a pipe. */
export function pipedRows(rows: Cells["rows"]): string {
	return rows.map((row) => `${row.map((cell) => calculatedNowhere(cell.replace(/[\t\r\n]+/g, " "))).join("\t")}\n`).join("");
}

/** `external id`, `external-id` and `externalId` are one name. */
const plainName = (name: string): string => kebab(name).replace(/[ _-]+/g, "-");

function columnNamed(asked: string, all: readonly string[]): string {
	const found = all.find((name) => plainName(name) === plainName(asked));
	if (found !== undefined) return found;
	const near = suggestionFor(asked, all);
	throw new PurserError("usage", {
		code: "UNKNOWN_COLUMN",
		message: `There is no column ${JSON.stringify(shortened(asked))}${near === undefined ? "" : `; did you mean ${near}?`}`,
		fix: `Choose from: ${all.join(", ")}.`,
	});
}

/** The columns of csv and tsv, which are the fields of the command's records: those inside others by their path (`receiver.name`). */
export const columnsOf = (command: AnyCommand): string[] => leavesOf(command).map(([name]) => name);

function leavesOf({ answer }: AnyCommand): [string, Field["meta"]][] {
	const leaves = ({ name, meta, fields = [] }: Field, before: string): [string, Field["meta"]][] =>
		fields.length === 0 ? [[before + name, meta]] : fields.flatMap((part) => leaves(part, `${before}${name}.`));
	const { fields = [] } = describe(recordOf(answer()));
	return fields.length === 0 ? [["value", { description: "" }]] : fields.flatMap((part) => leaves(part, ""));
}

/** @param all the columns there are @throws PurserError usage, where a column is asked for that there is not */
export function columnsChosen(command: AnyCommand, asked: string | undefined, all = columnsOf(command)): string[] {
	return asked === undefined ? all : asked.split(",").map((name) => columnNamed(name.trim(), all));
}

/** The records with the members that were asked for and no others, in that order. */
export function withMembers(command: AnyCommand, records: readonly unknown[], asked: string): unknown[] {
	const columns = columnsChosen(command, asked).map((column) => column.split("."));
	return records.map((record) =>
		columns.reduce((chosen, path) => withMember(chosen, isRecord(record) ? record : { value: record }, path), {}),
	);
}

function withMember(chosen: Received, record: Received, [name = "", ...inside]: readonly string[]): Received {
	const value = at(record, name);
	if (inside.length === 0 || value === undefined) return value === undefined ? chosen : { ...chosen, [name]: value };
	const part = withMember((chosen[name] ?? {}) as Received, isRecord(value) ? value : {}, inside);
	return Object.keys(part).length === 0 ? chosen : { ...chosen, [name]: part };
}

/**
 * The records as a table with a header, whose columns are the same whatever the records have. A cell that a spreadsheet would calculate
 * gets an apostrophe in front.
 */
export function* tableLines(
	command: AnyCommand,
	records: readonly unknown[],
	{ separator, asked }: { separator: Separator; asked: string | undefined },
): Iterable<string> {
	const { names, rows } = fieldCells(command, records, asked);
	for (const cells of [names, ...rows]) yield separator === "\t" ? pipedRows([cells]) : csvLine(cells, { separator, safe: true });
}
