import type { OperationBinding } from "../../src/ports/binding.js";

/** A payment between ledgers at a deployment that has one path for all payments, minor units, and the reference in a header. */
export const payment = {
	method: "POST",
	path: "/v2/payments",
	constants: [{ place: "body", at: "/kind", value: "internal" }],
	request: {
		others: "refused",
		fields: {
			ledgerFromId: { place: "body", at: "/debtor/account" },
			ledgerToId: { place: "body", at: "/creditor/account" },
			amount: { place: "body", at: "/amount/value", codec: "minor-units" },
			currency: { place: "body", at: "/amount/currency" },
			reference: { place: "header", at: "X-Remittance" },
		},
	},
	answer: { fields: { id: { at: "/paymentId" } }, statuses: { accepted: [200, 201], waiting: [202] } },
} satisfies OperationBinding;
