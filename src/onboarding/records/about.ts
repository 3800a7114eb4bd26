/**
 * Whom a change is for and what it sends, in words for the question before it.
 */

import { advice, purser } from "../../api/advice.js";
import { listAt, type Received, textAt } from "../../api/answer.js";
import { formatJson } from "../../api/json.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { type RelatedView, rolesOf, viewRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";
import { type IdForms, isIdOf } from "../../api/text/ids.js";
import { isNotOffered, PurserError } from "../../errors.js";
import type { About } from "../../ports/changes.js";
import type { Service } from "../../ports/service.js";
import { readCorporate, readRelated } from "./reading.js";

type Row = readonly [string, string | undefined];

/** A company by its name, or by its id where the service shows none. */
export async function companyNamed(service: Service, corporateId: string): Promise<string> {
	const record = await ifShown(() => readCorporate(service, corporateId));
	return (record && viewCorporate(record).name) ?? corporateId;
}

/** A person or an owning company; `name` is the id where the service shows none. */
export async function relatedNamed(service: Service, id: string): Promise<RelatedView & { name: string }> {
	const view = viewRelated((await ifShown(() => readRelated(service, id))) ?? {});
	return { ...view, name: view.name ?? id };
}

/** A question about one related entity. @param title makes the order of the name */
export async function aboutRelated(
	service: Service,
	id: string,
	title: (name: string) => string,
	rows: (one: RelatedView) => readonly Row[] = () => [],
): Promise<About> {
	const one = await relatedNamed(service, id);
	return { title: title(one.name), rows: [["To", one.name], ["Related entity", id], ...rows(one)] };
}

/** Each field of a body that is sent, by the words of its name. */
export function sentRows(body: unknown, path: readonly string[] = []): Row[] {
	if (body === undefined || body === null) return [];
	if (isRecord(body)) return Object.entries(body).flatMap(([name, inner]) => sentRows(inner, [...path, wordsOf(name)]));
	return [[path.join(": "), typeof body === "string" ? body : formatJson(body)]];
}

/** `registeredAddress` → `Registered address`. */
function wordsOf(name: string): string {
	const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
	return words.charAt(0).toUpperCase() + words.slice(1);
}

async function ifShown(read: () => Promise<Received>): Promise<Received | undefined> {
	try {
		return await read();
	} catch (error) {
		if (!isNotOffered(error)) throw error;
		return undefined;
	}
}

/**
 * Refuses an update without a field.
 * @throws PurserError usage
 */
export function requireChange(body: Record<string, unknown>, command: string): void {
	if (Object.values(body).some((value) => value !== undefined)) return;
	throw new PurserError("usage", {
		code: "NOTHING_TO_CHANGE",
		message: "No field to change was given; nothing was sent",
		fix: advice`Give at least one, or a file with --file FILE; see \`${purser`${command.split(" ")} --help`}\`.`,
	});
}

/**
 * A related entity as a person knows it: `Ada Example (director, UBO of Example Florist)`. Undefined where the service does not tell it.
 * @param ids the profile's forms of ids
 * @throws PurserError as the service does, unless it does not have the look-up
 */
export async function whoIs(service: Pick<Service, "call">, corporateRelatedId: string, ids: IdForms): Promise<string | undefined> {
	const record = await unlessMissing(() => readRelated(service, corporateRelatedId));
	const { name } = viewRelated(record ?? {});
	if (record === undefined || name === undefined) return undefined;
	const roles = rolesOf(record).replace(/, company$|^company$/, "");
	const [share] = listAt(record, "shares");
	const owned = textAt(share, "ownedCorporate");
	const company = isIdOf("corporate", owned, ids) ? await unlessMissing(() => readCorporate(service, owned)) : undefined;
	const of = viewCorporate(company ?? {}).name;
	const role = of === undefined ? roles : `${roles || "owner"} of ${of}`;
	return role === "" ? name : `${name} (${role})`;
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (cause) {
		if (!isNotOffered(cause)) throw cause;
		return undefined;
	}
}
