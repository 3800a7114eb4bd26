/**
 * Requests after a case is declared: the email link, the KYB, the KYC links. Each only where it is still open.
 */

import { advice, purser, withoutClaim } from "../../api/advice.js";
import { type Received, sameId, typed } from "../../api/answer.js";
import { requestKyb, viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import { assumedWords, isOver, linkEnd } from "../../api/text/duration.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import { changedAfter, recordedChanges } from "../checklist/journal.js";
import { checkDeclared, type KnownRelated, type PassedGates, passGates, requestable } from "../kyb/check.js";
import { type GateWords, KybHeldBack } from "../kyb/gates.js";
import { askReviewed, canAskReviewed, type Review } from "../kyb/review.js";
import { type LinkRow, missingLinks, obtainLinks } from "../kyc/links.js";
import type { Holding } from "../ownership/ownership.js";
import { ifOffered, listRelatedOf, readCorporate, readRelated } from "../records/reading.js";
import { corporateKey, ownerKey } from "./case.js";
import { ownerUnknown } from "./plan.js";
import type { CaseRun, StepResult } from "./result.js";

/** What is requested after a case is declared, and what the operator says about the gates of a KYB request. */
export interface FollowUps extends GateWords {
	sendEmailLink: boolean;
	requestKyb: boolean;
	kycLinks: boolean;
	/** A gate that is closed holds back the KYB alone: the case is declared before it, and the KYC links are created after it. */
	goesOn?: boolean;
}

/**
 * Asks for what the flags of a run say, once the case is declared.
 * @param before `since`: the newest change in the journal before this run; `more`: the holdings of the case, which a record may show in part
 */
export async function runFollowUps(
	context: Context,
	followUps: FollowUps,
	{ corporateId, accountOwnerId, steps }: CaseRun,
	{ since, more }: { since: number; more: readonly Holding[] },
): Promise<void> {
	if (corporateId === undefined) return;
	const address = steps.some(({ key, fields = [] }) => key === ownerKey && fields.includes("emailAddress"));
	if (followUps.sendEmailLink) {
		if (accountOwnerId === undefined) steps.push(blockedEmailLink(corporateId));
		else await asStep(steps, "email link", () => requestEmailLink(context, accountOwnerId, { since, address }));
	}
	let held: KybHeldBack | undefined;
	if (followUps.requestKyb)
		await asStep(steps, "KYB", () => requestKybOnce(context, corporateId, { words: followUps, steps, more })).catch((error: unknown) => {
			if (!followUps.goesOn || !(error instanceof KybHeldBack)) throw error;
			held = error;
		});
	if (followUps.kycLinks) await requestKycLinks(context, corporateId, steps, more);
	if (held !== undefined) throw held;
}

/** A failed follow-up becomes a step too, so that the report shows what was not requested. */
async function asStep(steps: StepResult[], what: StepResult["what"], work: () => Promise<StepResult>): Promise<void> {
	try {
		steps.push(await work());
	} catch (error) {
		if (error instanceof KybHeldBack) steps.push(heldBack(error));
		else if (error instanceof PurserError)
			steps.push({ what, key: "", name: "", state: error.kind === "unknown" ? "in doubt" : "failed", why: withoutClaim(error.message) });
		throw error;
	}
}

/**
 * Sends the link to the account owner, unless the email is verified or an earlier link is still valid. After any later update of the account
 * owner, which may have changed the address, another link is sent: one too many does no harm.
 * @param run `since`: the newest change in the journal before this run; `address`: whether this run changed the email address
 */
async function requestEmailLink(context: Context, ownerId: string, run: { since: number; address: boolean }): Promise<StepResult> {
	const { profile } = await context.settings.read();
	const body = { relatedPhysicalPersonId: ownerId };
	const owner = viewRelated(await readRelated(context.service, ownerId));
	const step = { what: "email link" as const, key: "accountOwner", name: owner.email ?? "the account owner", id: ownerId };
	if (owner.emailVerified) return { ...step, state: "left", why: "verified" };
	const earlier = await recordedChanges(context);
	const before = earlier.byDigest(sendEmailLink.id, context.service.digestOf(profile, sendEmailLink, { body }));
	// A link without an answer may never have been sent.
	const end = before?.state === "accepted" ? linkEnd("email", before) : undefined;
	const isValid = end !== undefined && !isOver(end, context.clock.now());
	if (isValid && before !== undefined && !run.address && !changedAfter(earlier, ownerId, before.intent, run.since))
		return { ...step, state: "left", why: `a link was sent on ${before.begun}, valid until ${end.until}${assumedWords(end.assumed)}` };
	await context.service.call(sendEmailLink, { body });
	return { ...step, state: "asked for" };
}

/**
 * Requests the KYB, unless it was requested or is validated.
 * @param steps of the case: whoever was declared a moment ago may not be in the list yet and is read by id
 * @param more holdings of the case
 * @throws KybHeldBack, where a gate is closed; PurserError rejected, where the KYB was declined
 */
async function requestKybOnce(
	context: Context,
	corporateId: string,
	{ words, steps, more }: { words: GateWords; steps: readonly StepResult[]; more: readonly Holding[] },
): Promise<StepResult> {
	const corporate = await readCorporate(context.service, corporateId);
	const { kybStatus, kybReason, name } = viewCorporate(corporate);
	const step = { what: "KYB" as const, key: "corporate", name: name ?? corporateId, id: corporateId };
	if (kybStatus === "DECLINED") throw kybDeclined(corporateId, step.name, kybReason);
	if (!requestable.includes(kybStatus)) return { ...step, state: "left", why: `the KYB is ${kybStatus}` };
	// Without a status from the service, the journal tells whether it was requested.
	const before = kybStatus === undefined ? (await recordedChanges(context)).changes(requestKyb.id, corporateId)[0] : undefined;
	if (before?.state === "accepted")
		return {
			...step,
			state: "left",
			why: advice`requested on ${before.begun}; the service shows no status; to request it again: ${purser`kyb request ${typed(corporateId, "CORPORATE")}`}`,
		};
	const passed = await gatesPassed();
	await context.service.call(requestKyb, { params: { corporateId } }, passed);
	const asked = kybStatus === "NEED_ADDITIONAL_INFORMATION" && kybReason !== undefined;
	return { ...step, state: "asked for", why: asked ? `compliance had asked for more: ${kybReason}` : undefined, reviewed: passed.reviewed };

	async function gatesPassed(): Promise<PassedGates> {
		const read = async (): Promise<KnownRelated> => {
			const { records, complete } = await listRelatedOf(context.service, corporateId);
			const notShown = await addUnlisted(context, records, steps, "is not known to the check of the KYB");
			return { records, complete: complete && notShown.length === 0, holdings: more };
		};
		const check = await checkDeclared(context, context.service, corporateId, corporate, read);
		const mayAsk = canAskReviewed(context);
		const ask = (review: Review) => askReviewed(context, { id: corporateId, name: step.name }, review);
		return passGates(context, context.service, check, words, { again: true, ask: mayAsk ? ask : undefined });
	}
}

/** The step of an email link whose account owner is unknown. */
function blockedEmailLink(corporateId: string): StepResult {
	return { what: "email link", key: ownerKey, name: "the account owner", state: "blocked", why: ownerUnknown(corporateId) };
}

/** The step of a KYB that a gate holds back. */
function heldBack({ company, closed, review }: KybHeldBack): StepResult {
	const why = closed.map(({ message }) => message).join(". ");
	return { what: "KYB", key: corporateKey, name: company.name, id: company.id, state: "blocked", why, reviewed: review?.sha256 };
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
 * Obtains the link of everybody who still needs one, each as a step of the case. A person declared a moment ago may not be in the list yet and
 * is read by id; whoever is not listed may need one too and is left to the operator.
 * @throws PurserError of the first that failed
 */
async function requestKycLinks(context: Context, corporateId: string, steps: StepResult[], more: readonly Holding[]): Promise<void> {
	const { profile } = await context.settings.read();
	const listed = await listRelatedOf(context.service, corporateId);
	const isPerson = ({ what }: StepResult): boolean => what === "person" || what === "account owner";
	const notShown = await addUnlisted(context, listed.records, steps.filter(isPerson), "may need a KYC");
	const earlier = await recordedChanges(context);
	const inputOf = (id: string) => ({ body: { relatedPhysicalPersonId: id } });
	const before = (id: string) => earlier.byDigest(getKycLink.id, context.service.digestOf(profile, getKycLink, inputOf(id)));
	const links = await missingLinks(context, corporateId, listed.records, { again: false, before, more });
	await obtainLinks(context, links, (id) => context.service.call(getKycLink, inputOf(id), { held: true }));
	const blocked = (key: string, name: string, id: string | undefined, why: Advice): void => {
		steps.push({ what: "KYC link", key, name, id, state: "blocked", why });
	};
	for (const link of links) steps.push(linkStep(link));
	for (const { key, name, id } of notShown)
		blocked(
			key,
			name,
			id,
			advice`the service does not show this person yet; run this again, or ${purser`kyc link ${typed(id, "RELATED")}`}`,
		);
	if (!listed.complete)
		blocked("", "persons who were not listed", undefined, "the service did not list all related entities; run this again");
	const failed = links.find(({ error }) => error !== undefined)?.error;
	if (failed !== undefined) throw new PurserError(failed.kind, failed);
}

/**
 * Adds the entities of a case that are missing from the list.
 * @param untold what is not known of one that cannot be read, behind its name
 * @returns the steps of those who cannot be read by id either
 */
async function addUnlisted(
	context: Context,
	records: Received[],
	steps: readonly StepResult[],
	unknown: string,
): Promise<readonly StepResult[]> {
	const notShown: StepResult[] = [];
	for (const step of steps) {
		const { what, id } = step;
		if ((what !== "person" && what !== "account owner" && what !== "company") || id === undefined) continue;
		if (notShown.some((one) => one.id === id) || records.some((record) => sameId(viewRelated(record).id, id))) continue;
		const record = await ifOffered(context, `${step.name} ${unknown}`, () => readRelated(context.service, id));
		if (record === undefined) notShown.push(step);
		else records.push(record);
	}
	return notShown;
}

/** A KYC link as a step of its case. */
function linkStep({ relatedPhysicalPersonId, name, state, url, expiresAt, expiryAssumed, error }: LinkRow): StepResult {
	const states = { obtained: "asked for", valid: "left", refused: "failed", "in doubt": "in doubt", "not sent": "not sent" } as const;
	const remark = advice`an earlier link is still valid; if nobody has it: ${purser`kyc link ${typed(relatedPhysicalPersonId, "RELATED")}`}`;
	const why = state === "valid" ? remark : error?.message;
	return { what: "KYC link", key: "", name, id: relatedPhysicalPersonId, state: states[state], why, url, expiresAt, expiryAssumed };
}
