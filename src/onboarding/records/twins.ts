/**
 * A company or person that seems to be there already, and one that two runs created at once: both look before they create, and the next run tells
 * of two.
 */
import { advice, purser } from "../../api/advice.js";
import { type Received, textAt } from "../../api/answer.js";
import { sameCode, sameName, sameText } from "../../api/names.js";
import { listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { PurserError } from "../../errors.js";
import type { Listed, Service } from "../../ports/service.js";

/** How companies are listed: the newest first. */
export const newestFirst = { sortAttribute: "CREATION_DATE", sortDirection: "DESC" } as const;
/** Maximum number of companies of one name. */
const mostNamed = 500;

/** The companies of one name. @throws PurserError as the service does */
export const listNamed = (service: Pick<Service, "list">, registeredName: string): Promise<Listed> =>
	service.list(listCorporates, { query: { registeredName, ...newestFirst } }, mostNamed);

/** Whether a record looks like a company, whatever its externalId: by name, country and code. */
export function looksLikeCompany(
	record: Received,
	of: { corporateName: string; incorporationCountry?: string; incorporationCode?: string },
): boolean {
	const { name, country } = viewCorporate(record);
	const sameCountry = country === of.incorporationCountry;
	return sameCountry && sameName(name, of.corporateName) && sameCode(textAt(record, "incorporationCode"), of.incorporationCode);
}

/** The name of a declaration in messages: the person's or the company's, else its reference. */
export const entityName = (body: Received): string => viewRelated(body).name ?? textAt(body, "externalId") ?? "an entity without a name";

/** Why an entity seems to be declared already: by its externalId, else as {@link looksLikeEntity} says. */
export function duplicateOf(body: Received, listed: readonly Received[]): string | undefined {
	const { name, email, externalId } = viewRelated(body);
	for (const record of listed) {
		const other = viewRelated(record);
		const same = externalId !== undefined && sameText(externalId, other.externalId);
		if (!same && (name === undefined || !looksLikeEntity(record, { name, email }))) continue;
		const reason = same ? "with the same externalId" : email === undefined ? "with the same name" : "with the same name and email";
		return `${entityName(body)} is declared already ${reason}${other.id === undefined ? "" : `: ${other.id}`}`;
	}
	return undefined;
}

/** Whether a record looks like a person or an owning company, whatever its externalId: by name and email. */
export function looksLikeEntity(record: Received, of: { name: string; email?: string }): boolean {
	const { name, email } = viewRelated(record);
	return sameName(name, of.name) && sameName(email, of.email);
}

/** The error for records with one externalId: two runs looked, and each created one. */
export function severalFound(what: "company" | "related entity", externalId: string, records: readonly Received[]): PurserError {
	// The oldest first where the service says when each was created, else in the order of the ids, so that every run names the same one.
	const placed = records.map((record) => ({
		id: textAt(record, "id", "corporateId", "corporateRelatedId") ?? "",
		at: textAt(record, "creationDate") ?? "~",
	}));
	placed.sort((one, other) => (`${one.at} ${one.id}` < `${other.at} ${other.id}` ? -1 : 1));
	const [keep = "", other = ""] = placed.map(({ id }) => id);
	const end =
		what === "company"
			? advice`Give the other another externalId: ${purser`corporate update ${other} --external-id ${`${externalId}-twin`}`}; and have the service's customer care close it`
			: advice`Remove the other: ${purser`related remove ${other}`}`;
	return new PurserError("guard", {
		code: "SEVERAL_FOUND",
		message: `${records.length} records have the externalId ${externalId}: ${placed.map(({ id }) => id).join(" and ")}. Nothing was sent`,
		why: "Two runs may have created it at the same time, perhaps on two machines",
		fix: advice`Keep ${keep} (every run names this one), unless more was done on another one. ${end}. Then run this again: it goes on with the one that is left.`,
	});
}
