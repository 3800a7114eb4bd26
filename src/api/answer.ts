/**
 * Answers are read leniently: every field may be missing, of another type, or unknown. An operation therefore only names its answer's fields;
 * what is needed of one is read with the functions below, which never throw.
 */
import * as z from "zod/mini";
import { Decimal, formatJson } from "./json.js";
import { type FieldMeta, field, isRecord, type Source } from "./schema.js";
import { type IdForms, type IdKind, isIdOf, isUuid, standsForNone } from "./text/ids.js";

/** An answer as received. */
export type Received = Record<string, unknown>;

/** The fields of a record-shaped answer, and where each comes from. README.md here says what they hold. */
export type AnswerFields = Readonly<Record<string, Source>>;

/** @param but fields that come from elsewhere than the others */
export const answer = (names: readonly string[], source: Source = "documented", but: AnswerFields = {}): AnswerFields =>
	Object.fromEntries(names.map((name) => [name, but[name] ?? source]));

/**
 * A record of the service as a command answers it: whatever else it has stays.
 * @param parts names inside those fields that are objects
 * @param cells of fields, by their path, that the service tells under other names too
 */
export function recordSchema(
	fields: readonly string[],
	parts: Readonly<Record<string, readonly string[]>> = {},
	cells: Readonly<Record<string, FieldMeta["cell"]>> = {},
	before = "",
) {
	const inside = (name: string): z.ZodMiniType =>
		parts[name] === undefined
			? field(z.unknown(), { description: "", cell: cells[before + name] })
			: recordSchema(parts[name], {}, cells, `${name}.`);
	return z.looseObject(Object.fromEntries(fields.map((name) => [name, z.optional(inside(name))])));
}

/** Members of an answer of our own that may be missing. */
export const optionals = (names: readonly string[], schema: z.ZodMiniType = z.string()) =>
	Object.fromEntries(names.map((name) => [name, z.optional(schema)]));

/** The value at a dotted path, or undefined. */
export function at(record: unknown, path: string): unknown {
	// Long lists are read field by field, and nearly every path is one name.
	if (!path.includes(".")) return isRecord(record) && Object.hasOwn(record, path) ? record[path] : undefined;
	let part = record;
	for (const key of path.split(".")) {
		if (!isRecord(part) || !Object.hasOwn(part, key)) return undefined;
		part = part[key];
	}
	return part;
}

/** The first of the paths that has a value, as text: numbers by their literal, objects as JSON. */
export function textAt(record: unknown, ...paths: string[]): string | undefined {
	for (const path of paths) {
		const value = at(record, path);
		if (value === undefined || value === null) continue;
		if (typeof value === "string") return value;
		if (value instanceof Decimal) return value.text;
		return typeof value === "object" ? formatJson(value) : String(value);
	}
	return undefined;
}

/** The first of the paths that has a boolean. */
export const flagAt = (record: unknown, ...paths: string[]): boolean | undefined =>
	paths.map((path) => at(record, path)).find((value) => typeof value === "boolean");

/** The list at a path, or the answer itself where it is a bare list; records only. */
export function listAt(record: unknown, path = "content"): Received[] {
	const value = Array.isArray(record) ? record : at(record, path);
	return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A whole number at a path, where there is one that a double represents exactly. */
export function countAt(record: unknown, path: string): number | undefined {
	const value = at(record, path);
	const literal = value instanceof Decimal ? value.text : undefined;
	return literal !== undefined && /^\d{1,15}$/.test(literal) ? Number(literal) : undefined;
}

/** An id for a command that is shown: where it has the form of its kind, or else the kind in capitals, as something to fill in. */
export function typed(id: string | undefined, kind: Uppercase<Exclude<IdKind, "endUser">>): string | TypedId {
	return id === undefined ? kind : { id, of: kind.toLowerCase() };
}

/** Whether two ids are the same: the case of a UUID does not count (RFC 9562, 4). False where one is missing. */
export function sameId(one: string | undefined, other: string | undefined): boolean {
	return one !== undefined && (one === other || (one.toLowerCase() === other?.toLowerCase() && isUuid(one)));
}

/** An id in a command, of a kind; see {@link typed}. */
export interface TypedId {
	readonly id: string;
	readonly of: string;
}

/** What an answer may name in the place of an id where ids are no UUIDs. */
const isAnyId = (value: unknown): value is string => typeof value === "string" && /^[0-9A-Za-z_-]{4,128}$/.test(value);

/** An id for a flag that takes any: the placeholder in the place of one that a shell or a flag would read otherwise. */
export const plainlyTyped = (id: string, placeholder: string): string => (isAnyId(id) && !id.startsWith("-") ? id : placeholder);

/**
 * The id of another record, where an answer is about that one instead of the requested one. Undefined where one of its ids is the requested
 * one, and where it has none, because answers are read leniently: no UUID, where a UUID was requested.
 */
export function otherRecord(asked: string, ...ids: readonly unknown[]): string | undefined {
	const named = ids.map(idText).filter(isUuid(asked) ? isUuid : isAnyId);
	return named.some((id) => sameId(id, asked)) ? undefined : named[0];
}

/** An id as text; a deployment may write one of digits as a number. */
const idText = (value: unknown): unknown => (value instanceof Decimal && /^\d+$/.test(value.text) ? value.text : value);

/** The id of a newly created record: at the first of the names that has one of the form of its kind. */
export function createdId(record: unknown, names: readonly string[], kind: IdKind, forms: IdForms): string | undefined {
	for (const name of names) {
		const value = idText(at(record, name));
		if (isIdOf(kind, value, forms) && !standsForNone(value)) return value;
	}
	return undefined;
}

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
