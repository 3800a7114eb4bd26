import { z } from "zod";
import { getLedger } from "../../../api/ledger.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../../api/transaction.js";
import { openLane } from "../../../client/lane.js";
import { reader } from "../../../client/service.js";
import { allowedAgain, showAlike } from "../../../payments/batch/allowed.js";
import { checkProfile } from "../../../payments/batch/check.js";
import { debitedBy } from "../../../payments/batch/debited.js";
import { limitFields, limitsOf } from "../../../payments/batch/limits.js";
import { batchField, batchNamed } from "../../../payments/batch/named.js";
import { outcomeOfRun, rowsIn } from "../../../payments/batch/outcome.js";
import { previewOfRest } from "../../../payments/batch/preview.js";
import { type BatchRun, runBatch } from "../../../payments/batch/run.js";
import { batchText } from "../../../payments/batch/told.js";
import { defineCommand } from "../../../shell/command.js";

const refused = ["refused"] as const;

export default defineCommand({
	path: "pay batch retry-refused",
	summary: "Send the refused rows of a batch once more",
	details:
		"Each refused row is sent again as a new attempt of its own: for what the service refused for a passing reason (a limit, a right, a ledger that was blocked). Rows that have to be changed belong into a file of their own: refused.csv of `pay batch report`.",
	examples: [
		{ run: "pay batch retry-refused 7", note: "Asks, then sends the refused rows again" },
		{ run: "pay batch retry-refused 7 --stop-after 1 --yes", note: "One row, to see whether it goes now" },
	],
	effect: "money",
	operations: [createInterLedger.id, createBeneficiaryTransaction.id, getLedger.id],
	input: z.strictObject({ batch: batchField(), ...limitFields() }),
	prepare: async (context, input) => {
		limitsOf(input);
		const { profile } = await context.settings();
		const record = await batchNamed(context, input.batch);
		checkProfile(record.plan, profile);
		return { ...input, batch: record.batch };
	},
	preview: async (context, { batch }) => {
		const record = await batchNamed(context, batch);
		const alike = await showAlike(context, record.plan, refused, rowsIn(record.counts, ...refused));
		return previewOfRest(record, refused, alike, await debitedBy(reader(context), record.plan));
	},
	run: async (context, { batch, ...input }): Promise<BatchRun> => {
		const { plan } = await batchNamed(context, batch);
		const allowed = allowedAgain(context, plan);
		return runBatch(context, openLane, { batch, takes: refused, allowed, limits: limitsOf(input) });
	},
	text: batchText,
	outcomes: ["partial"],
	outcome: outcomeOfRun,
});
