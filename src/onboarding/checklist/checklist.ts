/**
 * One company's onboarding as a checklist: what is done, who we are waiting for and since when, what is blocked, and the next commands.
 * The steps of specification 1, in their order.
 */
import { purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { type RelatedView, viewRelated } from "../../api/operations/related.js";
import { isOver } from "../../api/text/duration.js";
import type { Advice } from "../../errors.js";
import { kycPlan, type PlannedKyc } from "../kyc/plan.js";
import type { Ownership } from "../ownership/ownership.js";
import { statusWords } from "../records/record.js";

export type Step = "terms" | "email" | "related" | "kyc" | "kyb" | "phone";

/** `to do`: the operator's; `waiting`: on somebody else; `blocked`: something else comes first; `optional`: not required. */
export type ItemState = "done" | "to do" | "waiting" | "blocked" | "declined" | "optional" | "unknown";

/** States in which somebody has to act. */
export type OpenState = Exclude<ItemState, "done" | "optional">;

export interface Item {
	step: Step;
	state: ItemState;
	/** `Latest terms accepted`, `KYC of Ada Example`. */
	label: string;
	/** The related entity it concerns. */
	relatedId?: string;
	/** Who has to act. */
	who?: string;
	/** Since when, RFC 3339 UTC, where known. */
	since?: string;
	/** What blocks it, or what the service said. */
	why?: string;
	command?: Advice;
	/** Why the step exists, with --explain. */
	reason?: string;
}

export interface Checklist {
	corporateId: string;
	name?: string;
	kybStatus?: string;
	/** Why the company cannot pay, in words. */
	paymentsStoppedBy: string[];
	/** Whether nobody has to act any more. */
	complete: boolean;
	items: Item[];
}

/** What the checklist is computed from. */
export interface CaseFacts {
	corporateId: string;
	corporate: Received;
	/** Undefined where the deployment does not list them. */
	related: readonly Received[] | undefined;
	/** Whether the service listed only a part of them. */
	partial?: boolean;
	/** Percentage from which a person counts as a beneficial owner. */
	threshold: string;
	/** When a request was sent, RFC 3339 UTC, from the journal. */
	since(step: SinceStep, id: string): string | undefined;
	/** Until when a person's newest link is valid, from the journal. */
	until(step: "email" | "kyc", id: string): string | undefined;
	/** Links expire. */
	now: Date;
}

/** Makes the checklist. Pure but for `since` and `until`. */
export function checklistOf(facts: CaseFacts): Checklist {
	const { corporateId, corporate, related } = facts;
	const { name, kybStatus } = viewCorporate(corporate);
	const views = related?.map(viewRelated);
	const plan = related && kycPlan({ id: corporateId, name: name ?? corporateId }, related, facts.threshold);
	const owner = views?.find(({ isAccountOwner }) => isAccountOwner);
	const kycs = plan === undefined ? [] : kycItems(plan.people, facts);
	const items = [
		termsItem(facts),
		emailItem(owner, facts),
		...(plan === undefined
			? [unlisted("related", declaredLabel), unlisted("kyc", "KYC of owners and directors")]
			: [...declaredItems(facts, plan.ownership), ...kycs]),
		kybItem(kycs, facts),
		phoneItem(owner),
	].filter((item) => item !== undefined);
	const complete = items.every(({ state }) => state === "done" || state === "optional");
	return { corporateId, name, kybStatus, paymentsStoppedBy: paymentStops(corporate), complete, items };
}

/** Why a company cannot pay, as far as its record says (specification 3, rule 2, and its last row): `terms not accepted`, `KYB not started`. */
export function paymentStops(corporate: Received): string[] {
	const { termsAccepted, kybStatus } = viewCorporate(corporate);
	return [
		...(termsAccepted === false ? ["terms not accepted"] : []),
		...(kybStatus === undefined || kybStatus === "VALIDATED" ? [] : [`KYB ${statusWords(kybStatus)}`]),
	];
}

/** The items on which somebody has to act, the most urgent first. */
export function blockers({ items }: Checklist): (Item & { state: OpenState })[] {
	const rank: readonly OpenState[] = ["declined", "to do", "unknown", "waiting", "blocked"];
	return items
		.filter((item): item is Item & { state: OpenState } => item.state !== "done" && item.state !== "optional")
		.sort((one, other) => rank.indexOf(one.state) - rank.indexOf(other.state));
}

const unlisted = (step: Step, label: string): Item => ({
	step,
	label,
	state: "unknown",
	why: "this deployment does not list related entities",
});

function termsItem({ corporate, corporateId }: CaseFacts): Item {
	const { termsAccepted } = viewCorporate(corporate);
	const label = "Latest terms accepted";
	if (termsAccepted === true) return { step: "terms", label, state: "done" };
	const command = purser`terms accept ${typed(corporateId, "CORPORATE")}`;
	if (termsAccepted === undefined) return { step: "terms", label, state: "unknown", why: "the service does not say", command };
	return { step: "terms", label, state: "to do", who: "account owner", why: "no financial services until then", command };
}

/** When a link was requested for a person, and whether it is no longer valid. */
function linkOf(step: "email" | "kyc", id: string | undefined, { since, until, now }: CaseFacts): { asked?: string; isGone: boolean } {
	const end = id && until(step, id);
	return { asked: id && since(step, id), isGone: end !== undefined && isOver(end, now) };
}

function emailItem(owner: RelatedView | undefined, facts: CaseFacts): Item | undefined {
	if (owner === undefined) {
		const label = "Email of the account owner verified";
		const why = "the service does not say who the account owner is";
		return facts.related && { step: "email", label, state: "unknown", why };
	}
	const { id: relatedId, name, email, emailVerified } = owner;
	const item: Item = { step: "email", label: `Email of ${name ?? "the account owner"} verified`, relatedId, state: "done" };
	if (emailVerified === true) return item;
	if (emailVerified === undefined && email === undefined) return { ...item, state: "unknown", why: "the service does not say" };
	const { asked: since, isGone } = linkOf("email", relatedId, facts);
	const id = typed(relatedId, "RELATED");
	if (since !== undefined && !isGone)
		return { ...item, state: "waiting", who: name ?? "account owner", since, command: purser`email status ${id} --wait` };
	const why = isGone ? "the link that was sent is no longer valid" : undefined;
	return { ...item, state: "to do", since, why, command: purser`email send-link ${id}` };
}

/**
 * One item for each person who needs a KYC. A further one says that a director has to do it in full (specification 4, rule 5), where the
 * service requires that of none.
 */
function kycItems(people: readonly PlannedKyc[], facts: CaseFacts): Item[] {
	const items = people.filter(({ need }) => need !== "none").map((person) => kycItem(person, facts));
	const directors = people.filter(({ because }) => because.includes("director"));
	if (directors.length === 0 || directors.some(({ need }) => need === "full") || viewCorporate(facts.corporate).kybStatus === "VALIDATED")
		return items;
	const why = "the service requires it of no director, but at least one must do it: ask its customer care";
	const command = purser`related list ${typed(facts.corporateId, "CORPORATE")}`;
	return [...items, { step: "kyc", label: "Full KYC of a director, with liveness", state: "to do", why, command }];
}

function kycItem(person: PlannedKyc, facts: CaseFacts): Item {
	const { relatedId, name, need, state, kycStatus, kycReason: why, command } = person;
	const { asked: since, isGone } = linkOf("kyc", relatedId, facts);
	const id = typed(relatedId, "RELATED");
	const item = { step: "kyc", relatedId, label: `KYC of ${name} (${need === "full" ? "in full" : "documents"})`, command } as const;
	const waiting: Item = { ...item, state: "waiting", who: name, since, why };
	if (state === "done") return { ...item, state };
	if (state === "declined") return { ...item, state, why: why ?? "declined" };
	if (state === "under way") return { ...waiting, who: "identity check", why: why ?? kycStatus };
	if (state === "link given" && isGone)
		return { ...item, state: "to do", since, why: "the link that was given is no longer valid", command: purser`kyc link ${id}` };
	if (state === "link given") return waiting;
	// Some services show no KYC before it is begun; the journal knows that a link was requested.
	if (state === "to do" && since !== undefined && !isGone) return { ...waiting, command: purser`kyc status ${id} --wait` };
	return { ...item, state: "to do", why };
}

const declinedWords = "the verification was declined; the service's customer care decides whether it can be opened again";

function kybItem(kycs: readonly Item[], { corporate, corporateId, since: sinceOf }: CaseFacts): Item {
	const { kybStatus, kybReason, updatedAt } = viewCorporate(corporate);
	const id = typed(corporateId, "CORPORATE");
	const item = { step: "kyb", label: "KYB validated" } as const;
	// The review comes first (specification 1, step 5), and leads to what is missing or to the request.
	const review = { ...item, state: "to do", command: purser`corporate review ${id}` } as const;
	const open = kycs.filter(({ state }) => state !== "done").length;
	switch (kybStatus) {
		case "VALIDATED":
			return { ...item, state: "done" };
		case "DECLINED":
			return { ...item, state: "declined", why: kybReason ?? declinedWords };
		case "NEED_ADDITIONAL_INFORMATION":
			return { ...review, since: updatedAt, why: kybReason ?? "compliance asks for more" };
		case "NOT_STARTED":
		case "COMPLETING":
			return { ...review, why: "KYB not requested yet" };
		case "PENDING_VERIFICATION": {
			const since = sinceOf("kyb", corporateId) ?? updatedAt;
			if (open === 0) return { ...item, state: "waiting", who: "compliance team", since, command: purser`kyb status ${id} --wait` };
			return { ...item, state: "blocked", since, why: `${open} KYC${open === 1 ? " is" : "s are"} not validated` };
		}
		default:
			return { ...item, state: "unknown", why: kybStatus ?? "the service does not say", command: purser`kyb status ${id}` };
	}
}

/** Optional (specification 1, step 8). */
function phoneItem(owner: RelatedView | undefined): Item | undefined {
	if (owner === undefined) return undefined;
	const item = { step: "phone" as const, label: `Phone of ${owner.name ?? "the account owner"} verified`, relatedId: owner.id };
	if (owner.phoneVerified === true) return { ...item, state: "done" };
	return {
		...item,
		state: "optional",
		command: owner.phone === undefined ? undefined : purser`phone send-code ${typed(owner.id, "RELATED")}`,
	};
}

const declaredLabel = "Owners and directors declared";

/** Warnings that somebody is missing or that the shares cannot be right. */
const seriousCodes: readonly string[] = [
	"NO_DIRECTOR",
	"NO_ACCOUNT_OWNER",
	"OWNER_NOT_DECLARED",
	"SHARES_OVER_100",
	"SHARES_UNUSABLE",
	"EFFECTIVE_UNKNOWN",
];
/** Maximum number of these warnings that become items. */
const maxItems = 5;

/** Whether everybody seems to be declared, and the owners who must be marked as UBO. */
function declaredItems({ corporateId, corporate, partial }: CaseFacts, { warnings }: Ownership): Item[] {
	const id = typed(corporateId, "CORPORATE");
	const serious = warnings.filter(({ code }) => seriousCodes.includes(code));
	const unmarked = warnings.filter(({ code }) => code === "UBO_NOT_MARKED");
	const item = { step: "related", label: declaredLabel } as const;
	// Once the KYB is validated, compliance has checked it.
	if (viewCorporate(corporate).kybStatus === "VALIDATED") return [{ ...item, state: "done" }];
	if (serious.length + unmarked.length === 0)
		return [partial ? { ...item, state: "unknown", why: "the service did not list all related entities" } : { ...item, state: "done" }];
	return [
		...unmarked.map(({ message: why, parties: [relatedId] }): Item => {
			const command = purser`related update ${typed(relatedId, "RELATED")} --is-ubo`;
			return { step: "related", label: "Owner marked as UBO", relatedId, state: "to do", why, command };
		}),
		...serious.slice(0, maxItems).map(({ code, message: why }): Item => {
			const isMissing = code.startsWith("NO_") || code === "OWNER_NOT_DECLARED";
			return { ...item, state: "to do", why, command: isMissing ? purser`related add ${id}` : purser`related tree ${id}` };
		}),
	];
}

/** What the journal is asked for. */
export type SinceStep = "email" | "kyc" | "kyb";
