import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { moment } from "../../api/fields.js";
import { listTransactions, transactionRecord, viewTransaction } from "../../api/operations/transaction.js";
import { momentForms } from "../../api/typed.js";
import { isFinal } from "../../payments/single/after.js";
import { listCommand } from "../families/list.js";

const { page, pageSize, ...filters } = listTransactions.query.shape;

export default listCommand({
	path: "pay list",
	summary: "List transactions, by ledger, status or time",
	details: "Newest first, or as --sort-direction says.",
	examples: [
		{ run: "pay list --ledger-id Savings", note: "Of one ledger, the latest first" },
		{ run: "pay list --since 7d --status PENDING", note: "Of the last seven days, what is still under way" },
		{
			run: "pay list --since 2026-03-01 --until 2026-03-31 --limit 10000 -o csv > march.csv",
			note: "A month for accounting, by days of UTC; it says when there are more",
		},
		{ run: "pay list --limit 10000 -o ndjson", note: "One record per line, for a script" },
	],
	operation: listTransactions,
	filters: {
		...filters,
		startDate: z.optional(moment(`Not before: ${momentForms}`, "start", { alias: "since" })),
		endDate: z.optional(moment("Not after, in the same forms; a day to its end", "end", { alias: "until" })),
	},
	record: transactionRecord,
	view: viewTransaction,
	columns: (style) => ({
		id: ({ id }) => id,
		created: ({ createdAt }) => style.moment(createdAt),
		amount: ({ amount, currency }) => style.money(amount, currency),
		to: ({ receiverName, receiverLedgerId }) => receiverName ?? receiverLedgerId,
		reference: ({ reference }) => reference,
		status: ({ status }) => style.status(status),
	}),
	none: "No transactions found.",
	next: (found) => {
		const moving = found.find(({ status }) => !isFinal(status));
		return moving ? [purser`pay show ${typed(moving.id, "TRANSACTION")} --wait`] : [];
	},
});
