import { z } from "zod";
import { getBeneficiary, listBeneficiaries } from "../../api/beneficiary.js";
import { getLedger, listLedgers } from "../../api/ledger.js";
import { createBeneficiaryTransaction, getTransaction, listTransactions } from "../../api/transaction.js";
import { call } from "../../client/call.js";
import { reader } from "../../client/service.js";
import { waitFor } from "../../client/wait.js";
import type { Transfer } from "../../context.js";
import { timeoutOf, waitFields } from "../../onboarding/waiting.js";
import { looked } from "../../payments/after.js";
import { beneficiaryChoices, ledgerChoices } from "../../payments/choices.js";
import { checkDecimals, previewTransfer } from "../../payments/facts.js";
import { follow } from "../../payments/follow.js";
import { type Paid, paidNext, paidOutcome, paidText } from "../../payments/paid.js";
import { needsCurrency, prepared, saidOf, sayFaults, sayFields, warningsBefore } from "../../payments/sending.js";
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
	],
	effect: "money",
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
	prepare: async (context, input) => prepared(input, () => context.chance.fraction()),
	preview: async (context, input) => {
		const warnings = await warningsBefore(context, reader(context), transferOf(input), input);
		const duplicateDays = Number((await context.explained()).find((setting) => setting.key === "duplicate-days")?.value);
		const switches = { allowFastPayment: input.allowFastPayment, allowInterLedger: input.allowInterLedger };
		const preview = await context.say.during("Looking at ledger and beneficiary", () =>
			previewTransfer(reader(context), transferOf(input), { switches, duplicateDays, now: context.clock.now() }),
		);
		return { ...preview, warnings: [...warnings, ...preview.warnings] };
	},
	run: async (context, { wait, waitTimeout, token, despite, reason, ...body }): Promise<Paid> => {
		const { profile } = await context.settings();
		const currency = await checkDecimals(reader(context), transferOf(body), needsCurrency(profile));
		const said = saidOf(context, { token, despite, reason, reference: body.reference });
		const { data, id, intent, waiting } = await call(context, createBeneficiaryTransaction, { body }, { currency, said });
		const paid: Paid = { ...data, id, intent, waiting, ...(said.token !== undefined && { reference: body.reference }) };
		if (!wait || id === undefined) return paid;
		const look = async () => looked(id, (await call(context, getTransaction, { params: { transactionId: id } })).data);
		const limits = { timeout: timeoutOf(waitTimeout), label: "Waiting for the payment to be final" };
		const transaction = await follow(id, async () => (await waitFor(context, limits, look)).data, context.say.warn);
		return { ...paid, transaction };
	},
	text: paidText,
	outcome: (paid, { wait }) => paidOutcome(paid, wait),
	next: (paid, { ledgerFromId }) => paidNext(paid, ledgerFromId),
});

function transferOf(body: z.output<typeof createBeneficiaryTransaction.body>): Transfer {
	const { ledgerFromId, beneficiaryId, amount, reference } = body;
	return { kind: "beneficiary", ledgerFromId, counterpartyId: beneficiaryId, amount, reference };
}
