/**
 * Maps the columns of a file to the fields of a transfer.
 */

import * as z from "zod/mini";
import { id, plain } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";
import { type IdForms, isIdOf } from "../../../api/text/ids.js";
import { PurserError } from "../../../errors.js";

/** The fields of a row. */
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
export type BatchField = (typeof fields)[number];

/** Field → index in the row's cells. */
export type Places = ReadonlyMap<BatchField, number>;

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

/**
 * Finds the columns.
 * @param map entries like `amount=Betrag`, which take precedence over the names in the file
 * @throws PurserError validation: too many columns, a column twice, an entry for a missing column, two entries for one field or column
 */
export function placesOf(header: readonly string[], map: readonly string[], name: string): { places: Places; ignored: string[] } {
	if (header.length > maxColumns) throw tooMany(header.length, name);
	const places = new Map<BatchField, number>();
	for (const entry of map) {
		const [field, column] = entryOf(entry);
		const place = placeOf(header, column, entry, name);
		if (places.has(field)) throw columnsError(name, `--map ${entry} repeats the field ${field}`, header);
		if ([...places.values()].includes(place))
			throw columnsError(name, `--map ${entry} names a column that another --map already uses`, header);
		places.set(field, place);
	}
	const mapped = new Set(places.values());
	header.forEach((title, place) => {
		const field = fields.find((one) => normalized(one) === normalized(title));
		if (field === undefined || mapped.has(place)) return;
		if (mapped.has(places.get(field) ?? -1)) return;
		if (places.has(field)) throw columnsError(name, `the column ${JSON.stringify(title)} appears twice`, header);
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
	const field = fields.find((one) => normalized(one) === normalized(entry.slice(0, Math.max(0, at))));
	if (field !== undefined && entry.length > at + 1) return [field, entry.slice(at + 1)];
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: `--map ${entry} cannot be read`,
		fix: `Write FIELD=COLUMN, with a field of ${fields.join(", ")}.`,
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
	const missing = (["ledgerFromId", "amount"] as const).filter((field) => !has(field)) as BatchField[];
	const kinds = has("ledgerToId") || has("beneficiaryId");
	if (missing.length === 0 && kinds) return;
	if (header.some((cell) => isParty(cell, ids))) throw headless(name);
	const words = [...missing, ...(kinds ? [] : ["ledgerToId or beneficiaryId"])].join(", ");
	throw columnsError(name, `there is no column for ${words}`, header);
}

/** Whether a cell is an id. A form may allow words too, so that one counts only with a digit. */
const isParty = (cell: string, ids: IdForms): boolean =>
	/\d/.test(cell) && (isIdOf("ledger", cell, ids) || isIdOf("beneficiary", cell, ids));

function headless(name: string): PurserError {
	return new PurserError("validation", {
		code: "COLUMNS",
		message: `${name}: the first line is a payment, but must name the columns`,
		fix: "Write a line above it with the names in the order of the cells, like: ledgerFromId,beneficiaryId,amount,reference",
	});
}

function columnsError(name: string, what: string, header: readonly string[]): PurserError {
	const named = header.slice(0, maxNamed).map((title) => JSON.stringify(title));
	const available = `${named.join(", ") || "no columns"}${header.length > maxNamed ? ` and ${header.length - maxNamed} more` : ""}`;
	return new PurserError("validation", {
		code: "COLUMNS",
		message: `${name}: ${what}; there are ${available}`,
		fix: "Say which column is which, like --map amount=Betrag --map beneficiaryId=Empfaenger; for a value that is the same in all rows, use a flag: --from LEDGER",
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
	kind: z.optional(field(z.enum(["ledger", "beneficiary"]), { description: "The kind of every row, when no column gives it" })),
	ledgerFromId: z.optional(id("ledger", "The debited ledger, when no column gives it", { alias: "from", exact: true })),
	ledgerToId: z.optional(id("ledger", "The credited ledger, when no column gives it", { exact: true })),
	beneficiaryId: z.optional(id("beneficiary", "The beneficiary, when no column gives it", { exact: true })),
	amount: z.optional(plain("The amount, when no column gives it", { placeholder: "decimal" })),
	currency: z.optional(plain("The currency (ISO 4217), when no column gives it", { placeholder: "code" })),
	reference: z.optional(plain("The reference, when no column gives it", { placeholder: "text" })),
});
