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
import { type BatchRun, goingOn, runBatch } from "../../../payments/batch/run.js";
import { batchText } from "../../../payments/batch/told.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "pay batch resume",
	summary: "Go on with a batch after a stop, a crash or a kill",
	details:
		"Sends the rows that provably left no trace at the service: those not begun, those that could not be sent, and those proven not created. A row that is accepted or in doubt is never sent again. What a dead purser left on its way is in doubt and is listed.",
	examples: [
		{ run: "pay batch resume 7", note: "Asks with what is left, then sends it" },
		{ run: "pay batch resume payroll.csv.plan.json --yes --json", note: "In a script, by its plan" },
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
		const alike = await showAlike(context, record.plan, goingOn, rowsIn(record.counts, ...goingOn));
		return previewOfRest(record, goingOn, alike, await debitedBy(reader(context), record.plan));
	},
	run: async (context, { batch, ...input }): Promise<BatchRun> => {
		const { plan } = await batchNamed(context, batch);
		const allowed = allowedAgain(context, plan);
		return runBatch(context, openLane, { batch, takes: goingOn, allowed, limits: limitsOf(input) });
	},
	text: batchText,
	outcomes: ["partial"],
	outcome: outcomeOfRun,
});
