/**
 * Answers as rows of cells: for pipes, for `--columns`, and for the formats that are tables.
 */
import { withDecimals } from "../../api/amount.js";
import { at, type Received, textAt } from "../../api/answer.js";
import type { OutputFormat } from "../../api/formats.js";
import { describe, type Field, isRecord, recordOf } from "../../api/schema.js";
import { shortened, suggestionFor } from "../../api/suggest.js";
import { sanitizeLine } from "../../api/text/sanitize.js";
import { PurserError } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import { calculatedNowhere, csvLine, type Separator } from "../../system/disk/csv-line.js";
import type { Answer, AnyCommand } from "../command.js";
import { kebab } from "../names.js";

interface Drawn {
	/** One row for each record; or the one row of a record, its labels being the columns. */
	names: readonly string[];
	rows: readonly (readonly string[])[];
	list: boolean;
}

/** Wide enough for every column that a narrow terminal would leave out. */
const wide = 1000;

/**
 * The cells of a list or a record, taken from what the command draws: nothing is shown that `text` would not show.
 * @returns undefined where the text is not one table or one record
 */
export function cellsOf(command: AnyCommand, { data, lines }: Pick<Answer<unknown>, "data" | "lines">, style: Style): Drawn | undefined {
	const tables: Omit<Drawn, "list">[] = [];
	const records: [string, string][][] = [];
	const drawing: Style = {
		...style,
		columns: wide,
		cells: true,
		// A blank among digits would end the number for awk.
		money: (amount, currency) => (amount === undefined ? undefined : [withDecimals(amount, currency), currency].filter(Boolean).join(" ")),
		table: (names, rows) => {
			tables.push({ names, rows });
			return "";
		},
		pairs: (rows) => {
			records.push(rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== ""));
			return "";
		},
	};
	command.text(data, drawing);
	const [table] = tables;
	if (table !== undefined && tables.length === 1 && (Array.isArray(data) || lines?.length === table.rows.length))
		return { ...table, list: true };
	const [record = []] = records;
	if (tables.length > 0 || records.length !== 1) return undefined;
	return { names: record.map(([label]) => label), rows: [record.map(([, value]) => value)], list: false };
}

/** One record a line, its cells between tabs, none of which a spreadsheet calculates; no header, as other tools write into a pipe. */
export function pipedRows({ rows }: Pick<Drawn, "rows">): string {
	return rows.map((row) => `${row.map((cell) => calculatedNowhere(cell.replace(/[\t\r\n]+/g, " "))).join("\t")}\n`).join("");
}

/**
 * The columns that were asked for, in that order.
 * @param asked the value of `--columns`
 * @throws PurserError usage, which lists the columns there are
 */
export function chosen(drawn: Drawn, asked: string): Drawn {
	const indexes = asked.split(",").map((name) => indexOf(name.trim(), drawn.names, true));
	return {
		...drawn,
		names: indexes.map((at) => drawn.names[at] as string),
		rows: drawn.rows.map((row) => indexes.map((at) => row[at] ?? "")),
	};
}

/** `external id`, `external-id` and `externalId` are one name. */
const plainName = (name: string): string => kebab(name).replace(/[ _-]+/g, "-");

/** @param drawn the names are those of a table for people, not those of all fields */
function indexOf(asked: string, names: readonly string[], drawn: boolean): number {
	const at = names.findIndex((name) => plainName(name) === plainName(asked));
	if (at >= 0) return at;
	const all = names.filter((name) => name !== "").map((name) => name.replaceAll(" ", "-"));
	const near = suggestionFor(asked, all);
	throw new PurserError("usage", {
		code: "UNKNOWN_COLUMN",
		message: `There is no column ${JSON.stringify(shortened(asked))}${near === undefined ? "" : `; did you mean ${near}?`}`,
		fix: `Choose from: ${all.join(", ")}.${drawn ? " Every field of a record: --output csv" : ""}`,
	});
}

/** The columns of csv and tsv, which are the fields of the command's records: those inside others by their path (`receiver.name`). */
export function columnsOf({ answer }: AnyCommand): string[] {
	const leaves = ({ name, fields = [] }: Field, before: string): string[] =>
		fields.length === 0 ? [before + name] : fields.flatMap((part) => leaves(part, `${before}${name}.`));
	const { fields = [] } = describe(recordOf(answer()));
	return fields.length === 0 ? ["value"] : fields.flatMap((part) => leaves(part, ""));
}

/** @throws PurserError usage, where a column is asked for that there is not */
function columnsChosen(command: AnyCommand, asked: string | undefined): string[] {
	const all = columnsOf(command);
	return asked === undefined ? all : asked.split(",").map((name) => all[indexOf(name.trim(), all, false)] as string);
}

/**
 * Refuses columns that there are not, before anything is asked of the service. Those of a table for people are known only once it is
 * drawn: before a change they would be refused too late.
 * @throws PurserError usage
 */
export function requireColumns(command: AnyCommand, { write, separator }: OutputFormat, asked: string): void {
	if (write !== undefined || separator !== undefined) columnsChosen(command, asked);
	else if (command.effect !== "read")
		throw new PurserError("usage", {
			code: "COLUMNS_OF_NO_LIST",
			message: `--columns is for lists and records, and purser ${command.path} changes something`,
			fix: "Leave --columns out, or choose members of the answer with --json --columns.",
		});
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
 * @param line tells of fields that have no column
 */
export function* tableLines(
	command: AnyCommand,
	records: readonly unknown[],
	{ separator, asked, line }: { separator: Separator; asked: string | undefined; line(text: string): void },
): Iterable<string> {
	const names = columnsChosen(command, asked);
	const cell = (record: unknown, name: string): string =>
		(isRecord(record) ? textAt(record, name) : textAt({ value: record }, "value")) ?? "";
	const written = (cells: readonly string[]): string =>
		separator === "\t" ? pipedRows({ rows: [cells] }) : csvLine(cells, { separator, safe: true });
	yield written(names);
	for (const record of records) yield written(names.map((name) => cell(record, name)));
	const known = new Set(names);
	const others = asked === undefined ? new Set(records.flatMap((record) => fieldsBeside(known, record, ""))) : [];
	if ([...others].length > 0) line(`Without a column, and only in --json: ${sanitizeLine([...others].sort().join(", "))}`);
}

function fieldsBeside(known: ReadonlySet<string>, value: unknown, path: string): string[] {
	if (known.has(path) || value === undefined || value === null) return [];
	const before = path === "" ? "" : `${path}.`;
	const isParent = path === "" || [...known].some((name) => name.startsWith(before));
	if (!isRecord(value) || !isParent) return path === "" ? [] : [path];
	return Object.entries(value).flatMap(([name, part]) => fieldsBeside(known, part, before + name));
}
