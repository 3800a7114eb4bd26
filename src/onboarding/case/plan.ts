/**
 * The steps that bring the service in line with a case, in dependency order, and the request of each: its changes are what is shown and what
 * is sent. Pure.
 */

import { advice, purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { Decimal, formatJson } from "../../api/json.js";
import type { AnyOperation, Input } from "../../api/operation.js";
import { createCorporate, updateCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { createRelated, updateRelated, viewRelated } from "../../api/operations/related.js";
import type { Advice } from "../../errors.js";
import type { AcceptedTerms } from "../../ports/changes.js";
import {
	type Case,
	type CaseHolding,
	type Company,
	companyName,
	corporateKey,
	externalIdOf,
	nameOf,
	ownerKey,
	type Person,
} from "./case.js";
import { type Change, fieldChanges, recordedShare, trimmedPercent } from "./compare.js";
import type { CaseRecords } from "./find.js";

/** Why the account owner is not updated where the service does not say who it is. */
export const ownerUnknown = (corporateId: string | undefined): Advice =>
	advice`the service does not say who the account owner is; compare by hand: ${purser`related list ${typed(corporateId, "CORPORATE")}`}`;

export type StepKind = "corporate" | "terms" | "account owner" | "company" | "person" | "shares";

/** One record or fact of a case and what to do about it. */
export interface CaseStep {
	/** `left`: unchanged. `blocked`: a person has to act. */
	action: "create" | "update" | "left" | "blocked";
	what: StepKind;
	/** Key in the case. */
	key: string;
	name: string;
	id?: string;
	changes: Change[];
	/** What blocks it, or a remark. */
	why?: Advice;
	/** The holding that is sent with it. */
	holding?: CaseHolding;
}

/**
 * Every step of a case: company, terms, account owner, owning companies layer by layer, persons, then the remaining shares.
 */
export function planCase(of: Case, found: CaseRecords): CaseStep[] {
	const order = [...layers(of), ...of.persons];
	const known = new Set([corporateKey, ...(found.corporateId === undefined ? [] : found.ids.keys())]);
	const later: CaseStep[] = [];
	const entities = order.map((entity): CaseStep => {
		const step = entityStep(of, found, entity, known);
		known.add(entity.key);
		for (const share of sharesOf(of, found, entity.key, nameOf(entity), step.holding)) later.push(share);
		return step;
	});
	const direct = of.ownership.find(({ owner, owned }) => owner === ownerKey && owned === corporateKey);
	const atCreation = found.corporateId === undefined ? direct : undefined;
	for (const share of sharesOf(of, found, ownerKey, nameOf(of.accountOwner), atCreation)) later.push(share);
	return [corporateStep(of, found), ...termsStep(of, found), ...ownerSteps(of, found, atCreation), ...entities, ...later];
}

function corporateStep(of: Case, found: CaseRecords): CaseStep {
	const { externalId: _, ...wanted } = of.corporate;
	const step = { what: "corporate" as const, key: corporateKey, name: companyName(of), id: found.corporateId };
	if (found.corporate === undefined) {
		// What is required may be empty, and is sent then too (specification 2.1).
		const empty = (["corporateName", "incorporationCode"] as const).filter((field) => of.corporate[field] === "");
		const changes = [...empty.map((field) => ({ field, to: "" })), ...fieldChanges(of.corporate, {})];
		return { ...step, action: "create", changes, ...doubtful(found, corporateKey) };
	}
	const changes = fieldChanges(wanted, found.corporate);
	return { ...step, action: changes.length > 0 ? "update" : "left", changes };
}

const doubtful = (found: CaseRecords, key: string): { why?: Advice } =>
	found.doubtful.has(key) ? { why: "an earlier creation got no answer: apply checks for it first" } : {};

/** An acceptance counts while its version is the latest; after an update the account owner must accept again (specification 3). */
function termsStep({ terms }: Case, { corporate, corporateId, latestTerms }: CaseRecords): CaseStep[] {
	if (terms === undefined) return [];
	const step = { what: "terms" as const, key: "terms", name: terms.version, id: corporateId };
	const accepted = corporate && viewCorporate(corporate).termsAccepted;
	if (accepted === true) return [{ ...step, action: "left", changes: [] }];
	if (latestTerms !== undefined && latestTerms !== terms.version)
		return [
			{
				...step,
				action: "blocked",
				changes: [],
				why: advice`the latest terms are ${latestTerms}: show them to the account owner (${purser`terms show`}), then write the new acceptance in the case`,
			},
		];
	const changes = [{ field: "lastTermsAccepted", to: terms.version }];
	// At creation the version travels with the corporate (specification 2.1).
	return [
		{
			...step,
			action: corporate === undefined ? "create" : "update",
			changes,
			why: `accepted by ${terms.acceptedBy} on ${terms.acceptedAt}`,
		},
	];
}

function ownerSteps(of: Case, found: CaseRecords, holding: CaseHolding | undefined): CaseStep[] {
	const record = found.records.get(ownerKey);
	const step = { what: "account owner" as const, key: ownerKey, name: nameOf(of.accountOwner), id: found.ids.get(ownerKey), holding };
	if (found.corporate === undefined) {
		const { isUbo, ...given } = of.accountOwner;
		const shares = holding === undefined ? [] : [{ field: "directSharesPercentage", to: holding.percentage }];
		const create: CaseStep = { ...step, action: "create", changes: [...fieldChanges(given, {}), ...shares] };
		// The creation has no such field (specification 2.3); the related entity has.
		return isUbo ? [create, { ...step, action: "update", changes: [{ field: "isUbo", to: true }] }] : [create];
	}
	if (record === undefined) return [{ ...step, action: "blocked", changes: [], why: ownerUnknown(found.corporateId) }];
	const changes = fieldChanges(of.accountOwner, record);
	return [{ ...step, action: changes.length > 0 ? "update" : "left", changes }];
}

function entityStep(of: Case, found: CaseRecords, entity: Person | Company, known: ReadonlySet<string>): CaseStep {
	const { key, ...wanted } = entity;
	const step = { what: "corporateName" in entity ? ("company" as const) : ("person" as const), key, name: nameOf(entity) };
	const record = found.records.get(key);
	if (record !== undefined) {
		const { externalId: _, ...fields } = wanted as Received;
		const changes = fieldChanges(fields, record);
		return { ...step, action: changes.length > 0 ? "update" : "left", id: found.ids.get(key), changes };
	}
	// One holding is sent with the creation, if the owned company exists by then; a holding of the company of the case comes first.
	const holdings = holdingsOf(of, key);
	const holding = holdings[0] !== undefined && known.has(holdings[0].owned) ? holdings[0] : undefined;
	const shares = holding === undefined ? [] : shareChanges(holding);
	const changes = [...fieldChanges({ ...wanted, externalId: externalIdOf(of, entity) }, {}), ...shares];
	return { ...step, action: "create", changes, holding, ...doubtful(found, key) };
}

/** The holdings of one owner, those of the company of the case first. */
function holdingsOf(of: Case, key: string): CaseHolding[] {
	const own = of.ownership.filter(({ owner }) => owner === key);
	return [...own.filter(({ owned }) => owned === corporateKey), ...own.filter(({ owned }) => owned !== corporateKey)];
}

const shareChanges = ({ owned, percentage }: CaseHolding, from?: string): Change[] => [
	{ field: "directSharesPercentage", ...(from === undefined ? {} : { from }), to: percentage },
	...(owned === corporateKey ? [] : [{ field: "ownedCorporateId", to: owned }]),
];

/** What the record of an owner states to be held of a company of the case. */
function shareOnRecord(found: CaseRecords, key: string, owned: string): string | undefined {
	const record = found.records.get(key);
	const id = owned === corporateKey ? undefined : found.ids.get(owned);
	if (record === undefined || found.corporateId === undefined || (owned !== corporateKey && id === undefined)) return undefined;
	return recordedShare(record, found.corporateId, id);
}

/**
 * The shares that are not sent at creation. A declaration takes one holding (assumed), so the first is sent and the others are left to a
 * person.
 * @param sent the holding that is sent at creation
 */
function sharesOf(of: Case, found: CaseRecords, key: string, name: string, sent: CaseHolding | undefined): CaseStep[] {
	const record = found.records.get(key);
	return holdingsOf(of, key).flatMap((holding, place): CaseStep[] => {
		if (holding === sent) return [];
		const step = { what: "shares" as const, key, name: `${name} of ${holding.owned}`, id: found.ids.get(key), holding };
		const from = shareOnRecord(found, key, holding.owned);
		if (key === ownerKey && found.corporate !== undefined && record === undefined)
			return [{ ...step, action: "blocked", changes: shareChanges(holding), why: ownerUnknown(found.corporateId) }];
		if (from === trimmedPercent(holding.percentage)) return [{ ...step, action: "left", changes: [] }];
		if (place > 0)
			return [
				{
					...step,
					action: "blocked",
					changes: shareChanges(holding, from),
					why: severalHoldings(of, key, found.ids),
				},
			];
		return [{ ...step, action: "update", changes: shareChanges(holding, from) }];
	});
}

/**
 * Why only one holding of several was declared, with the command by which a person declares all of them.
 * @param ids by the keys of the case, as far as known
 */
export function severalHoldings(of: Case, key: string, ids: ReadonlyMap<string, string>): Advice {
	const holdings = of.ownership.filter(({ owner }) => owner === key);
	const name = nameOf([...of.persons, ...of.companies].find((one) => one.key === key) ?? of.accountOwner);
	const known = ids.has(key) && holdings.every(({ owned }) => owned === corporateKey || ids.has(owned));
	const set = known
		? `shares=${formatJson(
				holdings.map(({ owned, percentage }) => ({
					...(owned === corporateKey ? {} : { ownedCorporateId: ids.get(owned) }),
					directSharesPercentage: new Decimal(percentage),
				})),
			)}`
		: "shares=[…]";
	return advice`a declaration takes one holding, and ${name} has several: tell the service's customer care, or, if your service takes a list, ${purser`related update ${typed(ids.get(key), "RELATED")} --set ${set}`}`;
}

/** The companies layer by layer, so that what is owned is declared before its owner. A circle keeps the order of the file. */
function layers({ companies, ownership }: Case): Company[] {
	const depth = new Map([[corporateKey, 0]]);
	for (let layer = 1, before = 0; depth.size > before; layer += 1) {
		before = depth.size;
		const reached = ownership.filter(({ owned }) => depth.get(owned) === layer - 1).map(({ owner }) => owner);
		for (const owner of reached) if (!depth.has(owner)) depth.set(owner, layer);
	}
	const depthOf = ({ key }: Company): number => depth.get(key) ?? Number.MAX_SAFE_INTEGER;
	return [...companies].sort((one, other) => depthOf(one) - depthOf(other));
}

/** The listed related entities that the case does not name. */
export function notNamed({ ids, related }: CaseRecords): { id?: string; name?: string }[] {
	const named = new Set(ids.values());
	const others = related.map(viewRelated).filter(({ id, isAccountOwner }) => id !== undefined && !named.has(id) && isAccountOwner !== true);
	return others.map(({ id, name }) => ({ id, name }));
}

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
	return Object.fromEntries(changes.map(({ field, to }) => [field, field === "ownedCorporateId" ? ids.get(to as string) : to]));
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
