import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { corporateRecord, getCorporate, getDiligenceReview, requestKyb, viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { call } from "../../http/call.js";
import { checkDeclared, type PassedGates, passGates, requestable } from "../../onboarding/kyb/check.js";
import { type GateWords, gateFaults, gateFields } from "../../onboarding/kyb/gates.js";
import { canAskReviewed, type Review, showReview } from "../../onboarding/kyb/review.js";
import { companyNamed } from "../../onboarding/records/about.js";
import { ifOffered, readBack, readCorporate } from "../../onboarding/records/reading.js";
import type { About } from "../../ports/changes.js";

export default defineCommand({
	path: "kyb request",
	summary: "Ask the compliance team to verify a company",
	details:
		"Request it once the company and its related entities are declared, and again after providing information that compliance asked for. KYCs may still be open then, but all must be done before the KYB can be VALIDATED. It is held back (10) where no director is declared (no-director), more than all shares are (shares-over-100), undeclared shares may hide an owner (owner-missing), somebody is an owner only if equal holdings in one record are several (holdings-equal), the due-diligence review was not read (review-not-seen), or compliance asked for more and nothing has changed since (unchanged-after-request). At a terminal the review is shown and asked about; a script says --reviewed with the digest that `purser corporate review` shows. --despite GATE passes a gate.",
	examples: [
		{ run: "kyb request crm-5002", note: "Shows the review first, and asks" },
		{
			run: "kyb request crm-5002 --despite owner-missing --reason 'no holder above 5 %'",
			note: "If it is correct as it is",
		},
	],
	effect: "write",
	operations: [requestKyb.id, getCorporate.id, listRelated.id, getDiligenceReview.id],
	input: z.strictObject({ ...requestKyb.params.shape, ...gateFields() }).check(
		z.superRefine((value, context) => {
			for (const { field, message } of gateFaults(value)) context.addIssue({ code: "custom", path: [field], message });
		}),
	),
	answer: () => z.extend(corporateRecord(), { id: z.string() }),
	async run(context, input) {
		const { corporateId } = input;
		await context.ask.begin();
		const { unread, ...passed } = context.settings.flags.dryRun ? {} : await gatesFor(context, corporateId, input);
		const about = async (): Promise<About> => {
			const name = await companyNamed(context.service, corporateId);
			return {
				title: `Request the KYB of ${name}`,
				rows: [
					["To", "the compliance team"],
					["Id", corporateId],
				],
				question: unread && `Have you read this due-diligence review of ${unread}, and is it right?`,
			};
		};
		await context.ask.change(about, { always: unread !== undefined }).catch((error: unknown) => {
			if (!(error instanceof PurserError) || error.failure.code !== "DECLINED_BY_OPERATOR") throw error;
			throw new PurserError(error.kind, {
				...error.failure,
				message: "You answered No",
				fix: "Run the same command and answer Yes after reading.",
			});
		});
		await call(context, requestKyb, { params: { corporateId } }, passed).catch((error: unknown) => {
			throw withStatusCommand(error, corporateId);
		});
		const record = await readBack(context, () => readCorporate(context.service, corporateId));
		const id = typed(corporateId, "CORPORATE");
		return { data: { id: corporateId, ...record }, next: [purser`corporate status ${id}`, purser`kyb status ${id} --wait`] };
	},
	text: (record, style) => {
		const view = viewCorporate(record);
		return [
			style.good("KYB requested"),
			style.pairs([
				["Company", view.name],
				["Id", view.id],
				["KYB", style.status(view.kybStatus)],
				["Reason", view.kybReason],
			]),
		].join("\n");
	},
});

/**
 * Checks the gates. Where a person can be asked whether the review was read, it is shown.
 * @returns with what is recorded; `unread`: the name of the company, where the person is still to be asked
 * @throws KybHeldBack
 */
async function gatesFor(context: Context, corporateId: string, words: GateWords): Promise<PassedGates & { unread?: string }> {
	const service = context.service;
	const corporate = await ifOffered(context, "its status was not checked", () => readCorporate(service, corporateId));
	// The service itself refuses, or has it already.
	if (!requestable.includes(viewCorporate(corporate ?? {}).kybStatus)) return {};
	const check = await checkDeclared(context, service, corporateId, corporate ?? {});
	let unread: string | undefined;
	const ask = async (review: Review): Promise<boolean> => {
		await showReview(context, corporateId, review);
		unread = check.name;
		return true;
	};
	const passed = await passGates(context, service, check, words, canAskReviewed(context) ? { ask } : {});
	return { ...passed, unread };
}

/** Suggests to look at the status where the service refuses because of it. */
function withStatusCommand(error: unknown, corporateId: string): unknown {
	if (!(error instanceof PurserError) || error.failure.code !== "CONFLICT") return error;
	return new PurserError(error.kind, {
		...error.failure,
		fix: advice`See how it stands: ${purser`kyb status ${typed(corporateId, "CORPORATE")}`}`,
	});
}
