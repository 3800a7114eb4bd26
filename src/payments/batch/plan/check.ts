/**
 * Checks of a plan before anything is sent: against the journal's copy, the profile, and what a script expects.
 */

import { advice, purser } from "../../../api/advice.js";
import { withDecimals } from "../../../api/amount.js";
import { sha256 } from "../../../api/digest.js";
import { canonicalJson } from "../../../api/json.js";
import { serviceAddress } from "../../../api/service-address.js";
import { type Advice, guard, type PurserError } from "../../../errors.js";
import type { BatchPlan, BatchTotal } from "../../../ports/batch-plan.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { Profile } from "../../../ports/profiles.js";
import { sameAmount, sum } from "../../rules/decimal.js";

/** Settings that decide what may be sent. Approvers are left out: they are personal data, and are looked up when the batch is sent. */
export const decisiveKeys = ["cap-per-transfer", "cap-per-day", "duplicate-days", "refusing-statuses", "sca-strategy", "approval"];

/** The plan's key for the digest of the mapping, which decides where rows are sent and what an answer means. */
const mappingKey = "mapping";

export function decisiveSettings({ settings, mapping }: Pick<Profile, "settings" | "mapping">): Record<string, string> {
	const own = decisiveKeys.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]]]));
	if (mapping !== undefined) own.push([mappingKey, sha256(canonicalJson(mapping))]);
	return Object.fromEntries(own);
}

export const isSamePlan = (plan: BatchPlan, record: Pick<BatchRecord, "plan">): boolean =>
	canonicalJson(plan) === canonicalJson(record.plan);

/** @throws PurserError guard, if the plan differs from the journal's, was begun or cancelled, or was made for another profile, service or setting */
export function checkPlan(plan: BatchPlan, record: BatchRecord | undefined, profile: Profile): void {
	if (record === undefined)
		throw guard({
			code: "PLAN_FOREIGN",
			message: `Batch ${plan.batch} is not in the journal of profile ${profile.name} on this machine; nothing was sent`,
			why: "A batch can only be sent from where it was planned: that journal holds its rows",
			fix: advice`Plan the file here: ${purser`pay batch plan FILE`}`,
		});
	if (!isSamePlan(plan, record))
		throw guard({
			code: "PLAN_CHANGED",
			message: `The plan of batch ${plan.batch} was altered; nothing was sent`,
			why: `It differs from the journal's copy in: ${differingFields(plan, record.plan).join(", ")}`,
			fix: advice`Plan the file again: ${purser`pay batch plan FILE`}`,
		});
	// First: whoever is told of changed settings plans the file again, which must not happen to a batch half way.
	checkUnbegun(record);
	checkProfile(plan, profile);
}

function checkNotAbandoned(record: BatchRecord): void {
	if (record.state !== "abandoned") return;
	throw guard({
		code: "BATCH_ABANDONED",
		message: `Batch ${record.batch} was cancelled on ${record.abandoned?.at}; it sends nothing more`,
		why: record.abandoned?.reason,
		fix: advice`To pay rows of it after all, write unsent.csv and plan that: ${purser`pay batch report ${record.batch}`}`,
	});
}

function checkUnbegun(record: BatchRecord): void {
	checkNotAbandoned(record);
	if (record.state !== "begun") return;
	throw guard({
		code: "BATCH_BEGUN",
		message: `Batch ${record.batch} was already started on ${record.begun}; this command sent nothing more`,
		why: "A batch is sent once. Use resume for the rest",
		fix: advice`Check its status: ${purser`pay batch status ${record.batch}`}\nResume it: ${purser`pay batch resume ${record.batch}`}`,
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
	const { batch, plan, state, approvals = [] } = record;
	checkNotAbandoned(record);
	if (state !== "begun") {
		checkProfile(plan, profile);
		return [];
	}
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

function checkService(plan: BatchPlan, profile: Profile): void {
	const origin = serviceAddress(profile.baseUrl);
	if (plan.profile !== profile.name || plan.environment !== profile.environment || plan.origin !== origin)
		throw guard({
			code: "PLAN_ELSEWHERE",
			message: `The plan is for ${plan.profile} (${plan.environment}, ${plan.origin}), and this is ${profile.name} (${profile.environment}, ${origin}); nothing was sent`,
			fix: `Choose the profile with --profile ${plan.profile}, or plan the file for this one.`,
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

function differingFields(one: BatchPlan, other: BatchPlan): string[] {
	const names = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof BatchPlan>;
	return [...names].filter((name) => canonicalJson(one[name]) !== canonicalJson(other[name]));
}
