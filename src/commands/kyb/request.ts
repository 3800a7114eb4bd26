import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { despiteFaults, fitting } from "../../api/fields.js";
import { corporateRecord, getCorporate, getDiligenceReview, requestKyb, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { type Failure, reworded } from "../../errors.js";
import { call } from "../../http/call.js";
import { checkDeclared, isRequested, listDeclared, type PassedGates, passGates } from "../../onboarding/kyb/check.js";
import { type GateWords, gateFields } from "../../onboarding/kyb/gates.js";
import { askReviewed, canAskReviewed, type Review } from "../../onboarding/kyb/review.js";
import { companyNamed } from "../../onboarding/records/about.js";
import { ifOffered, readBack, readCorporate } from "../../onboarding/records/reading.js";

export default defineCommand({
	path: "kyb request",
	summary: "Ask the compliance team to verify a company",
	details:
		"Request it once the company and its related entities are declared, and again after providing information that compliance asked for. KYCs may still be open then, but all must be done before the KYB can be VALIDATED. It is held back (10) where no director is declared (no-director), more than all shares are (shares-over-100), undeclared shares may hide an owner (owner-missing), or the due-diligence review was not read (review-not-seen). At a terminal the review is shown and asked about; a script says --reviewed with the digest that `purser corporate review` shows. --despite GATE passes a gate. One that is under way or validated is not requested again.",
	examples: {
		"kyb request crm-5002": "Shows the review first, and asks",
		"kyb request crm-5002 --despite owner-missing --reason 'no holder above 5 %'": "If it is correct as it is",
	},
	effect: "write",
	operations: [requestKyb.id, getCorporate.id, listRelated.id, getDiligenceReview.id],
	input: fitting(z.strictObject({ ...requestKyb.params.shape, ...gateFields() }), despiteFaults),
	answer: () => z.extend(corporateRecord(), { id: z.string(), sent: z.optional(z.boolean()) }),
	async run(context, input) {
		const { corporateId } = input;
		await context.ask.begin();
		const { dryRun } = context.settings.flags;
		const id = typed(corporateId, "CORPORATE");
		const next = [purser`corporate status ${id}`, purser`kyb status ${id} --wait`];
		const unknown = "its status was not checked";
		const corporate = dryRun ? undefined : await ifOffered(context, unknown, () => readCorporate(context.service, corporateId));
		const { kybStatus } = viewCorporate(corporate ?? {});
		if (await isRequested(context, corporateId, kybStatus)) return { data: { id: corporateId, ...corporate, sent: false }, next };
		// One that was declined the service itself refuses.
		const passed = dryRun || kybStatus === "DECLINED" ? {} : await gatesFor(context, corporateId, corporate ?? {}, input);
		await context.ask.change(async () => ({
			title: `Request the KYB of ${await companyNamed(context.service, corporateId)}`,
			rows: Object.entries({ To: "the compliance team", Id: corporateId }),
		}));
		const status = advice`See how it stands: ${purser`kyb status ${id}`}`;
		const words = ({ code, fix }: Failure) => ({ fix: code === "CONFLICT" ? status : fix });
		await call(context, requestKyb, { params: { corporateId } }, passed).catch(reworded("rejected", words));
		const record = await readBack(context, () => readCorporate(context.service, corporateId));
		return { data: { id: corporateId, ...record }, next };
	},
	text: (record, style) => {
		const view = viewCorporate(record);
		const done = "sent" in record ? "The KYB was requested before; nothing was sent" : "KYB requested";
		return style.done(done, { Company: view.name, Id: view.id, KYB: style.status(view.kybStatus), Reason: view.kybReason });
	},
});

/**
 * Checks the gates. Where a person can be asked whether the review was read, it is shown.
 * @throws KybHeldBack
 */
async function gatesFor(context: Context, corporateId: string, corporate: Received, words: GateWords): Promise<PassedGates> {
	const check = await checkDeclared(context, corporateId, corporate, await listDeclared(context, corporateId));
	const ask = (review: Review): Promise<boolean> => askReviewed(context, check, review);
	return passGates(context, check, words, canAskReviewed(context) ? ask : undefined);
}
