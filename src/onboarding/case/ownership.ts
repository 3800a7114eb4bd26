/**
 * Who owns and directs the company of a case, before the service knows of it.
 */
import { nameKey } from "../../api/names.js";
import { type Holding, type Ownership, ownershipOf } from "../ownership/ownership.js";
import { type Case, companyName, corporateKey, nameOf, ownerKey, type Person } from "./case.js";

/** Warnings about who owns and directs the company of a case. Pure. */
export function ownershipNotes(of: Case, threshold: string): string[] {
	return [...caseOwnership(of, threshold).warnings.map(({ message }) => message), ...duplicatePersons(of)];
}

/** The ownership as a case declares it, by its keys. Pure. */
export function caseOwnership(of: Case, threshold: string): Ownership {
	const parties = [
		{ id: ownerKey, name: nameOf(of.accountOwner), isCompany: false, isAccountOwner: true, ...roles(of.accountOwner) },
		...of.persons.map((person) => ({ id: person.key, name: nameOf(person), isCompany: false, ...roles(person) })),
		...of.companies.map((company) => ({ id: company.key, name: company.corporateName, isCompany: true, isDirector: company.isDirector })),
	];
	return ownershipOf({ id: corporateKey, name: companyName(of) }, parties, of.ownership, threshold);
}

/** One person in two places becomes two related entities, each with its own shares and KYC. Two persons may have the same name. */
function duplicatePersons({ accountOwner, persons }: Case): string[] {
	const identity = ({ firstName, lastName, emailAddress }: Pick<Person, "firstName" | "lastName" | "emailAddress">): string | undefined =>
		emailAddress && JSON.stringify([`${firstName} ${lastName}`, emailAddress].map(nameKey));
	const keys = new Map([[identity(accountOwner), ownerKey]]);
	return persons.flatMap((person): string[] => {
		const own = identity(person);
		if (own === undefined) return [];
		const other = keys.get(own);
		keys.set(own, other ?? person.key);
		if (other === undefined) return [];
		return [
			`${person.key} has the name and email of ${other}; if it is one person, put what the person is and holds there, and only there`,
		];
	});
}

const roles = ({ isDirector, isUbo }: { isDirector?: boolean; isUbo?: boolean }) => ({ isDirector, isUbo });

/**
 * The holdings of a case by the ids of the service, for what a record shows only in part.
 * @param ids by the keys of the case, as far as known
 */
export function holdingsById({ ownership }: Case, ids: ReadonlyMap<string, string>): Holding[] {
	return ownership.flatMap(({ owner, owned, percentage }): Holding[] => {
		const [holder, company] = [ids.get(owner), ids.get(owned)];
		return holder === undefined || company === undefined ? [] : [{ owner: holder, owned: company, percentage }];
	});
}
