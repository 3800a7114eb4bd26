/**
 * Maps the columns of a file to the fields of a transfer.
 */

import * as z from "zod/mini";
import { id, plain } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";
import { type IdForms, isIdOf } from "../../../api/text/ids.js";
import { type Fault, PurserError } from "../../../errors.js";
import { decimalSigns } from "./numbers.js";

/** The fields of a payment. */
export const fields = [
	"kind",
	"ledgerFromId",
	"ledgerToId",
	"beneficiaryId",
	"amount",
	"currency",
	"reference",
	"allowFastPayment",
	"allowInterLedger",
] as const;
/** Besides them, `to` is whom a row pays where the file does not say whether that is a ledger or a beneficiary. */
const columns = [...fields, "to"] as const;
export type BatchField = (typeof columns)[number];

/** What spreadsheets call the fields besides, normalized. */
const synonyms: Readonly<Record<string, BatchField>> = {
	...called("ledgerFromId", "from fromaccount debitaccount von"),
	...called("to", "payee an empfänger empfaenger"),
	...called("beneficiaryId", "beneficiary"),
	...called("amount", "betrag"),
	...called("currency", "währung waehrung"),
	...called("reference", "paymentreference purpose verwendungszweck"),
};

function called(field: BatchField, names: string): Record<string, BatchField> {
	return Object.fromEntries(names.split(" ").map((name) => [name, field]));
}

/** The fields that say who is paid. */
const paid: readonly BatchField[] = ["to", "ledgerToId", "beneficiaryId"];

/** Field → index in the row's cells. */
export type Places = ReadonlyMap<BatchField, number>;

/** A row as read: texts by field, without empty ones. */
export interface RawRow {
	/** As a spreadsheet program numbers it. */
	row: number;
	cells: string[];
	values: Partial<Record<BatchField, string>>;
	/** Its cell, until it is read. */
	amount?: string;
	/** What is wrong with it so far, each field once. */
	faults: Fault[];
	/** It has more or fewer cells than the header, so nobody knows which cell is which. */
	isCut?: boolean;
	/** What the file calls the fields. */
	titles?: Partial<Record<BatchField, string>>;
}

/** Most columns of a file of payments; each faulty row is written out with all of them. */
const maxColumns = 1_000;
/** Most columns that an error names. */
const maxNamed = 40;

/**
 * Ignores case, spaces, dashes, underscores and invisible characters: `Ledger from ID`, `ledger_from_id` and `ledgerFromId` are the same
 * name.
 */
const normalized = (name: string): string =>
	name
		.normalize("NFC")
		.toLowerCase()
		.replace(/[\s_\p{Cf}-]/gu, "");

function fieldCalled(title: string): BatchField | undefined {
	const name = normalized(title);
	return columns.find((one) => normalized(one) === name) ?? (Object.hasOwn(synonyms, name) ? synonyms[name] : undefined);
}

/** The fields of which a file has one column at most, because they say the same as this one. */
const rivalsOf = (field: BatchField): readonly BatchField[] =>
	field === "to" ? paid : field === "ledgerToId" || field === "beneficiaryId" ? [field, "to"] : [field];

/**
 * Finds the columns.
 * @param map entries like `amount=Sum`, which take precedence over the names in the file
 * @throws PurserError validation: too many columns, two columns for one field, an entry for a missing column, two entries for one field or column
 */
export function placesOf(header: readonly string[], map: readonly string[], name: string): { places: Places; ignored: string[] } {
	if (header.length > maxColumns) throw tooMany(header.length, name);
	const places = new Map<BatchField, number>();
	for (const entry of map) {
		const [field, column] = entryOf(entry);
		const place = placeOf(header, column, entry, name);
		const other = rivalsOf(field).find((one) => places.has(one));
		if (other !== undefined) throw columnsError(name, `--map ${entry} repeats the field ${other}`, header);
		if ([...places.values()].includes(place))
			throw columnsError(name, `--map ${entry} names a column that another --map already uses`, header);
		places.set(field, place);
	}
	const mapped = new Map(places);
	// Reports of a batch, which can be planned again, show the payee's name beside its id.
	const isReport = ["payee", "beneficiaryid"].every((name) => header.some((title) => normalized(title) === name));
	header.forEach((title, place) => {
		if (isReport && normalized(title) === "payee") return;
		const field = fieldCalled(title);
		if (field === undefined || [...mapped.values()].includes(place) || rivalsOf(field).some((one) => mapped.has(one))) return;
		const [other] = rivalsOf(field).flatMap((one) => header[places.get(one) ?? -1] ?? []);
		if (other !== undefined)
			throw columnsError(name, `the columns ${JSON.stringify(other)} and ${JSON.stringify(title)} mean the same`, header);
		places.set(field, place);
	});
	const known = new Set(places.values());
	return { places, ignored: header.filter((title, place) => !known.has(place) && title.trim() !== "") };
}

/** Prefers an exact title over a normalized match, and refuses ambiguous ones. */
function placeOf(header: readonly string[], column: string, entry: string, name: string): number {
	const placesWhere = (matches: (title: string) => boolean): number[] => header.flatMap((title, place) => (matches(title) ? [place] : []));
	const exact = placesWhere((title) => title.trim() === column.trim());
	const found = exact.length > 0 ? exact : placesWhere((title) => normalized(title) === normalized(column));
	if (found.length === 0) throw columnsError(name, `there is no column ${JSON.stringify(column)} for --map ${entry}`, header);
	if (found.length > 1) throw columnsError(name, `there are ${found.length} columns ${JSON.stringify(column)} for --map ${entry}`, header);
	return found[0] as number;
}

function entryOf(entry: string): [BatchField, string] {
	const at = entry.indexOf("=");
	const field = fieldCalled(entry.slice(0, Math.max(0, at)));
	if (field !== undefined && entry.length > at + 1) return [field, entry.slice(at + 1)];
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: `--map ${entry} cannot be read`,
		fix: `Write FIELD=COLUMN, with a field of ${columns.join(", ")}.`,
		details: [{ field: "map", message: `must be FIELD=COLUMN, not ${JSON.stringify(entry)}` }],
	});
}

/** @throws PurserError validation, if a required field is neither a column nor given for all rows */
export function requireColumns(
	places: Places,
	given: ReadonlySet<string>,
	{ header, name, ids }: { header: readonly string[]; name: string; ids: IdForms },
): void {
	const has = (field: BatchField): boolean => places.has(field) || given.has(field);
	const missing = [...(has("ledgerFromId") ? [] : ["From"]), ...(paid.some(has) ? [] : ["To"]), ...(has("amount") ? [] : ["Amount"])];
	if (missing.length === 0) return;
	if (header.some((cell) => isParty(cell, ids))) throw headless(name);
	throw columnsError(name, `there is no column ${missing.join(", ")}`, header);
}

/** Whether a cell is an id. A form may allow words too, so that one counts only with a digit. */
const isParty = (cell: string, ids: IdForms): boolean =>
	/\d/.test(cell) && (isIdOf("ledger", cell, ids) || isIdOf("beneficiary", cell, ids));

/** The columns of an ordinary file. */
export const exampleHeader = "From,To,Amount,Reference";

/** A file to fill in; it can be planned where the names are those of ledgers and payees. */
export const template = `${exampleHeader}\r\nMain account,Example Supplies Ltd,1250.00,Invoice 7\r\nMain account,Savings,99.90,Savings March\r\n`;

function headless(name: string): PurserError {
	return new PurserError("validation", {
		code: "COLUMNS",
		message: `${name}: the first line is a payment, but must name the columns`,
		fix: `Write a line above it with the names in the order of the cells, like: ${exampleHeader}`,
	});
}

function columnsError(name: string, what: string, header: readonly string[]): PurserError {
	const named = header.slice(0, maxNamed).map((title) => JSON.stringify(title));
	const available = `${named.join(", ") || "no columns"}${header.length > maxNamed ? ` and ${header.length - maxNamed} more` : ""}`;
	return new PurserError("validation", {
		code: "COLUMNS",
		message: `${name}: ${what}; there are ${available}`,
		fix: "Say which column is which, like --map amount=Sum --map to=Supplier; for a value that is the same in all rows, use a flag: --from LEDGER",
	});
}

function tooMany(count: number, name: string): PurserError {
	return new PurserError("validation", {
		code: "COLUMNS",
		message: `${name}: the header has ${count} columns; a file of payments has at most ${maxColumns}`,
		fix: "Export it again with only the payment columns, then run this again.",
	});
}

export const fileFields = () => ({
	map: z.optional(
		field(z.array(plain("Column")), {
			description: "FIELD=COLUMN, for a column of another name",
			placeholder: "field=column",
		}),
	),
	decimal: z.optional(field(z.enum(decimalSigns), { description: "How the amounts are written, when the file does not tell" })),
	kind: z.optional(field(z.enum(["ledger", "beneficiary"]), { description: "The kind of every row, when no column gives it" })),
	ledgerFromId: z.optional(id("ledger", "The debited ledger, when no column gives it", { alias: "from", exact: true })),
	ledgerToId: z.optional(id("ledger", "The credited ledger, when no column gives it", { exact: true })),
	beneficiaryId: z.optional(id("beneficiary", "The beneficiary, when no column gives it", { exact: true })),
	amount: z.optional(plain("The amount, when no column gives it", { placeholder: "decimal" })),
	currency: z.optional(plain("The currency (ISO 4217), when no column gives it", { placeholder: "code" })),
	reference: z.optional(plain("The reference, when no column gives it", { placeholder: "text" })),
});
