/**
 * Which record of a list is the company or person of a case: by externalId; one that only looks the same is refused with a question. Pure.
 */

import { advice, purser } from "../../api/advice.js";
import { type Received, sameId, textAt, typed } from "../../api/answer.js";
import { sameCode, sameName } from "../../api/names.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { sameText } from "../../api/text/composed.js";
import { differingPoints, looksAlike } from "../../api/text/lookalike.js";
import { PurserError } from "../../errors.js";
import { severalFound } from "../twins/twin.js";
import { type Case, type Company, companyName, type Person } from "./case.js";

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
 * @param former the externalId that an earlier version gave it
 * @throws PurserError guard, as {@link matchingCorporate}
 */
export function matchingEntity(
	records: readonly Received[],
	entity: Person | Company,
	externalId: string,
	isNew: boolean,
	former?: string,
): string | undefined {
	const matches = records.filter((record) => [externalId, former].some((id) => sameText(viewRelated(record).externalId, id)));
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
