/**
 * An OpenAPI document, 3.0 or 3.1, from its parsed value: its operations, with their values as flat lists of places. All of it is bounded,
 * as a schema may contain itself, and nothing of it is run, contacted or fetched.
 */
import { Decimal } from "../api/json.js";
import type { Method } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import { PurserError } from "../errors.js";
import type { RequestPlace } from "../ports/mapping.js";
import { escapedPart, unescapedPart } from "./request/places.js";

/** One value of a body, an answer or a parameter; what is known of it beside that as short texts. */
export interface TheirField extends Partial<Record<"format" | "pattern" | "longest" | "most", string>> {
	/** JSON Pointer from the root; `*` stands for each entry of a list. */
	pointer: string;
	/** The names on the way, without `*`. */
	path: readonly string[];
	type: "text" | "number" | "integer" | "boolean" | "object" | "list" | "any";
	/** What stands around it requires it. */
	required: boolean;
	/** Of an object: it takes other names than those described. */
	isOpen: boolean;
	description: string;
	/** A closed list of values. */
	values?: readonly string[];
}

/** A value of a request, with its place as a mapping has it. */
export interface TheirPlace extends TheirField, RequestPlace {}

export interface TheirOperation extends Record<"path" | "id" | "summary" | "description", string> {
	method: Method;
	request: readonly TheirPlace[];
	/** Undefined: none. `other` is one that is neither JSON nor a form. */
	bodyType?: "json" | "form" | "other";
	/** The 2xx, and what the first of them that has fields answers, its root first. */
	statuses: readonly number[];
	answer: readonly TheirField[];
}

export type TheirDocument = { operations: readonly TheirOperation[] };

/** Most operations of a document, references in a row and in all; levels, values and looked-at schemas of one body. */
const [mostOperations, mostHops, mostFollowed, mostLevels, mostDepth, mostFields, mostSteps] = [3_000, 20, 2_000_000, 10, 60, 600, 6_000];
const methods: readonly Method[] = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const json = /^application\/([a-z0-9.+-]*\+)?json\b|^\*\/\*/i;
const form = /^application\/x-www-form-urlencoded\b/i;

/** @throws PurserError validation with what is wrong: no OpenAPI 3.0 or 3.1, a reference that cannot be followed, too many operations */
export function readOpenApi(value: unknown): TheirDocument {
	const [swagger, version] = [textOf(member(value, "swagger"), 10), textOf(member(value, "openapi"), 20)];
	const what = swagger === "" ? (version === "" ? "no OpenAPI" : `OpenAPI ${JSON.stringify(version)}`) : `Swagger ${swagger}`;
	if (!/^3\.[01](\.|$)/.test(version)) throw notReadable(`The document is ${what}, and OpenAPI 3.0 and 3.1 are read`);
	if (!isRecord(member(value, "paths"))) throw notReadable("The document is cut off, or no whole OpenAPI document: it has no paths");
	return new Reader(value).document();
}

function notReadable(message: string): PurserError {
	const fix =
		"Ask the deployment for its OpenAPI 3.0 or 3.1 document in one file, or convert this one; a validator shows what is wrong with it.";
	return new PurserError("validation", { code: "OPENAPI_UNREADABLE", message, fix });
}

/** An own member; a document may have any name, `constructor` too. */
const member = (value: unknown, ...names: string[]): unknown =>
	names.reduce((one, name) => (isRecord(one) && Object.hasOwn(one, name) ? one[name] : undefined), value);

const entriesAt = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);

/** A list of the document, cut at a length that no honest one has. */
function listAt(value: unknown, name: string, most = 200): unknown[] {
	const list = member(value, name);
	return Array.isArray(list) ? list.slice(0, most) : [];
}

/** A text of the document on one line, cut at a length that people read: a line of its own would look like one of ours. */
function textOf(value: unknown, longest = 600): string {
	const text = typeof value === "string" || typeof value === "number" || value instanceof Decimal ? String(value) : "";
	const line = text.slice(0, longest * 2).replace(/[\s\p{Cc}\p{Cf}]+/gu, " ");
	return line.trim().slice(0, longest);
}

/** Whether a name can be shown as it is; one with a line end in it can be no field's and no path's. */
const isName = (name: string): boolean => name !== "" && !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(name);

const shown = (reference: string): string => JSON.stringify(reference.slice(0, 120));

interface Place extends Pick<TheirField, "pointer" | "path" | "required"> {
	level: number;
	/** Alternatives, and schemas of which all hold, one within the other. */
	depth: number;
	/** It is in one of several alternatives: what one requires is not required of who sends another. */
	isAlternative: boolean;
	/** References that are being followed: one that comes again is a record inside itself, and its fields are known. */
	following: readonly string[];
}

const start: Place = { pointer: "", path: [], required: true, isAlternative: false, level: 0, depth: 0, following: [] };

class Reader {
	#followed = 0;
	#steps = 0;
	#fields = new Map<string, TheirField>();

	constructor(private readonly root: unknown) {}

	document(): TheirDocument {
		const operations: TheirOperation[] = [];
		for (const [path, given] of entriesAt(this.#at(member(this.root, "paths")).value)) {
			const item = path.startsWith("/") && isName(path) ? this.#at(given).value : undefined;
			for (const method of methods) {
				const one = member(item, method.toLowerCase());
				if (!isRecord(one)) continue;
				if (operations.length >= mostOperations)
					throw notReadable(`The document has more than ${mostOperations.toLocaleString("en-US")} operations`);
				operations.push(this.#operation(method, path.slice(0, 400), item, one));
			}
		}
		return { operations };
	}

	#operation(method: Method, path: string, item: unknown, one: unknown): TheirOperation {
		const given = this.#at(member(one, "requestBody")).value;
		const [inJson, inForm] = [schemaIn(given, json), schemaIn(given, form)];
		const schema = method === "GET" ? undefined : (inJson ?? inForm);
		const other = isRecord(member(given, "content")) ? ("other" as const) : undefined;
		const statuses = entriesAt(member(one, "responses")).flatMap(([status]) => (/^2\d\d$/.test(status) ? [status] : []));
		const body = schema === undefined ? [] : this.#all(schema).map((field): TheirPlace => ({ ...field, place: "body", at: field.pointer }));
		const textIn = (name: string, longest: number): string => textOf(member(one, name), longest);
		const description = `${member(one, "deprecated") === true ? "Deprecated. " : ""}${textIn("description", 1_500)}`;
		return {
			...{ method, path, description, id: textIn("operationId", 120), summary: textIn("summary", 200) },
			request: [...this.#parameters(path, [...listAt(item, "parameters"), ...listAt(one, "parameters")]), ...body],
			bodyType: schema === undefined ? other : inJson === undefined ? "form" : "json",
			statuses: statuses.map(Number),
			answer: this.#answer(one, statuses),
		};
	}

	/** Of its path, its query and its headers; an operation's own stand for those of its path with the same name. */
	#parameters(path: string, all: readonly unknown[]): TheirPlace[] {
		const found = new Map<string, TheirPlace>();
		const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => ({ name, in: "path" }));
		for (const given of [...inPath, ...all]) {
			const { value } = this.#at(given);
			const [place, name] = [member(value, "in"), textOf(member(value, "name"), 100)];
			if (name === "" || (place !== "path" && place !== "query" && place !== "header")) continue;
			const schema = this.#at(member(value, "schema")).value;
			const required = place === "path" || member(value, "required") === true;
			// The collection before an id says whose it is: `/companies/{id}`.
			const around = place === "path" && /^(id|uuid)$/i.test(name) ? path.split(`/{${name}}`)[0]?.split("/").slice(-1) : [];
			const field = leaf(schema, { ...start, pointer: `/${escapedPart(name)}`, path: [...(around ?? []), name], required });
			const values = field.values ?? leaf(this.#at(member(schema, "items")).value, start).values;
			const description = textOf(member(value, "description")) || field.description;
			found.set(`${place} ${name}`, { ...field, description, ...(values && { values }), place, at: name });
		}
		return [...found.values()];
	}

	/** The fields of the first of these answers that has some. */
	#answer(one: unknown, statuses: readonly string[]): readonly TheirField[] {
		const all = statuses.map((status) => this.#all(schemaIn(this.#at(member(one, "responses", status)).value, json)));
		return all.find((fields) => fields.length > 1) ?? all[0] ?? [];
	}

	/**
	 * What stands at a place, with references followed, and the last of them.
	 * @throws PurserError validation, for a reference that leads nowhere, or only to itself
	 */
	#at(value: unknown): { value: unknown; reference?: string } {
		const seen = new Set<string>();
		let found = value;
		this.#followed += 1;
		if (this.#followed > mostFollowed) throw notReadable("The document's schemas refer to each other too many times");
		for (let reference: string | undefined; ; ) {
			const next = member(found, "$ref");
			if (typeof next !== "string") return { value: found, reference };
			if (seen.has(next) || seen.size >= mostHops) throw notReadable(`The reference ${shown(next)} leads only to itself`);
			if (!next.startsWith("#")) throw notReadable(`The document refers to another one, ${shown(next)}, and nothing is fetched`);
			seen.add(next);
			reference = next;
			found = this.#inside(next);
			if (found === undefined) throw notReadable(`The reference ${shown(next)} points to nothing in the document`);
		}
	}

	#inside(reference: string): unknown {
		if (!/^#(\/|$)/.test(reference)) return undefined;
		const step = (found: unknown, part: string): unknown =>
			Array.isArray(found) ? found[/^\d{1,6}$/.test(part) ? Number(part) : -1] : member(found, part);
		try {
			return decodeURIComponent(reference).split("/").slice(1).map(unescapedPart).reduce(step, this.root);
		} catch {
			return undefined;
		}
	}

	/** The root and every value below it, parents before their parts. */
	#all(schema: unknown): TheirField[] {
		[this.#steps, this.#fields] = [0, new Map()];
		this.#schema(schema, start);
		return [...this.#fields.values()];
	}

	#schema(given: unknown, place: Place): void {
		this.#steps += 1;
		if (this.#steps > mostSteps || this.#fields.size > mostFields || place.level > mostLevels || place.depth > mostDepth) return;
		const { value, reference } = this.#at(given);
		if (!isRecord(value)) return;
		this.#take(leaf(value, place));
		if (reference !== undefined && place.following.includes(reference)) return;
		const following = reference === undefined ? place.following : [...place.following, reference];
		const inside = { ...place, depth: place.depth + 1, following };
		this.#parts(value, inside);
		for (const part of listAt(value, "allOf")) this.#schema(part, inside);
		// Nothing, as the other alternative, is none.
		const each = [...listAt(value, "oneOf"), ...listAt(value, "anyOf")].filter((part) => member(part, "type") !== "null");
		const isAlternative = place.isAlternative || each.length > 1;
		for (const part of each) this.#schema(part, { ...inside, isAlternative });
	}

	/** Several descriptions of one place: the first type, all texts, all values. */
	#take(one: TheirField): void {
		const known = this.#fields.get(one.pointer) ?? one;
		const values = [...new Set([...(known.values ?? []), ...(one.values ?? [])])].slice(0, 1_000);
		const type = known.type === "any" ? one.type : known.type;
		const [required, description] = [known.required || one.required, known.description || one.description];
		this.#fields.set(one.pointer, { ...one, ...known, type, required, description, ...(values.length > 0 && { values }) });
	}

	#parts(value: Record<string, unknown>, place: Place): void {
		const [required, level] = [listAt(value, "required"), place.level + 1];
		for (const [name, part] of entriesAt(member(value, "properties"))) {
			if (!isName(name)) continue;
			const pointer = `${place.pointer}/${escapedPart(name.slice(0, 100))}`;
			const path = [...place.path, name.slice(0, 100)];
			this.#schema(part, { ...place, pointer, path, required: required.includes(name) && !place.isAlternative, level });
		}
		const items = member(value, "items");
		if (isRecord(items)) this.#schema(items, { ...place, pointer: `${place.pointer}/*`, required: false, level });
	}
}

function schemaIn(holder: unknown, wanted: RegExp): unknown {
	const [found] = entriesAt(member(holder, "content")).filter(([type]) => wanted.test(type));
	return found && (member(found[1], "schema") ?? {});
}

function typeOf(value: unknown): TheirField["type"] {
	const given = member(value, "type");
	const type = Array.isArray(given) ? given.find((one) => one !== "null") : given;
	if (type === "string") return "text";
	if (type === "array" || isRecord(member(value, "items"))) return "list";
	if (type === "object" || isRecord(member(value, "properties"))) return "object";
	return type === "number" || type === "integer" || type === "boolean" ? type : "any";
}

function leaf(value: unknown, { pointer, path, required }: Place): TheirField {
	const [type, extra] = [typeOf(value), member(value, "additionalProperties")];
	const among = [...listAt(value, "enum", 1_000), member(value, "const")];
	const values = among.filter((one): one is string => typeof one === "string" && isName(one));
	const textIn = (name: string, longest: number): string | undefined => textOf(member(value, name), longest) || undefined;
	const facts = {
		...{ format: textIn("format", 40), pattern: textIn("pattern", 200), longest: textIn("maxLength", 10), most: textIn("maximum", 10) },
		values: values.length > 0 ? values : undefined,
	};
	const isOpen =
		type === "any" || (extra !== undefined && extra !== false) || (type === "object" && !isRecord(member(value, "properties")));
	const rest = Object.fromEntries(Object.entries(facts).filter(([, one]) => one !== undefined));
	return { pointer, path, type, required, isOpen, description: textOf(member(value, "description")), ...rest };
}
