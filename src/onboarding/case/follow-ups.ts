/**
 * Requests after a case is declared: the email link, the KYB, the KYC links. Each only where it is still open.
 */

import { advice, purser } from "../../api/advice.js";
import { type Received, sameId, typed } from "../../api/answer.js";
import { requestKyb, viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import type { Context } from "../../context.js";
import type { Service } from "../../ports/service.js";
import { changedAfter, recordedChanges } from "../checklist/journal.js";
import { type LinkRow, linkRows, obtainLinks } from "../kyc/links.js";
import { kycPlan } from "../kyc/plan.js";
import { rootOf } from "../records/corporate-root.js";
import { isOver, usualValidity } from "../records/duration.js";
import { uboThreshold } from "../records/read-ownership.js";
import { ifOffered, listRelatedOf, readCorporate, readRelated } from "../records/reading.js";
import type { StepResult } from "./result.js";

/** Statuses in which a KYB can be requested. */
const requestable: readonly (string | undefined)[] = [undefined, "NOT_STARTED", "COMPLETING", "NEED_ADDITIONAL_INFORMATION"];

export interface FollowUps {
	sendEmailLink: boolean;
	requestKyb: boolean;
	kycLinks: boolean;
}

/**
 * Sends the link to the account owner, unless the email is verified or an earlier link is still valid. After any later update of the account
 * owner, which may have changed the address, another link is sent: one too many does no harm.
 * @param run `since`: the newest change in the journal before this run; `address`: whether this run changed the email address
 */
export async function requestEmailLink(
	context: Context,
	service: Service,
	ownerId: string,
	run: { since: number; address: boolean } = { since: Number.POSITIVE_INFINITY, address: false },
): Promise<StepResult> {
	const { profile } = await context.settings();
	const body = { relatedPhysicalPersonId: ownerId };
	const owner = viewRelated(await readRelated(service, ownerId));
	const step = { what: "email link" as const, key: "accountOwner", name: owner.email ?? "the account owner", id: ownerId };
	if (owner.emailVerified) return { ...step, state: "left", why: "verified" };
	const earlier = await recordedChanges(context);
	const before = earlier.byDigest(sendEmailLink.id, service.digestOf(profile, sendEmailLink, { body }));
	// A link without an answer may never have been sent.
	const valid = before?.state === "accepted" && !isOver(before.begun, usualValidity.email, context.clock.now());
	if (valid && !run.address && !changedAfter(earlier, ownerId, before.intent, run.since))
		return { ...step, state: "left", why: `a link was sent on ${before.begun}` };
	await service.call(sendEmailLink, { body });
	return { ...step, state: "asked for" };
}

/** Requests the KYB, unless it was requested or is decided. */
export async function requestKybOnce(context: Context, service: Service, corporateId: string): Promise<StepResult> {
	const { kybStatus, name } = viewCorporate(await readCorporate(service, corporateId));
	const step = { what: "KYB" as const, key: "corporate", name: name ?? corporateId, id: corporateId };
	if (!requestable.includes(kybStatus)) return { ...step, state: "left", why: `the KYB is ${kybStatus}` };
	// Without a status from the service, the journal tells whether it was requested.
	const before = kybStatus === undefined ? (await recordedChanges(context)).byId(requestKyb.id, corporateId) : undefined;
	if (before?.state === "accepted")
		return {
			...step,
			state: "left",
			why: advice`requested on ${before.begun}; the service shows no status; to request it again: ${purser`kyb request ${typed(corporateId, "CORPORATE")}`}`,
		};
	await service.call(requestKyb, { params: { corporateId } });
	return { ...step, state: "asked for" };
}

/** What became of the links of a company. */
export interface KycLinks {
	links: LinkRow[];
	/** Whether the service listed all related entities. */
	complete: boolean;
	/** Steps of declared persons whom the service does not show yet. */
	notShown: readonly StepResult[];
}

/**
 * Obtains the link of everybody who still needs one.
 * @param steps of the case: a person declared a moment ago may not be in the list yet and is read by id
 * @param kept is awaited after each link: whether it was shown already
 */
export async function requestKycLinks(
	context: Context,
	service: Service,
	corporateId: string,
	steps: readonly StepResult[],
	kept?: (row: LinkRow) => Promise<boolean>,
): Promise<KycLinks> {
	const { profile } = await context.settings();
	const listed = await listRelatedOf(service, corporateId);
	const notShown = await addUnlisted(context, service, listed.records, steps);
	const root = await rootOf(context, service, corporateId, listed.records);
	const plan = kycPlan(root, listed.records, uboThreshold(profile));
	for (const warning of plan.warnings) context.reporter.warn(warning);
	const earlier = await recordedChanges(context);
	const inputOf = (id: string) => ({ body: { relatedPhysicalPersonId: id } });
	const before = (id: string) => earlier.byDigest(getKycLink.id, service.digestOf(profile, getKycLink, inputOf(id)));
	const rows = linkRows(plan, false, before, context.clock.now());
	await obtainLinks(context, rows, (id) => service.call(getKycLink, inputOf(id), { held: true }), kept);
	return { links: rows, complete: listed.complete, notShown };
}

/** Adds the persons of a case who are missing from the list. @returns the steps of those who cannot be read by id either */
async function addUnlisted(
	context: Context,
	service: Service,
	records: Received[],
	steps: readonly StepResult[],
): Promise<readonly StepResult[]> {
	const notShown: StepResult[] = [];
	for (const step of steps) {
		const { what, id } = step;
		if ((what !== "person" && what !== "account owner") || id === undefined) continue;
		if (notShown.some((one) => one.id === id) || records.some((record) => sameId(viewRelated(record).id, id))) continue;
		const record = await ifOffered(context, `whether ${step.name} needs a KYC is not known`, () => readRelated(service, id));
		if (record === undefined) notShown.push(step);
		else records.push(record);
	}
	return notShown;
}

/** The KYC links as steps of their case. Unlisted persons may need one too, so they are left to the operator. */
export function linkSteps({ links, complete, notShown }: KycLinks): StepResult[] {
	const others: StepResult = {
		what: "KYC link",
		key: "",
		name: "persons who were not listed",
		state: "blocked",
		why: advice`the service did not list all related entities; run this again, or see ${purser`kyc plan`}`,
	};
	const later = notShown.map(
		({ key, name, id }): StepResult => ({
			what: "KYC link",
			key,
			name,
			id,
			state: "blocked",
			why: advice`the service does not show this person yet; run this again, or ${purser`kyc link ${typed(id, "RELATED")}`}`,
		}),
	);
	return [...links.map(linkStep), ...later, ...(complete ? [] : [others])];
}

/** A KYC link as a step of its case. */
function linkStep({ relatedPhysicalPersonId, name, state, url, expiresAt, error }: LinkRow): StepResult {
	const states = { obtained: "asked for", valid: "left", refused: "failed", "in doubt": "in doubt", "not sent": "not sent" } as const;
	const remark = advice`an earlier link is still valid; where nobody has it: ${purser`kyc link ${typed(relatedPhysicalPersonId, "RELATED")}`}`;
	const why = state === "valid" ? remark : error?.message;
	return { what: "KYC link", key: "", name, id: relatedPhysicalPersonId, state: states[state], why, url, expiresAt };
}
