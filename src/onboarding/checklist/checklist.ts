/**
 * One corporate's onboarding as a checklist: what is done, who is waited for and since when, what is blocked by what, what to type.
 * The steps of specification 1, in their order.
 */

import { purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { type RelatedView, viewRelated } from "../../api/operations/related.js";
import type { Advice } from "../../errors.js";
import { kycPlan, type PlannedKyc } from "../kyc/plan.js";
import { isOver, usualValidity } from "../records/duration.js";
import { declaredItems, declaredLabel } from "./declared.js";

export type Step = "terms" | "email" | "related" | "kyc" | "kyb" | "phone";

/** `to do`: yours; `waiting`: somebody else's; `blocked`: something else comes first; `optional`: nobody needs it. */
export type ItemState = "done" | "to do" | "waiting" | "blocked" | "declined" | "optional" | "unknown";

/** Of what somebody has to act on. */
export type OpenState = Exclude<ItemState, "done" | "optional">;

export interface Item {
	step: Step;
	state: ItemState;
	/** What it is about: `Terms accepted`, `KYC of Ada Example`. */
	label: string;
	/** The related entity, where it is about one. */
	relatedId?: string;
	/** Who is waited for. */
	who?: string;
	/** Since when, RFC 3339 UTC, where it is known. */
	since?: string;
	/** What blocks it, or what the service said. */
	why?: string;
	command?: Advice;
	/** What is to be typed after that. */
	afterwards?: Advice;
	/** Why the step is there at all, where it was asked for. */
	reason?: string;
}

export interface Checklist {
	corporateId: string;
	name?: string;
	kybStatus?: string;
	/** Whether nothing is left to be done by anybody. */
	complete: boolean;
	items: Item[];
}

/** What the checklist is made of. */
export interface CaseFacts {
	corporateId: string;
	corporate: Received;
	/** Undefined where the deployment does not list them. */
	related: readonly Received[] | undefined;
	/** Whether the service listed a part of them only. */
	partial?: boolean;
	/** Percentage from which a person counts as a beneficial owner. */
	threshold: string;
	/** When something was asked for, or (`related`) a related entity changed, RFC 3339 UTC, as the journal has it. */
	since(step: "email" | "kyc" | "kyb" | "related", id: string): string | undefined;
	/** When it is looked at: a link is valid for a time only. */
	now: Date;
}

/** Makes the checklist. Pure but for `since`. */
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
		...(related === undefined ? [unlisted("related", declaredLabel)] : declaredItems(facts, related)),
		...(plan === undefined ? [unlisted("kyc", "KYC of owners and directors")] : kycs),
		kybItem(kycs, facts),
		phoneItem(owner),
	].filter((item) => item !== undefined);
	return { corporateId, name, kybStatus, complete: items.every(({ state }) => state === "done" || state === "optional"), items };
}

/** What stands in the way, the first to be settled first: whatever somebody has to act on. */
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

function emailItem(owner: RelatedView | undefined, { since, related, now }: CaseFacts): Item | undefined {
	if (owner === undefined) {
		if (related === undefined) return undefined;
		const why = "the service does not say who the account owner is";
		return { step: "email", label: "Email of the account owner verified", state: "unknown", why };
	}
	const item: Item = { step: "email", label: `Email of ${owner.name ?? "the account owner"} verified`, relatedId: owner.id, state: "done" };
	if (owner.emailVerified === true) return item;
	const asked = owner.id === undefined ? undefined : since("email", owner.id);
	const id = typed(owner.id, "RELATED");
	if (owner.emailVerified === undefined && owner.email === undefined) return { ...item, state: "unknown", why: "the service does not say" };
	if (asked === undefined) return { ...item, state: "to do", command: purser`email send-link ${id}` };
	if (isOver(asked, usualValidity.email, now))
		return {
			...item,
			state: "to do",
			since: asked,
			why: "the link that was sent is no longer valid",
			command: purser`email send-link ${id}`,
		};
	const waiting: Item = { ...item, state: "waiting", who: owner.name ?? "account owner", since: asked };
	const command = purser`email status ${id} --wait`;
	const changed = owner.id === undefined ? undefined : since("related", owner.id);
	if (changed === undefined || Date.parse(changed) <= Date.parse(asked)) return { ...waiting, command };
	// The journal does not know what was changed. A link that went to another address is waited for in vain.
	const why = "the account owner was changed after that: if it was the email, the link went to the old one, and another has to be sent";
	return { ...waiting, why, command, afterwards: purser`email send-link ${id}` };
}

/** One of everybody who needs one; and, where the service asks it of no director, the one in full (specification 4, rule 5). */
function kycItems(people: readonly PlannedKyc[], facts: CaseFacts): Item[] {
	const items = people.filter(({ need }) => need !== "none").map((person) => kycItem(person, facts));
	const directors = people.filter(({ because }) => because.includes("director"));
	if (directors.length === 0 || directors.some(({ need }) => need === "full") || viewCorporate(facts.corporate).kybStatus === "VALIDATED")
		return items;
	const why = "the service asks no director for it, and at least one has to do it: ask its customer care";
	const command = purser`kyc plan ${typed(facts.corporateId, "CORPORATE")}`;
	return [...items, { step: "kyc", label: "Full KYC of a director, with liveness", state: "to do", why, command }];
}

function kycItem(person: PlannedKyc, { since, now }: CaseFacts): Item {
	const { relatedId, name, need, state, kycStatus, kycReason, command } = person;
	const item = { step: "kyc" as const, relatedId, label: `KYC of ${name} (${need === "full" ? "in full" : "documents"})`, command };
	const asked = relatedId === undefined ? undefined : since("kyc", relatedId);
	if (state === "done") return { ...item, state: "done" };
	if (state === "declined") return { ...item, state: "declined", why: kycReason ?? "declined" };
	if (state === "link given" && isOver(asked, usualValidity.kyc, now))
		return {
			...item,
			state: "to do",
			since: asked,
			why: "the link that was given is no longer valid",
			command: purser`kyc link ${typed(relatedId, "RELATED")}`,
		};
	if (state === "link given") return { ...item, state: "waiting", who: name, since: asked, why: kycReason };
	// A service that shows no KYC, or none before it is begun, does not tell of the link: whoever asked for it knows.
	if (state === "to do" && asked !== undefined && !isOver(asked, usualValidity.kyc, now))
		return {
			...item,
			state: "waiting",
			who: name,
			since: asked,
			why: kycReason,
			command: purser`kyc status ${typed(relatedId, "RELATED")} --wait`,
		};
	if (state === "under way") return { ...item, state: "waiting", who: "identity check", since: asked, why: kycReason ?? kycStatus };
	return { ...item, state: "to do", why: kycReason };
}

function kybItem(kycs: readonly Item[], { corporate, corporateId, since }: CaseFacts): Item {
	const { kybStatus, kybReason, updatedAt } = viewCorporate(corporate);
	const id = typed(corporateId, "CORPORATE");
	const item = { step: "kyb" as const, label: "KYB validated" };
	const open = kycs.filter(({ state }) => state !== "done").length;
	switch (kybStatus) {
		case "VALIDATED":
			return { ...item, state: "done" };
		case "DECLINED":
			return {
				...item,
				state: "declined",
				why: kybReason ?? "the verification was declined; the service's customer care decides whether it can be opened again",
			};
		case "NEED_ADDITIONAL_INFORMATION":
			return {
				...item,
				state: "to do",
				since: updatedAt,
				why: kybReason ?? "compliance asks for more",
				command: purser`corporate update ${id}`,
				afterwards: purser`kyb request ${id}`,
			};
		case "NOT_STARTED":
		case "COMPLETING":
			return { ...item, state: "to do", why: "KYB not requested yet", command: purser`kyb request ${id}` };
		case "PENDING_VERIFICATION": {
			const asked = since("kyb", corporateId) ?? updatedAt;
			if (open === 0) return { ...item, state: "waiting", who: "compliance team", since: asked, command: purser`kyb status ${id} --wait` };
			return { ...item, state: "blocked", since: asked, why: `${open} KYC${open === 1 ? " is" : "s are"} not validated` };
		}
		default:
			return { ...item, state: "unknown", why: kybStatus ?? "the service does not say", command: purser`kyb status ${id}` };
	}
}

/** Step 8 of specification 1 is optional. */
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
