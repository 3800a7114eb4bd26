/**
 * Whether an answer is a record of the kind that was asked for. Answers are read leniently: one known field is enough, and what else
 * is missing or unknown is taken as it is. An answer without any says nothing, which must not be read as "there is nothing".
 */
import { at, type Received, sameId, textAt } from "./answer.js";
import { isRecord } from "./schema.js";

/** What records of one kind are known by, as dotted paths. */
export interface RecordNames {
	/** Names of the record's own id. */
	ids: readonly string[];
	/** Names of all fields that are known, the ids among them. */
	fields: readonly string[];
}

/**
 * What is wrong with an answer as a record of a kind; undefined where it can be read as one.
 * @param asked the id of the record that was asked for, where it was one
 * @returns in words: "none of its fields is known", "the record stands inside data"
 */
export function misread(record: Received, names: RecordNames, asked?: string): string | undefined {
	const inside = envelopeOf(record, names, asked);
	if (inside !== undefined) return `the record stands inside ${inside}`;
	return knownIn(record, names).length === 0 ? "none of its fields is known" : undefined;
}

const knownIn = (record: Received, { fields }: RecordNames): string[] => fields.filter((path) => (at(record, path) ?? "") !== "");

/** Names that envelopes have as well as records: alone they make a record of nothing that has another one inside. */
const ofEnvelopes = ["status", "type"];

/** The name under which the record stands that was asked for, where the answer itself is none. */
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
