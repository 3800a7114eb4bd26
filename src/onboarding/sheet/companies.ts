/**
 * The companies of a spreadsheet as cases: rows gathered by the company's key, checked as case files are; every fault is told at once.
 */
import { advice, purser } from "../../api/advice.js";
import { formatJson } from "../../api/json.js";
import { askAboutZeros } from "../../api/phones.js";
import { describe, isMissing } from "../../api/schema.js";
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

/** A person or an owning company, with the row that it stands in first. */
type Entity = SheetRow & { role: Role; key: string };

/** What the rows of a company say of it. */
interface Gathered {
	externalId: string;
	rows: SheetRow[];
	entities: Map<string, Entity>;
	holdings: { owner: string; owned: string; percentage: unknown; row: number }[];
}

/**
 * Reads the companies of a spreadsheet.
 * @param name of the file, for messages
 * @throws PurserError validation, with every fault of every row
 */
export async function readCompanies(context: Context, records: readonly SheetRecord[], name: string): Promise<SheetCompany[]> {
	const sheet = readSheet(records);
	const { rows, present, faults } = sheet;
	const companies: SheetCompany[] = [];
	if (!present.has(keyColumn)) faults.tell(1, keyColumn, "is required as a column: the company's key, the same in each of its rows");
	else {
		const lacking = new Map<string, number>();
		const all = gathered(sheet).map((of) => [of, documentOf(sheet, of)] as const);
		const { interactive } = await context.settings.read();
		const documents = all.map(([, document]) => document);
		if (interactive) await askAboutZeros(describe(caseSchema), documents, context.ask);
		for (const [of, document] of all) {
			companies.push({ externalId: of.externalId, document, rows: of.rows.map(({ row }) => row) });
			checkCompany(context, sheet, of, document, lacking);
		}
		for (const [column, count] of lacking)
			faults.tell(1, column, `is not a column here, and ${count === 1 ? "one row needs" : `${count} rows need`} it`);
		if (rows.length === 0) faults.tell(1, "", "has no row below it");
	}
	if (faults.all.length > 0)
		throw new PurserError("validation", {
			code: "INVALID_SHEET",
			message: `${name}: ${faults.all.length === 1 ? "one cell is wrong" : `${faults.all.length} cells are wrong`}; nothing was written`,
			fix: advice`Correct the spreadsheet and run this again. One to start from: ${purser`onboard import --print-template csv`}`,
			details: [...faults.all].sort((one, other) => (one.row ?? 0) - (other.row ?? 0)),
		});
	const shares = rows.flatMap(({ values }) => (values.has("percentage") ? [Number(String(values.get("percentage")))] : []));
	// A spreadsheet keeps 60 % as 0.6, and may write it so.
	if (shares.length > 0 && shares.every((share) => share <= 1))
		context.report.warn(`${name}: every percentage is at most 1. Write 60 for 60 %; 0.6 is 0.6 %`);
	return companies;
}

/** The rows by the company's key. What contradicts itself is told. */
function gathered(sheet: Sheet): Gathered[] {
	const companies = new Map<string, Gathered>();
	for (const one of sheet.rows) {
		const externalId = one.values.get(keyColumn);
		if (typeof externalId !== "string") {
			sheet.faults.tell(one.row, keyColumn, "is required: the company's key, the same in each of its rows");
			continue;
		}
		const of: Gathered = companies.get(externalId) ?? { externalId, rows: [], entities: new Map(), holdings: [] };
		companies.set(externalId, of);
		of.rows.push(one);
		take(sheet, of, one);
	}
	return [...companies.values()];
}

/** Takes the person or the company of a row, and what it holds. */
function take({ faults }: Sheet, { entities, holdings }: Gathered, { row, values }: SheetRow): void {
	const role = values.get("role") as Role | undefined;
	if (role === undefined) {
		faults.tell(row, "role", "is required: account owner, person or company");
		return;
	}
	for (const { name, roles } of columns)
		if (roles !== undefined && values.has(name) && !roles.includes(role)) faults.tell(row, name, `must be empty where the role is ${role}`);
	if (values.has("phone") && (values.has("phone.number") || values.has("phone.countryCode")))
		faults.tell(row, "phone", "is given twice; leave phone.countryCode and phone.number empty");
	if (role === "account owner" && values.has("key") && values.get("key") !== ownerKey)
		faults.tell(row, "key", "must be empty for the account owner, of whom a company has one");
	const key = role === "account owner" ? ownerKey : values.get("key");
	if (typeof key !== "string") {
		faults.tell(row, "key", "is required: a short name within the company, like grace, never changed later");
		return;
	}
	const before = entities.get(key);
	if (before === undefined) entities.set(key, { role, key, row, values });
	else if (!isAnotherHolding(before)) return;
	const percentage = values.get("percentage");
	const owned = String(values.get("owns") ?? corporateKey);
	if (percentage !== undefined) holdings.push({ owner: key, owned, percentage, row });
	else if (values.has("owns")) faults.tell(row, "percentage", `is required with owns: how much of ${owned}?`);

	/** A further row of the same person or company says only what else is held. */
	function isAnotherHolding(first: Entity): boolean {
		for (const { name, roles } of columns) {
			const [value, known] = [values.get(name), first.values.get(name)];
			if (roles === undefined || value === undefined || name === "owns" || name === "percentage" || equal(value, known)) continue;
			faults.tell(row, name, `is ${shown(value)}, and ${shown(known)} in row ${first.row}, which has the same key ${key}`);
			return false;
		}
		if (!values.has("percentage"))
			faults.tell(row, "key", `is ${key} as in row ${first.row}; another row of one person says what else is held, in owns and percentage`);
		return values.has("percentage");
	}
}

function documentOf(sheet: Sheet, { externalId, rows, entities, holdings }: Gathered): Part {
	const all = [...entities.values()];
	const owner = entities.get(ownerKey);
	if (owner === undefined && !rows.some(({ row }) => sheet.faults.has(row, "role")))
		sheet.faults.tell(rows[0]?.row as number, "role", `none of the rows of ${externalId} is its account owner`);
	const { corporate, terms, ...own } = sharedOf(sheet, rows);
	const list = (role: Role): Part => {
		const found = all.filter((one) => one.role === role);
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
function sharedOf({ faults }: Sheet, rows: readonly SheetRow[]): { corporate: Part; terms?: unknown } & Part {
	const known = columns.map(({ name }) => name);
	const custom = new Set(rows.flatMap(({ values }) => [...values.keys()].filter((name) => !known.includes(name))));
	const own = [...columns.flatMap(({ name, roles }) => (roles === undefined ? [name] : [])), ...custom];
	const shared = own.map((name): [string, unknown] => {
		const [first, ...others] = rows.filter(({ values }) => values.has(name));
		const value = first?.values.get(name);
		for (const { row, values } of others)
			if (!equal(values.get(name), value))
				faults.tell(row, name, `is ${shown(values.get(name))}, and ${shown(value)} in row ${first?.row}: one company has one value`);
		return [name, value];
	});
	const { corporate = {}, ...rest } = nested(shared) as { corporate?: Part };
	const key = legalFormKeys[String(corporate.incorporationCountry)];
	if (corporate.legalType !== undefined && key !== undefined) corporate.legalType = { [key]: corporate.legalType };
	return { corporate, ...rest };
}

/** @param lacking receives required columns that the sheet does not have at all */
function checkCompany(context: Context, { faults, present }: Sheet, of: Gathered, document: Part, lacking: Map<string, number>): void {
	for (const { field, message } of faultsOf(context, document)) {
		// Where no row is the account owner's, that is told already.
		if (field.startsWith(ownerKey) && !of.entities.has(ownerKey)) continue;
		const { row, column } = placeIn(of, field);
		const isLacking = isMissing(message) && !present.has(column) && columns.some(({ name }) => name === column);
		if (!isLacking) faults.tell(row, column, message.replace(/this file|the file/, "this company's rows"));
		else if (!faults.has(row, column)) lacking.set(column, (lacking.get(column) ?? 0) + 1);
	}
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

/** A record of a CSV file; `line` is the line it begins on, from 1. */
interface SheetRecord {
	line: number;
	cells: readonly string[];
}

/** A row with its values by the names of the columns; empty cells are not there. */
interface SheetRow {
	/** Its number in the spreadsheet: the header is row 1. */
	row: number;
	values: ReadonlyMap<string, unknown>;
}

/** What is wrong, by row and column; a cell has one fault. */
class SheetFaults {
	readonly all: Fault[] = [];
	#reported = new Set<string>();

	/** @param places of the columns in the header */
	constructor(private readonly places: ReadonlyMap<string, number> = new Map()) {}

	/** Tells of a cell, of a row (no column), or of the header (row 1). */
	tell(row: number, column: string, message: string): void {
		if (column !== "" && this.has(row, column)) return;
		const place = this.places.get(column);
		this.all.push({ row, field: place === undefined ? column : `${column} (column ${letterOf(place)})`, message });
		this.#reported.add(`${row} ${column}`);
	}

	has(row: number, column: string): boolean {
		return this.#reported.has(`${row} ${column}`);
	}
}

export interface Sheet {
	rows: SheetRow[];
	/** Names of the columns that the header has. */
	present: ReadonlySet<string>;
	faults: SheetFaults;
}

/** Reads the records of a file, of which the first is the header. */
function readSheet(records: readonly SheetRecord[]): Sheet {
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
