/**
 * The rows of one company as a case. Pure.
 */
import { formatJson } from "../../api/json.js";
import { nameKey, sameCode, sameName, slugOf } from "../../api/names.js";
import { legalFormKeys } from "../../api/values.js";
import { corporateKey, ownerKey } from "../case/case.js";
import { columns, fieldsOfRole, keyColumn, misplaced, type Role } from "./columns.js";
import { faulty, type Sheet, type SheetRow, tell } from "./read.js";

type Part = Record<string, unknown>;

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
	values: ReadonlyMap<string, unknown>;
}

/** One company while its rows are gathered. */
export class Gathered {
	readonly #places = new Map<string, { row: number; column: string }>();
	readonly #entities: Entity[] = [];
	readonly #holdings: { owner: string; owned: string; percentage: unknown; row: number }[] = [];

	constructor(
		private readonly sheet: Sheet,
		private readonly externalId: string,
		private readonly rows: readonly SheetRow[],
	) {}

	company(): SheetCompany {
		const document: Part = { version: "1" };
		const shared = this.#shared();
		for (const name of ["assignee", "notes"]) if (shared[name] !== undefined) document[name] = shared[name];
		document[corporateKey] = shared[corporateKey];
		for (const one of this.rows) this.#take(one);
		const owner = this.#entities.find(({ role }) => role === "account owner");
		if (owner === undefined && !this.rows.some(({ row }) => faulty(this.sheet, row, "role")))
			tell(this.sheet, this.rows[0]?.row as number, "role", `none of the rows of ${this.externalId} is its account owner`);
		document[ownerKey] = owner === undefined ? {} : this.#fields(owner, ownerKey);
		for (const [list, role] of [["persons", "person"] as const, ["companies", "company"] as const]) {
			const entities = this.#entities.filter((one) => one.role === role);
			if (entities.length > 0) document[list] = entities.map((one, at) => ({ key: one.key, ...this.#fields(one, `${list}.${at}`) }));
		}
		if (this.#holdings.length > 0) document.ownership = this.#holdings.map(({ row, ...holding }, at) => this.#holding(holding, row, at));
		if (shared.terms !== undefined) document.terms = shared.terms;
		const first = { row: this.rows[0]?.row as number, column: "" };
		return {
			externalId: this.externalId,
			document,
			hasOwner: owner !== undefined,
			rows: this.rows.map(({ row }) => row),
			placeOf: (path) => this.#places.get(path) ?? this.#placeAbove(path) ?? { ...first, column: path },
		};
	}

	/** The row of the entity that a path leads into, with the name of its column. */
	#placeAbove(path: string): { row: number; column: string } | undefined {
		const inside = /^(accountOwner|(?:persons|companies)\.\d+)(?:\.(.*))?$/.exec(path);
		const row = inside && this.#places.get(inside[1] as string)?.row;
		return inside && row !== null && row !== undefined ? { row, column: inside[2] ?? "role" } : undefined;
	}

	/** What is said of the company itself; every row may say it, and none may say otherwise. */
	#shared(): Part {
		const into: Part = { [corporateKey]: {} };
		const names = new Set(this.rows.flatMap(({ values }) => [...values.keys()]));
		const own = [...names].filter((name) => columns.find((column) => column.name === name)?.of !== "row");
		// In the order of the case, whatever the order of the columns.
		const place = (name: string): number => {
			const at = columns.findIndex((column) => column.name === name);
			return at < 0 ? columns.length : at;
		};
		for (const name of own.sort((one, other) => place(one) - place(other))) {
			const told = this.rows.filter(({ values }) => values.has(name));
			const [first, ...others] = told as [SheetRow, ...SheetRow[]];
			const value = first.values.get(name);
			for (const { row, values } of others)
				if (!equal(values.get(name), value))
					tell(this.sheet, row, name, `is ${shown(values.get(name))}, and ${shown(value)} in row ${first.row}: one company has one value`);
			this.#put(into, name, value, first.row, "");
		}
		const company = into[corporateKey] as Part;
		if (typeof company.legalType === "string") {
			const key = legalFormKeys[String(company.incorporationCountry)];
			if (key !== undefined) company.legalType = { [key]: company.legalType };
		}
		return into;
	}

	#take({ row, values }: SheetRow): void {
		const role = values.get("role") as Role | undefined;
		if (role === undefined) {
			if (!faulty(this.sheet, row, "role")) tell(this.sheet, row, "role", "is required: account owner, person or company");
			return;
		}
		const given = [...values.keys()].filter((name) => columns.some((column) => column.name === name && column.of === "row"));
		for (const name of given) if (!this.#belongs(name, role)) tell(this.sheet, row, name, misplaced(name, role));
		const key = this.#keyOf(role, values, row);
		if (key === undefined) return;
		const before = this.#entities.find((one) => one.key === key);
		if (before === undefined) this.#refuseTwin({ role, key, row, values });
		else if (!this.#isAnotherHolding(before, { role, key, row, values })) return;
		if (before === undefined) this.#entities.push({ role, key, row, values });
		this.#hold(key, values, row);
	}

	#belongs = (name: string, role: Role): boolean => ["role", "owns", "percentage"].includes(name) || fieldsOfRole[role].has(name);

	#keyOf(role: Role, values: ReadonlyMap<string, unknown>, row: number): string | undefined {
		const key = values.get("key");
		if (role === "account owner") {
			if (key !== undefined && key !== ownerKey)
				tell(this.sheet, row, "key", "must be empty for the account owner, of whom a company has one");
			return ownerKey;
		}
		if (typeof key === "string") return key;
		// Found again by the externalId, so that a corrected name does no harm.
		if (values.has("externalId")) {
			const base = slugOf(String(values.get("corporateName") ?? `${values.get("firstName")} ${values.get("lastName")}`)) || "entity";
			for (let count = 1; ; count += 1) {
				const free = count === 1 ? base : `${base}-${count}`;
				if (!this.#entities.some((one) => one.key === free)) return free;
			}
		}
		if (!faulty(this.sheet, row, "key"))
			tell(this.sheet, row, "key", "is required: a short name within the company, like grace, never changed later; or give an externalId");
		return undefined;
	}

	/** A further row of the same person says only what else is held. */
	#isAnotherHolding(before: Entity, { row, values, key }: Entity): boolean {
		for (const [name, value] of values) {
			if (["owns", "percentage"].includes(name) || columns.find((column) => column.name === name)?.of !== "row") continue;
			if (equal(value, before.values.get(name))) continue;
			tell(
				this.sheet,
				row,
				name,
				`is ${shown(value)}, and ${shown(before.values.get(name))} in row ${before.row}, which has the same key ${key}`,
			);
			return false;
		}
		const owned = values.get("owns") ?? corporateKey;
		const held = this.#holdings.find((one) => one.owner === key && one.owned === owned);
		if (values.has("percentage") && held === undefined) return true;
		const what = key === ownerKey ? "the account owner is" : `${key} is`;
		tell(
			this.sheet,
			row,
			"key",
			`${what} in row ${held?.row ?? before.row} already; another row of one person says what else is held, in owns and percentage`,
		);
		return false;
	}

	/** One person with two keys would be two records, each with its own shares and KYC. */
	#refuseTwin({ role, values, row }: Entity): void {
		const same = (one: Entity, name: string): boolean => sameName(text(one.values, name), text(values, name));
		const twin = this.#entities.find((one) => {
			if ((one.role === "company") !== (role === "company")) return false;
			if (role === "company")
				return same(one, "corporateName") && sameCode(text(one.values, "incorporationCode"), text(values, "incorporationCode"));
			return same(one, "firstName") && same(one, "lastName") && same(one, "emailAddress");
		});
		if (twin === undefined || text(values, "firstName", "corporateName") === undefined) return;
		const remedy =
			twin.role === role && role !== "account owner" ? `give both rows the key ${twin.key}` : "put what the person is and holds there";
		tell(
			this.sheet,
			row,
			"key",
			`row ${twin.row} has the same name${role === "company" ? " and code" : " and email"}; if it is one, ${remedy}`,
		);
	}

	#hold(owner: string, values: ReadonlyMap<string, unknown>, row: number): void {
		const percentage = values.get("percentage");
		const owned = String(values.get("owns") ?? corporateKey);
		if (percentage !== undefined) this.#holdings.push({ owner, owned, percentage, row });
		else if (values.has("owns") && !faulty(this.sheet, row, "percentage"))
			tell(this.sheet, row, "percentage", `is required with owns: how much of ${owned}?`);
	}

	#fields({ role, row, values }: Entity, path: string): Part {
		const into: Part = {};
		this.#places.set(path, { row, column: "role" });
		this.#places.set(`${path}.key`, { row, column: "key" });
		const names = [...fieldsOfRole[role]].filter((name) => name !== "key");
		for (const name of names) if (values.has(name)) this.#put(into, name, values.get(name), row, `${path}.`);
		return into;
	}

	#holding(holding: Part, row: number, at: number): Part {
		for (const [name, column] of [
			["owner", "key"],
			["owned", "owns"],
			["percentage", "percentage"],
		] as const)
			this.#places.set(`ownership.${at}.${name}`, { row, column });
		return holding;
	}

	#put(into: Part, name: string, value: unknown, row: number, above: string): void {
		const custom = /^(corporate)\.(metadata)\.(.*)$/.exec(name)?.slice(1);
		const path = custom ?? name.split(".");
		let part = into;
		for (const step of path.slice(0, -1)) {
			part[step] ??= {};
			part = part[step] as Part;
		}
		part[path.at(-1) as string] = value;
		this.#places.set(`${above}${name}`, { row, column: name });
	}
}

function text(values: ReadonlyMap<string, unknown>, ...names: string[]): string | undefined {
	for (const name of names) if (values.has(name)) return String(values.get(name));
	return undefined;
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
	refuseAlike(sheet, groups);
	return [...groups].map(([externalId, rows]) => {
		const first = rows.slice(0, maxRows);
		const more = rows[maxRows];
		if (more !== undefined) tell(sheet, more.row, keyColumn, `is the key of ${rows.length} rows; a company may have ${maxRows}`);
		return new Gathered(sheet, externalId, first).company();
	});
}

/** Two keys for one company would become two records at the service, and none can be taken back. */
function refuseAlike(sheet: Sheet, groups: ReadonlyMap<string, readonly SheetRow[]>): void {
	const byCapitals = new Map<string, [key: string, row: number]>();
	const seen = new Map<string, [key: string, row: number]>();
	for (const [key, rows] of groups) {
		const row = rows[0]?.row as number;
		const alike = byCapitals.get(nameKey(key));
		if (alike !== undefined)
			tell(sheet, row, keyColumn, `is ${key}, and ${alike[0]} in row ${alike[1]}: they differ only in how they are written`);
		else byCapitals.set(nameKey(key), [key, row]);
		const text = (column: string): string => String(rows.find(({ values }) => values.has(column))?.values.get(column) ?? "");
		const [name, country, code] = ["corporateName", "incorporationCountry", "incorporationCode"].map((part) => text(`corporate.${part}`));
		if (code === "") continue;
		const one = JSON.stringify([name, country, code?.replace(/\s/g, "")].map(nameKey));
		const same = seen.get(one);
		if (same === undefined) seen.set(one, [key, row]);
		else tell(sheet, row, keyColumn, `is ${key}, and row ${same[1]} has the same company as ${same[0]}: name, country and code are equal`);
	}
}
