/**
 * Requests after a case is declared: the email link, the KYB, the KYC links. Each only where it is still open.
 */

import { advice, purser, withoutClaim } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { requestKyb, viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import { isOver, linkEnd } from "../../api/text/duration.js";
import { plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { changedAfter, recordedChanges } from "../checklist/journal.js";
import { checkDeclared, isRequested, listDeclared, passGates, requestable } from "../kyb/check.js";
import { type GateWords, KybHeldBack } from "../kyb/gates.js";
import { askReviewed, canAskReviewed, type Review } from "../kyb/review.js";
import { type LinkRow, missingLinks, obtainLinks } from "../kyc/links.js";
import { ifOffered, listRelatedOf, readCorporate, readRelated } from "../records/reading.js";
import { corporateKey, ownerKey } from "./case.js";
import { ownerUnknown } from "./plan.js";
import type { CaseRun, StepResult } from "./result.js";

/** What is requested after a case is declared, and what the operator says about the gates of a KYB request. */
export interface FollowUps extends GateWords {
	sendEmailLink: boolean;
	requestKyb: boolean;
	kycLinks: boolean;
	/** The KYC links are created also where a gate holds back the KYB. They change the review, so its digest would be another one. */
	goesOn?: boolean;
}

/** Asks for what the flags of a run say, once the case is declared. What is not reached is a step too. */
export async function runFollowUps(context: Context, followUps: FollowUps, run: CaseRun): Promise<void> {
	const { corporateId, name = "", steps } = run;
	if (corporateId === undefined) return;
	const asked = [
		["email link", followUps.sendEmailLink] as const,
		["KYB", followUps.requestKyb] as const,
		["KYC link", followUps.kycLinks] as const,
	];
	try {
		await requestAll(context, followUps, run, corporateId);
	} catch (error) {
		const links = purser`kyc link --all --corporate-id ${typed(corporateId, "CORPORATE")}`;
		const why = error instanceof KybHeldBack ? advice`the links follow the KYB; once it is requested: ${links}` : undefined;
		for (const [what, isWanted] of asked)
			if (isWanted && !steps.some((step) => step.what === what)) steps.push({ what, key: corporateKey, name, state: "not sent", why });
		throw error;
	}
}

async function requestAll(context: Context, followUps: FollowUps, { accountOwnerId, steps }: CaseRun, corporateId: string): Promise<void> {
	if (followUps.sendEmailLink) {
		const step = { what: "email link", key: ownerKey, name: "the account owner" } as const;
		if (accountOwnerId === undefined) steps.push({ ...step, state: "blocked", why: ownerUnknown(corporateId) });
		else await asStep(steps, step.what, () => requestEmailLink(context, accountOwnerId));
	}
	let held: KybHeldBack | undefined;
	if (followUps.requestKyb)
		await asStep(steps, "KYB", () => requestKybOnce(context, corporateId, followUps, steps)).catch((error: unknown) => {
			if (!followUps.goesOn || !(error instanceof KybHeldBack)) throw error;
			held = error;
		});
	if (followUps.kycLinks) await requestKycLinks(context, corporateId, steps);
	if (held !== undefined) throw held;
}

/** A failed follow-up becomes a step too, so that the report shows what was not requested. */
async function asStep(steps: StepResult[], what: StepResult["what"], work: () => Promise<StepResult>): Promise<void> {
	try {
		steps.push(await work());
	} catch (error) {
		if (error instanceof KybHeldBack) {
			const { company, closed, review } = error;
			const why = closed.map(({ message }) => message).join(". ");
			steps.push({ what, key: corporateKey, name: company.name, id: company.id, state: "blocked", why, reviewed: review?.sha256 });
		} else if (error instanceof PurserError && error.kind !== "interrupted")
			steps.push({ what, key: "", name: "", state: error.kind === "unknown" ? "in doubt" : "failed", why: withoutClaim(error.message) });
		throw error;
	}
}

/**
 * Sends the link to the account owner, unless the email is verified or an earlier link is still valid. After any update of the account owner,
 * which may have changed the address, another link is sent: one too many does no harm.
 */
async function requestEmailLink(context: Context, ownerId: string): Promise<StepResult> {
	const owner = viewRelated(await readRelated(context.service, ownerId));
	const step = { what: "email link" as const, key: "accountOwner", name: owner.email ?? "the account owner", id: ownerId };
	if (owner.emailVerified) return { ...step, state: "left", why: "verified" };
	const earlier = await recordedChanges(context);
	const [before] = earlier(sendEmailLink.id, ownerId);
	// A link without an answer may never have been sent.
	const end = before?.state === "accepted" ? linkEnd("email", before) : undefined;
	const isValid = end !== undefined && !isOver(end, context.clock.now());
	if (isValid && before !== undefined && !changedAfter(earlier, ownerId, before.intent))
		return { ...step, state: "left", why: `a link was sent on ${before.begun}, valid until ${end}` };
	await context.service.call(sendEmailLink, { body: { relatedPhysicalPersonId: ownerId } });
	return { ...step, state: "asked for" };
}

/**
 * Requests the KYB, unless it was requested or is validated.
 * @param steps of the case: whoever was declared a moment ago may not be in the list yet
 * @throws KybHeldBack, where a gate is closed; PurserError rejected, where the KYB was declined
 */
async function requestKybOnce(context: Context, corporateId: string, words: GateWords, steps: readonly StepResult[]): Promise<StepResult> {
	const corporate = await readCorporate(context.service, corporateId);
	const { kybStatus, kybReason, name } = viewCorporate(corporate);
	const step = { what: "KYB" as const, key: "corporate", name: name ?? corporateId, id: corporateId };
	if (kybStatus === "DECLINED") throw kybDeclined(corporateId, step.name, kybReason);
	if ((await isRequested(context, corporateId, kybStatus)) || !requestable.includes(kybStatus))
		return { ...step, state: "left", why: `the KYB is ${kybStatus}` };
	// Without a status from the service, the journal tells whether it was requested.
	const before = kybStatus === undefined ? (await recordedChanges(context))(requestKyb.id, corporateId)[0] : undefined;
	const again = purser`kyb request ${typed(corporateId, "CORPORATE")}`;
	if (before?.state === "accepted")
		return {
			...step,
			state: "left",
			why: advice`requested on ${before.begun}; the service shows no status; to request it again: ${again}`,
		};
	const related = await listDeclared(context, corporateId);
	const [late] = related === undefined ? [] : notListed(related.records, steps);
	if (late !== undefined) return { ...step, state: "blocked", why: `the service does not show ${late.name} yet; run this again` };
	const check = await checkDeclared(context, corporateId, corporate, related);
	const ask = (review: Review) => askReviewed(context, { id: corporateId, name: step.name }, review);
	const passed = await passGates(context, check, words, canAskReviewed(context) ? ask : undefined);
	await context.service.call(requestKyb, { params: { corporateId } }, passed);
	const asked = kybStatus === "NEED_ADDITIONAL_INFORMATION" && kybReason !== undefined;
	return { ...step, state: "asked for", why: asked ? `compliance had asked for more: ${kybReason}` : undefined, reviewed: passed.reviewed };
}

/** The same final status ends `kyb status` with this kind. */
function kybDeclined(corporateId: string, name: string, reason: string | undefined): PurserError {
	return new PurserError("rejected", {
		code: "KYB_DECLINED",
		message: `The KYB of ${name} was declined${reason === undefined ? "" : `: ${reason}`}. It was not requested`,
		why: "Whether it can be opened again, the service's customer care decides",
		fix: advice`See how it stands: ${purser`kyb status ${typed(corporateId, "CORPORATE")}`}`,
	});
}

/**
 * Obtains the link of everybody who still needs one, each as a step of the case. Whoever is not listed may need one too and is left to the
 * operator.
 * @throws PurserError of the first that failed
 */
async function requestKycLinks(context: Context, corporateId: string, steps: StepResult[]): Promise<void> {
	const listed = await ifOffered(context, "who needs a KYC is not known", () => listRelatedOf(context.service, corporateId));
	const { records, complete } = listed ?? { records: [], complete: true };
	const late = notListed(records, steps).filter(({ what }) => what !== "company");
	const links = await missingLinks(context, corporateId, records, await recordedChanges(context));
	await obtainLinks(context, links, (id) => context.service.call(getKycLink, { body: { relatedPhysicalPersonId: id } }));
	const blocked = { what: "KYC link", state: "blocked" } as const;
	for (const link of links) steps.push(linkStep(link));
	for (const { key, name, id } of late) {
		const one = purser`kyc link ${typed(id, "RELATED")}`;
		const why = listed ? "the service does not show this person yet; run this again" : advice`where this person needs a KYC: ${one}`;
		steps.push({ ...blocked, key, name, id, why });
	}
	const partial = "the service did not list all related entities; run this again";
	if (!complete) steps.push({ ...blocked, key: "", name: "persons who were not listed", why: partial });
	const failed = links.find(({ error }) => error !== undefined)?.error;
	if (failed !== undefined) throw new PurserError(failed.kind, failed);
}

/** The related entities of a case that the service's list does not show yet. */
function notListed(records: readonly Received[], steps: readonly StepResult[]): StepResult[] {
	const listed = new Set(records.map((record) => plainId(viewRelated(record).id ?? "")));
	const entities: readonly StepResult["what"][] = ["person", "account owner", "company"];
	const missing = steps.filter(({ what, id }) => entities.includes(what) && id !== undefined && !listed.has(plainId(id)));
	return [...new Map(missing.map((step) => [step.id, step])).values()];
}

/** A KYC link as a step of its case. */
function linkStep({ relatedPhysicalPersonId, name, state, url, expiresAt, error }: LinkRow): StepResult {
	const states = { obtained: "asked for", valid: "left", refused: "failed", "in doubt": "in doubt", "not sent": "not sent" } as const;
	const remark = advice`an earlier link is still valid; if nobody has it: ${purser`kyc link ${typed(relatedPhysicalPersonId, "RELATED")}`}`;
	const why = state === "valid" ? remark : error?.message;
	return { what: "KYC link", key: "", name, id: relatedPhysicalPersonId, state: states[state], why, url, expiresAt };
}
