/**
 * Which record of a list is the company, the account owner or a person of a case: by externalId; one that only looks the same is refused with
 * a question, and so is one that is found and is somebody else. Pure.
 */
import { advice, purser } from "../../api/advice.js";
import { type Received, sameId, textAt, typed } from "../../api/answer.js";
import { sameCode, sameName, sameText } from "../../api/names.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { type Advice, PurserError } from "../../errors.js";
import { looksLikeCompany, looksLikeEntity, severalFound } from "../records/twins.js";
import { type Case, type Company, companyName, nameOf, ownerKey, type Person } from "./case.js";

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
	const { externalId } = corporate;
	const views = records.map(viewCorporate);
	const found = withExternalId("company", externalId, records, views);
	if (found !== undefined) return found;
	const own = views.find((view) => view.externalId === undefined && sameId(view.id, known.made));
	if (own !== undefined || isNew) return own?.id;
	const similar = views[records.findIndex((record) => looksLikeCompany(record, corporate))];
	if (similar === undefined) return undefined;
	const id = typed(similar.id, "CORPORATE");
	throw looksTheSame(
		`Is ${companyName({ corporate })} the company ${similar.id}? It has the same name, country and code, but ${otherId(similar.externalId)}`,
		similar.externalId !== undefined
			? `write externalId: ${similar.externalId} in the case`
			: known.doubt !== undefined
				? advice`the creation that got no answer made it: ${purser`pay settle ${known.doubt} --created --id ${id} --reason TEXT`}`
				: advice`set its externalId: ${purser`corporate update ${id} --external-id ${externalId}`}`,
	);
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
	const views = records.map(viewRelated);
	const found = withExternalId("related entity", externalId, records, views);
	if (found !== undefined || isNew) return found;
	const name = nameOf(entity);
	const similar = views[records.findIndex((record) => looksLikeEntity(record, { name, email: emailOf(entity) }))];
	if (similar === undefined) return undefined;
	// Without externalIds of related entities, the name and the email together identify one.
	if (similar.externalId === undefined) return similar.id;
	throw looksTheSame(
		`Is ${name} the related entity ${similar.id}? It has the same name and email, but ${otherId(similar.externalId)}`,
		`write externalId: ${similar.externalId} at ${entity.key} in the case`,
	);
}

const emailOf = (entity: Person | Company): string | undefined => ("emailAddress" in entity ? entity.emailAddress : undefined);

/** The id of the record with an externalId. */
function withExternalId(
	what: "company" | "related entity",
	externalId: string,
	records: readonly Received[],
	views: readonly { id?: string; externalId?: string }[],
): string | undefined {
	const matches = records.filter((_, at) => sameText(views[at]?.externalId, externalId));
	if (matches.length > 1) throw severalFound(what, externalId, matches);
	const one = views.find((view) => sameText(view.externalId, externalId));
	if (one === undefined || one.id !== undefined) return one?.id;
	throw new PurserError("bug", {
		code: "RECORD_WITHOUT_ID",
		message: `The service lists ${externalId} without an id`,
		fix: advice`Look at its answer with \`${purser`corporate list --json`}\`; where a field is renamed, the mapping says so: \`${purser`help mapping`}\`.`,
	});
}

const otherId = (externalId: string | undefined): string => (externalId === undefined ? "no externalId" : `the externalId ${externalId}`);

/** @param yes what to do where it is the same */
const looksTheSame = (message: string, yes: Advice): PurserError =>
	new PurserError("guard", { code: "LOOKS_THE_SAME", message, fix: advice`If it is, ${yes}. If it is not, add --new.` });

/** The account owner, by the id in the company's record, else by the mark of one; undefined where a deployment shows neither. */
export const matchingOwner = (related: readonly Received[], ownerId: string | undefined): Received | undefined =>
	related
		.map((record) => [record, viewRelated(record)] as const)
		.find(([, { id, isAccountOwner }]) => (ownerId === undefined ? isAccountOwner === true : sameId(id, ownerId)))?.[0];

/**
 * A case copied with its externalId, or a key given to somebody else, would overwrite another record together with what is verified and
 * accepted of it. A name, a code or an email may change; a record in which they differ together is not updated by a case.
 * @param found the company's record, and the others by the keys of the case
 * @throws PurserError guard
 */
export function refuseAnother(of: Case, found: { corporate?: Received; records: ReadonlyMap<string, Received> }): void {
	const { corporate, records } = found;
	refuse(of.corporate, corporate, "corporate update", `give the case another externalId than ${of.corporate.externalId}`);
	refuse(of.accountOwner, records.get(ownerKey), "related update", "the service's customer care says how an account owner is replaced");
	for (const one of [...of.persons, ...of.companies])
		refuse(one, records.get(one.key), "related update", `give it another key than ${one.key} in the case`);
}

/** @param separate what to do where it is another one */
function refuse(
	wanted: Case["corporate"] | Case["accountOwner"] | Person | Company,
	record: Received | undefined,
	command: string,
	separate: string,
): void {
	if (record === undefined) return;
	const isCompany = "corporateName" in wanted;
	if (!(isCompany ? isAnotherCompany(wanted, record) : isAnotherPerson(wanted, record))) return;
	const { id, name } = viewRelated(record);
	const flag = isCompany ? ["--corporate-name", wanted.corporateName] : ["--first-name", wanted.firstName];
	const update = purser`${command.split(" ")} ${typed(id, command === "corporate update" ? "CORPORATE" : "RELATED")} ${flag}`;
	throw new PurserError("guard", {
		code: "ANOTHER_RECORD",
		message: `The case has ${isCompany ? wanted.corporateName : nameOf(wanted)} where the service has ${name}, and what identifies them is not the same. Nothing was sent`,
		why: "What was verified and accepted for one would count for the other",
		fix: advice`If it is another one, ${separate}. If it is the same, update the record first: ${update}. Then run this again for the rest.`,
	});
}

/** A last name is a family's: once a KYC has begun, another first name and another email are another person. */
function isAnotherPerson({ firstName, lastName, emailAddress }: Case["accountOwner"] | Person, record: Received): boolean {
	const { email, kycStatus = "NOT_STARTED" } = viewRelated(record);
	if (email !== undefined && sameName(email, emailAddress)) return false;
	if (!differs(textAt(record, "firstName"), firstName)) return false;
	return differs(textAt(record, "lastName"), lastName) || (kycStatus !== "NOT_STARTED" && differs(email, emailAddress));
}

const isAnotherCompany = ({ corporateName, incorporationCode }: Case["corporate"] | Company, record: Received): boolean =>
	differs(textAt(record, "corporateName", "registeredName"), corporateName) &&
	differs(textAt(record, "incorporationCode"), incorporationCode, sameCode);

/** A missing value is no difference. */
const differs = (one: string | undefined, other: string | undefined, same = sameName): boolean =>
	one !== undefined && other !== undefined && !same(one, other);
