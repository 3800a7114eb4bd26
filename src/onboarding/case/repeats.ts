/**
 * The service may not show a field that it has. What was already sent of such fields is not sent again.
 */
import { viewCorporate } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Service } from "../../ports/service.js";
import { type RecordedChanges, recordedChanges } from "../checklist/journal.js";
import { type Case, corporateKey, ownerKey } from "./case.js";
import type { CaseRecords } from "./find.js";
import { type CaseStep, planCase, requestOf, type StepRequest } from "./plan.js";

/** Leaves out steps that would only repeat an accepted change of fields that the service does not show. */
export async function withoutRepeats(
	context: Context,
	service: Service,
	of: Case,
	found: CaseRecords,
	steps: CaseStep[],
): Promise<CaseStep[]> {
	const mayRepeat = ({ action, id, changes }: CaseStep): boolean =>
		action === "update" && id !== undefined && changes.every(({ from }) => from === undefined);
	// The journal is read whole: for many new companies that would take longer with each.
	if (!steps.some(mayRepeat)) return steps;
	const { profile } = await context.settings.read();
	const comparison: Comparison = {
		of,
		found,
		earlier: await recordedChanges(context),
		digest: ({ operation, input }) => service.digestOf(profile, operation, input),
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
		if (!mayRepeat(step)) return step;
		const request = requestOf(of, step, steps, found.ids);
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
	const own = comparison.digest(request);
	const others = new Set(otherUpdates(comparison, step).map(comparison.digest));
	const last = comparison.earlier.changes(request.operation.id, id).find(({ digest }) => digest === own || !others.has(digest ?? ""));
	if (last !== undefined) return last.digest === own && last.state === "accepted" ? last : undefined;
	return createdWith(comparison, step, id);
}

/** Updates of this case that concern other fields: the UBO mark after the creation, the acceptance of the terms. */
function otherUpdates({ of, found, fresh }: Comparison, { key }: CaseStep): StepRequest[] {
	return fresh
		.filter((step) => step.key === key || (key === corporateKey && step.what === "terms"))
		.map((step) => requestOf(of, { ...step, action: "update" }, fresh, found.ids))
		.filter((request) => request !== undefined);
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
