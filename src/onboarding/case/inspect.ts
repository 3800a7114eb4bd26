/**
 * What a case would change: planned against the service's records, without what was sent already and the service does not show. Only reads.
 */
import { shownIn } from "../../api/advice.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { About } from "../../ports/changes.js";
import type { IntentRecord } from "../../ports/intent.js";
import { type RecordedChanges, recordedChanges } from "../checklist/journal.js";
import { quietly } from "../records/reading.js";
import { type Case, companyName, corporateKey, ownerKey } from "./case.js";
import { type CaseFile, warnOfOwnership } from "./files.js";
import { type CaseRecords, type Finder, type LookupOptions, newFinder } from "./find.js";
import type { FollowUps } from "./follow-ups.js";
import { acceptedTerms, acceptsTerms, type CaseStep, notNamed, planCase, requestOf, type StepRequest } from "./plan.js";
import { type CasePlan, caseError, countsText } from "./result.js";

/** The records of a case, and its steps. */
export async function inspectCase(context: Context, finder: Finder, of: Case): Promise<{ found: CaseRecords; steps: CaseStep[] }> {
	const found = await finder.find(of);
	return { found, steps: await withoutRepeats(context, of, found, planCase(of, found)) };
}

/**
 * Plans every file; sends nothing.
 * @throws PurserError of a single file, and Ctrl-C: the failure of one of several is part of its plan
 */
export async function planCases(context: Context, options: LookupOptions, files: readonly CaseFile[]): Promise<CasePlan[]> {
	const finder = newFinder(context, options, false);
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
				notNamed: notNamed(found),
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
	options: LookupOptions,
	{ sendEmailLink, requestKyb, kycLinks }: FollowUps,
	files: readonly CaseFile[],
): Promise<About> {
	// Applying warns of the same again.
	const cases = await planCases(quietly(context), options, files);
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

/** Leaves out steps that would only repeat an accepted change of fields that the service does not show. */
async function withoutRepeats(context: Context, of: Case, found: CaseRecords, steps: CaseStep[]): Promise<CaseStep[]> {
	const mayRepeat = ({ action, id, changes }: CaseStep): boolean =>
		action === "update" && id !== undefined && changes.every(({ from }) => from === undefined);
	// The journal is read whole: for many new companies that would take longer with each.
	if (!steps.some(mayRepeat)) return steps;
	const { profile } = await context.settings.read();
	const comparison: Comparison = {
		of,
		found,
		earlier: await recordedChanges(context),
		digest: ({ operation, input }) => context.service.digestOf(profile, operation, input),
		fresh: planCase(of, {
			...found,
			corporateId: undefined,
			corporate: undefined,
			ids: new Map(),
			records: new Map(),
			doubtful: new Set(),
		}),
	};
	return steps.map((step) => {
		// The service shows that the latest terms are not accepted: another version may be the latest by now.
		if (step.what === "terms" && found.corporate && viewCorporate(found.corporate).termsAccepted === false) return step;
		const request = mayRepeat(step) ? requestOf(of, step, steps, found.ids) : undefined;
		const before = request && sentBefore(comparison, step, request, step.id as string);
		if (before === undefined) return step;
		return { ...step, action: "left", changes: [], why: `sent on ${before.begun}; the service does not show it` };
	});
}

interface Comparison {
	of: Case;
	found: CaseRecords;
	earlier: RecordedChanges;
	digest(request: StepRequest): string;
	/** The steps of a first run of this case. */
	fresh: readonly CaseStep[];
}

/** The accepted change that has all of a step; undefined where there is none, or a later change may have overwritten it. */
function sentBefore(comparison: Comparison, step: CaseStep, request: StepRequest, id: string): IntentRecord | undefined {
	const { of, found, earlier, digest, fresh } = comparison;
	const own = digest(request);
	// Updates of this case that concern other fields: the UBO mark after the creation, the acceptance of the terms.
	const others = new Set(
		fresh
			.filter(({ key, what }) => key === step.key || (step.key === corporateKey && what === "terms"))
			.flatMap((one) => requestOf(of, { ...one, action: "update" }, fresh, found.ids) ?? [])
			.map(digest),
	);
	const last = earlier.changes(request.operation.id, id).find((one) => one.digest === own || !others.has(one.digest ?? ""));
	if (last !== undefined) return last.digest === own && last.state === "accepted" ? last : undefined;
	return createdWith(comparison, step, id);
}

/** The creation, where it carried every field of the step with the values of the case. */
function createdWith({ of, found, earlier, digest, fresh }: Comparison, step: CaseStep, id: string): IntentRecord | undefined {
	const made = fresh.find(({ key, action, what }) => key === step.key && action === "create" && what === step.what);
	if (made === undefined || step.changes.some(({ field }) => !made.changes.some((change) => change.field === field))) return undefined;
	const whole = step.key === ownerKey ? fresh.find(({ key }) => key === corporateKey) : made;
	const request = whole && requestOf(of, whole, fresh, found.ids);
	const before = request && earlier.byDigest(request.operation.id, digest(request));
	return before?.state === "accepted" && before.id === (step.key === ownerKey ? found.corporateId : id) ? before : undefined;
}
