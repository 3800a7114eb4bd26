/**
 * Whom a change is for and what it sends, in words for the question before it.
 */
import type { Received } from "../../api/answer.js";
import { formatJson } from "../../api/json.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { type RelatedView, viewRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";
import { isNotOffered } from "../../errors.js";
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
