/**
 * Which column of a file is which field of a transfer.
 */
import { isUuid } from "../../../api/answer.js";
import { PurserError } from "../../../errors.js";

/** The fields of a row, as they are named everywhere. */
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

/** Field → place in the row's cells. */
export type Places = ReadonlyMap<BatchField, number>;

/** More columns are no file of payments: each faulty row would be written with all of them. */
const mostColumns = 1_000;
/** Columns that are named in an error. */
const mostNamed = 40;

/** Without case, spaces, dashes, underscores and what is not seen (soft hyphens, zero-width spaces): `Ledger from ID`, `ledger_from_id` and `ledgerFromId` are one name. Letters of any script count. */
const plain = (name: string): string =>
	name
		.normalize("NFC")
		.toLowerCase()
		.replace(/[\s_\p{Cf}-]/gu, "");

/**
 * Finds the columns. `map`: entries like `amount=Betrag`, which win over the names in the file.
 * @throws PurserError validation: more columns than can be meant, a column that stands twice, an entry for a column that is not there, two entries for one field or column
 */
export function placesOf(header: readonly string[], map: readonly string[], name: string): { places: Places; ignored: string[] } {
	if (header.length > mostColumns) throw tooMany(header.length, name);
	const places = new Map<BatchField, number>();
	for (const entry of map) {
		const [field, column] = entryOf(entry);
		const place = placeOf(header, column, entry, name);
		if (places.has(field)) throw wrong(name, `--map ${entry} is the second one for ${field}`, header);
		if ([...places.values()].includes(place)) throw wrong(name, `--map ${entry} names a column that another --map took`, header);
		places.set(field, place);
	}
	const mapped = new Set(places.values());
	header.forEach((title, place) => {
		const field = fields.find((one) => plain(one) === plain(title));
		if (field === undefined || mapped.has(place)) return;
		if (mapped.has(places.get(field) ?? -1)) return;
		if (places.has(field)) throw wrong(name, `the column ${JSON.stringify(title)} stands twice`, header);
		places.set(field, place);
	});
	const known = new Set(places.values());
	return { places, ignored: header.filter((title, place) => !known.has(place) && title.trim() !== "") };
}

/** A title as it is written wins over one that is nearly so; between two that fit alike nothing is guessed. */
function placeOf(header: readonly string[], column: string, entry: string, name: string): number {
	const among = (fits: (title: string) => boolean): number[] => header.flatMap((title, place) => (fits(title) ? [place] : []));
	const exact = among((title) => title.trim() === column.trim());
	const found = exact.length > 0 ? exact : among((title) => plain(title) === plain(column));
	if (found.length === 0) throw wrong(name, `there is no column ${JSON.stringify(column)} for --map ${entry}`, header);
	if (found.length > 1) throw wrong(name, `there are ${found.length} columns ${JSON.stringify(column)} for --map ${entry}`, header);
	return found[0] as number;
}

function entryOf(entry: string): [BatchField, string] {
	const at = entry.indexOf("=");
	const field = fields.find((one) => plain(one) === plain(entry.slice(0, Math.max(0, at))));
	if (field !== undefined && entry.length > at + 1) return [field, entry.slice(at + 1)];
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: `--map ${entry} cannot be read`,
		fix: `Write FIELD=COLUMN, with a field of ${fields.join(", ")}.`,
		details: [{ field: "map", message: `must be FIELD=COLUMN, not ${JSON.stringify(entry)}` }],
	});
}

/** @throws PurserError validation, where a field that every row needs is neither a column nor given for all rows */
export function needColumns(places: Places, given: ReadonlySet<string>, header: readonly string[], name: string): void {
	const has = (field: BatchField): boolean => places.has(field) || given.has(field);
	const missing = (["ledgerFromId", "amount"] as const).filter((field) => !has(field)) as BatchField[];
	const kinds = has("ledgerToId") || has("beneficiaryId");
	if (missing.length === 0 && kinds) return;
	if (header.some(isUuid)) throw headless(name);
	const words = [...missing, ...(kinds ? [] : ["ledgerToId or beneficiaryId"])].join(", ");
	throw wrong(name, `there is no column for ${words}`, header);
}

function headless(name: string): PurserError {
	return new PurserError("validation", {
		code: "COLUMNS",
		message: `${name}: the first line is a payment, and has to name the columns`,
		fix: "Write a line above it with the names in the order of the cells, like: ledgerFromId,beneficiaryId,amount,reference",
	});
}

function wrong(name: string, what: string, header: readonly string[]): PurserError {
	const named = header.slice(0, mostNamed).map((title) => JSON.stringify(title));
	const there = `${named.join(", ") || "no columns"}${header.length > mostNamed ? ` and ${header.length - mostNamed} more` : ""}`;
	return new PurserError("validation", {
		code: "COLUMNS",
		message: `${name}: ${what}; there are ${there}`,
		fix: "Say which column is which, like --map amount=Betrag --map beneficiaryId=Empfaenger; what is the same for all rows is a flag: --ledger-from-id ID",
	});
}

function tooMany(count: number, name: string): PurserError {
	return new PurserError("validation", {
		code: "COLUMNS",
		message: `${name}: the header has ${count} columns; a file of payments has at most ${mostColumns}`,
		fix: "Export it again with the columns of the payments alone, and run this again.",
	});
}
