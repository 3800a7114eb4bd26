/**
 * What a case would change: planned against the service's records, without what was sent already and the service does not show. Only reads.
 */
import { shownIn } from "../../api/advice.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { About } from "../../ports/changes.js";
import { recordedChanges } from "../checklist/journal.js";
import { quietly } from "../records/reading.js";
import { type Case, companyName } from "./case.js";
import { type CaseFile, warnOfOwnership } from "./files.js";
import { type CaseRecords, type Finder, newFinder } from "./find.js";
import type { FollowUps } from "./follow-ups.js";
import { acceptedTerms, acceptsTerms, type CaseStep, notNamed, planCase, requestOf } from "./plan.js";
import { type CasePlan, caseError, countsText } from "./result.js";

/** The records of a case, and its steps. */
export async function inspectCase(context: Context, finder: Finder, of: Case): Promise<{ found: CaseRecords; steps: CaseStep[] }> {
	const found = await finder(of);
	return { found, steps: await withoutRepeats(context, of, found, planCase(of, found)) };
}

/**
 * Plans every file; sends nothing.
 * @throws PurserError of a single file, and Ctrl-C: the failure of one of several is part of its plan
 */
export async function planCases(context: Context, isNew: boolean, files: readonly CaseFile[]): Promise<CasePlan[]> {
	const finder = newFinder(context, isNew, false);
	const cases: CasePlan[] = [];
	for (const { file, of, error } of files) {
		const named = { file, externalId: of?.corporate.externalId, name: of && companyName(of) };
		try {
			if (of === undefined) throw error;
			await warnOfOwnership(context, of, file);
			const { found, steps } = await inspectCase(context, finder, of);
			const count = (action: CaseStep["action"]): number => steps.filter((step) => step.action === action).length;
			cases.push({
				...named,
				corporateId: found.corporateId,
				summary: { create: count("create"), update: count("update"), left: count("left"), blocked: count("blocked") },
				steps: steps.map((step) => shownIn(step, ["why"], context.report.shown)),
				notNamed: notNamed(of, found, steps),
			});
		} catch (cause) {
			if (!(cause instanceof PurserError) || files.length === 1 || cause.kind === "interrupted") throw cause;
			cases.push({ ...named, error: caseError(cause, context.report.shown) });
		}
	}
	return cases;
}

/** Each case with the counts of its plan, and what is asked for afterwards. */
export async function aboutCases(
	context: Context,
	isNew: boolean,
	{ sendEmailLink, requestKyb, kycLinks }: FollowUps,
	files: readonly CaseFile[],
): Promise<About> {
	// Applying has warned of the same.
	const cases = await planCases(quietly(context), isNew, files);
	const [only] = cases;
	const then = [sendEmailLink && "email verification links", requestKyb && "KYB requests", kycLinks && "KYC links"].filter(Boolean);
	return {
		title:
			cases.length === 1 && only?.name !== undefined ? `Create and update ${only.name}` : `Create and update ${cases.length} companies`,
		rows: [
			...cases.map(({ file, name, externalId, summary, error }): [string, string] => [
				[name, externalId === undefined ? undefined : `(${externalId})`].filter(Boolean).join(" ") || file,
				error === undefined ? countsText(summary) : `cannot be applied: ${error.message}`,
			]),
			["Then", then.length === 0 ? undefined : then.join(", ")],
		],
		// Of a case that cannot be planned it is not known whether it would accept them.
		terms: cases.flatMap(({ steps }, at) => {
			const of = files[at]?.of;
			return of === undefined || (steps !== undefined && !acceptsTerms(steps)) ? [] : acceptedTerms(of);
		}),
	};
}

/** Leaves out an update that is the newest change of its record already, of fields that the service does not show. */
async function withoutRepeats(context: Context, of: Case, found: CaseRecords, steps: CaseStep[]): Promise<CaseStep[]> {
	const mayRepeat = ({ what, action, id, changes }: CaseStep): boolean =>
		action === "update" &&
		id !== undefined &&
		changes.every(({ from }) => from === undefined) &&
		// Where the service shows that the latest terms are not accepted, another version may be the latest by now.
		!(what === "terms" && viewCorporate(found.corporate ?? {}).termsAccepted === false);
	// The journal is read whole: for many new companies that would take longer with each.
	if (!steps.some(mayRepeat)) return steps;
	const { profile } = await context.settings.read();
	const earlier = await recordedChanges(context);
	return steps.map((step) => {
		const request = mayRepeat(step) ? requestOf(of, step, steps, found.ids) : undefined;
		const [newest] = request === undefined ? [] : earlier(request.operation.id, step.id as string);
		if (request === undefined || newest?.state !== "accepted") return step;
		if (newest.digest !== context.service.digestOf(profile, request.operation, request.input)) return step;
		return { ...step, action: "left", changes: [], why: `sent on ${newest.begun}; the service does not show it` };
	});
}
