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

function emailItem(owner: RelatedView | undefined, { since, until, related, now }: CaseFacts): Item | undefined {
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
	const end = until("email", owner.id as string);
	if (end !== undefined && isOver(end, now))
		return {
			...item,
			state: "to do",
			since: asked,
			why: "the link that was sent is no longer valid",
			command: purser`email send-link ${id}`,
		};
	return { ...item, state: "waiting", who: owner.name ?? "account owner", since: asked, command: purser`email status ${id} --wait` };
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

function kycItem(person: PlannedKyc, { since, until, now }: CaseFacts): Item {
	const { relatedId, name, need, state, kycStatus, kycReason: why, command } = person;
	const label = `KYC of ${name} (${need === "full" ? "in full" : "documents"})`;
	const asked = relatedId === undefined ? undefined : since("kyc", relatedId);
	const end = relatedId === undefined ? undefined : until("kyc", relatedId);
	const isGone = end !== undefined && isOver(end, now);
	const item = { step: "kyc" as const, relatedId, label, command };
	const waiting = { ...item, state: "waiting" as const, who: name, since: asked, why };
	if (state === "done") return { ...item, state: "done" };
	if (state === "declined") return { ...item, state: "declined", why: why ?? "declined" };
	if (state === "under way") return { ...waiting, who: "identity check", why: why ?? kycStatus };
	if (state === "link given" && isGone) {
		return {
			...item,
			state: "to do",
			since: asked,
			why: "the link that was given is no longer valid",
			command: purser`kyc link ${typed(relatedId, "RELATED")}`,
		};
	}
	if (state === "link given") return waiting;
	// Some services show no KYC before it is begun; the journal knows that a link was requested.
	if (state === "to do" && asked !== undefined && !isGone)
		return { ...waiting, command: purser`kyc status ${typed(relatedId, "RELATED")} --wait` };
	return { ...item, state: "to do", why };
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
		// The review comes first (specification 1, step 5), and leads to what is missing or to the request.
		case "NEED_ADDITIONAL_INFORMATION":
			return {
				...item,
				state: "to do",
				since: updatedAt,
				why: kybReason ?? "compliance asks for more",
				command: purser`corporate review ${id}`,
			};
		case "NOT_STARTED":
		case "COMPLETING":
			return { ...item, state: "to do", why: "KYB not requested yet", command: purser`corporate review ${id}` };
		case "PENDING_VERIFICATION": {
			const asked = since("kyb", corporateId) ?? updatedAt;
			if (open === 0) return { ...item, state: "waiting", who: "compliance team", since: asked, command: purser`kyb status ${id} --wait` };
			return { ...item, state: "blocked", since: asked, why: `${open} KYC${open === 1 ? " is" : "s are"} not validated` };
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
	// Once the KYB is validated, compliance has checked it.
	const validated = viewCorporate(corporate).kybStatus === "VALIDATED";
	if (partial && !validated && serious.length + unmarked.length === 0)
		return [{ step: "related", label: declaredLabel, state: "unknown", why: "the service did not list all related entities" }];
	if (validated || serious.length + unmarked.length === 0) return [{ step: "related", label: declaredLabel, state: "done" }];
	return [
		...unmarked.map(
			({ message, parties: [relatedId] }): Item => ({
				step: "related",
				label: "Owner marked as UBO",
				relatedId,
				state: "to do",
				why: message,
				command: purser`related update ${typed(relatedId, "RELATED")} --is-ubo`,
			}),
		),
		...serious.slice(0, maxItems).map(
			({ code, message }): Item => ({
				step: "related",
				label: declaredLabel,
				state: "to do",
				why: message,
				command: code.startsWith("NO_") || code === "OWNER_NOT_DECLARED" ? purser`related add ${id}` : purser`related tree ${id}`,
			}),
		),
	];
}

/** What the journal is asked for. */
export type SinceStep = "email" | "kyc" | "kyb";
