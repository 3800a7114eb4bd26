/**
 * Which record of a list is the company, the account owner or a person of a case: by externalId; one that only looks the same is refused with
 * a question, and so is one that is found and is somebody else. Pure.
 */

import { advice, purser } from "../../api/advice.js";
import { type Received, sameId, textAt, typed } from "../../api/answer.js";
import { sameCode, sameName } from "../../api/names.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { differingPoints, looksAlike, sameText } from "../../api/text/lookalike.js";
import { PurserError, type SuggestedCommand } from "../../errors.js";
import { severalFound } from "../twins/twin.js";
import { type Case, type Company, companyName, externalIdOf, ownerKey, type Person } from "./case.js";

/**
 * @param known the journal's record of its creation, for deployments that show no externalIds: the id from the service, or the intent
 * without an answer
 * @throws PurserError guard, where several have the externalId, or a similar record exists
 */
export function matchingCorporate(
	records: readonly Received[],
	{ corporate }: Case,
	isNew: boolean,
	known: { made?: string; doubt?: string } = {},
): string | undefined {
	const matches = records.filter((record) => sameText(viewCorporate(record).externalId, corporate.externalId));
	if (matches.length > 1) throw severalFound("company", corporate.externalId, matches);
	const [one] = matches;
	if (one !== undefined) return requireId(viewCorporate(one).id, corporate.externalId);
	const own = records.map(viewCorporate).find(({ id, externalId }) => externalId === undefined && sameId(id, known.made));
	if (own !== undefined) return own.id;
	const similar = records.find(
		(record) =>
			viewCorporate(record).country === corporate.incorporationCountry &&
			sameCode(textAt(record, "incorporationCode"), corporate.incorporationCode) &&
			sameName(viewCorporate(record).name, corporate.corporateName),
	);
	if (isNew) return undefined;
	if (similar === undefined) {
		refuseLookalike(records.map(viewCorporate), corporate.externalId, "the company", "the case");
		return undefined;
	}
	const view = viewCorporate(similar);
	const yes =
		view.externalId !== undefined
			? `If it is, write externalId: ${view.externalId} in the case`
			: known.doubt !== undefined
				? advice`If it is, the creation that got no answer made it: ${purser`pay settle ${known.doubt} --created --id ${typed(view.id, "CORPORATE")} --reason TEXT`}`
				: advice`If it is, set its externalId: ${purser`corporate update ${typed(view.id, "CORPORATE")} --external-id ${corporate.externalId}`}`;
	throw new PurserError("guard", {
		code: "LOOKS_THE_SAME",
		message: `Is ${companyName({ corporate })} the company ${view.id}? It has the same name, country and code, but ${otherId(view.externalId, corporate.externalId)}`,
		fix: advice`${yes}. If it is not, add --new.`,
	});
}

/**
 * @throws PurserError guard, as {@link matchingCorporate}
 */
export function matchingEntity(
	records: readonly Received[],
	entity: Person | Company,
	externalId: string,
	isNew: boolean,
): string | undefined {
	const matches = records.filter((record) => sameText(viewRelated(record).externalId, externalId));
	if (matches.length > 1) throw severalFound("related entity", externalId, matches);
	const [one] = matches;
	if (one !== undefined) return requireId(viewRelated(one).id, externalId);
	const email = "emailAddress" in entity ? entity.emailAddress : undefined;
	const similar = records
		.map(viewRelated)
		.find((view) => view.isAccountOwner !== true && sameName(view.name, nameOf(entity)) && sameName(view.email, email));
	if (isNew) return undefined;
	if (similar === undefined) {
		refuseLookalike(records.map(viewRelated), externalId, "the related entity", entity.key);
		return undefined;
	}
	// Without externalIds of related entities, the name and the email together identify one.
	if (similar.externalId === undefined) return similar.id;
	throw new PurserError("guard", {
		code: "LOOKS_THE_SAME",
		message: `Is ${nameOf(entity)} the related entity ${similar.id}? It has the same name and email, but ${otherId(similar.externalId, externalId)}`,
		fix: `If it is, write externalId: ${similar.externalId} at ${entity.key} in the case. If it is not, add --new.`,
	});
}

/**
 * Refuses where somebody of the same name was declared by hand and only one of the two has an email.
 * @param known intents of the journal that created the entity, or may have
 * @throws PurserError guard
 */
export function refuseNamesake(
	records: readonly Received[] | undefined,
	entity: Person | Company,
	externalId: string,
	known: readonly unknown[],
): void {
	if (known.some((intent) => intent !== undefined)) return;
	const email = "emailAddress" in entity ? entity.emailAddress : undefined;
	const namesake = records
		?.map(viewRelated)
		.find(
			(view) =>
				view.isAccountOwner !== true &&
				view.externalId === undefined &&
				sameName(view.name, nameOf(entity)) &&
				(view.email === undefined) !== (email === undefined),
		);
	if (namesake === undefined) return;
	throw new PurserError("guard", {
		code: "LOOKS_THE_SAME",
		message: `Is ${nameOf(entity)} the related entity ${namesake.id}? It has the same name, no externalId, and only one of the two has an email`,
		fix: advice`If it is, set its externalId: ${purser`related update ${typed(namesake.id, "RELATED")} --external-id ${externalId}`}. If it is not, add --new.`,
	});
}

/** The name of a person or company of a case. */
export function nameOf(entity: Person | Company | Case["accountOwner"]): string {
	return "corporateName" in entity ? entity.corporateName : `${entity.firstName} ${entity.lastName}`;
}

function requireId(id: string | undefined, externalId: string): string {
	if (id !== undefined) return id;
	throw new PurserError("bug", {
		code: "RECORD_WITHOUT_ID",
		message: `The service lists ${externalId} without an id`,
		fix: advice`Look at its answer with \`${purser`corporate list --json`}\`; where a field is renamed, the mapping says so: \`${purser`help mapping`}\`.`,
	});
}

interface Identified {
	id?: string;
	externalId?: string;
}

/**
 * Refuses where a record has an externalId that looks the same and is another.
 * @param place where the externalId of the case stands
 * @throws PurserError guard
 */
function refuseLookalike(views: readonly Identified[], externalId: string, noun: string, place: string): void {
	const alike = views.find((view) => looksAlike(view.externalId, externalId));
	if (alike === undefined) return;
	throw new PurserError("guard", {
		code: "LOOKS_THE_SAME",
		message: `Is ${externalId} ${noun} ${alike.id}? It has ${otherId(alike.externalId, externalId)}`,
		fix: `If it is, write externalId: ${alike.externalId} at ${place}, copied from the service. If it is not, add --new.`,
	});
}

function otherId(externalId: string | undefined, own: string): string {
	if (externalId === undefined) return "no externalId";
	if (!looksAlike(externalId, own)) return `the externalId ${externalId}`;
	const [theirs, ours] = differingPoints(externalId, own);
	return `the externalId ${externalId}, which looks the same and is not: it has ${theirs} where the case has ${ours}`;
}

/**
 * Finds the account owner by the id in the company's record, else by the mark of an account owner. Where a deployment shows neither, by the
 * name, among those who cannot be another person of the case: the only one of that name, or the one who also has the account owner's
 * email. Where nobody has the name, the one with the same email and the same first or last name: the other name was changed.
 * @param ownerId id in the company's record
 * @param created id under which the journal knows an entity of the case, by its externalId
 * @returns undefined where it is not certain
 */
export function matchingOwner(
	related: readonly Received[],
	of: Case,
	ownerId: string | undefined,
	created: (externalId: string) => string | undefined,
): Received | undefined {
	if (ownerId !== undefined) return related.find((one) => sameId(viewRelated(one).id, ownerId));
	const marked = related.find((one) => viewRelated(one).isAccountOwner === true);
	if (marked !== undefined) return marked;
	const name = nameOf(of.accountOwner);
	const others = [...of.companies, ...of.persons].map((entity) => externalIdOf(of, entity));
	const taken = others.map(created);
	const possible = related.filter((one) => {
		const view = viewRelated(one);
		const another = others.some((id) => sameText(id, view.externalId)) || taken.some((id) => sameId(id, view.id));
		return !another && !view.isCompany && view.isAccountOwner !== false;
	});
	const named = possible.filter((one) => sameName(viewRelated(one).name, name));
	const withEmail = (named.length > 0 ? named : possible.filter((one) => sharesName(one, of))).filter((one) =>
		sameName(viewRelated(one).email, of.accountOwner.emailAddress),
	);
	if (withEmail.length === 1) return withEmail[0];
	return named.length === 1 && !of.persons.some((person) => sameName(nameOf(person), name)) ? named[0] : undefined;
}

function sharesName(one: Received, { accountOwner, persons }: Case): boolean {
	// An email that two share in the case identifies neither.
	if (persons.some(({ emailAddress }) => sameName(emailAddress, accountOwner.emailAddress))) return false;
	return (["firstName", "lastName"] as const).some((part) => sameName(textAt(one, part), accountOwner[part]));
}

/** The records of a case: the company's, and the others by the keys of the case. */
interface Records {
	corporate?: Received;
	records: ReadonlyMap<string, Received>;
}

/**
 * A case copied with its externalId, or a key given to somebody else, would overwrite another record together with what is verified and
 * accepted of it. A name, a code or an email may change; a record in which all of them differ is not updated by a case.
 * @throws PurserError guard
 */
export function refuseAnother(of: Case, { corporate, records }: Records): void {
	if (corporate !== undefined && isAnotherCompany(of.corporate, corporate)) {
		const { id, name } = viewCorporate(corporate);
		const update = purser`corporate update ${typed(id, "CORPORATE")} --corporate-name ${of.corporate.corporateName}`;
		throw anotherError(companyName(of), name, `give the case another externalId than ${of.corporate.externalId}`, update);
	}
	const entities = [{ ...of.accountOwner, key: ownerKey }, ...of.persons, ...of.companies];
	for (const entity of entities) {
		const record = records.get(entity.key);
		if (record === undefined) continue;
		const isCompany = "corporateName" in entity;
		if (!(isCompany ? isAnotherCompany(entity, record) : isAnotherPerson(entity, record))) continue;
		const { id, name: found } = viewRelated(record);
		const flag = isCompany ? ["--corporate-name", entity.corporateName] : ["--last-name", entity.lastName];
		const update = purser`related update ${typed(id, "RELATED")} ${flag}`;
		const separate = entity.key === ownerKey ? replacement : `give it another key than ${entity.key} in the case`;
		throw anotherError(nameOf(entity), found, separate, update);
	}
}

const replacement = "the service's customer care says how an account owner is replaced";

function isAnotherPerson({ firstName, lastName, emailAddress }: Case["accountOwner"] | Person, record: Received): boolean {
	const { email } = viewRelated(record);
	if (email !== undefined && sameName(email, emailAddress)) return false;
	return differs(textAt(record, "firstName"), firstName) && differs(textAt(record, "lastName"), lastName);
}

function isAnotherCompany({ corporateName, incorporationCode }: Case["corporate"] | Company, record: Received): boolean {
	const name = textAt(record, "corporateName", "registeredName");
	const code = textAt(record, "incorporationCode");
	return differs(name, corporateName) && differs(code, incorporationCode, sameCode);
}

/** A missing value is no difference. */
const differs = (one: string | undefined, other: string | undefined, same = sameName): boolean =>
	one !== undefined && other !== undefined && !same(one, other);

function anotherError(wanted: string, found: string | undefined, separate: string, update: SuggestedCommand): PurserError {
	return new PurserError("guard", {
		code: "ANOTHER_RECORD",
		message: `The case has ${wanted} where the service has ${found}, and nothing that identifies them is the same. Nothing was sent`,
		why: "What was verified and accepted for one would count for the other",
		fix: advice`If it is another one, ${separate}. If it is the same, update the record first: ${update}. Then run this again for the rest.`,
	});
}
