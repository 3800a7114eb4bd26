/**
 * The family of commands that send one payment: what is shown before it, the sending, and the wait for its final status.
 */
import * as z from "zod/mini";
import { codeOf } from "../../api/amount.js";
import { optionals } from "../../api/answer.js";
import { despiteFaults, type FieldFault, fitting, fromFile } from "../../api/fields.js";
import type { AnyOperation } from "../../api/operation.js";
import { getLedger, listLedgers } from "../../api/operations/ledger.js";
import {
	type createBeneficiaryTransaction,
	type createInterLedger,
	getTransaction,
	listTransactions,
	transactionRecord,
} from "../../api/operations/transaction.js";
import { transferFromBody } from "../../api/operations/transfer.js";
import { type Answer, type Command, defineCommand } from "../../cli/command.js";
import { timeoutOf, waitFields } from "../../http/wait.js";
import { type Paid, paidNext, paidOutcome, paidText } from "../../payments/single/after.js";
import { paymentOptionFields } from "../../payments/single/options.js";
import { previewPayment, sendPayment } from "../../payments/single/single.js";

interface Described extends Pick<Command, "path" | "summary" | "details" | "examples"> {
	operation: typeof createInterLedger | typeof createBeneficiaryTransaction;
	lookUps: readonly AnyOperation[];
	label: string;
	faults?(input: object): readonly FieldFault[];
}

export function payCommand({ operation, lookUps, label, faults, ...described }: Described) {
	return defineCommand({
		...described,
		effect: "money",
		// Of companies the id alone: what describes them need not be loaded for every payment.
		operations: [
			...[operation, getLedger, listLedgers, ...lookUps, listTransactions, getTransaction].map(({ id }) => id),
			"corporate.list",
		],
		input: fromFile(
			fitting(z.strictObject({ ...operation.body.shape, ...paymentOptionFields(), ...waitFields() }), (input) => [
				...despiteFaults(input),
				...(faults?.(input) ?? []),
			]),
		),
		answer: () =>
			z.looseObject({
				...optionals(["id", "intent"]),
				...{ waiting: z.boolean(), transaction: z.optional(transactionRecord()) },
			}),
		async run(context, input): Promise<Answer<Paid>> {
			const { service, ask } = context;
			const { wait, waitTimeout, despite, reason, newJournal } = input;
			const transfer = transferFromBody(operation, input, codeOf(input.currency));
			const preview = async () => {
				// Nobody is asked about a payment that would not be sent.
				await service.requireConfirmed(operation);
				return previewPayment(context, transfer, input, label);
			};
			const confirmed = await ask.payment(preview, { newJournal });
			const follow = wait ? timeoutOf(waitTimeout) : undefined;
			const paid = await sendPayment(context, transfer, { despite, reason, follow, confirmed });
			const nameOf = await context.names.of();
			const ledger = nameOf("ledger", transfer.ledgerFromId) ?? transfer.ledgerFromId;
			return { data: paid, exit: paidOutcome(paid, wait), next: paidNext(paid, ledger) };
		},
		text: paidText,
	});
}
