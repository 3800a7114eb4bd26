/**
 * The steps that bring the service in line with a case, in dependency order, and the request of each: its changes are what is shown and what
 * is sent. Pure.
 */

import { advice, purser } from "../../api/advice.js";
import { withoutEndZeros } from "../../api/amount.js";
import { at, type Received, sameId, typed } from "../../api/answer.js";
import { Decimal, formatJson } from "../../api/json.js";
import { composed, sameText } from "../../api/names.js";
import { createCorporate, updateCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { createRelated, updateRelated, viewRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";
import type { Advice } from "../../errors.js";
import type { AcceptedTerms } from "../../ports/changes.js";
import { statements } from "../records/read-ownership.js";
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

type Step = Omit<CaseStep, "action" | "changes">;

/** The step of a record that is there. */
const compared = (step: Step, changes: Change[]): CaseStep => ({ ...step, action: changes.length > 0 ? "update" : "left", changes });

/** A step that waits for a person. */
const blocked = (step: Step, why: Advice, changes: Change[] = []): CaseStep => ({ ...step, action: "blocked", changes, why });

/** The step of a record that is not there, as far as the service's list tells. */
const created = ({ doubtful }: CaseRecords, step: Step, changes: Change[]): CaseStep => ({
	...step,
	action: "create",
	changes,
	...(doubtful.has(step.key) ? { why: "an earlier creation got no answer: apply checks for it first" } : {}),
});

function corporateStep(of: Case, found: CaseRecords): CaseStep {
	const { externalId: _, ...wanted } = of.corporate;
	const step: Step = { what: "corporate", key: corporateKey, name: companyName(of), id: found.corporateId };
	if (found.corporate !== undefined) return compared(step, fieldChanges(wanted, found.corporate));
	// What is required may be empty, and is sent then too (specification 2.1).
	const empty = (["corporateName", "incorporationCode"] as const).filter((field) => of.corporate[field] === "");
	return created(found, step, [...empty.map((field) => ({ field, to: "" })), ...fieldChanges(of.corporate, {})]);
}

/** An acceptance counts while its version is the latest; after an update the account owner must accept again (specification 3). */
function termsStep({ terms }: Case, { corporate, corporateId, latestTerms }: CaseRecords): CaseStep[] {
	if (terms === undefined) return [];
	const step: Step = { what: "terms", key: "terms", name: terms.version, id: corporateId };
	if (corporate !== undefined && viewCorporate(corporate).termsAccepted === true) return [compared(step, [])];
	if (latestTerms !== undefined && latestTerms !== terms.version) {
		const show = purser`terms show`;
		const why = advice`the latest terms are ${latestTerms}: show them to the account owner (${show}), then write the new acceptance in the case`;
		return [blocked(step, why)];
	}
	// At creation the version travels with the corporate (specification 2.1).
	const action = corporate === undefined ? "create" : "update";
	const why = `accepted by ${terms.acceptedBy} on ${terms.acceptedAt}`;
	return [{ ...step, action, changes: [{ field: "lastTermsAccepted", to: terms.version }], why }];
}

function ownerSteps(of: Case, found: CaseRecords, holding: CaseHolding | undefined): CaseStep[] {
	const record = found.records.get(ownerKey);
	const step: Step = { what: "account owner", key: ownerKey, name: nameOf(of.accountOwner), id: found.ids.get(ownerKey), holding };
	if (found.corporate === undefined) {
		const { isUbo, ...given } = of.accountOwner;
		const shares = holding === undefined ? [] : [{ field: "directSharesPercentage", to: holding.percentage }];
		const create: CaseStep = { ...step, action: "create", changes: [...fieldChanges(given, {}), ...shares] };
		// The creation has no such field (specification 2.3); the related entity has.
		return isUbo ? [create, { ...step, action: "update", changes: [{ field: "isUbo", to: true }] }] : [create];
	}
	return [record === undefined ? blocked(step, ownerUnknown(found.corporateId)) : compared(step, fieldChanges(of.accountOwner, record))];
}

function entityStep(of: Case, found: CaseRecords, entity: Person | Company, known: ReadonlySet<string>): CaseStep {
	const { key, externalId: _, ...wanted } = entity;
	const step: Step = { what: "corporateName" in entity ? "company" : "person", key, name: nameOf(entity) };
	const record = found.records.get(key);
	if (record !== undefined) return compared({ ...step, id: found.ids.get(key) }, fieldChanges(wanted, record));
	// One holding is sent with the creation, if the owned company exists by then; a holding of the company of the case comes first.
	const [first] = holdingsOf(of, key);
	const holding = first !== undefined && known.has(first.owned) ? first : undefined;
	const shares = holding === undefined ? [] : shareChanges(holding);
	return created(found, { ...step, holding }, [...fieldChanges({ ...wanted, externalId: externalIdOf(of, entity) }, {}), ...shares]);
}

/** The holdings of one owner, those of the company of the case first. */
function holdingsOf(of: Case, key: string): CaseHolding[] {
	const own = of.ownership.filter(({ owner }) => owner === key);
	return [...own.filter(({ owned }) => owned === corporateKey), ...own.filter(({ owned }) => owned !== corporateKey)];
}

/** @param replaced what the record's one holding is of, where this one takes its place */
const shareChanges = ({ owned, percentage }: CaseHolding, from?: string, replaced?: string): Change[] => [
	{ field: "directSharesPercentage", from, to: percentage },
	// Where the request names none, the record keeps the one that it has.
	...(owned === corporateKey && replaced === undefined ? [] : [{ field: "ownedCorporateId", from: replaced, to: owned }]),
];

/**
 * The shares that are not sent at creation. A declaration takes one holding (assumed), so the first is sent and the others are left to a
 * person. A holding of the record is replaced only where it is the one that the record has and the case has no more.
 * @param sent the holding that is sent at creation
 */
function sharesOf(of: Case, found: CaseRecords, key: string, name: string, sent: CaseHolding | undefined): CaseStep[] {
	const record = found.records.get(key);
	const isUnknown = key === ownerKey && found.corporate !== undefined && record === undefined;
	const stated = statedBy(found, key);
	const holdings = holdingsOf(of, key);
	const isKept = ({ owned }: Holding): boolean => holdings.some((one) => sameId(owned, found.ids.get(one.owned)));
	return holdings.flatMap((holding, place): CaseStep[] => {
		if (holding === sent) return [];
		const { owned, percentage } = holding;
		const step: Step = { what: "shares", key, name: `${name} of ${owned}`, id: found.ids.get(key), holding };
		if (isUnknown) return [blocked(step, ownerUnknown(found.corporateId), shareChanges(holding))];
		const own = stated.find((one) => sameId(one.owned, found.ids.get(owned)));
		const other = stated.find((one) => one !== own);
		const from = own && trimmedPercent(own.percentage);
		const changes = from === trimmedPercent(percentage) ? [] : shareChanges(holding, from, other && keyOf(found, other.owned));
		const isOneOfSeveral = place > 0 || stated.length > 1 || (other !== undefined && isKept(other));
		return [isOneOfSeveral && changes.length > 0 ? blocked(step, severalHoldings(of, key, found.ids), changes) : compared(step, changes)];
	});
}

type Holding = ReturnType<typeof statements>[number];

/** What a record of the case states to hold. */
function statedBy({ records, corporateId }: CaseRecords, key: string): Holding[] {
	const record = records.get(key);
	return record === undefined || corporateId === undefined ? [] : statements(record, corporateId);
}

/** The key of a record of the case, else its id. */
const keyOf = ({ ids }: CaseRecords, id: string): string => [...ids].find(([, one]) => sameId(one, id))?.[0] ?? id;

/**
 * Why only one holding of several was declared, with the command by which a person declares all of them.
 * @param ids by the keys of the case, as far as known
 */
export function severalHoldings(of: Case, key: string, ids: ReadonlyMap<string, string>): Advice {
	const holdings = of.ownership.filter(({ owner }) => owner === key);
	const name = nameOf([...of.persons, ...of.companies].find((one) => one.key === key) ?? of.accountOwner);
	const shares = holdings.map(({ owned, percentage }) => ({
		...(owned === corporateKey ? {} : { ownedCorporateId: ids.get(owned) }),
		directSharesPercentage: new Decimal(percentage),
	}));
	const known = ids.has(key) && holdings.every(({ owned }) => owned === corporateKey || ids.has(owned));
	const set = `shares=${known ? formatJson(shares) : "[…]"}`;
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

/** A related entity that the case does not name, or, with `holds`, one of the case with shares that it does not have. */
export interface NotNamed {
	id?: string;
	name?: string;
	holds?: string;
}

/** What is recorded and not in the case: it stays as it is. */
export function notNamed(of: Case, found: CaseRecords, steps: readonly CaseStep[]): NotNamed[] {
	const named = new Set(found.ids.values());
	const views = found.related.map(viewRelated);
	const others = views.filter(({ id, isAccountOwner }) => id !== undefined && !named.has(id) && isAccountOwner !== true);
	const replaces = ({ key, action, changes }: CaseStep, owner: string): boolean =>
		key === owner && action === "update" && changes.some(({ field, from }) => field === "ownedCorporateId" && from !== undefined);
	const holdings = [...found.records].flatMap(([key, record]): NotNamed[] => {
		if (steps.some((step) => replaces(step, key))) return [];
		const own = of.ownership.filter(({ owner }) => owner === key).map(({ owned }) => found.ids.get(owned));
		const { id, name } = viewRelated(record);
		return statedBy(found, key).flatMap(({ owned, percentage }): NotNamed[] => {
			if (own.some((kept) => sameId(kept, owned)) || Number(percentage) === 0) return [];
			const company = sameId(found.corporateId, owned) ? companyName(of) : (views.find((view) => sameId(view.id, owned))?.name ?? owned);
			return [{ id, name, holds: `${trimmedPercent(percentage)} % of ${company}` }];
		});
	});
	return [...others.map(({ id, name }) => ({ id, name })), ...holdings];
}

/**
 * The request of a step; undefined where it is sent with another step.
 * @param ids by the keys of the case, as far as known
 */
export function requestOf(of: Case, step: CaseStep, steps: readonly CaseStep[], ids: ReadonlyMap<string, string>) {
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

const bodyOf = ({ changes }: Pick<CaseStep, "changes">, ids: ReadonlyMap<string, string>): Record<string, unknown> =>
	Object.fromEntries(changes.map(({ field, to }) => [field, field === "ownedCorporateId" ? ids.get(to as string) : to]));

/** The terms that a case accepts, in the name of its account owner. */
export function acceptedTerms(of: Case): AcceptedTerms[] {
	const { terms } = of;
	return terms === undefined ? [] : [{ version: terms.version, owner: nameOf(of.accountOwner), company: companyName(of) }];
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
		accountOwnerInfo: bodyOf(owner ?? { changes: [] }, new Map()),
	};
}

/** One field that is to change. */
export interface Change {
	field: string;
	/** The service's value; undefined where it shows none. */
	from?: unknown;
	to: unknown;
}

/** Names under which newer deployments show a field. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
	corporateName: ["registeredName"],
	emailAddress: ["email.address"],
};

/** The fields of `wanted` that differ from the record, in the order of the case. */
function fieldChanges(wanted: Received, record: Received): Change[] {
	return Object.entries(wanted).flatMap(([field, to]): Change[] => {
		if (to === undefined) return [];
		const names = [field, ...(otherNames[field] ?? [])];
		const from = names.map((name) => at(record, name)).find((value) => value !== undefined && value !== null);
		if (same(field, to, from ?? (field === "emailAddress" ? viewRelated(record).email : undefined))) return [];
		// The service also finds it out itself: it is a change only where the case adds it.
		if (field === "isUbo" && to === false) return [];
		return [from === undefined ? { field, to } : { field, from, to }];
	});
}

/** Whether the service has the value of the case. Extra fields of an object are no difference. */
function same(field: string, wanted: unknown, found: unknown): boolean {
	if (found === undefined || found === null) return wanted === false || wanted === "";
	// A changed email must be verified again, so one that differs only in case is not sent. The comparison of names is not used here, because
	// ß and ss are different addresses.
	if (field === "emailAddress") return composed(String(wanted)).toLowerCase() === composed(String(found)).toLowerCase();
	if (field === "phone.countryCode") return String(wanted).replace(/^\+/, "") === String(found).replace(/^\+/, "");
	if (isRecord(wanted) && isRecord(found))
		return Object.entries(wanted).every(([name, part]) => part === undefined || same(`${field}.${name}`, part, found[name]));
	// A legal form is sent as an object, and a deployment may show it as text.
	if (field === "legalType" && isRecord(wanted) && typeof found === "string") return Object.values(wanted).includes(found);
	if (typeof wanted === "object" || typeof found === "object") return formatJson(digitsOf(wanted)) === formatJson(digitsOf(found));
	return wanted === found || (typeof wanted === "string" && typeof found === "string" && sameText(wanted, found));
}

const digitsOf = (value: unknown): unknown => (value instanceof Decimal ? value.text : value);

/** Decimal text without trailing zeros: `33.50` is `33.5`. */
function trimmedPercent(text: string): string {
	return text.includes(".") ? withoutEndZeros(text).replace(/\.$/, "") : text;
}
