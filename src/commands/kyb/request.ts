import * as z from "zod/mini";
import { advice, purser, shownIn } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { getCorporate, requestKyb, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { call } from "../../client/call.js";
import { serviceOf } from "../../client/service.js";
import { PurserError } from "../../errors.js";
import { openPreconditions } from "../../onboarding/checklist/preconditions.js";
import { companyNamed } from "../../onboarding/records/about.js";
import { uboThreshold } from "../../onboarding/records/read-ownership.js";
import { ifOffered, listRelatedOf, readBack, readCorporate, warnIfPartial } from "../../onboarding/records/reading.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "kyb request",
	summary: "Ask the compliance team to verify a company",
	details:
		"Request it once the company and its related entities are declared, and again after providing information that compliance asked for. KYCs may still be open then, but all must be done before the KYB can be VALIDATED.",
	examples: [{ run: "kyb request crm-5002", note: "After `purser corporate review`" }],
	effect: "write",
	operations: [requestKyb.id, getCorporate.id, listRelated.id],
	input: z.strictObject(requestKyb.params.shape),
	about: async (context, { corporateId }) => {
		const name = await companyNamed(serviceOf(context), corporateId);
		return {
			title: `Request the KYB of ${name}`,
			rows: [
				["To", "the compliance team"],
				["Company", `${name} ${corporateId}`],
			],
		};
	},
	run: async (context, params) => {
		await call(context, requestKyb, { params }).catch((error: unknown) => {
			throw withStatusCommand(error, params.corporateId);
		});
		const after = await readBack(context, async () => {
			const { profile } = await context.settings();
			const data = await readCorporate(serviceOf(context), params.corporateId);
			const related = await ifOffered(context, "open KYCs are not shown", () => listRelatedOf(serviceOf(context), params.corporateId));
			warnIfPartial(context, related);
			return {
				...data,
				missing: openPreconditions(params.corporateId, data, related?.records, uboThreshold(profile)).map((one) =>
					shownIn(one, ["command"], context.shown),
				),
			};
		});
		return { id: params.corporateId, missing: [], ...after };
	},
	text: ({ missing, ...record }, style) => {
		const view = viewCorporate(record);
		return [
			style.good("KYB requested"),
			style.pairs([
				["Company", view.name],
				["Id", view.id],
				["KYB", style.status(view.kybStatus)],
				["Reason", view.kybReason],
			]),
			...(missing.length > 0 ? ["", style.bold("Still missing"), ...missing.map(({ message }) => `  - ${message}`)] : []),
		].join("\n");
	},
	next: ({ missing }, { corporateId }) => {
		const kycs = missing.filter(({ what }) => what === "kyc").map(({ command }) => command);
		return [...kycs.slice(0, 4), purser`kyb status ${typed(corporateId, "CORPORATE")} --wait`];
	},
});

/** Suggests to look at the status where the service refuses because of it. */
function withStatusCommand(error: unknown, corporateId: string): unknown {
	if (!(error instanceof PurserError) || error.failure.code !== "CONFLICT") return error;
	return new PurserError(error.kind, {
		...error.failure,
		fix: advice`See how it stands: ${purser`kyb status ${typed(corporateId, "CORPORATE")}`}`,
	});
}
