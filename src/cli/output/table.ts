/**
 * Answers as rows of cells: for pipes, for `--columns`, and for the formats that are tables.
 */
import { withDecimals } from "../../api/amount.js";
import { Decimal, formatJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { PurserError } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import { calculatedNowhere, csvLine, type Separator } from "../../system/disk/csv-line.js";
import type { Answer, AnyCommand } from "../command.js";
import { kebab } from "../names.js";

/** What a command draws for people, in cells. */
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
	const indexes = columnsAsked(asked).map((name) => indexOf(name, drawn.names));
	return {
		...drawn,
		names: indexes.map((at) => drawn.names[at] as string),
		rows: drawn.rows.map((row) => indexes.map((at) => row[at] ?? "")),
	};
}

const columnsAsked = (asked: string): string[] => asked.split(",").map((name) => name.trim());

/** `external id`, `external-id` and `externalId` are one name. */
const plainName = (name: string): string => kebab(name).replace(/[ _-]+/g, "-");

function indexOf(asked: string, names: readonly string[]): number {
	const at = names.findIndex((name) => plainName(name) === plainName(asked));
	if (at >= 0) return at;
	throw new PurserError("usage", {
		code: "UNKNOWN_COLUMN",
		message: `There is no column ${JSON.stringify(asked)}`,
		fix: `Choose from: ${names
			.filter((name) => name !== "")
			.map((name) => name.replaceAll(" ", "-"))
			.join(", ")}. Every field of a record: --output csv`,
	});
}

/**
 * The records as a table with a header: a column for each field, those inside others by their path (`receiver.name`). A cell that
 * a spreadsheet would calculate gets an apostrophe in front.
 * @throws PurserError usage, where a column is asked for that there is not
 */
export function* tableLines(records: readonly unknown[], separator: Separator, asked: string | undefined): Iterable<string> {
	const rows = records.map((record) => new Map(fieldsOf(record, "")));
	const all = [...new Set(rows.flatMap((row) => [...row.keys()]))];
	const indexes = asked === undefined || rows.length === 0 ? undefined : columnsAsked(asked).map((name) => indexOf(name, all));
	const names = indexes?.map((at) => all[at] as string) ?? all;
	if (names.length === 0) return;
	for (const cells of [names, ...rows.map((row) => names.map((name) => row.get(name) ?? ""))])
		yield separator === "\t" ? pipedRows({ rows: [cells] }) : csvLine(cells, { separator, safe: true });
}

function fieldsOf(value: unknown, path: string): [string, string][] {
	if (isRecord(value)) return Object.entries(value).flatMap(([name, part]) => fieldsOf(part, path === "" ? name : `${path}.${name}`));
	const name = path === "" ? "value" : path;
	if (value === undefined) return [];
	if (value === null) return [[name, ""]];
	if (value instanceof Decimal) return [[name, value.text]];
	return [[name, typeof value === "object" ? formatJson(value) : String(value)]];
}
