/**
 * The common part of the commands that send the rest of a batch; they differ only in the states whose rows they send.
 */

import * as z from "zod/mini";
import { getBeneficiary } from "../../../api/operations/beneficiary.js";
import { getLedger } from "../../../api/operations/ledger.js";
import { createBeneficiaryTransaction, createInterLedger, listTransactions } from "../../../api/operations/transaction.js";
import type { Context } from "../../../context.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import type { Service } from "../../../ports/service.js";
import { confirmBindingField } from "../../single/confirm-binding.js";
import { checkResumable } from "../plan/check.js";
import { lookUpDebited } from "../plan/debited.js";
import { allowedAgain, findShownDuplicates, type ShownDuplicates } from "./allowed.js";
import { limitFields, limitsOf } from "./limits.js";
import { batchField, batchNamed } from "./named.js";
import { outcomeOfRun, rowsIn } from "./outcome.js";
import { type BatchPreview, previewOfRest } from "./preview.js";
import { notThisFields, recheckRefused, recheckRows } from "./recheck.js";
import { type BatchRun, runBatch } from "./run.js";
import { batchText, doneOf, withDone } from "./text.js";

/** Bindings that nobody has confirmed: asked about at a terminal, or confirmed by what a script gives. */
export interface Confirming {
	ask(context: Context, plan: BatchPlan, given?: readonly string[]): Promise<void>;
	take(context: Context, plan: BatchPlan, given?: readonly string[]): Promise<void>;
}

/** @param takes the states whose rows are sent */
export function sendingRest(takes: readonly IntentState[], serviceOf: (context: Context) => Service, confirming: Confirming) {
	const input = z.strictObject({ batch: batchField(), ...limitFields(), ...notThisFields(), confirmBinding: confirmBindingField() });
	type Given = z.output<typeof input>;
	const toldDone = <T>(record: BatchRecord, work: () => Promise<T>): Promise<T> =>
		work().catch((error: unknown) => {
			throw withDone(error, record, takes);
		});
	return {
		effect: "money",
		operations: [createInterLedger.id, createBeneficiaryTransaction.id, getLedger.id, listTransactions.id, getBeneficiary.id],
		input,
		prepare: async (context: Context, given: Given): Promise<Given> => {
			limitsOf(given);
			const { profile } = await context.settings();
			const record = await batchNamed(context, given.batch);
			const changed = await toldDone(record, async () => checkResumable(record, profile));
			if (changed.length > 0)
				context.reporter.warn(
					`since batch ${record.batch} was planned, these settings changed: ${changed.join(", ")}; the rest is sent with the current ones`,
				);
			return { ...given, batch: record.batch };
		},
		preview: async (context: Context, { batch, confirmBinding }: Given): Promise<BatchPreview & { confirms: ShownDuplicates }> => {
			const record = await batchNamed(context, batch);
			return toldDone(record, async () => {
				await confirming.ask(context, record.plan, confirmBinding);
				const shown = await findShownDuplicates(context, record.plan, takes, rowsIn(record.counts, ...takes));
				const preview = previewOfRest(record, takes, shown.alike, await lookUpDebited(serviceOf(context), record.plan));
				return { ...preview, before: doneOf(record, takes), confirms: shown };
			});
		},
		run: async (context: Context, { batch, notThis, confirmBinding, ...given }: Given, shown?: ShownDuplicates): Promise<BatchRun> => {
			const record = await batchNamed(context, batch);
			return toldDone(record, async () => {
				await confirming.take(context, record.plan, confirmBinding);
				const again = await recheckRows(context, serviceOf(context), record, { takes, notThis });
				const allowed = { ...allowedAgain(record.plan, shown), again };
				const recheck = recheckRefused(context, serviceOf(context), record, notThis);
				return runBatch(context, serviceOf(context), { batch, takes, allowed, limits: limitsOf(given), recheck });
			});
		},
		text: batchText,
		outcomes: ["partial"],
		outcome: outcomeOfRun,
	} as const;
}
