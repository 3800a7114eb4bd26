import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { amount, moment } from "../../api/fields.js";
import { listTransactions, transactionRecord, viewTransaction } from "../../api/operations/transaction.js";
import { momentForms } from "../../api/typed.js";
import { sameAmount } from "../../payments/rules/decimal.js";
import { isFinal } from "../../payments/single/after.js";
import { listCommand } from "../families/list.js";

const { page, pageSize, ...filters } = listTransactions.query.shape;

export default listCommand({
	path: "pay list",
	summary: "List transactions, by ledger, status or time",
	details:
		"Newest first, or as --sort-direction says. With --amount the newest 5 000 of the others' filters are searched: the service cannot be asked for it.",
	examples: {
		"pay list --amount 12.50": "To whom a payment of this amount went, and from where",
		"pay list --ledger-id Savings": "Of one ledger, the latest first",
		"pay list --since 7d --status PENDING": "Of the last seven days, what is still under way",
		"pay list --since 2026-03-01 --until 2026-03-31 --limit 10000 -o csv > march.csv":
			"A month for accounting, by days of UTC; it says when there are more",
		"pay list --limit 10000 -o ndjson": "One record per line, for a script",
	},
	operation: listTransactions,
	filters: {
		...filters,
		startDate: z.optional(moment(`Not before: ${momentForms}`, "start", { alias: "since" })),
		endDate: z.optional(moment("Not after, in the same forms; a day to its end", "end", { alias: "until" })),
		amount: z.optional(amount("Only of this amount")),
	},
	request: ({ amount: _sifted, ...query }) => ({ query }),
	meant: ({ amount: wanted }) => {
		if (wanted === undefined) return undefined;
		return (record) => sameAmount(viewTransaction(record).amount ?? "", wanted);
	},
	newest: 20,
	record: transactionRecord,
	view: viewTransaction,
	called: ({ senderLedgerId, receiverLedgerId }) => [
		["ledger", senderLedgerId],
		["ledger", receiverLedgerId],
	],
	columns: (style) => ({
		id: ({ id }) => id,
		created: ({ createdAt }) => style.moment(createdAt),
		amount: ({ amount, currency }) => style.money(amount, currency),
		// In a pipe as the service names it.
		to: ({ receiverName, receiverLedgerId }) =>
			(style.cells ? undefined : style.called("ledger", receiverLedgerId)) ?? receiverName ?? receiverLedgerId,
		reference: ({ reference }) => reference,
		status: ({ status }) => style.status(status),
		from: ({ senderLedgerId, senderName }) => style.called("ledger", senderLedgerId) ?? senderName ?? senderLedgerId,
	}),
	none: "No transactions found.",
	next: (found) => {
		const moving = found.find(({ status }) => !isFinal(status));
		return moving ? [purser`pay show ${typed(moving.id, "TRANSACTION")} --wait`] : [];
	},
});
