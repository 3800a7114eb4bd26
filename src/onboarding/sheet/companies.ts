/**
 * The companies of a spreadsheet as cases: rows gathered by the company's key, checked as case files are; every fault is told at once.
 */
import { advice, purser } from "../../api/advice.js";
import { formatJson } from "../../api/json.js";
import { askAboutZeros } from "../../api/phones.js";
import { describe } from "../../api/schema.js";
import { suggestionFor } from "../../api/suggest.js";
import { legalFormKeys } from "../../api/values.js";
import type { Context } from "../../context.js";
import { type Fault, PurserError } from "../../errors.js";
import { caseSchema, corporateKey, ownerKey } from "../case/case.js";
import { checkCase } from "../case/files.js";
import { type Column, cellValue, columnNamed, columns, keyColumn, places, type Role } from "./columns.js";

type Part = Record<string, unknown>;

/** One company, and its rows in the spreadsheet. */
export interface SheetCompany {
	externalId: string;
	document: Part;
	rows: number[];
}

/** A record of a CSV file; `row` is its number in the spreadsheet, where the header is row 1. */
interface SheetRecord {
	row: number;
	cells: readonly string[];
}

/** A row with its values by the names of the columns; empty cells are not there. */
interface SheetRow {
	row: number;
	values: ReadonlyMap<string, unknown>;
}

/** A person or an owning company, with the row that it stands in first. */
type Entity = SheetRow & { role: Role; key: string };

/** What the rows of a company say of it. */
interface Gathered {
	externalId: string;
	rows: SheetRow[];
	entities: Map<string, Entity>;
	holdings: { owner: string; owned: string; percentage: unknown; row: number }[];
}

/** Tells what is wrong with a cell, with a row (no column), or with the header (row 1). A cell has one fault. */
type Tell = (row: number, column: string, message: string) => void;

/**
 * Reads the companies of a spreadsheet.
 * @param name of the file, for messages
 * @throws PurserError validation, with every fault of every row
 */
export async function readCompanies(context: Context, records: readonly SheetRecord[], name: string): Promise<SheetCompany[]> {
	const faults = new Map<string, Fault>();
	const tell: Tell = (row, field, message) => {
		const cell = `${row} ${field}`;
		if (!faults.has(cell)) faults.set(cell, { row, field, message });
	};
	const rows = readRows(records, tell);
	if (rows.length === 0) tell(1, "", "has no row below it");
	const all = gathered(rows, tell).map((of) => ({ of, document: documentOf(of, tell) }));
	const { interactive } = await context.settings.read();
	if (interactive)
		await askAboutZeros(
			describe(caseSchema),
			all.map(({ document }) => document),
			context.ask,
		);
	for (const { of, document } of all)
		for (const { field, message } of faultsOf(context, document)) {
			// Where no row is the account owner's, that is told already.
			if (field.startsWith(ownerKey) && !of.entities.has(ownerKey)) continue;
			const { row, column } = placeIn(of, field);
			tell(row, column, message.replace(/this file|the file/, "this company's rows"));
		}
	if (faults.size > 0)
		throw new PurserError("validation", {
			code: "INVALID_SHEET",
			message: `${name}: ${faults.size === 1 ? "one cell is wrong" : `${faults.size} cells are wrong`}; nothing was written`,
			fix: advice`Correct the spreadsheet and run this again. One to start from: ${purser`onboard import --print-template csv`}`,
			details: [...faults.values()].sort((one, other) => (one.row ?? 0) - (other.row ?? 0)),
		});
	const shares = rows.flatMap(({ values }) => (values.has("percentage") ? [Number(String(values.get("percentage")))] : []));
	// A spreadsheet keeps 60 % as 0.6, and may write it so.
	if (shares.length > 0 && shares.every((share) => share <= 1))
		context.report.warn(`${name}: every percentage is at most 1. Write 60 for 60 %; 0.6 is 0.6 %`);
	return all.map(({ of: { externalId, rows }, document }) => ({ externalId, document, rows: rows.map(({ row }) => row) }));
}

/** Before a sign with which a formula begins, an apostrophe says that it is text; other apostrophes belong to names. */
const guard = /^'(?=[\s=+\-@\uff1d\uff0b\uff0d\uff20\u2212])/;

/** The text of a cell without what only the spreadsheet needs. */
const cellText = (cell: string): string => cell.trim().replace(guard, "").trim();

/** The rows of a file, whose first record is the header. */
function readRows([head, ...rest]: readonly SheetRecord[], tell: Tell): SheetRow[] {
	const header = (head?.cells ?? []).map(cellText);
	const placed = header.map(columnNamed);
	for (const [at, name] of header.entries()) {
		const column = placed[at];
		const known = columns.map((one) => one.name);
		const like = suggestionFor(name, known);
		if (column === undefined && name !== "")
			tell(1, name, `is not a column of this sheet${like === undefined ? "" : `; did you mean ${like}?`}`);
		else if (column !== undefined && placed.findIndex((one) => one?.name === column.name) !== at) tell(1, column.name, "appears twice");
	}
	if (!placed.some((column) => column?.name === keyColumn))
		tell(1, keyColumn, "is required as a column: the company's key, the same in each of its rows");
	return rest.flatMap(({ row, cells }): SheetRow[] => {
		if (cells.every((cell) => cell.trim() === "")) return [];
		if (cells.some((cell, at) => placed[at] === undefined && header[at] === undefined && cell.trim() !== ""))
			tell(row, "", `has ${cells.length} cells, and row 1 has ${placed.length}`);
		return [{ row, values: valuesOf(cells, row, placed, tell) }];
	});
}

function valuesOf(cells: readonly string[], row: number, placed: readonly (Column | undefined)[], tell: Tell): Map<string, unknown> {
	const values = new Map<string, unknown>();
	for (const [at, column] of placed.entries()) {
		const text = cellText(cells[at] ?? "");
		if (text === "") continue;
		if (column === undefined) {
			tell(1, `column ${at + 1}`, "has values and no name in row 1");
			continue;
		}
		const { value, fault } = cellValue(column, text);
		if (fault === undefined) values.set(column.name, value);
		else tell(row, column.name, fault);
	}
	return values;
}

/** The rows by the company's key. What contradicts itself is told. */
function gathered(rows: readonly SheetRow[], tell: Tell): Gathered[] {
	const companies = new Map<string, Gathered>();
	for (const one of rows) {
		const externalId = one.values.get(keyColumn);
		if (typeof externalId !== "string") {
			tell(one.row, keyColumn, "is required: the company's key, the same in each of its rows");
			continue;
		}
		const of: Gathered = companies.get(externalId) ?? { externalId, rows: [], entities: new Map(), holdings: [] };
		companies.set(externalId, of);
		of.rows.push(one);
		take(of, one, tell);
	}
	return [...companies.values()];
}

/** Takes the person or the company of a row, and what it holds. */
function take({ entities, holdings }: Gathered, { row, values }: SheetRow, tell: Tell): void {
	const role = values.get("role") as Role | undefined;
	if (role === undefined) {
		tell(row, "role", "is required: account owner, person or company");
		return;
	}
	for (const { name, roles } of columns)
		if (roles !== undefined && values.has(name) && !roles.includes(role)) tell(row, name, `must be empty where the role is ${role}`);
	if (values.has("phone") && (values.has("phone.number") || values.has("phone.countryCode")))
		tell(row, "phone", "is given twice; leave phone.countryCode and phone.number empty");
	const key = role === "account owner" ? ownerKey : values.get("key");
	if (typeof key !== "string") {
		tell(row, "key", "is required: a short name within the company, like grace, never changed later");
		return;
	}
	// A further row of the same person or company says only what else is held.
	const before = entities.get(key);
	if (before === undefined) entities.set(key, { role, key, row, values });
	else {
		const other = columns.find(
			({ name, roles }) =>
				roles && values.has(name) && !["owns", "percentage"].includes(name) && !equal(values.get(name), before.values.get(name)),
		)?.name;
		if (other !== undefined)
			tell(
				row,
				other,
				`is ${shown(values.get(other))}, and ${shown(before.values.get(other))} in row ${before.row}, which has the same key ${key}`,
			);
		else if (!values.has("percentage"))
			tell(row, "key", `is ${key} as in row ${before.row}; another row of one person says what else is held, in owns and percentage`);
		if (other !== undefined) return;
	}
	const percentage = values.get("percentage");
	const owned = String(values.get("owns") ?? corporateKey);
	if (percentage !== undefined) holdings.push({ owner: key, owned, percentage, row });
	else if (values.has("owns")) tell(row, "percentage", `is required with owns: how much of ${owned}?`);
}

function documentOf({ externalId, rows, entities, holdings }: Gathered, tell: Tell): Part {
	const owner = entities.get(ownerKey);
	if (owner === undefined) tell(rows[0]?.row as number, "role", `none of the rows of ${externalId} is its account owner`);
	const { corporate, terms, ...own } = sharedOf(rows, tell);
	const list = (role: Role): Part => {
		const found = [...entities.values()].filter((one) => one.role === role);
		return found.length === 0 ? {} : { [places[role]]: found.map((one) => ({ key: one.key, ...fieldsOf(one) })) };
	};
	return {
		version: "1",
		...own,
		corporate,
		accountOwner: owner === undefined ? {} : fieldsOf(owner),
		...list("person"),
		...list("company"),
		...(holdings.length === 0 ? {} : { ownership: holdings.map(({ row, ...holding }) => holding) }),
		...(terms === undefined ? {} : { terms }),
	};
}

const fieldsOf = ({ role, values }: Entity): Part =>
	nested(
		columns.filter(({ name, roles }) => roles?.includes(role) && !notFields.includes(name)).map(({ name }) => [name, values.get(name)]),
	);

/** Columns that say how a row relates to its company. */
const notFields: readonly string[] = ["role", "key", "owns", "percentage"];

/** What is said of the company itself, in the order of the case; every row may say it, and none may say otherwise. */
function sharedOf(rows: readonly SheetRow[], tell: Tell): { corporate: Part; terms?: unknown } & Part {
	const known = columns.map(({ name }) => name);
	const custom = new Set(rows.flatMap(({ values }) => [...values.keys()].filter((name) => !known.includes(name))));
	const own = [...columns.flatMap(({ name, roles }) => (roles === undefined ? [name] : [])), ...custom];
	const shared = own.map((name): [string, unknown] => {
		const [first, ...others] = rows.filter(({ values }) => values.has(name));
		const value = first?.values.get(name);
		for (const { row, values } of others)
			if (!equal(values.get(name), value))
				tell(row, name, `is ${shown(values.get(name))}, and ${shown(value)} in row ${first?.row}: one company has one value`);
		return [name, value];
	});
	const { corporate = {}, ...rest } = nested(shared) as { corporate?: Part };
	const key = legalFormKeys[String(corporate.incorporationCountry)];
	if (corporate.legalType !== undefined && key !== undefined) corporate.legalType = { [key]: corporate.legalType };
	return { corporate, ...rest };
}

function faultsOf(context: Context, document: Part): readonly Fault[] {
	try {
		checkCase(context, document, "case", { warns: false });
		return [];
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind !== "validation") throw error;
		return error.failure.details ?? [];
	}
}

/** The row and the column of a dotted path of a company's document. */
function placeIn({ rows, entities, holdings }: Gathered, path: string): { row: number; column: string } {
	const [list = "", at = "", ...rest] = path.split(".");
	const inList = [...entities.values()].filter(({ role }) => places[role] === list);
	const entity = inList[list === ownerKey ? 0 : Number(at)];
	if (entity !== undefined) return { row: entity.row, column: (list === ownerKey ? [at, ...rest] : rest).join(".") || "role" };
	const holding = list === "ownership" ? holdings[Number(at)] : undefined;
	if (holding !== undefined) return { row: holding.row, column: { owner: "key", owned: "owns" }[rest[0] ?? ""] ?? "percentage" };
	return { row: (rows.find(({ values }) => values.has(path)) ?? rows[0])?.row as number, column: path };
}

/** Values by their dotted names as parts within parts, without the empty ones; a name of custom data may have dots of its own. */
function nested(values: readonly (readonly [string, unknown])[]): Part {
	const into: Part = {};
	for (const [name, value] of values) {
		if (value === undefined) continue;
		const path = /^(corporate)\.(metadata)\.(.*)$/.exec(name)?.slice(1) ?? name.split(".");
		let part = into;
		for (const step of path.slice(0, -1)) {
			if (typeof part[step] !== "object") part[step] = {};
			part = part[step] as Part;
		}
		part[path.at(-1) as string] = value;
	}
	return into;
}

const shown = (value: unknown): string =>
	value === undefined ? "empty" : value === true ? "yes" : value === false ? "no" : formatJson(value);

const equal = (one: unknown, other: unknown): boolean => formatJson(one ?? null) === formatJson(other ?? null);
