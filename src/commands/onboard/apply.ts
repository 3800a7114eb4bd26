import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { despiteFaults, type FieldFault, fitting, flag } from "../../api/fields.js";
import { createCorporate, getDiligenceReview, requestKyb, updateCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { createRelated, updateRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import { withRecords } from "../../api/schema.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import { serviceOf } from "../../http/service.js";
import { applyCases } from "../../onboarding/case/apply.js";
import { caseArguments, isNewField, readCases, warnOfOwnership } from "../../onboarding/case/files.js";
import { lookupOperations, newFinder } from "../../onboarding/case/find.js";
import { aboutCases, planCases } from "../../onboarding/case/inspect.js";
import { acceptedTerms } from "../../onboarding/case/plan.js";
import { type CasePlan, type CasesRun, casesFailure, casesOutcome, plansFailure, planText, runText } from "../../onboarding/case/result.js";
import { paymentStops } from "../../onboarding/checklist/checklist.js";
import { confirmedBy } from "../../onboarding/evidence/acceptance.js";
import { gateFields } from "../../onboarding/kyb/gates.js";
import { nameRecords, quietly, readCorporate } from "../../onboarding/records/reading.js";
import { listNamed } from "../../onboarding/records/twins.js";
import { caseResult } from "../families/answers.js";

const input = z.strictObject({
	cases: caseArguments(),
	new: isNewField(),
	sendEmailLink: flag("Then send the account owner the email verification link, unless it is verified or a sent link is still valid"),
	requestKyb: flag("Then request the KYB, unless it was requested or something stands against it"),
	kycLinks: flag("Then create the KYC links of everybody who still needs one"),
	confirmedBy: confirmedBy(),
	...gateFields(),
});

function faultsOf(given: z.output<typeof input>): FieldFault[] {
	const stray = given.requestKyb ? [] : (["despite", "reviewed"] as const).filter((name) => given[name] !== undefined);
	return stray.length === 0 ? despiteFaults(given) : stray.map((name) => [name, "only has a meaning with --request-kyb"]);
}

/** In a dry run, the plan. */
type Applied = CasesRun | { cases: CasePlan[]; dryRun: true };

export default defineCommand({
	path: "onboard apply",
	summary: "Create or update everything in the case files, in the right order",
	details:
		"The company, terms, owning companies layer by layer, persons and shares; then what the flags ask for. Safe to run again after any failure: existing records are found by externalId, and a creation without an answer is looked for before anything else. A failed case does not stop the others (exit 9). A case with `terms:` accepts them in the account owner's name: that is asked on every profile, and a script says --yes --confirmed-by account-owner, or operator. --dry-run shows the plan, as `purser onboard plan` does. --request-kyb is held back as `purser kyb request` is: the review is shown and asked about at a terminal, and a script runs this again with --reviewed and the digest that it was told.",
	examples: {
		"onboard apply case.yaml": "After `purser onboard plan case.yaml`",
		"onboard apply case.yaml --send-email-link --request-kyb --kyc-links": "All the way to where the persons have to act",
		"onboard apply cases/a.yaml cases/b.yaml --json": "Several: exit 0 all, 9 some, 7 one is in doubt",
	},
	effect: "write",
	operations: [
		...lookupOperations,
		...[createCorporate.id, updateCorporate.id, createRelated.id, updateRelated.id],
		...[sendEmailLink.id, getDiligenceReview.id, requestKyb.id, getKycLink.id],
	],
	input: fitting(input, faultsOf),
	answer: () => withRecords(z.strictObject({ cases: z.array(caseResult()), dryRun: z.optional(z.boolean()) }), caseResult()),
	async run(context, input): Promise<Answer<Applied>> {
		await context.ask.begin();
		const files = await readCases(context, input.cases);
		if (context.settings.flags.dryRun) {
			const cases = await planCases(context, input.new, files);
			const failure = plansFailure(cases);
			return { data: { cases, dryRun: true }, lines: cases, exit: failure && "partial", failure };
		}
		// Nobody is asked about a case that cannot be read.
		if (files.length === 1 && files[0]?.error !== undefined) throw files[0].error;
		// Before the question: who accepted the terms is one of them.
		for (const { file, of } of files) if (of !== undefined) await warnOfOwnership(context, of, file);
		await context.ask.change(() => aboutCases(context, input.new, input, files), {
			terms: files.flatMap(({ of }) => (of === undefined ? [] : acceptedTerms(of))),
			confirmedBy: input.confirmedBy,
		});
		const data = await applyCases(context, newFinder(context, input.new, true), input, files);
		return { data, lines: data.cases, exit: casesOutcome(data), failure: casesFailure(data), next: await nextAfter(context, data.cases) };
	},
	text: (answer, style) => ("dryRun" in answer ? planText(answer.cases, style) : runText(answer, style)),
});

/** Where each company stands, with what stops its payments. */
async function nextAfter(context: Context, cases: CasesRun["cases"]): Promise<Advice[]> {
	const present = cases.filter(({ state, corporateId }) => (state === "applied" || state === "incomplete") && corporateId !== undefined);
	if (present.length > 3) return [purser`overview`];
	const service = serviceOf(quietly(context));
	return Promise.all(
		present.map(async ({ corporateId = "", name = "The company" }) => {
			const stops = paymentStops(await readCorporate(service, corporateId).catch(() => ({})));
			const named = await listNamed(service, name).catch(() => undefined);
			if (named?.complete) nameRecords(context, named.records.map(viewCorporate));
			const remark = stops.length === 0 ? undefined : `${name}: ${stops.join("; ")}, no payments until then`;
			return { ...purser`corporate status ${typed(corporateId, "CORPORATE")}`, remark };
		}),
	);
}
