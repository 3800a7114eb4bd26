/**
 * The request of each step of a case. Pure.
 */

import type { AnyOperation, Input } from "../../api/operation.js";
import { createCorporate, updateCorporate } from "../../api/operations/corporate.js";
import { createRelated, updateRelated } from "../../api/operations/related.js";
import { extraFields } from "../../api/own-fields.js";
import type { AcceptedTerms } from "../../ports/changes.js";
import { type Case, type CaseHolding, companyName, corporateKey, ownerKey } from "./case.js";
import type { Change } from "./compare.js";
import { sharesList } from "./ownership.js";
import type { CaseStep } from "./plan.js";

export interface StepRequest {
	operation: AnyOperation;
	input: Input;
}

/**
 * The request of a step; undefined where it is sent with another step.
 * @param ids by the keys of the case, as far as known
 */
export function requestOf(of: Case, step: CaseStep, steps: readonly CaseStep[], ids: ReadonlyMap<string, string>): StepRequest | undefined {
	const { action, what } = step;
	if (action !== "create" && action !== "update") return undefined;
	const body = bodyOf(step, ids);
	const corporateId = ids.get(corporateKey) as string;
	if (what === "corporate" && action === "create") return { operation: createCorporate, input: { body: creation(of, body, steps) } };
	if (action === "create" && (what === "terms" || what === "account owner")) return undefined;
	if (what === "corporate" || what === "terms") return { operation: updateCorporate, input: { params: { corporateId }, body } };
	if (action === "update")
		return { operation: updateRelated, input: { params: { corporateRelatedId: ids.get(step.key) as string }, body } };
	const type = what === "company" ? "COMPANY" : "PHYSICAL";
	return { operation: createRelated, input: { params: { corporateId }, body: { type, ...body } } };
}

function bodyOf({ changes }: CaseStep, ids: ReadonlyMap<string, string>): Record<string, unknown> {
	const sent = ({ field, to }: Change): readonly [PropertyKey, unknown] => {
		// No operation is described with it: the setting related-shares says that this deployment takes it.
		if (field === "shares") return [extraFields, { shares: sharesList(to as readonly CaseHolding[], ids) }];
		return [field, field === "ownedCorporateId" ? ids.get(to as string) : to];
	};
	return Object.fromEntries(changes.map(sent));
}

/** The terms that a case accepts, in the name of its account owner. */
export function acceptedTerms(of: Case): AcceptedTerms[] {
	const { terms } = of;
	return terms === undefined ? [] : [{ version: terms.version, owner: terms.acceptedBy, company: companyName(of) }];
}

/** Whether one of the steps accepts terms, in itself or with the creation of the company. */
export const acceptsTerms = (steps: readonly CaseStep[]): boolean =>
	steps.some(({ what, action }) => what === "terms" && (action === "create" || action === "update"));

/** The account owner and the acceptance of the terms are sent with the company (specification 2.1). */
function creation(of: Case, body: Record<string, unknown>, steps: readonly CaseStep[]): Record<string, unknown> {
	const owner = steps.find(({ key, action }) => key === ownerKey && action === "create");
	const terms = steps.find(({ what, action }) => what === "terms" && action === "create");
	return {
		...body,
		...(terms === undefined ? {} : { lastTermsAccepted: of.terms?.version }),
		accountOwnerInfo: Object.fromEntries((owner?.changes ?? []).map(({ field, to }) => [field, to])),
	};
}
