import * as z from "zod/mini";
import { answer, pageOf, type Received, textAt } from "../answer.js";
import { openChoice } from "../check/open-choice.js";
import { id, identifier, plain } from "../fields.js";
import { operation } from "../operation.js";
import { paging } from "../paging.js";
import { field } from "../schema.js";
import type { RecordNames } from "../understood.js";
import { ledgerStatuses } from "../values.js";

const ledgerFields = {
	id: "Identifier",
	endUserId: "Whose it is",
	friendlyName: "Its name",
	status: "PENDING, ACTIVE, CLOSING, CLOSED, SUSPENDED, FAILED",
	currency: "Currency",
	totalAmount: "Balance",
	availableAmount: "What can be spent",
	reservedAmount: "What is held for payments under way",
	iban: "IBAN",
};

const ledgerNames: RecordNames = { ids: ["id", "ledgerId"], fields: [...Object.keys(ledgerFields), "ledgerId", "name"] };

export const listLedgers = operation({
	id: "ledger.list",
	title: "List ledgers",
	effect: "read",
	method: "GET",
	path: "/api/partner/ledgers",
	params: z.object({}),
	query: z.strictObject({
		endUserId: z.optional(id("endUser", "Only those of this end-user")),
		status: z.optional(field(z.array(openChoice("Status", ledgerStatuses)), { description: "Only these statuses" })),
		iban: z.optional(plain("Only with this IBAN", { personal: true })),
		...paging(),
	}),
	answer: pageOf("ledgers"),
	record: ledgerNames,
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
	specified: false,
});

export const getLedger = operation({
	id: "ledger.get",
	title: "Get a ledger",
	effect: "read",
	method: "GET",
	path: "/api/partner/ledgers/{ledgerId}",
	params: z.strictObject({ ledgerId: identifier("ledger", "The ledger") }),
	query: z.object({}),
	answer: answer(ledgerFields),
	record: ledgerNames,
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "documented" },
	specified: false,
});

export interface LedgerView {
	id?: string;
	endUserId?: string;
	name?: string;
	status?: string;
	currency?: string;
	/** Decimal text, as received. */
	total?: string;
	available?: string;
	reserved?: string;
	iban?: string;
}

/** Reads a ledger. Missing fields stay undefined. */
export function viewLedger(record: Received): LedgerView {
	return {
		id: textAt(record, "id", "ledgerId"),
		endUserId: textAt(record, "endUserId"),
		name: textAt(record, "friendlyName", "name"),
		status: textAt(record, "status"),
		currency: textAt(record, "currency"),
		total: textAt(record, "totalAmount"),
		available: textAt(record, "availableAmount"),
		reserved: textAt(record, "reservedAmount"),
		iban: textAt(record, "iban"),
	};
}
