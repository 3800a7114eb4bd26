/**
 * KYB of a corporate: the request, what is missing, how compliance decides (specification 3).
 */
import { type Backend, findCorporate, timeOf } from "../backend.js";
import { recordsWith } from "../lookup.js";
import { HttpError } from "../message.js";
import type { Corporate, RefusedDocument, Related } from "../state.js";
import { kybChange } from "../webhooks/changes.js";
import { countsAsUbo } from "./ownership.js";
import { openAccounts } from "./seed.js";

/** Request of a KYB verification: may be asked before the KYCs are done, and again once amended (specification 3, rule 1). @throws HttpError 404, 409 */
export function startKyb(backend: Backend, id: string): undefined {
	const corporate = findCorporate(backend, id);
	const { status } = corporate.kyb;
	if (status === "VALIDATED") throw new HttpError(409, "KYB_ALREADY_VALIDATED", "The KYB is validated");
	if (status === "DECLINED") throw new HttpError(409, "KYB_DECLINED", "The KYB was declined");
	// A second request changes nothing in the review that is under way.
	if (status === "PENDING_VERIFICATION") return undefined;
	corporate.kyb = { status: "PENDING_VERIFICATION" };
	corporate.updatedAt = backend.now().toISOString();
	backend.webhooks.add(kybChange(corporate));
	reviewKyb(backend, corporate);
	return undefined;
}

const required = (backend: Backend, related: Related): boolean => related.fields.isDirector === true || countsAsUbo(backend, related);

/**
 * What keeps a KYB from becoming VALIDATED, in words; empty when nothing does. Every requested KYC must be validated
 * (specification 3, rule 1), every director and every UBO must have done one, and a director a full one (4, rule 5).
 */
export function missingForKyb(backend: Backend, corporate: Corporate): string[] {
	const people = recordsWith(backend.state.related, "corporateId", corporate.id).filter((one) => !one.company);
	const missing = people
		.filter((one) => one.kyc.status !== "VALIDATED" && (one.kyc.status !== "NOT_STARTED" || required(backend, one)))
		.map((one) => `the KYC of ${one.id} is ${one.kyc.status}`);
	const directors = people.filter(({ fields }) => fields.isDirector === true);
	// Without a declared director it is the account owner, who usually is one (specification 2.3).
	const bound = directors.length > 0 ? directors : people.filter(({ accountOwner }) => accountOwner);
	if (!bound.some(({ kyc }) => kyc.status === "VALIDATED" && kyc.type === "FULL_KYC")) missing.push("no director has completed a full KYC");
	return missing;
}

/** Corporates whose decision has a date, so that no request has to read all corporates. */
const scheduled = new WeakMap<readonly Corporate[], Set<Corporate>>();

function scheduledIn({ state }: Backend): Set<Corporate> {
	const known = scheduled.get(state.corporates);
	if (known) return known;
	// Those of a run before this one.
	const found = new Set(state.corporates.filter(({ kyb }) => kyb.decides !== undefined));
	scheduled.set(state.corporates, found);
	return found;
}

/**
 * To be called after any change on which a KYB under review depends: compliance decides some time after nothing is missing any more, and not
 * while something is.
 */
export function reviewKyb(backend: Backend, corporate: Corporate): void {
	const { kyb } = corporate;
	if (kyb.status !== "PENDING_VERIFICATION") return;
	if (missingForKyb(backend, corporate).length > 0) kyb.decides = undefined;
	else {
		kyb.decides ??= timeOf(backend) + backend.options.complianceTakes;
		scheduledIn(backend).add(corporate);
	}
}

/** Validates each KYB that is due and misses nothing. @returns whether any was */
export function decideDueKybs(backend: Backend): boolean {
	const now = timeOf(backend);
	let any = false;
	const waiting = scheduledIn(backend);
	for (const corporate of waiting) {
		const { status, decides } = corporate.kyb;
		if (status === "PENDING_VERIFICATION" && decides !== undefined && decides > now) continue;
		reviewKyb(backend, corporate);
		waiting.delete(corporate);
		if (status !== "PENDING_VERIFICATION" || corporate.kyb.decides === undefined) continue;
		settleKyb(backend, corporate, "VALIDATED");
		any = true;
	}
	return any;
}

/** Ends a review; a validated corporate gets its accounts. @throws HttpError 409 */
export function settleKyb(backend: Backend, corporate: Corporate, status: string, reason?: string, documents?: RefusedDocument[]): void {
	if (corporate.kyb.status !== "PENDING_VERIFICATION") throw new HttpError(409, "KYB_NOT_PENDING", `The KYB is ${corporate.kyb.status}`);
	const missing = status === "VALIDATED" ? missingForKyb(backend, corporate) : [];
	if (missing.length > 0) throw new HttpError(409, "KYB_NOT_COMPLETE", missing.join("; "));
	corporate.kyb = { status, reason, documents };
	corporate.updatedAt = backend.now().toISOString();
	backend.webhooks.add(kybChange(corporate));
	if (status === "VALIDATED") openAccounts(backend, corporate);
}
