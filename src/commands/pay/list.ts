import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { timeOrDay } from "../../api/fields.js";
import { listTransactions, viewTransaction } from "../../api/operations/transaction.js";
import { isFinal } from "../../payments/single/after.js";
import { listCommand } from "../families/list.js";

const { page, pageSize, ...filters } = listTransactions.query.shape;

export default listCommand({
	path: "pay list",
	summary: "List transactions, by ledger, status or time",
	examples: [
		{ run: "pay list --ledger-id 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --sort-direction DESC", note: "The latest of a ledger first" },
		{ run: "pay list --status PENDING --start-date 2026-03-01T00:00:00Z", note: "What is still under way" },
		{ run: "pay list --start-date 2026-03-01 --end-date 2026-03-31", note: "Of one month, in UTC" },
		{ run: "pay list --limit 10000 --output ndjson", note: "A record a line, for a script" },
	],
	operation: listTransactions,
	filters: {
		...filters,
		startDate: z.optional(timeOrDay("Not before: a time (RFC 3339), or a day of UTC from its beginning")),
		endDate: z.optional(timeOrDay("Not after: a time (RFC 3339), or a day of UTC to its end")),
	},
	request: ({ startDate, endDate, ...rest }) => ({
		query: { ...rest, startDate: momentOf(startDate, "00:00:00Z"), endDate: momentOf(endDate, "23:59:59.999Z") },
	}),
	view: viewTransaction,
	columns: (style) => ({
		id: ({ id }) => id,
		created: ({ createdAt }) => createdAt?.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*Z$/, "$1 $2Z"),
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

/** The service is sent times: what it makes of a day alone is not known. */
function momentOf(given: string | undefined, time: string): string | undefined {
	return given?.length === "2026-03-01".length ? `${given}T${time}` : given;
}
