/**
 * Whom a change is for and what it sends, in words for the question before it.
 */

import { advice, purser } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { formatJson } from "../../api/json.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { type RelatedView, rolesOf, viewRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";
import { isNotOffered, PurserError } from "../../errors.js";
import type { About } from "../../ports/changes.js";
import type { Service } from "../../ports/service.js";
import { readCorporate, readRelated } from "./reading.js";
import { labelOf } from "./record.js";

type Row = readonly [string, string | undefined];

/** A company by its name, or by its id where the service shows none. */
export async function companyNamed(service: Service, corporateId: string): Promise<string> {
	const record = await ifShown(() => readCorporate(service, corporateId));
	return (record && viewCorporate(record).name) ?? corporateId;
}

/** A person or an owning company with its roles; `name` is the id where the service shows none. */
export async function relatedNamed(service: Service, id: string): Promise<RelatedView & { name: string; roles: string }> {
	const record = (await ifShown(() => readRelated(service, id))) ?? {};
	const view = viewRelated(record);
	return { ...view, name: view.name ?? id, roles: rolesOf(record) };
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
	if (isRecord(body)) return Object.entries(body).flatMap(([name, inner]) => sentRows(inner, [...path, labelOf(name)]));
	return [[path.join(": "), typeof body === "string" ? body : formatJson(body)]];
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
