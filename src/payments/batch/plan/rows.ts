/**
 * Reads a file into checked transfers, one piece of the file at a time, so that memory does not grow with the file.
 */

import { currencyFault, decimalsFault } from "../../../api/amount.js";
import { sameId } from "../../../api/answer.js";
import { check } from "../../../api/check/check.js";
import { transferOperations } from "../../../api/operations/transaction.js";
import { payeeField, type Transfer, transferFromBody } from "../../../api/operations/transfer.js";
import { heldToForms, type IdForms, plainId } from "../../../api/text/ids.js";
import type { Fault } from "../../../errors.js";
import { CsvReader, type CsvRecord, textOf } from "../../rules/csv.js";
import { type BatchField, type Places, placesOf, type RawRow, requireColumns } from "./columns.js";
import type { Naming } from "./naming.js";
import type { Amounts } from "./numbers.js";

export interface ReadRow {
	row: number;
	/** Absent if there are faults. */
	transfer?: Transfer;
	faults: Fault[];
}

export interface ReadOptions {
	name: string;
	given: Partial<Record<BatchField, string>>;
	amounts: Amounts;
	naming: Naming;
	/** The currencies of debited ledgers or beneficiaries' accounts, by plain id; a missing entry is unknown. */
	currencyOf(ids: readonly string[], kind: "ledger" | "beneficiary"): Promise<ReadonlyMap<string, string>>;
	ids?: IdForms;
	ignored(titles: string[]): void;
}

const mostHeld = 100_000;

/**
 * @throws PurserError validation, if the file as a whole cannot be read: its encoding, quotes, columns or the form of its amounts
 */
export async function* readRows(source: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<ReadRow[]> {
	for await (const raws of withAmounts(rawRows(textOf(source, options.name), options), options)) {
		for (const raw of raws) await options.naming.name(raw);
		const idsOf = (field: "ledgerFromId" | "beneficiaryId"): string[] => raws.flatMap(({ values }) => values[field] ?? []);
		const known: KnownCurrencies = {
			ledger: await options.currencyOf(idsOf("ledgerFromId"), "ledger"),
			beneficiary: await options.currencyOf(idsOf("beneficiaryId"), "beneficiary"),
		};
		yield raws.map((raw) => {
			const { row, values, titles } = raw;
			const { transfer, faults } = checkRow(raw, known, options.ids);
			const { reference } = values;
			return {
				row,
				transfer,
				faults: faults.map((fault) => ({ row, reference, flag: titles?.[fault.field as BatchField], ...fault })),
			};
		});
	}
}

async function* withAmounts(raws: AsyncIterable<RawRow[]>, { amounts, name }: ReadOptions): AsyncGenerator<RawRow[]> {
	let held: RawRow[] = [];
	for await (const some of raws) {
		for (const { row, values } of some)
			if (values.amount !== undefined) amounts.see({ row, reference: values.reference, cell: values.amount });
		held = held.length === 0 ? some : [...held, ...some];
		if (amounts.isUnclear && held.length < mostHeld) continue;
		amounts.check(name);
		for (const { row, values, faults } of held) {
			if (values.amount === undefined) continue;
			const read = amounts.read({ row, reference: values.reference, cell: values.amount });
			if (typeof read === "string") values.amount = read;
			else faults.push({ field: "amount", ...read });
		}
		yield held;
		held = [];
	}
	amounts.check(name);
}

async function* rawRows(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<RawRow[]> {
	const { name, given } = options;
	const reader = new CsvReader(name);
	let places: Places | undefined;
	let header: string[] = [];
	let titles: RawRow["titles"] = {};
	const rows = (records: CsvRecord[]): RawRow[] => {
		if (places === undefined) {
			const head = records.shift();
			if (head === undefined) return [];
			header = head.cells.map((cell) => cell.trim());
			const found = placesOf(header, name);
			requireColumns(found.places, new Set(Object.keys(given)), header, name);
			options.ignored(found.ignored);
			places = found.places;
			titles = Object.fromEntries([...places].map(([field, place]) => [field, header[place]]));
			if (titles.to !== undefined) titles = { ...titles, ledgerToId: titles.to, beneficiaryId: titles.to };
		}
		const known = [...places];
		// Spreadsheets leave empty rows after the last one; values given for all rows must not turn them into payments.
		const filled = records.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
		return filled.map(({ row, cells }) => rawOf({ row, values: { ...given }, faults: [], titles }, cells, header.length, known));
	};
	for await (const piece of text) {
		const found = rows(reader.push(piece));
		if (found.length > 0) yield found;
	}
	yield rows(reader.end());
}

function rawOf(raw: RawRow, cells: readonly string[], width: number, places: readonly [BatchField, number][]): RawRow {
	const message = `has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, but the header has ${width}`;
	if (cells.length !== width) return { ...raw, values: {}, isCut: true, faults: [{ field: "", message }] };
	for (const [field, place] of places) {
		const cell = (cells[place] as string).trim();
		if (cell !== "") raw.values[field] = cell;
	}
	return raw;
}

/** Currencies of debited ledgers and of beneficiaries' accounts, by plain id. */
interface KnownCurrencies {
	ledger: ReadonlyMap<string, string | undefined>;
	beneficiary: ReadonlyMap<string, string | undefined>;
}

/** @param known the currencies looked up so far @param ids the profile's forms of ids */
export function checkRow(
	{ values: given, faults: before, isCut }: Pick<RawRow, "values" | "faults" | "isCut">,
	known: KnownCurrencies,
	ids: IdForms = {},
): { transfer?: Transfer; faults: Fault[] } {
	if (isCut) return { faults: before };
	const faults: Fault[] = [];
	// The rest of the row is checked with a valid amount, so that all faults are told at once.
	const values = before.some(({ field }) => field === "amount") ? { ...given, amount: "1" } : given;
	const kind = kindOf(values, faults);
	const transfer = kind && read(kind, values, faults, ids);
	const currency = currencyOf(values, kind, known, faults);
	const decimals = transfer && decimalsFault(transfer.amount, currency);
	if (decimals) faults.push({ field: "amount", message: decimals });
	// A field that could not be read is told once.
	const isTold = (field: string): boolean =>
		before.some((one) => one.field === field || (one.field === "to" && (field === "ledgerToId" || field === "beneficiaryId")));
	const more = faults.filter(({ field }) => !isTold(field));
	if (transfer === undefined || before.length + more.length > 0) return { faults: [...before, ...more] };
	return { transfer: currency === undefined ? transfer : { ...transfer, currency }, faults: [] };
}

function kindOf({ ledgerToId, beneficiaryId }: RawRow["values"], faults: Fault[]): Transfer["kind"] | undefined {
	if (ledgerToId !== undefined && beneficiaryId === undefined) return "ledger";
	if (beneficiaryId !== undefined && ledgerToId === undefined) return "beneficiary";
	const message = beneficiaryId === undefined ? "is required: a row names who is paid" : "cannot be given with a ledger: a row pays one";
	faults.push({ field: "beneficiaryId", message });
	return undefined;
}

function read(kind: Transfer["kind"], values: RawRow["values"], faults: Fault[], ids: IdForms): Transfer | undefined {
	const { ledgerFromId, amount, reference } = values;
	const operation = transferOperations[kind];
	const switches = switchesOf(kind, values, faults);
	const body = { ledgerFromId, [payeeField[kind]]: values[payeeField[kind]], amount, reference };
	const result = heldToForms(ids, () => operation.body.safeParse(body));
	if (!result.success) {
		faults.push(...check(operation.body, body, ids).faults);
		return undefined;
	}
	// The schema's defaults for switches are left out, because the plan's digest covers only what the file contains.
	const transfer = { ...transferFromBody(operation, result.data), ...switches };
	if (kind === "ledger" && sameId(transfer.ledgerFromId, transfer.counterpartyId)) {
		faults.push({ field: "ledgerToId", message: "is the ledger to debit; choose another one" });
		return undefined;
	}
	return transfer;
}

function switchesOf(
	kind: Transfer["kind"],
	values: RawRow["values"],
	faults: Fault[],
): Record<(typeof switches)[number], boolean | undefined> {
	const read = { allowFastPayment: undefined, allowInterLedger: undefined } as ReturnType<typeof switchesOf>;
	for (const field of switches) {
		const value = values[field];
		if (value === undefined) continue;
		if (kind === "ledger") faults.push({ field, message: "is for payments to a beneficiary only" });
		else if (/^(true|yes|1)$/i.test(value)) read[field] = true;
		else if (/^(false|no|0)$/i.test(value)) read[field] = false;
		else faults.push({ field, message: `must be true or false, not ${JSON.stringify(value)}` });
	}
	return read;
}

const switches = ["allowFastPayment", "allowInterLedger"] as const;

/**
 * The amount's currency: that of the debited ledger, or of the beneficiary's account (specification 2.8), which may differ from the
 * ledger's. If the account's is not known, neither is the row's.
 */
function currencyOf(
	values: RawRow["values"],
	kind: Transfer["kind"] | undefined,
	{ ledger, beneficiary }: KnownCurrencies,
	faults: Fault[],
): string | undefined {
	const own = values.currency?.toUpperCase();
	if (own !== undefined && !/^[A-Z]{3}$/.test(own))
		faults.push({ field: "currency", message: `must be three letters of ISO 4217, not ${JSON.stringify(values.currency)}` });
	const [id, of] = kind === "beneficiary" ? [values.beneficiaryId, beneficiary] : [values.ledgerFromId, ledger];
	const known = id === undefined ? undefined : of.get(plainId(id));
	const fault = currencyFault(kind ?? "ledger", own, known);
	if (fault) faults.push({ field: "currency", message: fault });
	return own ?? known;
}
