/**
 * The common part of the commands that send the rest of a batch; they differ only in the states whose rows they send.
 */

import * as z from "zod/mini";
import { getBeneficiary } from "../../../api/operations/beneficiary.js";
import { getLedger } from "../../../api/operations/ledger.js";
import { createBeneficiaryTransaction, createInterLedger, listTransactions } from "../../../api/operations/transaction.js";
import type { Context } from "../../../context.js";
import type { IntentState } from "../../../ports/intent.js";
import type { Service } from "../../../ports/service.js";

import { checkResumable } from "../plan/check.js";
import { lookUpDebited } from "../plan/debited.js";
import { allowedAgain, findShownDuplicates, type ShownDuplicates } from "./allowed.js";
import { limitFields, limitsOf } from "./limits.js";
import { batchField, batchNamed } from "./named.js";
import { outcomeOfRun, rowsIn } from "./outcome.js";
import { type BatchPreview, previewOfRest } from "./preview.js";
import { notThisFields, recheckRows } from "./recheck.js";
import { type BatchRun, runBatch } from "./run.js";
import { batchText } from "./text.js";

/** @param takes the states whose rows are sent */
export function sendingRest(takes: readonly IntentState[], serviceOf: (context: Context) => Service) {
	const input = z.strictObject({ batch: batchField(), ...limitFields(), ...notThisFields() });
	type Given = z.output<typeof input>;
	return {
		effect: "money",
		operations: [createInterLedger.id, createBeneficiaryTransaction.id, getLedger.id, listTransactions.id, getBeneficiary.id],
		input,
		prepare: async (context: Context, given: Given): Promise<Given> => {
			limitsOf(given);
			const { profile } = await context.settings();
			const record = await batchNamed(context, given.batch);
			const changed = checkResumable(record, profile);
			if (changed.length > 0)
				context.reporter.warn(
					`since batch ${record.batch} was planned, these settings changed: ${changed.join(", ")}; the rest is sent with the current ones`,
				);
			return { ...given, batch: record.batch };
		},
		preview: async (context: Context, { batch }: Given): Promise<BatchPreview & { confirms: ShownDuplicates }> => {
			const record = await batchNamed(context, batch);
			const shown = await findShownDuplicates(context, record.plan, takes, rowsIn(record.counts, ...takes));
			return { ...previewOfRest(record, takes, shown.alike, await lookUpDebited(serviceOf(context), record.plan)), confirms: shown };
		},
		run: async (context: Context, { batch, notThis, ...given }: Given, shown?: ShownDuplicates): Promise<BatchRun> => {
			const record = await batchNamed(context, batch);
			const again = await recheckRows(context, serviceOf(context), record, { takes, notThis });
			const allowed = { ...allowedAgain(record.plan, shown), again };
			return runBatch(context, serviceOf(context), { batch, takes, allowed, limits: limitsOf(given) });
		},
		text: batchText,
		outcomes: ["partial"],
		outcome: outcomeOfRun,
	} as const;
}
