import * as z from "zod/mini";
import { getBeneficiary, listBeneficiaries } from "../../api/operations/beneficiary.js";
import { getLedger, listLedgers } from "../../api/operations/ledger.js";
import { createBeneficiaryTransaction, getTransaction, listTransactions } from "../../api/operations/transaction.js";
import { transferFromBody } from "../../api/operations/transfer.js";
import { serviceOf } from "../../client/service.js";
import { timeoutOf, waitFields } from "../../onboarding/records/waiting.js";
import { beneficiaryChoices, ledgerChoices } from "../../payments/single/choices.js";
import { type Paid, paidNext, paidOutcome, paidText } from "../../payments/single/paid.js";
import { prepared, sayFaults, sayFields } from "../../payments/single/sending.js";
import { payOne, previewOne } from "../../payments/single/single.js";
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
	input: z.strictObject({ ...createBeneficiaryTransaction.body.shape, ...sayFields(), ...waitFields() }).check(
		z.superRefine((input, check) => {
			for (const { field, message } of sayFaults(input)) check.addIssue({ code: "custom", path: [field], message });
		}),
	),
	choices: {
		ledgerFromId: (context) => ledgerChoices(serviceOf(context), "payable"),
		beneficiaryId: (context) => beneficiaryChoices(serviceOf(context)),
	},
	prepare: (context, input) => prepared(context, createBeneficiaryTransaction, input),
	preview: (context, input) =>
		previewOne(context, serviceOf(context), {
			transfer: transferFromBody(createBeneficiaryTransaction, input, input.currency),
			said: input,
			label: "Looking at ledger and beneficiary",
		}),
	run: (context, { wait, waitTimeout, token: _token, currency, despite, reason, newJournal: _, ...added }, confirmed): Promise<Paid> =>
		payOne(context, serviceOf(context), transferFromBody(createBeneficiaryTransaction, added, currency), {
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
