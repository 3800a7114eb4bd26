/**
 * The companies of a spreadsheet as cases: rows gathered by the company's key. Pure.
 */
import { formatJson } from "../../api/json.js";
import { legalFormKeys } from "../../api/values.js";
import { corporateKey, ownerKey } from "../case/case.js";
import { columns, fieldsOfRole, keyColumn, misplaced, type Role } from "./columns.js";
import { faulty, type Sheet, type SheetRow, tell } from "./read.js";

type Part = Record<string, unknown>;
type Values = ReadonlyMap<string, unknown>;

/** One company with where its values stand. */
export interface SheetCompany {
	externalId: string;
	document: Part;
	/** Whether a row is the account owner's; where none is, that is told already. */
	hasOwner: boolean;
	rows: number[];
	/** The row and the column of a dotted path of the document. */
	placeOf(path: string): { row: number; column: string };
}

/** A person or an owning company with the row that it stands in first. */
interface Entity {
	role: Role;
	key: string;
	row: number;
	values: Values;
}

interface Holding {
	owner: string;
	owned: string;
	percentage: unknown;
	row: number;
}

/** Maximum number of rows of one company: a case has at most 500 persons, companies and holdings each. */
const maxRows = 1_500;

/** Gathers the companies, and adds what contradicts itself to the faults of the sheet. */
export function companiesOf(sheet: Sheet): SheetCompany[] {
	const groups = new Map<string, SheetRow[]>();
	for (const one of sheet.rows) {
		const key = one.values.get(keyColumn);
		if (typeof key !== "string") {
			if (!faulty(sheet, one.row, keyColumn))
				tell(sheet, one.row, keyColumn, "is required: the company's key, the same in each of its rows");
			continue;
		}
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [one]);
		else group.push(one);
	}
	return [...groups].map(([externalId, rows]) => {
		const more = rows[maxRows];
		if (more !== undefined) tell(sheet, more.row, keyColumn, `is the key of ${rows.length} rows; a company may have ${maxRows}`);
		return companyOf(sheet, externalId, rows.slice(0, maxRows));
	});
}

function companyOf(sheet: Sheet, externalId: string, rows: readonly SheetRow[]): SheetCompany {
	const first = rows[0]?.row as number;
	const entities: Entity[] = [];
	const holdings: Holding[] = [];
	for (const one of rows) take(sheet, one, entities, holdings);
	const ofRole = (role: Role): Entity[] => entities.filter((one) => one.role === role);
	const lists = { accountOwner: ofRole("account owner"), persons: ofRole("person"), companies: ofRole("company") };
	const owner = lists.accountOwner[0];
	if (owner === undefined && !rows.some(({ row }) => faulty(sheet, row, "role")))
		tell(sheet, first, "role", `none of the rows of ${externalId} is its account owner`);
	const { corporate, terms, ...own } = sharedOf(sheet, rows);
	const named = (name: "persons" | "companies"): Part =>
		lists[name].length === 0 ? {} : { [name]: lists[name].map((one) => ({ key: one.key, ...fieldsOf(one) })) };
	return {
		externalId,
		document: {
			version: "1",
			...own,
			[corporateKey]: corporate,
			[ownerKey]: owner === undefined ? {} : fieldsOf(owner),
			...named("persons"),
			...named("companies"),
			...(holdings.length === 0 ? {} : { ownership: holdings.map(({ row, ...holding }) => holding) }),
			...(terms === undefined ? {} : { terms }),
		},
		hasOwner: owner !== undefined,
		rows: rows.map(({ row }) => row),
		placeOf: (path) => {
			const [list = "", at = "", ...rest] = path.split(".");
			const entity = list === ownerKey ? owner : list === "persons" || list === "companies" ? lists[list][Number(at)] : undefined;
			if (entity !== undefined) return { row: entity.row, column: (list === ownerKey ? [at, ...rest] : rest).join(".") || "role" };
			const holding = list === "ownership" ? holdings[Number(at)] : undefined;
			if (holding !== undefined) return { row: holding.row, column: { owner: "key", owned: "owns" }[rest[0] ?? ""] ?? "percentage" };
			return { row: rows.find(({ values }) => values.has(path))?.row ?? first, column: path };
		},
	};
}

/** What is said of the company itself, in the order of the case; every row may say it, and none may say otherwise. */
function sharedOf(sheet: Sheet, rows: readonly SheetRow[]): { corporate: Part; terms?: unknown } & Part {
	const names = new Set(rows.flatMap(({ values }) => [...values.keys()]));
	const known = columns.filter(({ of, name }) => of === "company" && names.delete(name)).map(({ name }) => name);
	const ofRows = new Set(columns.flatMap(({ of, name }) => (of === "row" ? [name] : [])));
	const custom = [...names].filter((name) => !ofRows.has(name));
	const shared: [string, unknown][] = [];
	for (const name of [...known, ...custom]) {
		const [first, ...others] = rows.filter(({ values }) => values.has(name)) as [SheetRow, ...SheetRow[]];
		const value = first.values.get(name);
		for (const { row, values } of others)
			if (!equal(values.get(name), value))
				tell(sheet, row, name, `is ${shown(values.get(name))}, and ${shown(value)} in row ${first.row}: one company has one value`);
		shared.push([name, value]);
	}
	const { corporate = {}, ...rest } = nested(shared) as { corporate?: Part };
	const key = legalFormKeys[String(corporate.incorporationCountry)];
	if (typeof corporate.legalType === "string" && key !== undefined) corporate.legalType = { [key]: corporate.legalType };
	return { corporate, ...rest };
}

/** Takes the person or the company of a row, and what it holds. */
function take(sheet: Sheet, { row, values }: SheetRow, entities: Entity[], holdings: Holding[]): void {
	const role = values.get("role") as Role | undefined;
	if (role === undefined) {
		if (!faulty(sheet, row, "role")) tell(sheet, row, "role", "is required: account owner, person or company");
		return;
	}
	for (const { name, of } of columns)
		if (of === "row" && values.has(name) && !ofHolding.includes(name) && !fieldsOfRole[role].has(name))
			tell(sheet, row, name, misplaced(name, role));
	const key = keyOf(sheet, role, values, row);
	if (key === undefined) return;
	const before = entities.find((one) => one.key === key);
	if (before === undefined) entities.push({ role, key, row, values });
	else if (!isAnotherHolding(sheet, before, { role, key, row, values })) return;
	const percentage = values.get("percentage");
	const owned = String(values.get("owns") ?? corporateKey);
	if (percentage !== undefined) holdings.push({ owner: key, owned, percentage, row });
	else if (values.has("owns") && !faulty(sheet, row, "percentage"))
		tell(sheet, row, "percentage", `is required with owns: how much of ${owned}?`);
}

const ofHolding: readonly string[] = ["role", "owns", "percentage"];

function keyOf(sheet: Sheet, role: Role, values: Values, row: number): string | undefined {
	const key = values.get("key");
	if (role === "account owner") {
		if (key !== undefined && key !== ownerKey) tell(sheet, row, "key", "must be empty for the account owner, of whom a company has one");
		return ownerKey;
	}
	if (typeof key === "string") return key;
	if (!faulty(sheet, row, "key")) tell(sheet, row, "key", "is required: a short name within the company, like grace, never changed later");
	return undefined;
}

/** A further row of the same person or company says only what else is held. */
function isAnotherHolding(sheet: Sheet, before: Entity, { row, values, key }: Entity): boolean {
	for (const { name, of } of columns) {
		const [value, known] = [values.get(name), before.values.get(name)];
		if (of !== "row" || value === undefined || (name !== "role" && ofHolding.includes(name)) || equal(value, known)) continue;
		tell(sheet, row, name, `is ${shown(value)}, and ${shown(known)} in row ${before.row}, which has the same key ${key}`);
		return false;
	}
	if (values.has("percentage")) return true;
	const what = key === ownerKey ? "the account owner is" : `${key} is`;
	tell(sheet, row, "key", `${what} in row ${before.row} already; another row of one person says what else is held, in owns and percentage`);
	return false;
}

const fieldsOf = ({ role, values }: Entity): Part =>
	nested([...fieldsOfRole[role]].flatMap((name) => (name !== "key" && values.has(name) ? [[name, values.get(name)] as const] : [])));

/** Values by their dotted names as parts within parts; a name of custom data may have dots of its own. */
function nested(values: readonly (readonly [string, unknown])[]): Part {
	const into: Part = {};
	for (const [name, value] of values) {
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
	value === undefined
		? "empty"
		: typeof value === "string"
			? JSON.stringify(value)
			: value === true
				? "yes"
				: value === false
					? "no"
					: formatJson(value);

const equal = (one: unknown, other: unknown): boolean => formatJson(one ?? null) === formatJson(other ?? null);
