/**
 * The companies of a spreadsheet as cases: rows gathered by the company's key, checked as case files are; every fault is told at once.
 */
import { advice, purser } from "../../api/advice.js";
import { countryCode } from "../../api/countries.js";
import { Decimal, formatJson } from "../../api/json.js";
import { askAboutZeros } from "../../api/phones.js";
import { describe, type Field, placeholder } from "../../api/schema.js";
import { suggestionFor } from "../../api/suggest.js";
import { legalFormKeys } from "../../api/values.js";
import type { Context } from "../../context.js";
import { type Fault, PurserError } from "../../errors.js";
import { csvLine } from "../../system/disk/csv-line.js";
import { caseSchema, corporateKey, ownerKey } from "../case/case.js";
import { checkCase } from "../case/files.js";

// ── Columns ─────────────────────────────────────────────────────────────────────

/** Whose row it is, and where that stands in a case. */
const places = { "account owner": "accountOwner", person: "persons", company: "companies" } as const;
type Role = keyof typeof places;
const allRoles = Object.keys(places) as Role[];

/** A column: a field of a case by its dotted path. `isOwn`: the company's own, the same in each of its rows. */
interface Column {
	name: string;
	isOwn?: boolean;
	isYes?: boolean;
}

/** The company's key, which joins its rows. */
const keyColumn = "corporate.externalId";
/** Custom data has a column for each name, such as `corporate.metadata.tier`. */
const customData = "corporate.metadata.";

/** The fields without those inside, by their paths; what may be typed as one text, like a phone, has one column. */
function leaves(field: Field, path: string): Column[] {
	if (field.fields === undefined || field.meta.read !== undefined) return [{ name: path, isYes: field.kind === "boolean" }];
	return field.fields.flatMap((inner) => leaves(inner, path === "" ? inner.name : `${path}.${inner.name}`));
}

function leavesOf(part: string, path: string): Column[] {
	const found = describe(caseSchema).fields?.find(({ name }) => name === part) as Field;
	return leaves(found.element ?? found, path);
}

const own = (part: string): Column[] => leavesOf(part, part).map((column) => ({ ...column, isOwn: true }));
const ofRows = new Map(
	(["persons", "companies", "accountOwner"] as const).flatMap((part) => leavesOf(part, "").map((one) => [one.name, one])),
);

/** Every column, in the order of the template. */
const columns: readonly Column[] = [
	...own("corporate").filter(({ name }) => name !== "corporate.metadata"),
	{ name: "role" },
	...ofRows.values(),
	{ name: "owns" },
	{ name: "percentage" },
	...own("terms"),
];

/** Columns that say how a row relates to its company. */
const notFields: readonly string[] = ["role", "key", "owns", "percentage"];

/** How a header is compared: `First name` and `first_name` are `firstName`. */
const bare = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, "");

/** The column of a header. */
function columnNamed(header: string): Column | undefined {
	const known = columns.find(({ name }) => bare(name) === bare(header));
	if (known !== undefined) return known;
	const name = bare(header).startsWith(bare(customData)) ? header.slice(customData.length) : "";
	return name === "" ? undefined : { name: `${customData}${name}`, isOwn: true };
}

/** The value of a cell that is not empty; undefined where it is none, and what to write. */
function readCell({ name, isYes }: Column, text: string): [value: unknown, expected: string] {
	if (name === "percentage") {
		// A percentage has no thousands, so that one comma can only be the decimal's.
		const [, whole, part] = /^0*(\d{1,3})(?:[.,](\d+))?\s*%?$/.exec(text) ?? [];
		const value = whole && new Decimal(part === undefined ? whole : `${whole}.${part}`);
		return [value, "write a number from 0 to 100, like 33.5"];
	}
	if (name === "role")
		return [
			allRoles.find((role) => bare(role) === bare(text)),
			"write account owner, person or company; directors and owners have columns of their own",
		];
	if (isYes) return [/^(yes|true)$/i.test(text) ? true : /^(no|false)$/i.test(text) ? false : undefined, "write yes or no"];
	const isShortened = /^\d(?:[.,]\d+)?E[+-]?\d+$/i.test(text);
	return [isShortened ? undefined : text, "the spreadsheet shortened this number; format the column as text and write it again"];
}

/** Three rows that show how it is filled in: one company with its account owner, an owning company and a person. */
const example: readonly Readonly<Record<string, string>>[] = [
	{
		...Object.fromEntries(
			[
				...["externalId", "corporateName", "incorporationCountry", "incorporationCode", "industry"],
				...["registeredAddress.isoCountryCode", "expectedMonthlyExpenses.value", "expectedMonthlyExpenses.currency"],
			].map((name) => [`corporate.${name}`, placeholder]),
		),
		...{ role: "account owner", firstName: placeholder, lastName: placeholder, emailAddress: placeholder, position: placeholder },
		...{ isDirector: "yes", isUbo: "yes", percentage: "40" },
	},
	{ [keyColumn]: placeholder, role: "company", key: "holding", corporateName: placeholder, percentage: "60" },
	{
		...{ [keyColumn]: placeholder, role: "person", key: "grace", firstName: placeholder, lastName: placeholder },
		...{ emailAddress: placeholder, isDirector: "no", isUbo: "yes", owns: "holding", percentage: "100" },
	},
];

/** A spreadsheet to start from, as CSV with a byte-order mark, by which spreadsheet programs know UTF-8. */
export function sheetTemplate(): string {
	const names = columns.map(({ name }) => name);
	const lines = [names, ...example.map((row) => names.map((name) => row[name] ?? ""))];
	return `\ufeff${lines.map((cells) => csvLine(cells, { separator: ",", safe: true })).join("")}`;
}

// ── Rows ────────────────────────────────────────────────────────────────────────

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

/** What the rows of a company say of it; `entities` by their keys, each with the row that it stands in first. */
interface Gathered {
	externalId: string;
	rows: SheetRow[];
	entities: Map<string, SheetRow & { role: Role }>;
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
	const documents = all.map(({ document }) => document);
	if ((await context.settings.read()).interactive) await askAboutZeros(describe(caseSchema), documents, context.ask);
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
		const like = suggestionFor(
			name,
			columns.map((one) => one.name),
		);
		if (column === undefined && name !== "")
			tell(1, name, `is not a column of this sheet${like === undefined ? "" : `; did you mean ${like}?`}`);
		else if (column !== undefined && placed.findIndex((one) => one?.name === column.name) !== at) tell(1, column.name, "appears twice");
	}
	if (!placed.some((column) => column?.name === keyColumn))
		tell(1, keyColumn, "is required as a column: the company's key, the same in each of its rows");
	return rest.flatMap(({ row, cells }): SheetRow[] => {
		const values = new Map<string, unknown>();
		for (const [at, cell] of cells.entries()) {
			const [text, column] = [cellText(cell), placed[at]];
			if (text === "") continue;
			if (column === undefined) {
				tell(row, `column ${at + 1}`, "has a value and no name in row 1");
				continue;
			}
			const [value, expected] = readCell(column, text);
			if (text.includes(placeholder)) tell(row, column.name, "is not filled in yet");
			else if (value === undefined) tell(row, column.name, `is ${JSON.stringify(text)}; ${expected}`);
			else values.set(column.name, value);
		}
		return cells.every((cell) => cell.trim() === "") ? [] : [{ row, values }];
	});
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
	const key = role === "account owner" ? ownerKey : values.get("key");
	if (typeof key !== "string") {
		tell(row, "key", "is required: a short name within the company, like grace, never changed later");
		return;
	}
	const before = entities.get(key) ?? { role, row, values };
	entities.set(key, before);
	// A further row of the same person or company says only what else is held.
	for (const [name] of fieldsIn(values))
		if (!equal(values.get(name), before.values.get(name)))
			tell(row, name, `${differs(values.get(name), before.values.get(name), before.row)}, which has the same key ${key}`);
	const percentage = values.get("percentage");
	const owned = String(values.get("owns") ?? corporateKey);
	if (percentage !== undefined) holdings.push({ owner: key, owned, percentage, row });
	else if (values.has("owns")) tell(row, "percentage", `is required with owns: how much of ${owned}?`);
}

/** What a row says of its person or company. */
const fieldsIn = (values: SheetRow["values"]): [string, unknown][] =>
	columns.filter(({ name, isOwn }) => !isOwn && !notFields.includes(name) && values.has(name)).map(({ name }) => [name, values.get(name)]);

const differs = (value: unknown, other: unknown, row: number): string => `is ${shown(value)}, and ${shown(other)} in row ${row}`;

function documentOf({ externalId, rows, entities, holdings }: Gathered, tell: Tell): Part {
	const owner = entities.get(ownerKey);
	if (owner === undefined) tell(rows[0]?.row as number, "role", `none of the rows of ${externalId} is its account owner`);
	const { corporate = {}, terms } = nested(sharedOf(rows, tell)) as { corporate?: Part; terms?: Part };
	const key = legalFormKeys[String(countryCode(corporate.incorporationCountry))];
	if (corporate.legalType !== undefined && key !== undefined) corporate.legalType = { [key]: corporate.legalType };
	const list = (role: Role): Part => {
		const found = [...entities].filter(([, one]) => one.role === role);
		return found.length === 0 ? {} : { [places[role]]: found.map(([key, one]) => ({ key, ...nested(fieldsIn(one.values)) })) };
	};
	return {
		version: "1",
		corporate,
		accountOwner: owner === undefined ? {} : nested(fieldsIn(owner.values)),
		...list("person"),
		...list("company"),
		...(holdings.length === 0 ? {} : { ownership: holdings.map(({ row, ...holding }) => holding) }),
		...(terms === undefined ? {} : { terms }),
	};
}

/** What is said of the company itself, in the order of the case; every row may say it, and none may say otherwise. */
function sharedOf(rows: readonly SheetRow[], tell: Tell): [string, unknown][] {
	const custom = rows.flatMap(({ values }) => [...values.keys()].filter((name) => name.startsWith(customData)));
	const names = new Set([...columns.flatMap(({ name, isOwn }) => (isOwn ? [name] : [])), ...custom]);
	return [...names].map((name): [string, unknown] => {
		const [first, ...others] = rows.filter(({ values }) => values.has(name));
		const value = first?.values.get(name);
		for (const { row, values } of others)
			if (!equal(values.get(name), value))
				tell(row, name, `${differs(values.get(name), value, first?.row ?? 0)}: one company has one value`);
		return [name, value];
	});
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
			part[step] ??= {};
			part = part[step] as Part;
		}
		part[path.at(-1) as string] = value;
	}
	return into;
}

const shown = (value: unknown): string =>
	value === undefined ? "empty" : value === true ? "yes" : value === false ? "no" : formatJson(value);

const equal = (one: unknown, other: unknown): boolean => formatJson(one ?? null) === formatJson(other ?? null);
