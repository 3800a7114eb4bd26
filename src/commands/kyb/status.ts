import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { corporateRecord, getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { defineCommand } from "../../cli/command.js";
import { readOrWait, requireStatus, waitFields } from "../../http/wait.js";
import { readCorporate } from "../../onboarding/records/reading.js";
import { yesNo } from "../../onboarding/records/record.js";

/** Statuses that end waiting: two are final, one needs somebody to act. */
const settled: readonly (string | undefined)[] = ["VALIDATED", "DECLINED", "NEED_ADDITIONAL_INFORMATION"];

export default defineCommand({
	path: "kyb status",
	summary: "Show the KYB of a company",
	details: "What it still needs: `purser corporate status`.",
	examples: {
		"kyb status crm-5002": "Check once",
		"kyb status crm-5002 --wait --wait-timeout 900": "Wait for the decision: exit 0 validated, 5 declined, 8 not yet",
	},
	operations: [getCorporate.id],
	input: z.strictObject({ ...getCorporate.params.shape, ...waitFields() }),
	answer: () => corporateRecord(),
	async run(context, input) {
		const { corporateId, wait } = input;
		const read = () => readCorporate(context.service, corporateId);
		const isSettled = (record: Received): boolean => settled.includes(viewCorporate(record).kybStatus);
		const { data } = await readOrWait(context, input, "Waiting for the KYB to be decided", read, isSettled);
		const { kybStatus } = viewCorporate(data);
		requireStatus("the KYB", kybStatus, data);
		const id = typed(corporateId, "CORPORATE");
		if (kybStatus === "VALIDATED") return { data, next: [purser`ledger list --end-user-id ${id}`] };
		const exit = kybStatus === "DECLINED" ? "rejected" : wait ? "pending" : undefined;
		return { data, exit, next: [purser`corporate status ${id}`, purser`kyb status ${id} --wait`] };
	},
	text: (record, style) => {
		const view = viewCorporate(record);
		const rows = style.pairs({
			Company: view.name,
			Id: view.id,
			KYB: style.status(view.kybStatus),
			Reason: view.kybReason,
			"Terms accepted": style.status(yesNo(view.termsAccepted)),
			Updated: style.time(view.updatedAt),
		});
		const declined = "The verification was declined. The service's customer care decides whether it can be opened again.";
		return view.kybStatus === "DECLINED" ? `${rows}\n\n${declined}` : rows;
	},
});
