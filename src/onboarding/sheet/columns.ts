/**
 * The columns of a spreadsheet of companies, in one table: the fields of a case by their paths, what a cell holds, and in which rows it may
 * stand.
 */
import { countryCode } from "../../api/countries.js";
import { Decimal } from "../../api/json.js";
import { describe, type Field, placeholder } from "../../api/schema.js";
import { dateFault } from "../../api/typed.js";
import { csvLine } from "../../system/disk/csv-line.js";
import { caseSchema } from "../case/case.js";

/** Whose row it is, and where that stands in a case. */
export const places = { "account owner": "accountOwner", person: "persons", company: "companies" } as const;
export type Role = keyof typeof places;
const allRoles = Object.keys(places) as Role[];

export interface Column {
	/** Dotted path, as in the header. */
	name: string;
	kind: keyof typeof kinds;
	/** Rows in which it may stand; undefined: it is the company's own, the same in each of its rows. */
	roles?: readonly Role[];
}

/** The company's key, which joins its rows. */
export const keyColumn = "corporate.externalId";
const customData = "corporate.metadata.";

/** What a cell holds: its value, undefined where it is none, and then what to write. */
const kinds = {
	text: {
		read: (text: string) => (/^\d(?:[.,]\d+)?E[+-]?\d+$/i.test(text) ? undefined : text),
		expected: "the spreadsheet shortened this number; format the column as text and write it again",
	},
	// What is no country is refused with everything else that the company's check refuses.
	country: { read: (text: string) => countryCode(text) as string, expected: "" },
	date: {
		read: (text: string) => (dateFault(text) === undefined ? text : undefined),
		expected: "write the date as YYYY-MM-DD, like 2019-04-01, and format the column so",
	},
	percent: { read: percent, expected: "write a number from 0 to 100, like 33.5" },
	yes: {
		read: (text: string) => (/^(yes|true)$/i.test(text) ? true : /^(no|false)$/i.test(text) ? false : undefined),
		expected: "write yes or no",
	},
	role: {
		read: (text: string) => allRoles.find((role) => bare(role) === bare(text)),
		expected: "write account owner, person or company; directors and owners have columns of their own",
	},
	// The country says under which key it is sent.
	"legal form": { read: (text: string) => (text.startsWith("{") ? undefined : text), expected: "write the form alone, like FR_SAS" },
} as const;

/** `33.5`, `33,5`, `33,5 %`: a percentage has no thousands, so that one comma can only be the decimal's. */
function percent(text: string): Decimal | undefined {
	const [, whole, part] = /^0*(\d{1,3})(?:[.,](\d+))?\s*%?$/.exec(text) ?? [];
	return whole === undefined ? undefined : new Decimal(part === undefined ? whole : `${whole}.${part}`);
}

/** The value of a cell that is not empty, or what is wrong with it. */
export function cellValue({ kind }: Column, text: string): { value: unknown; fault?: string } {
	if (text.includes(placeholder)) return { value: undefined, fault: "is not filled in yet" };
	const value = kinds[kind].read(text);
	return value === undefined ? { value, fault: `is ${JSON.stringify(text)}; ${kinds[kind].expected}` } : { value };
}

function partOf(name: string): Field {
	const found = describe(caseSchema).fields?.find((field) => field.name === name) as Field;
	return found.element ?? found;
}

function kindOf({ name, kind, meta }: Field): Column["kind"] {
	if (name === "legalType") return "legal form";
	if (kind === "boolean") return "yes";
	if (meta.choose === "country") return "country";
	return meta.placeholder === "YYYY-MM-DD" ? "date" : "text";
}

/** The fields without those inside, by their paths; what may be typed as one text, like a phone, has a column for that too. */
function leaves(field: Field, path: string): Column[] {
	if (field.fields === undefined) return [{ name: path, kind: kindOf(field) }];
	const whole: Column[] = field.meta.read === undefined ? [] : [{ name: path, kind: "text" }];
	const inside = field.fields.flatMap((inner) => leaves(inner, path === "" ? inner.name : `${path}.${inner.name}`));
	return [...whole, ...inside];
}

/** The fields of the three kinds of rows, each once. */
function ofRows(): Column[] {
	const byName = new Map<string, Column>();
	for (const role of ["person", "company", "account owner"] as const)
		for (const leaf of leaves(partOf(places[role]), ""))
			byName.set(leaf.name, { ...leaf, roles: [...(byName.get(leaf.name)?.roles ?? []), role] });
	return [...byName.values()].map((column) => (column.name === "key" ? { ...column, roles: allRoles } : column));
}

/** Every column, in the order of the template. */
export const columns: readonly Column[] = [
	...leaves(partOf("corporate"), "corporate").filter(({ name }) => name !== "corporate.metadata"),
	{ name: "role", kind: "role", roles: allRoles },
	...ofRows(),
	{ name: "owns", kind: "text", roles: allRoles },
	{ name: "percentage", kind: "percent", roles: allRoles },
	...leaves(partOf("terms"), "terms"),
];

/** How a header is compared: `First name` and `first_name` are `firstName`. */
const bare = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, "");

/** The column of a header. Custom data has a column for each name: `corporate.metadata.tier`. */
export function columnNamed(header: string): Column | undefined {
	const known = columns.find(({ name }) => bare(name) === bare(header));
	if (known !== undefined) return known;
	const name = bare(header).startsWith(bare(customData)) ? header.slice(customData.length) : "";
	return name === "" ? undefined : { name: `${customData}${name}`, kind: "text" };
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
