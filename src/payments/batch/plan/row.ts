/**
 * Checks one row of a file with the same schemas as a single payment.
 */

import { currencyFault, decimalsFault } from "../../../api/amount.js";
import { sameId } from "../../../api/answer.js";
import { check } from "../../../api/check/check.js";
import { transferOperations } from "../../../api/operations/transaction.js";
import { payeeField, type Transfer, transferFromBody } from "../../../api/operations/transfer.js";
import { heldToForms, type IdForms, plainId } from "../../../api/text/ids.js";
import type { Fault } from "../../../errors.js";
import type { BatchField } from "./columns.js";

/** A row as read: texts by field, without empty ones. */
export interface RawRow {
	cells: string[];
	values: Partial<Record<BatchField, string>>;
	/** A fault of the row as a whole. */
	fault?: Fault;
}

/** Currencies of debited ledgers and of beneficiaries' accounts, by plain id; undefined if not known. */
export interface KnownCurrencies {
	ledger: Map<string, string | undefined>;
	beneficiary: Map<string, string | undefined>;
}

/** @param known the currencies looked up so far @param ids the profile's forms of ids */
export function checkRow(
	{ values }: RawRow,
	known: Readonly<KnownCurrencies>,
	ids: IdForms = {},
): { transfer?: Transfer; faults: Fault[] } {
	const faults: Fault[] = [];
	const kind = kindOf(values, faults);
	const hasBadAmount = values.amount !== undefined && !/^[\d.]*$/.test(values.amount);
	if (hasBadAmount) faults.push({ field: "amount", message: amountFault(values.amount as string) });
	// Check the rest of the row with a valid amount, so that all faults are reported at once.
	const found = kind && read(kind, hasBadAmount ? { ...values, amount: "1" } : values, faults, ids);
	const transfer = hasBadAmount ? undefined : found;
	const currency = currencyOf(values, kind, known, faults);
	const decimals = transfer && decimalsFault(transfer.amount, currency);
	if (decimals) faults.push({ field: "amount", message: decimals });
	if (transfer === undefined || faults.length > 0) return { faults };
	return { transfer: currency === undefined ? transfer : { ...transfer, currency }, faults };
}

function kindOf(values: RawRow["values"], faults: Fault[]): Transfer["kind"] | undefined {
	const { kind, ledgerToId, beneficiaryId } = values;
	if (ledgerToId !== undefined && beneficiaryId !== undefined && kind === undefined) {
		faults.push({ field: "kind", message: "is required: the row names both a ledger and a beneficiary" });
		return undefined;
	}
	const word = kind?.toLowerCase();
	if (word === "ledger" && beneficiaryId !== undefined)
		faults.push({ field: "beneficiaryId", message: "is for payments to a beneficiary, and this row's kind is ledger" });
	if (word === "beneficiary" && ledgerToId !== undefined)
		faults.push({ field: "ledgerToId", message: "is for payments to a ledger, and this row's kind is beneficiary" });
	if (word === "ledger" || word === "beneficiary") return word;
	if (kind !== undefined) {
		faults.push({ field: "kind", message: `must be ledger or beneficiary, not ${JSON.stringify(kind)}` });
		return undefined;
	}
	if (ledgerToId === undefined && beneficiaryId === undefined) {
		faults.push({ field: "beneficiaryId", message: "is required where there is no ledgerToId: a row names who is paid" });
		return undefined;
	}
	return beneficiaryId !== undefined ? "beneficiary" : "ledger";
}

function read(kind: Transfer["kind"], values: RawRow["values"], faults: Fault[], ids: IdForms): Transfer | undefined {
	const { ledgerFromId, amount, reference } = values;
	const switches = kind === "beneficiary" ? switchesOf(values, faults) : {};
	if (kind === "ledger")
		for (const field of ["allowFastPayment", "allowInterLedger"] as const)
			if (values[field] !== undefined) faults.push({ field, message: "is for payments to a beneficiary only" });
	const operation = transferOperations[kind];
	const body = defined({ ledgerFromId, [payeeField[kind]]: values[payeeField[kind]], amount, reference });
	const result = heldToForms(ids, () => operation.body.safeParse(body));
	if (!result.success) {
		faults.push(...check(operation.body, body, ids).faults);
		return undefined;
	}
	// Undo the schema's defaults for switches, because the plan's digest covers only what the file contains.
	const transfer = { ...transferFromBody(operation, result.data), allowFastPayment: undefined, allowInterLedger: undefined, ...switches };
	if (kind === "ledger" && sameId(transfer.ledgerFromId, transfer.counterpartyId)) {
		faults.push({ field: "ledgerToId", message: "is the ledger to debit; choose another one" });
		return undefined;
	}
	return defined(transfer) as Transfer;
}

function switchesOf(values: RawRow["values"], faults: Fault[]): Pick<Transfer, "allowFastPayment" | "allowInterLedger"> {
	return { allowFastPayment: switchOf(values, "allowFastPayment", faults), allowInterLedger: switchOf(values, "allowInterLedger", faults) };
}

function switchOf(values: RawRow["values"], field: "allowFastPayment" | "allowInterLedger", faults: Fault[]): boolean | undefined {
	const value = values[field]?.toLowerCase();
	if (value === undefined) return undefined;
	if (["true", "yes", "1"].includes(value)) return true;
	if (["false", "no", "0"].includes(value)) return false;
	faults.push({ field, message: `must be true or false, not ${JSON.stringify(values[field])}` });
	return undefined;
}

/**
 * The amount's currency: that of the debited ledger, or of the beneficiary's account (specification 2.8), which may differ from the
 * ledger's.
 * If the account's is not known, neither is the row's.
 */
function currencyOf(
	values: RawRow["values"],
	kind: Transfer["kind"] | undefined,
	{ ledger, beneficiary }: Readonly<KnownCurrencies>,
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

/** Names the fault of an amount as other programs write it; nothing is converted by guessing. */
function amountFault(text: string): string {
	const shown = JSON.stringify(text);
	if (/^[-+]/.test(text)) return `${shown} has a sign; write an amount greater than 0 without one`;
	if (/^[\d.' \u00a0\u202f]+,\d{1,4}$/.test(text)) return `${shown} has a decimal comma; write the decimals after a point, like 1234.56`;
	if (/^\d{1,3}([,' \u00a0\u202f]\d{3})+(\.\d+)?$/.test(text))
		return `${shown} has thousands separators; write the digits together, like 1234.56`;
	if (/^[\d.,]+\s*\p{Sc}$|^\p{Sc}/u.test(text)) return `${shown} has a currency sign; write only digits and a point`;
	if (/^[\d.]+\s*[A-Za-z]{3}$|^[A-Za-z]{3}\s*[\d.]+$/.test(text))
		return `${shown} has a currency next to it; write only digits and a point, and the currency in a column of its own`;
	if (/^[\d.,]+[eE][-+]?\d+$/.test(text))
		return `${shown} is in exponent form, as a spreadsheet shows long numbers; format the column as text`;
	return `${shown} is not an amount; write digits and a point, like 1234.56`;
}

function defined<T extends Record<string, unknown>>(values: T): Partial<T> {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
