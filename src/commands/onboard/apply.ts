import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { flag } from "../../api/fields.js";
import { createCorporate, getDiligenceReview, requestKyb, updateCorporate } from "../../api/operations/corporate.js";
import { createRelated, updateRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import { DryRun } from "../../http/dry-run.js";
import { dryService, remarkOnIds } from "../../onboarding/case/dry.js";
import { aboutCases, applyCases, type CaseFile, confirmDoubts, readCases, warnOfOwnership } from "../../onboarding/case/files.js";
import { newFinder } from "../../onboarding/case/find.js";
import { caseInput, filesOf, lookupOperations, lookupOptions } from "../../onboarding/case/input.js";
import { acceptedTerms } from "../../onboarding/case/plan.js";
import { type CasesRun, casesFailure, casesOutcome } from "../../onboarding/case/result.js";
import { runText } from "../../onboarding/case/text.js";
import { confirmedBy } from "../../onboarding/evidence/acceptance.js";
import { gateFaults, gateFields } from "../../onboarding/kyb/gates.js";

const input = caseInput({
	sendEmailLink: flag("Then send the account owner the email verification link, unless it is verified or a sent link is still valid"),
	requestKyb: flag("Then request the KYB, unless it was requested or something stands against it"),
	kycLinks: flag("Then create the KYC links of everybody who still needs one"),
	confirmedBy: confirmedBy(),
	...gateFields(),
}).check(
	z.superRefine((value, context) => {
		const { requestKyb: asks } = value;
		const stray = asks ? [] : (["despite", "reviewed"] as const).filter((name) => value[name] !== undefined);
		for (const name of stray) context.addIssue({ code: "custom", path: [name], message: "only has a meaning with --request-kyb" });
		if (stray.length === 0)
			for (const { field, message } of gateFaults(value)) context.addIssue({ code: "custom", path: [field], message });
	}),
);
type Input = z.output<typeof input>;

export default defineCommand({
	path: "onboard apply",
	summary: "Create or update everything in the case files, in the right order",
	details:
		"The company, terms, owning companies layer by layer, persons and shares; then what the flags ask for. Safe to run again after any failure: existing records are found by externalId, and a creation without an answer is looked for before anything else. A failed case does not stop the others (exit 9). A case with `terms:` accepts them in the account owner's name: that is asked on every profile, and a script says --yes --confirmed-by account-owner, or operator. --request-kyb is held back as `purser kyb request` is: the review is shown and asked about at a terminal, and a script runs this again with --reviewed and the digest that it was told.",
	examples: [
		{ run: "onboard apply case.yaml", note: "After `purser onboard plan case.yaml`" },
		{ run: "onboard apply case.yaml --send-email-link --request-kyb --kyc-links", note: "All the way to where the persons have to act" },
		{ run: "onboard apply cases/a.yaml cases/b.yaml --json", note: "Several: exit 0 all, 9 some, 7 one is in doubt" },
	],
	effect: "write",
	operations: [
		...lookupOperations,
		createCorporate.id,
		updateCorporate.id,
		createRelated.id,
		updateRelated.id,
		sendEmailLink.id,
		getDiligenceReview.id,
		requestKyb.id,
		getKycLink.id,
	],
	input,
	async run(context, input) {
		const { service } = context;
		const { dryRun } = context.settings.flags;
		const options = lookupOptions(input);
		await context.ask.begin();
		const files = await readCases(context, filesOf(input));
		// Nobody is asked about a case that cannot be read.
		if (files.length === 1 && files[0]?.error !== undefined) throw files[0].error;
		await confirmDoubts(context, files);
		await context.ask.permit(() => aboutCases(context, service, options, input, files), {
			terms: files.flatMap(({ of }) => (of === undefined ? [] : acceptedTerms(of))),
			confirmedBy: input.confirmedBy,
		});
		for (const { file, of } of files) if (of !== undefined) await warnOfOwnership(context, of, file);
		if (dryRun) await showRequests(context, input, files);

		const data = await applyCases(context, service, newFinder(context, service, options, true), input, files);
		return { data, lines: data.cases, exit: casesOutcome(data), failure: casesFailure(data), next: nextAfter(data.cases) };
	},
	text: (run, style) => runText(run, style),
});

/** @throws DryRun, with every request that would leave */
async function showRequests(context: Context, input: Input, files: readonly CaseFile[]): Promise<never> {
	const requests: unknown[] = [];
	const pretended = dryService(context.service, requests);
	await applyCases(context, pretended, newFinder(context, pretended, lookupOptions(input), false), input, files);
	const remark = remarkOnIds(requests, input.kycLinks);
	if (remark !== undefined) context.report.warn(remark);
	throw new DryRun(requests as DryRun["requests"]);
}

function nextAfter(cases: CasesRun["cases"]): Advice[] {
	const present = cases.filter(({ state, corporateId }) => (state === "applied" || state === "incomplete") && corporateId !== undefined);
	if (present.length > 3) return [purser`overview`];
	return present.map(({ corporateId }) => purser`corporate status ${typed(corporateId, "CORPORATE")}`);
}
