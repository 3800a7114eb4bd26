import * as z from "zod/mini";
import { answer, type Received, type RecordNames, recordSchema, textAt } from "../answer.js";
import { id, identifier, openChoice, paging, plain } from "../fields.js";
import { ofList, operation } from "../operation.js";
import { field } from "../schema.js";
import { ledgerStatuses } from "../values.js";

const ledgerFields = ["id", "endUserId", "friendlyName", "status", "currency", "totalAmount", "availableAmount", "reservedAmount", "iban"];

const ledgerNames: RecordNames = { ids: ["id", "ledgerId"], fields: [...ledgerFields, "ledgerId", "name"] };

export const listLedgers = operation({
	id: "ledger.list",
	title: "List ledgers",
	send: "GET /api/partner/ledgers",
	query: () =>
		z.strictObject({
			endUserId: z.optional(id("endUser", "Only those of this end-user")),
			status: z.optional(field(z.array(openChoice("Status", ledgerStatuses)), { description: "Only these statuses" })),
			iban: z.optional(plain("Only with this IBAN", { personal: true })),
			...paging(),
		}),
	record: ledgerNames,
	...ofList,
});

export const getLedger = operation({
	id: "ledger.get",
	title: "Get a ledger",
	effect: "read",
	send: "GET /api/partner/ledgers/{ledgerId}",
	params: () => z.strictObject({ ledgerId: identifier("ledger", "The ledger") }),
	answer: answer(ledgerFields),
	record: ledgerNames,
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "documented" },
});

/** A ledger as a command answers it. */
export const ledgerRecord = () => recordSchema(ledgerFields);

/** Reads a ledger. Missing fields stay undefined. */
export function viewLedger(record: Received) {
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

export type LedgerView = Partial<ReturnType<typeof viewLedger>>;
