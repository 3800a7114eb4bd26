/**
 * What the commands have in common that send rows of a batch once more: everything but the states of which they take rows.
 */

import * as z from "zod/mini";
import { getBeneficiary } from "../../../api/operations/beneficiary.js";
import { getLedger } from "../../../api/operations/ledger.js";
import { createBeneficiaryTransaction, createInterLedger, listTransactions } from "../../../api/operations/transaction.js";
import type { Context } from "../../../context.js";
import type { IntentState } from "../../../ports/intent.js";
import type { Service } from "../../../ports/service.js";

import { checkGoesOn } from "../plan/check.js";
import { debitedBy } from "../plan/debited.js";
import { againFields, lookedAtRows } from "./again.js";
import { allowedAgain, type ShownDuplicates, showAlike } from "./allowed.js";
import { limitFields, limitsOf } from "./limits.js";
import { batchField, batchNamed } from "./named.js";
import { outcomeOfRun, rowsIn } from "./outcome.js";
import { type BatchPreview, previewOfRest } from "./preview.js";
import { type BatchRun, runBatch } from "./run.js";
import { batchText } from "./text.js";

/** @param takes the states of which rows are sent */
export function sendingRest(takes: readonly IntentState[], serviceOf: (context: Context) => Service) {
	const input = z.strictObject({ batch: batchField(), ...limitFields(), ...againFields() });
	type Given = z.output<typeof input>;
	return {
		effect: "money",
		operations: [createInterLedger.id, createBeneficiaryTransaction.id, getLedger.id, listTransactions.id, getBeneficiary.id],
		input,
		prepare: async (context: Context, given: Given): Promise<Given> => {
			limitsOf(given);
			const { profile } = await context.settings();
			const record = await batchNamed(context, given.batch);
			const changed = checkGoesOn(record, profile);
			if (changed.length > 0)
				context.reporter.warn(
					`since batch ${record.batch} was planned these settings were changed: ${changed.join(", ")}; what is left is sent by those of today`,
				);
			return { ...given, batch: record.batch };
		},
		preview: async (context: Context, { batch }: Given): Promise<BatchPreview & { confirms: ShownDuplicates }> => {
			const record = await batchNamed(context, batch);
			const shown = await showAlike(context, record.plan, takes, rowsIn(record.counts, ...takes));
			return { ...previewOfRest(record, takes, shown.alike, await debitedBy(serviceOf(context), record.plan)), confirms: shown };
		},
		run: async (context: Context, { batch, notThis, ...given }: Given, shown?: ShownDuplicates): Promise<BatchRun> => {
			const record = await batchNamed(context, batch);
			const again = await lookedAtRows(context, serviceOf(context), record, { takes, notThis });
			const allowed = { ...allowedAgain(record.plan, shown), again };
			return runBatch(context, serviceOf(context), { batch, takes, allowed, limits: limitsOf(given) });
		},
		text: batchText,
		outcomes: ["partial"],
		outcome: outcomeOfRun,
	} as const;
}
