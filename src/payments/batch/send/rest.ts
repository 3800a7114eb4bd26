/**
 * The common part of the commands that send the rest of a batch; they differ only in the states whose rows they send.
 */

import * as z from "zod/mini";
import { getBeneficiary } from "../../../api/operations/beneficiary.js";
import { getLedger } from "../../../api/operations/ledger.js";
import { createBeneficiaryTransaction, createInterLedger, listTransactions } from "../../../api/operations/transaction.js";
import type { Context } from "../../../context.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import type { Service } from "../../../ports/service.js";
import { checkResumable } from "../plan/check.js";
import { lookUpDebited } from "../plan/debited.js";
import { requireConfirmedRows } from "./confirmed.js";
import { findShownDuplicates, overridesOf, type ShownDuplicates } from "./guards.js";
import { limitFields, limitsOf } from "./limits.js";
import { batchField, batchNamed } from "./named.js";
import { outcomeOfRun, rowsIn } from "./outcome.js";
import { type BatchPreview, previewOfRest } from "./preview.js";
import { notThisFields, recheckRefused, recheckRows } from "./recheck.js";
import { type BatchRun, runBatch } from "./run.js";
import { batchText, doneOf, withDone } from "./text.js";

/** @param takes the states whose rows are sent */
export function sendingRest(takes: readonly IntentState[], serviceOf: (context: Context) => Service) {
	const input = z.strictObject({ batch: batchField(), ...limitFields(), ...notThisFields() });
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
		preview: async (context: Context, { batch }: Given): Promise<BatchPreview & { confirms: ShownDuplicates }> => {
			const record = await batchNamed(context, batch);
			return toldDone(record, async () => {
				await requireConfirmedRows(context, serviceOf(context), record.plan);
				const shown = await findShownDuplicates(context, record.plan, takes, rowsIn(record.counts, ...takes));
				const preview = previewOfRest(record, takes, shown.alike, await lookUpDebited(serviceOf(context), record.plan));
				return { ...preview, before: doneOf(record, takes), confirms: shown };
			});
		},
		run: async (context: Context, { batch, notThis, ...given }: Given, shown?: ShownDuplicates): Promise<BatchRun> => {
			const record = await batchNamed(context, batch);
			return toldDone(record, async () => {
				await requireConfirmedRows(context, serviceOf(context), record.plan);
				const again = await recheckRows(context, serviceOf(context), record, { takes, notThis });
				const allowed = { ...overridesOf(record.plan, false, shown), again };
				const recheck = recheckRefused(context, serviceOf(context), record, notThis);
				return runBatch(context, serviceOf(context), { batch, takes, allowed, limits: limitsOf(given), recheck });
			});
		},
		text: batchText,
		outcomes: ["partial"],
		outcome: outcomeOfRun,
	} as const;
}
