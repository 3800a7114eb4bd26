/**
 * The steps that bring the service in line with a case, in dependency order. Pure.
 */

import { advice, purser } from "../../api/advice.js";
import { flagAt, type Received, typed } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import type { Advice } from "../../errors.js";
import { type Case, type CaseHolding, type Company, companyName, corporateKey, externalIdOf, ownerKey, type Person } from "./case.js";
import { type Change, fieldChanges, recordedShare, trimmedPercent } from "./compare.js";
import type { CaseRecords } from "./find.js";
import { nameOf } from "./match.js";
import { severalHoldings } from "./ownership.js";

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
 * @param takesList whether the deployment takes every holding of a person, see the setting `related-shares`
 */
export function planCase(of: Case, found: CaseRecords, takesList: boolean): CaseStep[] {
	const order = [...layers(of), ...of.persons];
	const known = new Set([corporateKey, ...(found.corporateId === undefined ? [] : found.ids.keys())]);
	const later: CaseStep[] = [];
	const shares = (key: string, name: string, sent: CaseHolding | undefined): CaseStep[] =>
		takesList && holdingsOf(of, key).length > 1 ? [listStep(of, found, key, name)] : sharesOf(of, found, key, name, sent);
	const entities = order.map((entity): CaseStep => {
		const step = entityStep(of, found, entity, known);
		known.add(entity.key);
		for (const share of shares(entity.key, nameOf(entity), step.holding)) later.push(share);
		return step;
	});
	const direct = of.ownership.find(({ owner, owned }) => owner === ownerKey && owned === corporateKey);
	const atCreation = found.corporateId === undefined ? direct : undefined;
	for (const share of shares(ownerKey, nameOf(of.accountOwner), atCreation)) later.push(share);
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

/** Every holding of one owner at once. */
function listStep(of: Case, found: CaseRecords, key: string, name: string): CaseStep {
	const holdings = holdingsOf(of, key);
	const companies = holdings.map(({ owned }) => owned).join(", ");
	const step = { what: "shares" as const, key, name: `${name} of ${companies}`, id: found.ids.get(key) };
	const isThere = holdings.every(({ owned, percentage }) => shareOnRecord(found, key, owned) === trimmedPercent(percentage));
	if (isThere) return { ...step, action: "left", changes: [] };
	const changes = [{ field: "shares", to: holdings.map(({ owned, percentage }) => ({ owned, percentage })) }];
	if (key === ownerKey && found.corporate !== undefined && found.records.get(key) === undefined)
		return { ...step, action: "blocked", changes, why: ownerUnknown(found.corporateId) };
	return { ...step, action: "update", changes };
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

/** Id and name of the listed related entities that the case does not name. */
export function notNamedRows(found: CaseRecords): { id?: string; name?: string }[] {
	return notNamed(found).map((record) => ({ id: viewRelated(record).id, name: viewRelated(record).name }));
}

/** The listed related entities that the case does not name. */
export function notNamed(found: CaseRecords): readonly Received[] {
	const named = new Set(found.ids.values());
	return found.related.filter(
		(record) => typeof record.id === "string" && !named.has(record.id) && flagAt(record, "isAccountOwner") !== true,
	);
}
