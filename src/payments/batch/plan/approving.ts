/**
 * What an approver does with a plan before it is signed: the checks, and the comparison with the plan's page.
 */

import { advice, purser, quoted } from "../../../api/advice.js";
import { sha256 } from "../../../api/digest.js";
import { serviceAddress } from "../../../api/service-address.js";
import { troubleWords } from "../../../api/text/trouble.js";
import { type Advice, guard, PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { Files } from "../../../ports/machine.js";
import type { Profile } from "../../../ports/profiles.js";
import { approversOf, nameOfKey, withKey } from "../../rules/approval-needed.js";
import { byPlannerFailure, isSigned, requirePlanner, unknownPlannerFailure } from "../approval/approval.js";
import { isSamePlan } from "./check.js";
import { type PlanFile, pageOfPlan } from "./file.js";

const nothing = "nothing was signed";

/**
 * Checks that this key may approve this plan.
 * @param profile in use; it must be for the plan's service, so that banner and live guard apply to what is approved
 */
export function checkMayApprove({ plan }: PlanFile, own: { key: string; operator?: string }, profile: Profile, now: Date): void {
	const { batch } = plan;
	const { name, settings } = profile;
	const origin = serviceAddress(profile.baseUrl);
	if (plan.origin !== origin || plan.environment !== profile.environment)
		throw guard({
			code: "PLAN_ELSEWHERE",
			message: `The plan is for ${plan.environment} at ${plan.origin}, and the profile ${name} is for ${profile.environment} at ${origin}; ${nothing}`,
			fix: advice`Use the profile of that service: --profile ${quoted(plan.profile)}. To add it: ${purser`profile add ${plan.profile} --base-url ${plan.origin}`}`,
		});
	requirePlanner(plan, now, nothing);
	const failure = byPlannerFailure(plan, own, settings, nothing) ?? unknownPlannerFailure(plan, profile, nothing);
	if (failure) throw guard(failure);
	// A signature that would not count would be mistaken for an approval by readers of the plan.
	const approvers = approversOf(settings.approvers);
	if (approvers.size === 0 || nameOfKey(approvers, own.key) !== undefined) return;
	throw guard({
		code: "APPROVER_UNKNOWN",
		message: `Your key ${own.key} is not among the approvers of the profile ${name}, so your approval of batch ${batch} would not count; ${nothing}`,
		fix: advice`Ask one of them to approve it. To see them: ${purser`config explain approvers`}\nSomeone who may add you types: ${purser`profile set ${name} --set ${`approvers=${withKey(settings.approvers, own.key)}`}`}`,
	});
}

/** If this machine's journal has this very plan, checks that the batch was not cancelled: signing it would be pointless. */
export function refuseIfCancelled(plan: BatchPlan, record: BatchRecord | undefined): void {
	if (record?.state !== "abandoned" || !isSamePlan(plan, record)) return;
	throw guard({
		code: "BATCH_ABANDONED",
		message: `Batch ${plan.batch} was cancelled on ${record.abandoned?.at}; ${nothing}`,
		why: record.abandoned?.reason,
		fix: advice`To pay some of its rows after all, plan them again: ${purser`pay batch plan FILE`}`,
	});
}

export function isApproved({ plan, approvals }: PlanFile, key: string): boolean {
	return approvals.some((one) => one.key === key && isSigned(plan, one));
}

/** Bytes; a page of purser has at most a million. */
const mostRead = 16 * 1024 * 1024;

/** Compares the page beside the plan, byte for byte, with the one that was written with it. */
export async function checkPage(
	files: Pick<Files, "read" | "isLink" | "isSpecial">,
	{ batch, sheet }: Pick<BatchPlan, "batch" | "sheet">,
	planPath: string,
): Promise<true | undefined> {
	if (sheet === undefined) return undefined;
	const path = pageOfPlan(planPath);
	const unreadable = (why: string | undefined, cause?: unknown): PurserError => {
		const fix = "Put the page that was written with the plan beside it.";
		return new PurserError("usage", { code: "PAGE_UNREADABLE", message: `The page ${path} cannot be read; ${nothing}`, why, fix, cause });
	};
	if ((await files.isLink(path)) || (await files.isSpecial(path)))
		throw unreadable("It is a link, a pipe or a device, and a page is a file");
	const bytes = await files.read(path, mostRead).catch((cause: { code?: unknown }) => {
		if (cause.code === "ENOENT") return undefined;
		throw unreadable(troubleWords(cause), cause);
	});
	if (bytes === undefined) return undefined;
	const found = sha256(bytes);
	if (found === sheet.sha256) return true;
	throw guard({
		code: "PAGE_DIFFERENT",
		message: `${path} is not the page of batch ${batch}; ${nothing}`,
		why: `It was changed, or belongs to another plan: its SHA-256 is ${found}, and that of this plan's page ${sheet.sha256}`,
		fix: advice`Ask the planner for the page that was written with this plan, look at that one, and approve again. If it is lost, have the file planned again: ${purser`pay batch plan FILE --page`}`,
	});
}

/** The warning for a plan whose page is not beside it. @param planPath as it was given */
export function notComparedWarning(planPath: string): Advice {
	return advice`This plan was written with a page, and ${quoted(pageOfPlan(planPath))} is not there, so nothing was compared: a page that you looked at may show another plan. Put it beside the plan and approve again`;
}
