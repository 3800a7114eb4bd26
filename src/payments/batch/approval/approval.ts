/**
 * Approval of a batch by a second person: what is signed, when it is needed, and which approvals count.
 * On a shared machine this protects against mistakes, not against its administrator.
 */

import { createPublicKey, verify } from "node:crypto";
import { advice, purser } from "../../../api/advice.js";
import { canonicalJson } from "../../../api/json.js";
import { type Failure, guard } from "../../../errors.js";
import type { Approval, BatchPlan } from "../../../ports/batch-plan.js";
import type { Profile } from "../../../ports/profiles.js";
import { approvalNeeded, approversOf, isDaily, isSameKey, nameOfKey, withKey } from "../../rules/approval-needed.js";

type Settings = Readonly<Record<string, string>>;
export type Approver = { key: string; operator?: string };

/** The bytes that the planner signs: every field of the plan but the signature itself, in canonical form. */
export function plannedBytes({ signature: _, ...plan }: BatchPlan): Uint8Array {
	return new TextEncoder().encode(`purser batch plan 1\n${canonicalJson(plan)}`);
}

/** The bytes that an approval signs: its time and every field of the plan, in canonical form. */
export function approvedBytes(plan: BatchPlan, at: string): Uint8Array {
	return new TextEncoder().encode(`purser batch approval 1\n${at}\n${canonicalJson(plan)}`);
}

export const isSigned = (plan: BatchPlan, { key, at, signature }: Approval): boolean => fits(key, approvedBytes(plan, at), signature);

/** False if the key or the signature is malformed. */
function fits(key: string, bytes: Uint8Array, signature: string): boolean {
	try {
		const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: key }, format: "jwk" });
		return verify(null, bytes, publicKey, Buffer.from(signature, "base64url"));
	} catch {
		return false;
	}
}

/**
 * The key of whoever planned; undefined if the plan names none, or one whose private half did not sign it: anybody could write somebody
 * else's public half into a plan and then approve it alone.
 * @param nothing the end of the message, which says what did not happen
 */
function plannerOf(plan: BatchPlan, nothing: string): string | undefined {
	const { batch, planner, signature } = plan;
	if (signature === undefined) return undefined;
	if (planner !== undefined && fits(planner, plannedBytes(plan), signature)) return planner;
	throw guard({
		code: "PLAN_SIGNATURE",
		message: `The plan of batch ${batch} does not have its planner's signature; ${nothing}`,
		why: "It was changed after it was signed, or it names a planner who did not sign it",
		fix: advice`Have the file planned again: ${purser`pay batch plan FILE`}`,
	});
}

const nothingSent = "nothing was sent";

export function requireUnexpired({ batch, expires }: BatchPlan, now: Date, nothing = nothingSent): void {
	if (expires > now.toISOString()) return;
	throw guard({
		code: "PLAN_EXPIRED",
		message: `The plan of batch ${batch} expired at ${expires}; ${nothing}`,
		why: "Balances, doubts and limits may have changed since it was planned",
		fix: advice`Plan the file again, and where an approval is needed have that plan approved: ${purser`pay batch plan FILE`}`,
	});
}

/** Checks that a plan which needs an approval, or gets one, is signed by its planner and still valid. */
export function requirePlanner(plan: BatchPlan, now: Date, nothing: string): void {
	const { batch } = plan;
	const planner = plannerOf(plan, nothing);
	requireUnexpired(plan, now, nothing);
	if (planner === undefined)
		throw guard({
			code: "PLANNER_UNKNOWN",
			message: `The plan of batch ${batch} does not say who planned it, so no second person can approve it; ${nothing}`,
			why: "It was planned without a key that identifies the planner",
			fix: advice`The planner makes a key and plans the file again:\n${purser`pay batch key`}\n${purser`pay batch plan FILE`}`,
		});
}

const namesOf = (key: string, settings: Settings): (string | undefined)[] =>
	[settings.approvers, settings.planners].map((value) => nameOfKey(approversOf(value), key));

/** What the profile calls the planner's key. */
export const plannerName = ({ planner = "" }: Pick<BatchPlan, "planner">, settings: Settings): string | undefined =>
	namesOf(planner, settings).find((name) => name !== undefined);

/**
 * The name that planner and approver share, by what is known of both: what the profile calls their keys, and who they said they are. One
 * person may have two keys.
 */
function sharedName({ planner, operator }: BatchPlan, approver: Approver, settings: Settings): string | undefined {
	const comparable = (name: string): string => name.normalize("NFKC").trim().toLowerCase();
	const planners = [operator, ...(planner === undefined ? [] : namesOf(planner, settings))].flatMap((name) => name ?? []).map(comparable);
	return [approver.operator, ...namesOf(approver.key, settings)].find((name) => name !== undefined && planners.includes(comparable(name)));
}

/** Why this approver is, or may be, the person who planned the batch; undefined if nothing says so. */
export function byPlannerFailure(
	plan: BatchPlan,
	approver: Approver,
	settings: Settings,
	nothing: string,
	inTeam = false,
): Failure | undefined {
	const isPlanner = plan.planner !== undefined && isSameKey(approver.key, plan.planner);
	const name = sharedName(plan, approver, settings);
	if (!isPlanner && name === undefined) return undefined;
	return {
		code: "APPROVAL_BY_PLANNER",
		message: isPlanner
			? `Batch ${plan.batch} was planned with the same key: somebody else has to approve it; ${nothing}`
			: `Batch ${plan.batch} was planned by ${name}, and so would be its approval: somebody else has to approve it; ${nothing}`,
		why: "Planner and approver are compared by their keys, by the profile's names for these, and by who runs purser (PURSER_OPERATOR, else the system's user)",
		fix: advice`${inTeam ? advice`Who may approve it: ${purser`pay batch approvals`}` : advice`Give the plan file to an approver, who types: ${purser`pay batch approve PLAN`}`}\nPeople who share a user of the system say who they are, when they plan and when they approve: PURSER_OPERATOR=NAME`,
	};
}

/**
 * Checks that the batch has an approval, if it needs one.
 * @param now when sending is requested; for a batch begun before, when it was begun
 * @param spent totals sent or in doubt today (UTC), as decimal sums by currency; used if the limit is per day
 * @returns the approvals that count; empty if none is needed
 */
export function checkApproval(
	plan: BatchPlan,
	approvals: readonly Approval[],
	settings: Settings,
	now: Date,
	spent: Readonly<Record<string, string>> = {},
): Approval[] {
	plannerOf(plan, nothingSent);
	if (!approvalNeeded(plan, settings, spent)) return [];
	requirePlanner(plan, now, nothingSent);
	const failure = unknownPlannerFailure(plan, { name: plan.profile, settings }, nothingSent);
	if (failure) throw guard(failure);
	const valid = validApprovals(plan, approvals, settings);
	if (valid.length > 0) return valid;
	const [first] = approvals;
	throw guard((first && faultOf(plan, first, settings)) ?? approvalMissing(plan, settings));
}

function validApprovals(plan: BatchPlan, approvals: readonly Approval[], settings: Settings): Approval[] {
	if (plannerOf(plan, nothingSent) === undefined || unknownPlannerFailure(plan, { name: plan.profile, settings }, "")) return [];
	return approvals.filter((one) => faultOf(plan, one, settings) === undefined);
}

/** Adds the names from the profile to the approvals of a record. For display only: no decision depends on names. */
export function withNames<T extends { approvals?: readonly Approval[] }>(record: T, settings: Settings): T {
	if (record.approvals === undefined) return record;
	const approvers = approversOf(settings.approvers);
	return { ...record, approvals: record.approvals.map((one) => ({ approver: nameOfKey(approvers, one.key), ...one })) };
}

/**
 * The approvals that count, without names, for the journal; undefined if no approval is needed. With a limit per day only the journal knows
 * whether one is needed, so those that count are always passed.
 */
export function approvalsForJournal(
	plan: BatchPlan,
	approvals: readonly Approval[],
	settings: Settings,
	now: Date,
): Approval[] | undefined {
	const needed = checkApproval(plan, approvals, settings, now);
	const valid = needed.length === 0 && isDaily(settings) ? validApprovals(plan, approvals, settings) : needed;
	return valid.length > 0 ? valid.map(({ key, at, signature }) => ({ key, at, signature })) : undefined;
}

/**
 * Why the plan's planner is not accepted: an unknown key could be a second key of the approver, who could then plan and approve alone.
 * Undefined if the planner is known, or if the plan has none.
 */
export function unknownPlannerFailure(
	{ batch, planner }: BatchPlan,
	profile: Pick<Profile, "name" | "settings">,
	nothing: string,
): Failure | undefined {
	if (planner === undefined) return undefined;
	const { name, settings } = profile;
	if (namesOf(planner, settings).some((known) => known !== undefined)) return undefined;
	return {
		code: "PLANNER_NOT_LISTED",
		message: `Batch ${batch} was planned with the key ${planner}, which is neither among the profile's planners nor among its approvers; ${nothing}`,
		why: "The holder of that key could also be the approver: one person would do both",
		fix: advice`Ask the planner for their key (they type: ${purser`pay batch key`}). If it is this one, add it: ${purser`profile set ${name} --set ${`planners=${withKey(settings.planners, planner)}`}`}`,
	};
}

/** Why a key's approval does not count: the profile does not list it. Undefined if it does. */
export function unknownApproverFailure(
	{ batch }: BatchPlan,
	key: string,
	{ name, settings }: Pick<Profile, "name" | "settings">,
	nothing: string,
): Failure | undefined {
	if (nameOfKey(approversOf(settings.approvers), key) !== undefined) return undefined;
	return {
		code: "APPROVER_UNKNOWN",
		message: `The key ${key} is not among the approvers of the profile ${name}, so its approval of batch ${batch} does not count; ${nothing}`,
		fix: advice`Ask one of them to approve it. To see them: ${purser`config explain approvers`}\nSomeone who may add one types: ${purser`profile set ${name} --set ${`approvers=${withKey(settings.approvers, key)}`}`}`,
	};
}

function faultOf(plan: BatchPlan, approval: Approval, settings: Settings): Failure | undefined {
	const failure =
		byPlannerFailure(plan, { key: approval.key }, settings, nothingSent) ??
		unknownApproverFailure(plan, approval.key, { name: plan.profile, settings }, nothingSent);
	if (failure) return failure;
	if (isSigned(plan, approval)) return undefined;
	return {
		code: "APPROVAL_INVALID",
		message: `The approval by ${nameOfKey(approversOf(settings.approvers), approval.key)} is for a different plan; nothing was sent`,
		why: "The plan, or the approval, was changed after it was signed",
		fix: advice`Check what changed, plan the file again (${purser`pay batch plan FILE`}) and have that plan approved: ${purser`pay batch approve PLAN`}`,
	};
}

function approvalMissing(plan: BatchPlan, settings: Settings): Failure {
	const first =
		approversOf(settings.approvers).size > 0
			? ""
			: advice`\nThe profile has no approvers yet. Add one first: ${purser`profile set NAME --set approvers=PERSON=KEY`}`;
	return {
		code: "APPROVAL_MISSING",
		message: `Batch ${plan.batch} needs the approval of a second person, and has none; nothing was sent`,
		why: `The profile's setting approval requires it${isDaily(settings) ? ` (${settings.approval}): payments sent or in doubt today (UTC) count too` : ""}`,
		fix: advice`Give the plan file to an approver, who types: ${purser`pay batch approve PLAN`}\nThen send it: ${purser`pay batch send PLAN`}${first}`,
	};
}
