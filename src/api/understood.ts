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
	const known = knownIn(record, names);
	const inside = envelopeOf(record, names, asked, known);
	if (inside !== undefined) return `the record stands inside ${inside}`;
	return known === 0 ? "none of its fields is known" : undefined;
}

const knownIn = (record: Received, { fields }: RecordNames): number => fields.filter((path) => (at(record, path) ?? "") !== "").length;

/** Names that an envelope and a record may both have (`status`, `type`, `id`) make a record of neither: what counts is where the record's own id is. */
function envelopeOf(record: Received, names: RecordNames, asked: string | undefined, known: number): string | undefined {
	const idsOf = (one: Received): string[] => names.ids.flatMap((name) => textAt(one, name) ?? []);
	const isAsked = (one: Received): boolean => asked !== undefined && idsOf(one).some((id) => sameId(id, asked));
	if (isAsked(record)) return undefined;
	const heads = new Set(names.fields.map((path) => path.split(".", 1)[0]));
	const unnamed = idsOf(record).length === 0;
	for (const [name, part] of Object.entries(record)) {
		const inner = Array.isArray(part) ? part.find(isRecord) : part;
		if (heads.has(name) || !isRecord(inner)) continue;
		if (isAsked(inner)) return name;
		const more = knownIn(inner, names) - known;
		if (unnamed && (more > 0 || (more === 0 && known > 0 && idsOf(inner).length > 0))) return name;
	}
	return undefined;
}
