/**
 * Maps the columns of a file to the fields of a transfer.
 */

import * as z from "zod/mini";
import { id, plain } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";
import { type Fault, PurserError } from "../../../errors.js";
import { decimalSigns } from "./numbers.js";

export const fields = [
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

/** What else a column may be called. */
const synonyms: Readonly<Partial<Record<BatchField, string>>> = {
	ledgerFromId: "from fromaccount debitaccount von",
	to: "payee an empfänger empfaenger",
	beneficiaryId: "beneficiary",
	amount: "betrag",
	currency: "währung waehrung",
	reference: "paymentreference purpose verwendungszweck",
};

const paid: readonly BatchField[] = ["to", "ledgerToId", "beneficiaryId"];

export type Places = ReadonlyMap<BatchField, number>;

/** A row as read: texts by field, without empty ones. The amount stands as it is written until the column's form is known. */
export interface RawRow {
	row: number;
	values: Partial<Record<BatchField, string>>;
	faults: Fault[];
	/** It has more or fewer cells than the header, so nobody knows which cell is which. */
	isCut?: boolean;
	titles?: Partial<Record<BatchField, string>>;
}

const maxColumns = 1_000;
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
	return columns.find((one) => normalized(one) === name || synonyms[one]?.split(" ").includes(name));
}

/** The fields of which a file has one column at most, because they say the same as this one. */
const rivalsOf = (field: BatchField): readonly BatchField[] =>
	field === "to" ? paid : field === "ledgerToId" || field === "beneficiaryId" ? [field, "to"] : [field];

export function placesOf(header: readonly string[], name: string): { places: Places; ignored: string[] } {
	if (header.length > maxColumns)
		throw columnsError(name, `the header has ${header.length} columns, and at most ${maxColumns} are read`, header);
	const places = new Map<BatchField, number>();
	// Reports of a batch, which can be planned again, show the payee's name beside its id.
	const isReport = ["payee", "beneficiaryid"].every((name) => header.some((title) => normalized(title) === name));
	header.forEach((title, place) => {
		if (isReport && normalized(title) === "payee") return;
		const field = fieldCalled(title);
		if (field === undefined) return;
		const [other] = rivalsOf(field).flatMap((one) => header[places.get(one) ?? -1] ?? []);
		if (other !== undefined)
			throw columnsError(name, `the columns ${JSON.stringify(other)} and ${JSON.stringify(title)} mean the same`, header);
		places.set(field, place);
	});
	const known = new Set(places.values());
	return { places, ignored: header.filter((title, place) => !known.has(place) && title.trim() !== "") };
}

export function requireColumns(places: Places, given: ReadonlySet<string>, header: readonly string[], name: string): void {
	const has = (field: BatchField): boolean => places.has(field) || given.has(field);
	const missing = [...(has("ledgerFromId") ? [] : ["From"]), ...(paid.some(has) ? [] : ["To"]), ...(has("amount") ? [] : ["Amount"])];
	if (missing.length === 0) return;
	throw columnsError(name, `there is no column ${missing.join(", ")}`, header);
}

export const exampleHeader = "From,To,Amount,Reference";

/** A file to fill in; it can be planned where the names are those of ledgers and payees. */
export const template = `${exampleHeader}\r\nMain account,Example Supplies Ltd,1250.00,Invoice 7\r\nMain account,Savings,99.90,Savings March\r\n`;

function columnsError(name: string, what: string, header: readonly string[]): PurserError {
	const named = header.slice(0, maxNamed).map((title) => JSON.stringify(title));
	const available = `${named.join(", ") || "no columns"}${header.length > maxNamed ? ` and ${header.length - maxNamed} more` : ""}`;
	return new PurserError("validation", {
		code: "COLUMNS",
		message: `${name}: ${what}; there are ${available}`,
		fix: `Name the columns in the first line of the file: ${exampleHeader}. For one debited ledger or currency in all rows, use --from LEDGER or --currency CODE`,
	});
}

export const fileFields = () => ({
	decimal: z.optional(field(z.enum(decimalSigns), { description: "How the amounts are written, when the file does not tell" })),
	ledgerFromId: z.optional(id("ledger", "The debited ledger, when no column gives it", { alias: "from", exact: true })),
	currency: z.optional(plain("The currency (ISO 4217), when no column gives it", { placeholder: "code" })),
});
