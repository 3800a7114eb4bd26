/**
 * Whether a record with the externalId of a case is of the same company or person. A case copied with its externalId, or a key given to
 * somebody else, would overwrite another record together with what is verified and accepted of it. Pure.
 */
import { advice, purser } from "../../api/advice.js";
import { type Received, textAt, typed } from "../../api/answer.js";
import { sameCode, sameName } from "../../api/names.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { PurserError, type SuggestedCommand } from "../../errors.js";
import { type Sought, soughtCorporate, soughtRelated } from "../twins/twin.js";
import { type Case, type Company, companyName, corporateKey, externalIdOf, ownerKey, type Person } from "./case.js";
import { nameOf } from "./match.js";

/** The records of a case: the company's, and the others by the keys of the case. */
interface Records {
	corporate?: Received;
	records: ReadonlyMap<string, Received>;
}

/**
 * A name, a code or an email may change; a record in which all of them differ is not updated by a case.
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

/** Ids by the keys of a case, and of whom the service listed before. */
interface Created {
	ids: ReadonlyMap<string, string>;
	known: ReadonlySet<string>;
}

/** A created record of a case, as another one of the same is looked for. */
export function soughtAs(of: Case, { ids, known }: Created, key: string): Sought {
	const corporateId = ids.get(corporateKey) as string;
	const entity = [...of.companies, ...of.persons].find((one) => one.key === key);
	if (entity === undefined) return soughtCorporate(corporateId, of.corporate, known);
	const email = "emailAddress" in entity ? entity.emailAddress : undefined;
	const others = { has: (id: string) => known.has(id) || [...ids.values()].includes(id) };
	return soughtRelated(ids.get(key) as string, { externalId: externalIdOf(of, entity), name: nameOf(entity), email }, others);
}
