/**
 * Checks before a person signs a plan. Pure.
 */
import { advice, purser, quoted } from "../../../api/advice.js";
import { canonicalJson } from "../../../api/json.js";
import { serviceAddress } from "../../../api/service-address.js";
import { type Failure, PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { Profile } from "../../../ports/profiles.js";
import { approversOf, isSameKey, nameOfKey, withKey } from "../../rules/approvers.js";
import { isSigned, plannerOf, sharedName, unknownPlannerFailure } from "../approval/approval.js";
import type { PlanFile } from "./file.js";

/**
 * Checks that this key may approve this plan.
 * @param profile in use; it must be for the plan's service, so that banner and live guard apply to what is approved
 * @param own the approver's key, and who says to approve
 * @throws PurserError guard: another service, an expired plan, a planner's signature that does not fit, no planner or an unknown one, the
 *   planner in person, or a key that is not among the profile's approvers, if it names any
 */
export function checkMayApprove({ plan }: PlanFile, own: { key: string; operator?: string }, profile: Profile, now: Date): void {
	const planner = plannerOf(plan, "nothing was signed");
	const origin = serviceAddress(profile.baseUrl);
	if (plan.origin !== origin || plan.environment !== profile.environment) throw otherService(plan, profile, origin);
	if (plan.expires <= now.toISOString())
		throw guard({
			code: "PLAN_EXPIRED",
			message: `The plan of batch ${plan.batch} expired at ${plan.expires}; nothing was signed`,
			fix: advice`Have the file planned again: ${purser`pay batch plan FILE`}`,
		});
	if (planner === undefined)
		throw guard({
			code: "PLANNER_UNKNOWN",
			message: `The plan of batch ${plan.batch} does not say who planned it, so no second person can approve it; nothing was signed`,
			fix: advice`Ask the planner to make a key and plan it again:\n${purser`pay batch key`}\n${purser`pay batch plan FILE`}`,
		});
	if (isSameKey(planner, own.key))
		throw guard({
			code: "APPROVAL_BY_PLANNER",
			message: `You planned batch ${plan.batch} yourself, so somebody else has to approve it; nothing was signed`,
			fix: advice`Give the plan file to an approver, who types: ${purser`pay batch approve PLAN`}`,
		});
	const name = sharedName(plan, own, profile.settings);
	if (name !== undefined)
		throw guard({
			code: "APPROVAL_BY_PLANNER",
			message: `Batch ${plan.batch} was planned by ${name}, and so would be its approval: somebody else has to approve it; nothing was signed`,
			why: "Planner and approver are compared by their keys, by the profile's names for these, and by who runs purser (PURSER_OPERATOR, else the system's user)",
			fix: advice`Give the plan file to an approver, who types: ${purser`pay batch approve PLAN`}\nPeople who share a user of the system say who they are, when they plan and when they approve: PURSER_OPERATOR=NAME`,
		});
	const unknownPlanner = unknownPlannerFailure(plan, profile, "nothing was signed");
	if (unknownPlanner) throw guard(unknownPlanner);
	checkApprover(plan, own.key, profile);
}

/** Refuses a key whose signature would not count, because readers of the plan would mistake it for an approval. */
function checkApprover({ batch }: BatchPlan, key: string, { name, settings }: Profile): void {
	const approvers = approversOf(settings.approvers);
	if (approvers.size === 0 || nameOfKey(approvers, key) !== undefined) return;
	throw guard({
		code: "APPROVER_UNKNOWN",
		message: `Your key ${key} is not among the approvers of the profile ${name}, so your approval of batch ${batch} would not count; nothing was signed`,
		fix: advice`Ask one of them to approve it. To see them: ${purser`config explain approvers`}\nSomeone who may add you types: ${purser`profile set ${name} --set ${`approvers=${withKey(settings.approvers, key)}`}`}`,
	});
}

/**
 * If this machine's journal has this very plan, checks that the batch was not cancelled: signing it would be pointless.
 * @param record the journal's batch of this number, which may belong to another plan
 * @throws PurserError guard, if the batch was cancelled
 */
export function refuseIfCancelled(plan: BatchPlan, record: BatchRecord | undefined): void {
	if (record?.state !== "abandoned" || canonicalJson(record.plan) !== canonicalJson(plan)) return;
	throw guard({
		code: "BATCH_ABANDONED",
		message: `Batch ${plan.batch} was cancelled on ${record.abandoned?.at}; nothing was signed`,
		why: record.abandoned?.reason,
		fix: advice`To pay some of its rows after all, plan them again: ${purser`pay batch plan FILE`}`,
	});
}

/** Whether this key has approved this very plan already. */
export function isApproved({ plan, approvals }: PlanFile, key: string): boolean {
	return approvals.some((one) => one.key === key && isSigned(plan, one));
}

function otherService(plan: BatchPlan, profile: Profile, origin: string): PurserError {
	return guard({
		code: "PLAN_ELSEWHERE",
		message: `The plan is for ${plan.environment} at ${plan.origin}, and the profile ${profile.name} is for ${profile.environment} at ${origin}; nothing was signed`,
		fix: advice`Use the profile of that service: --profile ${quoted(plan.profile)}. To add it: ${purser`profile add ${plan.profile} --base-url ${plan.origin}`}`,
	});
}

function guard(failure: Failure): PurserError {
	return new PurserError("guard", failure);
}
