/**
 * What stands between a plan and one's own signature under it. Pure.
 */
import { advice, purser, quoted } from "../../../api/advice.js";
import { canonicalJson } from "../../../api/json.js";
import { serviceAddress } from "../../../api/service-address.js";
import { type Failure, PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { Profile } from "../../../ports/profiles.js";
import { approversOf, isSameKey, nameOfKey, withKey } from "../../rules/approvers.js";
import { isSigned, strangePlanner } from "../approval/approval.js";
import type { PlanFile } from "./file.js";

/**
 * Whether this key may approve this plan.
 * @param profile in use: the banner and the live guard must be of what is approved
 * @throws PurserError guard: another service, an expired plan, no planner or one that the profile does not know, the planner's own key, a
 *   key that is not among the approvers where the profile names any
 */
export function mayApprove({ plan }: PlanFile, key: string, profile: Profile, now: Date): void {
	const origin = serviceAddress(profile.baseUrl);
	if (plan.origin !== origin || plan.environment !== profile.environment) throw elsewhere(plan, profile, origin);
	if (plan.expires <= now.toISOString())
		throw guard({
			code: "PLAN_EXPIRED",
			message: `The plan of batch ${plan.batch} was good until ${plan.expires}; nothing was signed`,
			fix: advice`Have the file planned again: ${purser`pay batch plan FILE`}`,
		});
	if (plan.planner === undefined)
		throw guard({
			code: "PLANNER_UNKNOWN",
			message: `The plan of batch ${plan.batch} does not say who planned it, so nobody can be a second person; nothing was signed`,
			fix: advice`Whoever planned it makes a key and plans it again:\n${purser`pay batch key`}\n${purser`pay batch plan FILE`}`,
		});
	if (isSameKey(plan.planner, key))
		throw guard({
			code: "APPROVAL_BY_PLANNER",
			message: `You planned batch ${plan.batch} yourself, so somebody else has to approve it; nothing was signed`,
			fix: advice`Give the plan's file to an approver, who types: ${purser`pay batch approve PLAN`}`,
		});
	const stranger = strangePlanner(plan, profile, "nothing was signed");
	if (stranger) throw guard(stranger);
	checkApprover(plan, key, profile);
}

/** A signature that counts nowhere would be taken for an approval by whoever reads the plan. */
function checkApprover({ batch }: BatchPlan, key: string, { name, settings }: Profile): void {
	const approvers = approversOf(settings.approvers);
	if (approvers.size === 0 || nameOfKey(approvers, key) !== undefined) return;
	throw guard({
		code: "APPROVER_UNKNOWN",
		message: `Your key ${key} is not among the approvers of the profile ${name}, so your approval of batch ${batch} would not count; nothing was signed`,
		fix: advice`Have one of them approve it; to see them: ${purser`config explain approvers`}\nWho may add you types: ${purser`profile set ${name} --set ${`approvers=${withKey(settings.approvers, key)}`}`}`,
	});
}

/**
 * Where this machine's journal has this very plan, it may know that it was cancelled: then nothing is sent under a signature.
 * @param record what the journal has under the plan's number, of this plan or of another one
 * @throws PurserError guard, where the batch was cancelled
 */
export function mayBeSent(plan: BatchPlan, record: BatchRecord | undefined): void {
	if (record?.state !== "abandoned" || canonicalJson(record.plan) !== canonicalJson(plan)) return;
	throw guard({
		code: "BATCH_ABANDONED",
		message: `Batch ${plan.batch} was cancelled on ${record.abandoned?.at}, and sends nothing more; nothing was signed`,
		why: record.abandoned?.reason,
		fix: advice`What is to be paid after all is planned again: ${purser`pay batch plan FILE`}`,
	});
}

/** Whether this key's approval of this very plan is there already. */
export function isApproved({ plan, approvals }: PlanFile, key: string): boolean {
	return approvals.some((one) => one.key === key && isSigned(plan, one));
}

function elsewhere(plan: BatchPlan, profile: Profile, origin: string): PurserError {
	return guard({
		code: "PLAN_ELSEWHERE",
		message: `The plan is for ${plan.environment} at ${plan.origin}, and the profile ${profile.name} is for ${profile.environment} at ${origin}; nothing was signed`,
		fix: advice`Choose the profile of that service: --profile ${quoted(plan.profile)}. To add it: ${purser`profile add ${plan.profile} --base-url ${plan.origin}`}`,
	});
}

function guard(failure: Failure): PurserError {
	return new PurserError("guard", failure);
}
