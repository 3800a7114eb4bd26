/**
 * Checks of a plan before anything is sent or signed: against the journal's copy, the profile, what a script expects, and the plan's page.
 */

import { advice, purser, quoted } from "../../../api/advice.js";
import { withDecimals } from "../../../api/amount.js";
import { sha256 } from "../../../api/digest.js";
import { canonicalJson } from "../../../api/json.js";
import { serviceAddress } from "../../../api/service-address.js";
import { type Advice, guard, type PurserError } from "../../../errors.js";
import type { BatchPlan, BatchTotal } from "../../../ports/batch-plan.js";
import type { BatchRecord, TeamPlan } from "../../../ports/batches.js";
import type { Files } from "../../../ports/machine.js";
import type { Profile } from "../../../ports/profiles.js";
import { sameAmount, sum } from "../../rules/decimal.js";
import {
	type Approver,
	byPlannerFailure,
	isSigned,
	requirePlanner,
	unknownApproverFailure,
	unknownPlannerFailure,
} from "../approval/approval.js";
import { type PlanFile, pageOfPlan } from "./file.js";

/** Settings that decide what may be sent. Approvers are left out: they are personal data, and are looked up when the batch is sent. */
const decisiveKeys = ["cap-per-transfer", "cap-per-day", "duplicate-days", "refusing-statuses", "sca-strategy", "approval"];

/** The plan's key for the digest of the mapping, which decides where rows are sent and what an answer means. */
const mappingKey = "mapping";

export function decisiveSettings({ settings, mapping }: Pick<Profile, "settings" | "mapping">): Record<string, string> {
	const own = decisiveKeys.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]]]));
	if (mapping !== undefined) own.push([mappingKey, sha256(canonicalJson(mapping))]);
	return Object.fromEntries(own);
}

export const isSamePlan = (plan: BatchPlan, record: Pick<BatchRecord, "plan">): boolean =>
	canonicalJson(plan) === canonicalJson(record.plan);

/** The journal's batch of this very plan. @throws PurserError guard, if it is another journal's, or was altered */
export function recordedBatch(plan: BatchPlan, record: BatchRecord | undefined, { name }: Pick<Profile, "name">): BatchRecord {
	if (record === undefined || record.plan.installation !== plan.installation)
		throw guard({
			code: "PLAN_FOREIGN",
			message: `Batch ${plan.batch} of this plan is not in the journal of profile ${name} on this machine; nothing was done`,
			why: "It was planned on another machine or for another profile: that journal holds its rows",
			fix: advice`Use the profile that it was planned for (--profile NAME), or plan the file here: ${purser`pay batch plan FILE`}`,
		});
	const fields = Object.keys({ ...plan, ...record.plan }) as (keyof BatchPlan)[];
	const altered = fields.filter((name) => canonicalJson(plan[name]) !== canonicalJson(record.plan[name]));
	if (altered.length > 0)
		throw guard({
			code: "PLAN_CHANGED",
			message: `The plan of batch ${plan.batch} was altered; nothing was done`,
			why: `It differs from the journal's copy in: ${altered.join(", ")}`,
			fix: advice`Plan the file again: ${purser`pay batch plan FILE`}`,
		});
	return record;
}

/** @throws PurserError guard, if the plan is not the journal's, was begun or cancelled, or was made for another service or setting */
export function checkPlan(plan: BatchPlan, found: BatchRecord | undefined, profile: Profile): void {
	// First: whoever is told of changed settings plans the file again, which must not happen to a batch half way.
	const { batch, state, begun } = checkNotAbandoned(recordedBatch(plan, found, profile));
	if (state === "begun")
		throw guard({
			code: "BATCH_BEGUN",
			message: `Batch ${batch} was already started on ${begun}; this command sent nothing more`,
			why: "A batch is sent once. Use resume for the rest",
			fix: advice`Check its status: ${purser`pay batch status ${batch}`}\nResume it: ${purser`pay batch resume ${batch}`}`,
		});
	checkProfile(plan, profile);
}

function checkNotAbandoned(record: BatchRecord): BatchRecord {
	if (record.state !== "abandoned") return record;
	throw guard({
		code: "BATCH_ABANDONED",
		message: `Batch ${record.batch} was cancelled on ${record.abandoned?.at}; it sends nothing more`,
		why: record.abandoned?.reason,
		fix: advice`To pay rows of it after all, write unsent.csv and plan that: ${purser`pay batch report ${record.batch}`}`,
	});
}

export function checkProfile(plan: BatchPlan, profile: Profile): void {
	checkService(plan, profile);
	const changed = changedSettings(plan, profile);
	if (changed.length > 0)
		throw settingsChanged(changed, advice`Plan the file again under the current settings: ${purser`pay batch plan FILE`}`);
}

/**
 * Checks a batch that is resumed. A begun batch cannot be planned again, and a setting may have been what stopped it (a wrong path, a cap), so
 * changed settings are allowed; the journal checks the rest against the current ones. An approved batch must keep its approved settings.
 */
export function checkResumable(record: BatchRecord, profile: Profile): string[] {
	const { batch, plan, state, approvals = [] } = checkNotAbandoned(record);
	if (state !== "begun")
		throw guard({
			code: "BATCH_NOT_BEGUN",
			message: `Batch ${batch} was not started yet, so there is nothing to resume; nothing was sent`,
			fix: advice`Send it: ${purser`pay batch send PLAN`}`,
		});
	checkService(plan, profile);
	const changed = changedSettings(plan, profile);
	const binding = approvals.length > 0 ? changed : changed.filter((key) => key === "approval");
	if (binding.length > 0)
		throw settingsChanged(
			binding,
			advice`The rest must go as it was approved. See what was planned (${purser`pay batch status ${batch} --json`} shows it in plan.settings), restore those settings (${purser`profile set`}, ${purser`api use`}), then go on: ${purser`pay batch resume ${batch}`}`,
		);
	return changed;
}

function checkService(plan: BatchPlan, { name, environment, baseUrl }: Profile, end = "nothing was sent"): void {
	const origin = serviceAddress(baseUrl);
	if (plan.environment === environment && plan.origin === origin) return;
	throw guard({
		code: "PLAN_ELSEWHERE",
		message: `The plan is for ${plan.environment} at ${plan.origin}, and the profile ${name} is for ${environment} at ${origin}; ${end}`,
		fix: advice`Use the profile of that service: --profile ${quoted(plan.profile)}. To add it: ${purser`profile add ${plan.profile} --base-url ${plan.origin}`}`,
	});
}

function changedSettings(plan: BatchPlan, profile: Profile): string[] {
	const now = decisiveSettings(profile);
	return [...decisiveKeys, mappingKey].filter((key) => plan.settings[key] !== now[key]);
}

function settingsChanged(changed: readonly string[], fix: Advice): PurserError {
	return guard({
		code: "SETTINGS_CHANGED",
		message: `These settings changed after it was planned: ${changed.join(", ")}; nothing was sent`,
		fix,
	});
}

export function checkExpected(plan: BatchPlan, expected: { count?: string; totals?: readonly string[] }): void {
	const faults: string[] = [];
	if (expected.count !== undefined && expected.count !== String(plan.count))
		faults.push(`${expected.count} rows expected, ${plan.count} planned`);
	if (expected.totals !== undefined) faults.push(...totalFaults(plan, expected.totals));
	if (faults.length === 0) return;
	throw guard({
		code: "NOT_AS_EXPECTED",
		message: `The plan of batch ${plan.batch} is not what was expected; nothing was sent`,
		why: faults.join("; "),
		fix: "Check the plan: send it with its own count and totals, or plan the right file.",
	});
}

/** Each expected total is `EUR=18230.55`; every currency of the plan must be named. */
function totalFaults(plan: BatchPlan, expected: readonly string[]): string[] {
	const sums = sumsByCurrency(plan);
	const named = new Map(expected.map((entry) => [entry.slice(0, entry.indexOf("=")).toUpperCase(), entry.slice(entry.indexOf("=") + 1)]));
	const faults = named.size === expected.length ? [] : ["a currency is named twice in --expect-total"];
	for (const currency of new Set([...sums.keys(), ...named.keys()])) {
		const [planned, wanted] = [sums.get(currency) ?? "0", named.get(currency)];
		if (wanted === undefined) faults.push(`${currency}: ${withDecimals(planned, currency)} planned, but missing from --expect-total`);
		else if (!sameAmount(planned, wanted))
			faults.push(`${currency}: ${withDecimals(wanted, currency)} expected, ${withDecimals(planned, currency)} planned`);
	}
	return faults;
}

/** Exact sums of the plan by currency; `?` for unknown currencies. */
export function sumsByCurrency({ totals }: { totals: readonly Pick<BatchTotal, "currency" | "amount">[] }): Map<string, string> {
	const sums = new Map<string, string>();
	for (const { currency = "?", amount } of totals) sums.set(currency, sum(sums.get(currency) ?? "0", amount));
	return sums;
}

const nothing = "nothing was signed";

/**
 * Checks that this key may approve this plan.
 * @param profile in use; it must be for the plan's service, so that banner and live guard apply to what is approved
 */
export function checkMayApprove(plan: BatchPlan, own: Approver, profile: Profile, now: Date, inTeam: boolean): void {
	const { settings } = profile;
	checkService(plan, profile, nothing);
	requirePlanner(plan, now, nothing);
	// A team's journal knows both by their logins, so a profile need not name keys.
	const isUnnamed = inTeam && !settings.planners?.trim() && !settings.approvers?.trim();
	const failure =
		byPlannerFailure(plan, own, settings, nothing, inTeam) ??
		(isUnnamed ? undefined : unknownPlannerFailure(plan, profile, nothing)) ??
		// A signature that would not count would be mistaken for an approval by readers of the plan.
		(settings.approvers?.trim() ? unknownApproverFailure(plan, own.key, profile, nothing) : undefined);
	if (failure) throw guard(failure);
}

/** @param team what a team's journal has of the plan @param end of the message, which says what did not happen */
export function refuseIfRejected(team: TeamPlan | undefined, end: string): void {
	if (team?.rejected === undefined) return;
	const { by, reason, at } = team.rejected;
	throw guard({
		code: "PLAN_REJECTED",
		message: `Batch ${team.batch} was rejected by ${by} on ${at}; ${end}`,
		why: reason,
		fix: advice`Correct the file, plan it again and have that plan approved: ${purser`pay batch plan FILE`}`,
	});
}

export const isApproved = ({ plan, approvals }: PlanFile, key: string): boolean =>
	approvals.some((one) => one.key === key && isSigned(plan, one));

/** Bytes; a page of purser has at most a million. */
const mostRead = 16 * 1024 * 1024;

/** Compares the page beside the plan, byte for byte, with the one that was written with it. One that cannot be read is none. */
export async function checkPage(
	files: Pick<Files, "read" | "isSpecial">,
	{ batch, sheet }: Pick<BatchPlan, "batch" | "sheet">,
	planPath: string,
): Promise<true | undefined> {
	if (sheet === undefined) return undefined;
	const path = pageOfPlan(planPath);
	const bytes = (await files.isSpecial(path)) ? undefined : await files.read(path, mostRead).catch(() => undefined);
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
	return advice`This plan was written with a page, and ${quoted(pageOfPlan(planPath))} is not there or cannot be read, so nothing was compared: a page that you looked at may show another plan. Put it beside the plan and approve again`;
}
