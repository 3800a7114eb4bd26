/**
 * Whether an answer is a record of the requested kind. Answers are read leniently: one known field is enough. An answer without any says nothing,
 * which must not be read as "there is nothing".
 */
import type * as z from "zod/mini";
import { at, type Received, sameId, textAt } from "./answer.js";
import { isRecord } from "./schema.js";

/** What identifies records of one kind, as dotted paths. */
export interface RecordNames {
	/** Names of the record's own id. */
	ids: readonly string[];
	/** Names of all known fields, the ids among them. */
	fields: readonly string[];
	/** What such a record is created with, whose fields it has too (specification 2.5). */
	given?(): z.ZodMiniObject;
}

/**
 * What is wrong with an answer as a record of a kind; undefined where it can be read as one.
 * @param asked the id of the requested record, where one was
 * @returns in words: "none of its fields is known", "the record stands inside data"
 */
export function recordFault(record: Received, names: RecordNames, asked?: string): string | undefined {
	const inside = envelopeOf(record, names, asked);
	if (inside !== undefined) return `the record stands inside ${inside}`;
	return knownIn(record, names).length === 0 ? "none of its fields is known" : undefined;
}

const knownIn = (record: Received, { fields }: RecordNames): string[] => fields.filter((path) => (at(record, path) ?? "") !== "");

/** Fields that envelopes have too: they do not identify a record where the answer has another record inside. */
const ofEnvelopes = ["status", "type"];

/** The member that has the requested record, where the answer itself is none. */
function envelopeOf(record: Received, names: RecordNames, asked: string | undefined): string | undefined {
	const idsOf = (one: Received): string[] => names.ids.flatMap((name) => textAt(one, name) ?? []);
	const isAsked = (one: Received): boolean => asked !== undefined && idsOf(one).some((id) => sameId(id, asked));
	const says = (one: Received): boolean => knownIn(one, names).some((name) => !ofEnvelopes.includes(name));
	if (isAsked(record)) return undefined;
	const own = says(record);
	const heads = new Set(names.fields.map((path) => path.split(".", 1)[0]));
	for (const [name, part] of Object.entries(record)) {
		const inner = Array.isArray(part) ? part.find(isRecord) : part;
		if (!heads.has(name) && isRecord(inner) && (isAsked(inner) || (!own && says(inner)))) return name;
	}
	return undefined;
}
