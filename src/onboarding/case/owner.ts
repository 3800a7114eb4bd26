/**
 * Which related entity of a list is the account owner of a case: what is changed of the account owner must reach nobody else. Pure.
 */
import { type Received, sameId, textAt } from "../../api/answer.js";
import { viewRelated } from "../../api/operations/related.js";
import { sameName } from "../records/names.js";
import { type Case, externalIdOf } from "./case.js";
import { nameOf } from "./match.js";

/**
 * By the id that the corporate tells, else by its mark. Where a deployment tells neither, by the name: but only who
 * cannot be one of the case's other persons, and who is the only one of that name or has the account owner's email. Where nobody has
 * the name, a new last name (or first name) is taken for one beside the same email.
 * @param told id that the corporate's record names
 * @param made id under which the journal knows an entity of the case, by its externalId
 * @returns undefined where it is not certain
 */
export function matchingOwner(
	related: readonly Received[],
	of: Case,
	told: string | undefined,
	made: (externalId: string) => string | undefined,
): Received | undefined {
	if (told !== undefined) return related.find((one) => sameId(viewRelated(one).id, told));
	const marked = related.find((one) => viewRelated(one).isAccountOwner === true);
	if (marked !== undefined) return marked;
	const name = nameOf(of.accountOwner);
	const others = [...of.companies, ...of.persons].map((entity) => externalIdOf(of, entity));
	const taken = others.map(made);
	const possible = related.filter((one) => {
		const view = viewRelated(one);
		const another = others.includes(view.externalId ?? "") || taken.some((id) => sameId(id, view.id));
		return !another && !view.isCompany && view.isAccountOwner !== false;
	});
	const named = possible.filter((one) => sameName(viewRelated(one).name, name));
	const mailed = (named.length > 0 ? named : possible.filter((one) => sharesName(one, of))).filter((one) =>
		sameName(viewRelated(one).email, of.accountOwner.emailAddress),
	);
	if (mailed.length === 1) return mailed[0];
	return named.length === 1 && !of.persons.some((person) => sameName(nameOf(person), name)) ? named[0] : undefined;
}

function sharesName(one: Received, { accountOwner, persons }: Case): boolean {
	// Of two who share an address in the case itself, nobody knows whose it is here.
	if (persons.some(({ emailAddress }) => sameName(emailAddress, accountOwner.emailAddress))) return false;
	return (["firstName", "lastName"] as const).some((part) => sameName(textAt(one, part), accountOwner[part]));
}
