import * as z from "zod/mini";
import { answer, type Received, type RecordNames, recordSchema, textAt } from "../answer.js";
import { amount, id, identifier, openChoice, paging, reference, time } from "../fields.js";
import { ofList, operation } from "../operation.js";
import { field } from "../schema.js";
import { transactionStatuses } from "../values.js";
import type { Transfer } from "./transfer.js";

/** What is the same of both; each is described with schemas of its own. */
const payment = () =>
	({
		effect: "money",
		done: { one: "payment", many: "payments", verb: "sent" },
		answer: answer(["id"], "spec"),
		created: ["id"],
		provenance: { method: "assumed", path: "assumed", request: "spec", answer: "spec" },
		specified: true,
	}) as const;
const payer = () => id("ledger", "Ledger to debit", { alias: "from", source: "spec" });
const allowed = (description: string) => z._default(field(z.boolean(), { description, source: "spec" }), true);

export const createInterLedger = operation({
	id: "transaction.interLedger",
	title: "Create an inter-ledger transaction",
	send: "POST /api/partner/transactions/inter-ledger",
	body: () =>
		z.strictObject({
			ledgerFromId: payer(),
			ledgerToId: id("ledger", "Ledger to credit", { alias: "to", source: "spec" }),
			amount: amount('Amount, with "." as decimal separator'),
			reference: z.optional(reference()),
		}),
	...payment(),
});

export const createBeneficiaryTransaction = operation({
	id: "transaction.beneficiary",
	title: "Create a transaction to a beneficiary",
	send: "POST /api/partner/transactions/beneficiary",
	body: () =>
		z.strictObject({
			ledgerFromId: payer(),
			beneficiaryId: id("beneficiary", "Beneficiary to credit", { alias: "to", source: "spec" }),
			amount: amount("Amount in the beneficiary account's currency"),
			reference: z.optional(reference()),
			allowFastPayment: allowed("Use an instant rail where possible"),
			allowInterLedger: allowed("Pay from ledger to ledger when the account is hosted at the service"),
		}),
	...payment(),
});

/** The operation of each kind of transfer. */
export const transferOperations = {
	ledger: createInterLedger,
	beneficiary: createBeneficiaryTransaction,
} as const satisfies Readonly<Record<Transfer["kind"], unknown>>;

const transactionFields = "id type paymentType status creationDate amount currency information sender receiver".split(" ");

const transactionNames: RecordNames = {
	ids: ["id", "transactionId"],
	fields: [...transactionFields, "transactionId", "reference", "beneficiaryId"],
};

export const getTransaction = operation({
	id: "transaction.get",
	title: "Get a transaction",
	effect: "read",
	send: "GET /api/partner/transactions/{transactionId}",
	params: () => z.strictObject({ transactionId: identifier("transaction", "The transaction") }),
	answer: answer(transactionFields),
	record: transactionNames,
	provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "documented" },
	specified: true,
});

export const listTransactions = operation({
	id: "transaction.list",
	title: "List transactions",
	send: "GET /api/partner/transactions",
	query: () =>
		z.strictObject({
			ledgerId: z.optional(id("ledger", "Only those of this ledger")),
			status: z.optional(field(z.array(openChoice("Status", transactionStatuses)), { description: "Only these statuses" })),
			startDate: z.optional(time("Not before (RFC 3339)")),
			endDate: z.optional(time("Not after (RFC 3339)")),
			...paging(),
		}),
	record: transactionNames,
	...ofList,
});

/** A transaction as a command answers it. */
export const transactionRecord = () =>
	recordSchema(
		transactionFields,
		{
			information: ["reference", "declineReason", "note", "clearingDate"],
			sender: ["name", "ledgerId"],
			receiver: ["name", "ledgerId", "beneficiaryId"],
		},
		{
			id: (record) => viewTransaction(record).id,
			"information.reference": (record) => viewTransaction(record).reference,
			"receiver.beneficiaryId": (record) => viewTransaction(record).beneficiaryId,
		},
	);

/** Reads a transaction. Missing fields stay undefined. */
export function viewTransaction(record: Received) {
	return {
		id: textAt(record, "id", "transactionId"),
		type: textAt(record, "type"),
		rail: textAt(record, "paymentType"),
		status: textAt(record, "status"),
		createdAt: textAt(record, "creationDate"),
		amount: textAt(record, "amount"),
		currency: textAt(record, "currency"),
		reference: textAt(record, "information.reference", "reference"),
		declineReason: textAt(record, "information.declineReason"),
		senderName: textAt(record, "sender.name"),
		senderLedgerId: textAt(record, "sender.ledgerId"),
		receiverName: textAt(record, "receiver.name"),
		receiverLedgerId: textAt(record, "receiver.ledgerId"),
		beneficiaryId: textAt(record, "receiver.beneficiaryId", "beneficiaryId"),
	};
}

export type TransactionView = Partial<ReturnType<typeof viewTransaction>>;
