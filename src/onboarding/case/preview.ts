/**
 * What cases would create or change: the plan of a file, and its summary for the question before cases are applied.
 */
import { shownIn } from "../../api/advice.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { About } from "../../ports/changes.js";
import type { Service } from "../../ports/service.js";
import type { LookupOptions } from "../records/lookup.js";
import { inspectCase } from "./apply.js";
import { companyName } from "./case.js";
import { type CaseFile, warnOfOwnership } from "./files.js";
import { type Finder, newFinder } from "./find.js";
import type { FollowUps } from "./follow-ups.js";
import { notNamedRows } from "./plan.js";
import { acceptedTerms, acceptsTerms } from "./request.js";
import { caseError } from "./result.js";
import { type CasePlan, countsText, summaryOf } from "./text.js";

/**
 * Plans one file of several; sends nothing.
 * @param count of the files: the failure of one of several is part of its plan
 * @throws PurserError of a single file, and Ctrl-C
 */
export async function planFile(
	context: Context,
	service: Service,
	finder: Finder,
	{ file, of, error }: CaseFile,
	count: number,
): Promise<CasePlan> {
	const named = { file, externalId: of?.corporate.externalId, name: of && companyName(of) };
	try {
		if (of === undefined) throw error;
		await warnOfOwnership(context, of, file);
		const { found, steps } = await inspectCase(context, service, finder, of);
		return {
			...named,
			corporateId: found.corporateId,
			summary: summaryOf(steps),
			steps: steps.map((step) => shownIn(step, ["why"], context.shown)),
			notNamed: notNamedRows(found),
		};
	} catch (cause) {
		if (!(cause instanceof PurserError) || count === 1 || cause.kind === "interrupted") throw cause;
		return { ...named, error: caseError(cause, context.shown) };
	}
}

/** Each case with the counts of its plan, and what is asked for afterwards. */
export async function aboutCases(
	context: Context,
	service: Service,
	options: LookupOptions,
	followUps: FollowUps,
	files: readonly CaseFile[],
): Promise<About> {
	// Applying warns of the same again.
	const quiet = { ...context, reporter: { ...context.reporter, warn: () => {} } };
	const finder = newFinder(quiet, service, options, false);
	const plans: CasePlan[] = [];
	for (const file of files) plans.push(await planFile(quiet, service, finder, file, files.length));
	const [only] = plans;
	return {
		title:
			plans.length === 1 && only?.name !== undefined ? `Create and update ${only.name}` : `Create and update ${plans.length} companies`,
		rows: [...plans.map(planRow), ["Then", thenText(followUps)]],
		// Of a case that cannot be planned it is not known whether it would accept them.
		terms: plans.flatMap(({ steps }, at) => {
			const of = files[at]?.of;
			return of === undefined || (steps !== undefined && !acceptsTerms(steps)) ? [] : acceptedTerms(of);
		}),
	};
}

function planRow({ file, name, externalId, summary, error }: CasePlan): [string, string] {
	const label = [name, externalId === undefined ? undefined : `(${externalId})`].filter(Boolean).join(" ") || file;
	return [label, error === undefined ? countsText(summary) : `cannot be applied: ${error.message}`];
}

function thenText({ sendEmailLink, requestKyb, kycLinks }: FollowUps): string | undefined {
	const asked = [sendEmailLink && "email verification links", requestKyb && "KYB requests", kycLinks && "KYC links"].filter(Boolean);
	return asked.length === 0 ? undefined : asked.join(", ");
}
