import * as z from "zod/mini";
import { getLedger, listLedgers } from "../../api/operations/ledger.js";
import { createInterLedger, getTransaction, listTransactions } from "../../api/operations/transaction.js";
import { transferFromBody } from "../../api/operations/transfer.js";
import { serviceOf } from "../../client/service.js";
import { timeoutOf, waitFields } from "../../onboarding/records/waiting.js";
import { ledgerChoices } from "../../payments/single/choices.js";
import { type Paid, paidNext, paidOutcome, paidText } from "../../payments/single/paid.js";
import { prepared, sayFaults, sayFields } from "../../payments/single/sending.js";
import { payOne, previewOne } from "../../payments/single/single.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "pay ledger",
	summary: "Send money from one ledger to another",
	details:
		"Shows both ledgers, the balance and what is left, then asks; --yes instead in a script. The service documents no protection against sending twice: when no answer comes (exit 7), settle the doubt before sending again.",
	examples: [
		{
			run: "pay ledger --ledger-from-id 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --ledger-to-id 8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21 --amount 10.10",
			note: "Asks before it sends",
		},
		{ run: "pay ledger", note: "Choose the ledgers by name and balance" },
		{
			run: 'pay ledger --ledger-from-id … --ledger-to-id … --amount 10.10 --reference "Invoice 2041" --yes --wait --json',
			note: "In a script, until it is final",
		},
		{ run: "pay ledger --from payment.yaml --dry-run", note: "From a file, looked at first" },
	],
	effect: "money",
	document: true,
	operations: [createInterLedger.id, getLedger.id, listLedgers.id, listTransactions.id, getTransaction.id],
	input: z.strictObject({ ...createInterLedger.body.shape, ...sayFields(), ...waitFields() }).check(
		z.superRefine((input, check) => {
			const { ledgerFromId, ledgerToId } = input;
			for (const { field, message } of sayFaults(input)) check.addIssue({ code: "custom", path: [field], message });
			if (ledgerFromId !== undefined && ledgerFromId.toLowerCase() === ledgerToId?.toLowerCase())
				check.addIssue({ code: "custom", path: ["ledgerToId"], message: "is the ledger that is debited; choose another one" });
		}),
	),
	choices: {
		ledgerFromId: (context) => ledgerChoices(serviceOf(context), "payable"),
		ledgerToId: async (context, { ledgerFromId }) =>
			(await ledgerChoices(serviceOf(context), "payable")).filter((one) => one.value !== ledgerFromId),
	},
	prepare: (context, input) => prepared(context, createInterLedger, input),
	preview: (context, input) =>
		previewOne(context, serviceOf(context), {
			transfer: transferFromBody(createInterLedger, input, input.currency),
			said: input,
			label: "Looking at both ledgers",
		}),
	run: (context, { wait, waitTimeout, token: _token, currency, despite, reason, newJournal: _, ...added }, confirmed): Promise<Paid> =>
		payOne(context, serviceOf(context), transferFromBody(createInterLedger, added, currency), {
			despite,
			reason,
			reference: added.reference,
			added,
			follow: wait ? timeoutOf(waitTimeout) : undefined,
			confirmed,
		}),
	text: paidText,
	outcome: (paid, { wait }) => paidOutcome(paid, wait),
	next: (paid, { ledgerFromId }) => paidNext(paid, ledgerFromId),
});
