/**
 * The columns of a spreadsheet of companies: the fields of a case by their paths, and how a row relates to its company.
 */

import { describe, type Field } from "../../api/schema.js";
import { suggestionFor } from "../../api/suggest.js";
import { caseSchema } from "../case/case.js";

/** What a cell holds. */
export type CellKind = "text" | "date" | "percent" | "yes" | "legal form" | "role";

export interface Column {
	/** Dotted path, as in the header. */
	name: string;
	/** Of the company, the same in all of its rows; or of the person or owning company of the row. */
	of: "company" | "row";
	kind: CellKind;
}

export const keyColumn = "corporate.externalId";
const customData = "corporate.metadata.";

const shape = describe(caseSchema);
const part = (name: string): Field => {
	const found = shape.fields?.find((field) => field.name === name) as Field;
	return found.element ?? found;
};

function kindOf({ name, kind, meta }: Field): CellKind {
	if (name === "legalType") return "legal form";
	if (kind === "boolean") return "yes";
	if (kind === "number") return "percent";
	return meta.placeholder === "YYYY-MM-DD" ? "date" : "text";
}

/** The fields without those inside, by their paths. */
function leaves(field: Field, path: string): { name: string; kind: CellKind }[] {
	if (field.fields === undefined) return [{ name: path, kind: kindOf(field) }];
	return field.fields.flatMap((inner) => leaves(inner, path === "" ? inner.name : `${path}.${inner.name}`));
}

const ofCompany = (name: string): Column[] =>
	leaves(part(name), name)
		.filter((leaf) => leaf.name !== "corporate.metadata")
		.map((leaf) => ({ ...leaf, of: "company" as const }));

/** The fields of the three kinds of rows, each once. */
function ofRows(): Column[] {
	const byName = new Map<string, Column>();
	for (const kind of ["persons", "companies", "accountOwner"])
		for (const leaf of leaves(part(kind), "")) byName.set(leaf.name, { ...leaf, of: "row" });
	return [...byName.values()];
}

/** Every column, in the order of the template. */
export const columns: readonly Column[] = [
	...ofCompany("corporate"),
	{ name: "role", of: "row", kind: "role" },
	...ofRows(),
	{ name: "owns", of: "row", kind: "text" },
	{ name: "percentage", of: "row", kind: "percent" },
	...ofCompany("terms"),
];

/** Fields of each kind of row; the others must be empty there. */
export const fieldsOfRole: Readonly<Record<Role, ReadonlySet<string>>> = {
	"account owner": new Set(["key", ...leaves(part("accountOwner"), "").map(({ name }) => name)]),
	person: new Set(leaves(part("persons"), "").map(({ name }) => name)),
	company: new Set(leaves(part("companies"), "").map(({ name }) => name)),
};

export type Role = "account owner" | "person" | "company";

/** How a header is compared: `First name` and `first_name` are `firstName`. */
const bare = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, "");

/** The column of a header. Custom data has a column for each name: `corporate.metadata.tier`. */
export function columnNamed(header: string): Column | undefined {
	const known = columns.find(({ name }) => bare(name) === bare(header));
	if (known !== undefined) return known;
	return bare(header).startsWith(bare(customData)) && header.length > customData.length
		? { name: `${customData}${header.slice(customData.length)}`, of: "company", kind: "text" }
		: undefined;
}

/** The column that is probably meant by an unknown header. */
export function columnLike(header: string): string | undefined {
	const names = columns.map(({ name }) => name);
	const word = bare(header);
	return suggestionFor(header, names) ?? names.find((name) => word.length > 3 && bare(name.split(".").at(-1) as string).startsWith(word));
}

/** Why a column must be empty in a row. */
export function misplaced(name: string, role: Role): string {
	if (name === "corporateName")
		return `must be empty for ${role === "person" ? "a person" : "the account owner"}; the company's own name belongs in corporate.corporateName`;
	return `must be empty for ${role === "account owner" ? "the account owner" : role === "person" ? "a person" : "an owning company"}`;
}
