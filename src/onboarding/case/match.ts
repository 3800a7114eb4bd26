/**
 * Which record of a list is the company or person of a case: by externalId; one that only looks the same is refused with a question. Pure.
 */

import { advice, purser } from "../../api/advice.js";
import { type Received, sameId, textAt, typed } from "../../api/answer.js";
import { sameCode, sameName } from "../../api/names.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { PurserError } from "../../errors.js";
import type { Case, Company, Person } from "./case.js";

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
	const matches = records.filter((record) => viewCorporate(record).externalId === corporate.externalId);
	if (matches.length > 1)
		throw severalFound(
			corporate.externalId,
			matches.map((record) => viewCorporate(record).id),
		);
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
	if (similar === undefined || isNew) return undefined;
	const view = viewCorporate(similar);
	const yes =
		view.externalId !== undefined
			? `If it is, write externalId: ${view.externalId} in the case`
			: known.doubt !== undefined
				? advice`If it is, the creation that got no answer made it: ${purser`pay settle ${known.doubt} --created --id ${typed(view.id, "CORPORATE")} --reason TEXT`}`
				: advice`If it is, set its externalId: ${purser`corporate update ${typed(view.id, "CORPORATE")} --external-id ${corporate.externalId}`}`;
	throw new PurserError("guard", {
		code: "LOOKS_THE_SAME",
		message: `Is ${corporate.corporateName} the company ${view.id}? It has the same name, country and code, but ${otherId(view.externalId)}`,
		fix: advice`${yes}. If it is not, add --new.`,
	});
}

/** @throws PurserError guard, as {@link matchingCorporate} */
export function matchingEntity(
	records: readonly Received[],
	entity: Person | Company,
	externalId: string,
	isNew: boolean,
): string | undefined {
	const matches = records.filter((record) => viewRelated(record).externalId === externalId);
	if (matches.length > 1)
		throw severalFound(
			externalId,
			matches.map((record) => viewRelated(record).id),
		);
	const [one] = matches;
	if (one !== undefined) return requireId(viewRelated(one).id, externalId);
	const email = "emailAddress" in entity ? entity.emailAddress : undefined;
	const similar = records
		.map(viewRelated)
		.find((view) => view.isAccountOwner !== true && sameName(view.name, nameOf(entity)) && sameName(view.email, email));
	if (similar === undefined || isNew) return undefined;
	// Without externalIds of related entities, the name and the email together identify one.
	if (similar.externalId === undefined) return similar.id;
	throw new PurserError("guard", {
		code: "LOOKS_THE_SAME",
		message: `Is ${nameOf(entity)} the related entity ${similar.id}? It has the same name and email, but ${otherId(similar.externalId)}`,
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
		fix: advice`Look at its answer with \`${purser`corporate list --json`}\`; a renamed field is set with \`${purser`api set corporate.list`}\`.`,
	});
}

function severalFound(externalId: string, ids: readonly (string | undefined)[]): PurserError {
	return new PurserError("guard", {
		code: "SEVERAL_FOUND",
		message: `${ids.length} records have the externalId ${externalId}: ${ids.join(", ")}. Nothing was sent`,
		fix: advice`Decide which one is right, and give the others another externalId: ${purser`corporate update ID --external-id …`}, ${purser`related update ID --external-id …`}`,
	});
}

const otherId = (externalId: string | undefined): string => (externalId === undefined ? "no externalId" : `the externalId ${externalId}`);
