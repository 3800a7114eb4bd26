/**
 * What an approver does with a plan before it is signed: the checks, the comparison with the sheet, and what is shown.
 */

import { advice, purser, quoted } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import { sha256 } from "../../../api/digest.js";
import { canonicalJson } from "../../../api/json.js";
import { serviceAddress } from "../../../api/service-address.js";
import { troubleWords } from "../../../api/text/trouble.js";
import { type Advice, type Failure, PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { Files } from "../../../ports/machine.js";
import type { Profile } from "../../../ports/profiles.js";
import type { Style } from "../../../ports/style.js";
import { approversOf, isSameKey, nameOfKey, withKey } from "../../rules/approval-needed.js";
import { isSigned, plannerOf, sharedName, unknownPlannerFailure } from "../approval/approval.js";
import type { PlanFile } from "./file.js";
import { totalsText } from "./totals.js";

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

type Words = Pick<Style, "money">;

type Row = readonly [string, string | { time: string } | undefined];

/** What a plan moves, where it is sent, who planned it, and when it expires. */
export function planRows(plan: BatchPlan, style: Words): Row[] {
	return [
		["Batch", plan.batch],
		["File", plan.source === "-" ? "standard input" : plan.source],
		["Rows", groupDigits(plan.count)],
		["Total", totalsText(plan, style)],
		...(plan.totals.length > 1 ? plan.totals : []).map((total, at): Row => [at === 0 ? "By ledger" : "and", ledgerText(total, style)]),
		...(plan.totals.length === 1 ? [["From ledger", plan.totals[0]?.ledgerFromId] as const] : []),
		["Largest", plan.largest.map(({ currency, amount }) => style.money(amount, currency)).join(", ")],
		["Profile", `${plan.profile} (${plan.environment})`],
		["Service", plan.origin],
		["Despite", despiteText(plan)],
		["Planned", { time: plan.planned }],
		["Planned by", plannerText(plan)],
		["Valid until", { time: plan.expires }],
		["Fingerprint", plan.digest.sequence],
		["Sheet (SHA-256)", plan.sheet?.sha256],
	];
}

function plannerText({ planner, operator }: BatchPlan): string {
	if (planner === undefined) return "someone without a key";
	return operator === undefined ? planner : `${operator}, ${planner}`;
}

function ledgerText({ ledgerFromId, currency, rows, amount }: BatchPlan["totals"][number], style: Words): string {
	return `${style.money(amount, currency)} in ${groupDigits(rows)} ${rows === 1 ? "row" : "rows"} from ${ledgerFromId}`;
}

function despiteText({ despite }: BatchPlan): string | undefined {
	if (despite === undefined) return undefined;
	const { duplicates = 0, batches = [], reason } = despite;
	const what = [
		duplicates > 0 ? `${groupDigits(duplicates)} possible ${duplicates === 1 ? "duplicate" : "duplicates"}` : "",
		batches.length > 0 ? `batch ${batches.join(", ")}` : "",
	];
	return `${what.filter(Boolean).join(", ")}: ${reason}`;
}

/** Bytes; a sheet of purser has at most a million. */
const mostRead = 16 * 1024 * 1024;

/**
 * @param path of the sheet that the approver looked at
 * @throws PurserError guard, if the plan has no sheet, or another one; usage, if it cannot be read or is a link
 */
export async function checkSheet(
	files: Pick<Files, "read" | "isLink" | "isSpecial">,
	{ batch, sheet }: Pick<BatchPlan, "batch" | "sheet">,
	path: string,
): Promise<void> {
	if (sheet === undefined)
		throw new PurserError("guard", {
			code: "SHEET_NOT_PLANNED",
			message: `The plan of batch ${batch} has no sheet, so ${path} was not made with it; nothing was signed`,
			fix: advice`Do not rely on that page. Have the file planned again with a sheet: ${purser`pay batch plan FILE --sheet SHEET.html`}`,
		});
	const found = sha256(await bytesOf(files, path));
	if (found === sheet.sha256) return;
	throw new PurserError("guard", {
		code: "SHEET_DIFFERENT",
		message: `${path} is not the sheet of batch ${batch}; nothing was signed`,
		why: `It was changed, or belongs to another plan: its SHA-256 is ${found}, and that of this plan's sheet ${sheet.sha256}`,
		fix: advice`Ask the planner for the sheet that was written with this plan, look at that one, and approve again. If it is lost, have the file planned again: ${purser`pay batch plan FILE --sheet SHEET.html`}`,
	});
}

async function bytesOf(files: Pick<Files, "read" | "isLink" | "isSpecial">, path: string): Promise<Uint8Array> {
	if (await files.isLink(path)) throw unreadableSheet(path, "It is a symbolic link, and its target can change");
	if (await files.isSpecial(path)) throw unreadableSheet(path, "It is a pipe or a device, and a sheet is a file");
	try {
		return await files.read(path, mostRead);
	} catch (cause) {
		throw unreadableSheet(path, troubleWords(cause), cause);
	}
}

function unreadableSheet(path: string, why: string | undefined, cause?: unknown): PurserError {
	return new PurserError("usage", {
		code: "SHEET_UNREADABLE",
		message: `The sheet ${path} cannot be read; nothing was signed`,
		why,
		fix: "Give the page that was written with the plan.",
		cause,
	});
}

/** The warning for a plan whose sheet was not compared; undefined if it has none. @param planPath as it was given */
export function notComparedWarning({ sheet }: Pick<BatchPlan, "sheet">, planPath: string): Advice | undefined {
	if (sheet === undefined) return undefined;
	return advice`This plan has a sheet, and it was not compared: a page that you looked at may show another plan. To compare it: ${purser`pay batch approve ${{ path: planPath }} --sheet SHEET.html`}`;
}
