/**
 * KYB of a corporate: asking, what is missing, how compliance decides (specification 3).
 */
import { corporateOf, type Desk, time } from "../desk.js";
import { having } from "../lookup.js";
import { Refusal } from "../message.js";
import type { Corporate, Related } from "../state.js";
import { openAccounts } from "./opening.js";
import { countsAsUbo } from "./ownership.js";

/** Ask a KYB verification: may be asked before the KYCs are done, and again once amended (specification 3, rule 1). @throws Refusal 404, 409 */
export function requestKyb(desk: Desk, id: string): undefined {
	const corporate = corporateOf(desk, id);
	const { status } = corporate.kyb;
	if (status === "VALIDATED") throw new Refusal(409, "KYB_ALREADY_VALIDATED", "The KYB is validated");
	if (status === "DECLINED") throw new Refusal(409, "KYB_DECLINED", "The KYB was declined");
	// Asked twice is asked once: the review that is under way goes on.
	if (status === "PENDING_VERIFICATION") return undefined;
	corporate.kyb = { status: "PENDING_VERIFICATION" };
	corporate.updatedAt = desk.now().toISOString();
	weighKyb(desk, corporate);
	return undefined;
}

const required = (desk: Desk, related: Related): boolean => related.fields.isDirector === true || countsAsUbo(desk, related);

/**
 * What keeps a KYB from becoming VALIDATED, in words; empty when nothing does. Every requested KYC must be validated
 * (specification 3, rule 1), every director and every UBO must have done one, and a director a full one (4, rule 5).
 */
export function missingForKyb(desk: Desk, corporate: Corporate): string[] {
	const people = having(desk.state.related, "corporateId", corporate.id).filter((one) => !one.company);
	const missing = people
		.filter((one) => one.kyc.status !== "VALIDATED" && (one.kyc.status !== "NOT_STARTED" || required(desk, one)))
		.map((one) => `the KYC of ${one.id} is ${one.kyc.status}`);
	const directors = people.filter(({ fields }) => fields.isDirector === true);
	// Without a declared director it is the account owner, who usually is one (specification 2.3).
	const bound = directors.length > 0 ? directors : people.filter(({ accountOwner }) => accountOwner);
	if (!bound.some(({ kyc }) => kyc.status === "VALIDATED" && kyc.type === "FULL_KYC")) missing.push("no director has completed a full KYC");
	return missing;
}

/** Corporates with a date for their decision, so that no call looks at all of them. */
const dated = new WeakMap<readonly Corporate[], Set<Corporate>>();

function datedOf({ state }: Desk): Set<Corporate> {
	const known = dated.get(state.corporates);
	if (known) return known;
	// Once, for what was remembered from before a restart.
	const found = new Set(state.corporates.filter(({ kyb }) => kyb.decides !== undefined));
	dated.set(state.corporates, found);
	return found;
}

/**
 * Looks again at a KYB under review, after anything it rests on has changed: compliance decides a while after nothing is
 * missing any more, and stops as soon as something is.
 */
export function weighKyb(desk: Desk, corporate: Corporate): void {
	const { kyb } = corporate;
	if (kyb.status !== "PENDING_VERIFICATION") return;
	if (missingForKyb(desk, corporate).length > 0) kyb.decides = undefined;
	else {
		kyb.decides ??= time(desk) + desk.options.complianceTakes;
		datedOf(desk).add(corporate);
	}
}

/** Time passes: a KYB that is due and misses nothing is validated. Returns whether any was. */
export function decideDue(desk: Desk): boolean {
	const now = time(desk);
	let any = false;
	const waiting = datedOf(desk);
	for (const corporate of waiting) {
		const { status, decides } = corporate.kyb;
		if (status === "PENDING_VERIFICATION" && decides !== undefined && decides > now) continue;
		weighKyb(desk, corporate);
		waiting.delete(corporate);
		if (status !== "PENDING_VERIFICATION" || corporate.kyb.decides === undefined) continue;
		settleKyb(desk, corporate, "VALIDATED");
		any = true;
	}
	return any;
}

/** Ends a review; a validated corporate gets its accounts. @throws Refusal 409 */
export function settleKyb(desk: Desk, corporate: Corporate, status: string, reason?: string): void {
	if (corporate.kyb.status !== "PENDING_VERIFICATION") throw new Refusal(409, "KYB_NOT_PENDING", `The KYB is ${corporate.kyb.status}`);
	const missing = status === "VALIDATED" ? missingForKyb(desk, corporate) : [];
	if (missing.length > 0) throw new Refusal(409, "KYB_NOT_COMPLETE", missing.join("; "));
	corporate.kyb = { status, reason };
	corporate.updatedAt = desk.now().toISOString();
	if (status === "VALIDATED") openAccounts(desk, corporate);
}
