import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { listCorporates } from "../../api/operations/corporate.js";
import { listLedgers } from "../../api/operations/ledger.js";
import { getTransaction, transactionRecord, viewTransaction } from "../../api/operations/transaction.js";
import { defineCommand } from "../../cli/command.js";
import { readOrWait, requireStatus, waitFields } from "../../http/wait.js";
import { warnOfDifference } from "../../payments/matching/person.js";
import { isFinal, outcomeOf, ownTransaction, transactionRows } from "../../payments/single/after.js";

export default defineCommand({
	path: "pay show",
	summary: "Show a transaction and follow it to its final status",
	details:
		"APPROVED, DECLINED, ABORTED, RELEASED and REVERSED are final; any other status is shown as it is and never treated as final. Exit 5 for a final status that is not APPROVED, exit 1 where the answer has no status, exit 8 when --wait ends before a final one.",
	examples: {
		"pay show 3f1c9a52": "How it stands now",
		"pay show 3f1c9a52 --wait --wait-timeout 120": "Until it is final, two minutes at most",
	},
	operations: [getTransaction, listLedgers, listCorporates].map(({ id }) => id),
	input: z.strictObject({ ...getTransaction.params.shape, ...waitFields() }),
	answer: () => transactionRecord(),
	async run(context, input) {
		const { transactionId, wait } = input;
		const read = async () =>
			ownTransaction(transactionId, (await context.service.get(getTransaction, { params: { transactionId } })) as Received);
		const isDone = (record: Received): boolean => isFinal(viewTransaction(record).status);
		const { data } = await readOrWait(context, input, "Waiting for the transaction to be final", read, isDone);
		await warnOfDifference(context, transactionId, data);
		const { status, senderLedgerId, receiverLedgerId } = viewTransaction(data);
		await context.names.of([senderLedgerId, receiverLedgerId].map((id) => ["ledger", id] as const));
		requireStatus("the transaction", status, data);
		const next = isFinal(status) ? [] : [purser`pay show ${typed(transactionId, "TRANSACTION")} --wait`];
		return { data, exit: outcomeOf(status, wait), next };
	},
	text: (record, style) => style.pairs(transactionRows(record, style)),
});
