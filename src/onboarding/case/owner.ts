/**
 * Which related entity of a list is the account owner of a case: an update of the account owner must reach nobody else. Pure.
 */
import { type Received, sameId, textAt } from "../../api/answer.js";
import { sameName } from "../../api/names.js";
import { viewRelated } from "../../api/operations/related.js";
import { sameText } from "../../api/text/composed.js";
import { type Case, externalIdOf } from "./case.js";
import { nameOf } from "./match.js";

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
