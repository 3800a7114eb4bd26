import { z } from "zod";
import { getBeneficiary, listBeneficiaries } from "../../api/operations/beneficiary.js";
import { getLedger, listLedgers } from "../../api/operations/ledger.js";
import { createBeneficiaryTransaction, getTransaction, listTransactions } from "../../api/operations/transaction.js";
import { call } from "../../client/call.js";
import { reader } from "../../client/service.js";
import { waitFor } from "../../client/wait.js";
import { timeoutOf, waitFields } from "../../onboarding/records/waiting.js";
import { beneficiaryChoices, ledgerChoices } from "../../payments/single/choices.js";
import { type Paid, paidNext, paidOutcome, paidText } from "../../payments/single/paid.js";
import { prepared, sayFaults, sayFields } from "../../payments/single/sending.js";
import { payOne, previewOne, waitingLabel } from "../../payments/single/single.js";
import type { Transfer } from "../../ports/journal.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "pay beneficiary",
	summary: "Send money to an external beneficiary",
	details:
		"Shows who is paid, the balance and what is left, the likely rail and anything unusual, then asks; --yes instead in a script. The service chooses the rail; both switches are always sent. It documents no protection against sending twice: when no answer comes (exit 7), settle the doubt before sending again.",
	examples: [
		{
			run: "pay beneficiary --ledger-from-id 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --beneficiary-id 8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21 --amount 250.00",
			note: "Asks before it sends",
		},
		{ run: "pay beneficiary", note: "Choose ledger and beneficiary by name" },
		{
			run: "pay beneficiary --ledger-from-id … --beneficiary-id … --amount 250.00 --no-allow-fast-payment",
			note: "Without an instant rail",
		},
		{
			run: "pay beneficiary --ledger-from-id … --beneficiary-id … --amount 250.00 --dry-run",
			note: "The exact request, without sending it",
		},
		{ run: "pay beneficiary --from payment.yaml --amount 250.00", note: "From a file; flags win" },
	],
	effect: "money",
	document: true,
	operations: [
		createBeneficiaryTransaction.id,
		getLedger.id,
		listLedgers.id,
		getBeneficiary.id,
		listBeneficiaries.id,
		listTransactions.id,
		getTransaction.id,
	],
	input: z.strictObject({ ...createBeneficiaryTransaction.body.shape, ...sayFields(), ...waitFields() }).superRefine((input, check) => {
		for (const { field, message } of sayFaults(input)) check.addIssue({ code: "custom", path: [field], message });
	}),
	choices: {
		ledgerFromId: (context) => ledgerChoices(reader(context), "payable"),
		beneficiaryId: (context) => beneficiaryChoices(reader(context)),
	},
	prepare: (context, input) => prepared(context, createBeneficiaryTransaction, input),
	preview: (context, input) =>
		previewOne(context, reader(context), {
			transfer: transferOf(input),
			said: input,
			switches: input,
			label: "Looking at ledger and beneficiary",
		}),
	run: (context, { wait, waitTimeout, token, currency, despite, reason, newJournal: _, ...body }): Promise<Paid> =>
		payOne(
			context,
			transferOf({ ...body, currency }),
			{ token, despite, reason, reference: body.reference },
			{
				service: reader(context),
				send: (beside) => call(context, createBeneficiaryTransaction, { body }, beside),
				wait: wait ? (look) => waitFor(context, { timeout: timeoutOf(waitTimeout), label: waitingLabel }, look) : undefined,
			},
		),
	text: paidText,
	outcome: (paid, { wait }) => paidOutcome(paid, wait),
	next: (paid, { ledgerFromId }) => paidNext(paid, ledgerFromId),
});

function transferOf(input: z.output<typeof createBeneficiaryTransaction.body> & { currency?: string }): Transfer {
	const { ledgerFromId, beneficiaryId, amount, currency, reference } = input;
	return { kind: "beneficiary", ledgerFromId, counterpartyId: beneficiaryId, amount, currency, reference };
}
