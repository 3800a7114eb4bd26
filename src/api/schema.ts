/**
 * What the zod schemas of the contract say apart from their types, and a flat reading of them.
 * The flags, the prompts, the template, the reference and the wire encoding all read {@link describe}.
 */
import * as z from "zod/mini";
import { Decimal } from "./json.js";
import type { IdKind } from "./text/ids.js";
import { issueWords } from "./text/issue-words.js";

// A run checks one input: that is faster without compiling a check for it.
z.config({ localeError: issueWords, jitless: true });

/** Where a fact about the service comes from; README.md here defines the three. */
export type Source = "spec" | "documented" | "assumed";

export interface FieldMeta {
	description: string;
	/** Never personal data of a real person. */
	example?: string;
	/** Known values of an open list, for completion and prompts; others pass with a warning. */
	known?: readonly string[];
	/** Written on the wire as a JSON number literal; the value stays text in the tool. */
	wire?: "number";
	/** The kind of record whose id it is; a profile may give ids of the kind a form of their own. */
	id?: IdKind;
	/** Of a whole input: it is also taken from a file, by `--file`. */
	document?: true;
	/** The searchable list that a prompt offers. */
	choose?: "country" | "dialling-code" | "industry" | "profile";
	/** What a prompt calls the known values, which are then all that it offers. */
	labels?: Readonly<Record<string, string>>;
	/** It decides about money that another command sends: in a script its record is named as exactly as for a payment. */
	exact?: true;
	/** The command's positional argument. */
	positional?: true;
	/** A positional argument that takes the words after `--`, whatever they are: those of another program. */
	afterDashes?: true;
	/** A shorter name of its flag, which goes with the field's own: `from` for `ledgerFromId`. */
	alias?: string;
	/** It lifts a guard or is somebody's word, so it is given on the command line only, not in a file. */
	flagOnly?: true;
	/** A moment that can be typed as `7d` or `yesterday` too; a day is meant from its start, or to its end. */
	moment?: "start" | "end";
	/** Name of the value in help: `<date>`. */
	placeholder?: string;
	/** The value as the service takes it, of one that people write in other ways too: a country by its name. */
	read?: (typed: unknown) => unknown;
	/** Of an answer: its value in a table, read from the whole record, where the service tells it under other names too. */
	cell?: (record: Record<string, unknown>) => unknown;
	/** Where a list gathers fields, the heading over it, in place of that of the part around it. */
	heading?: string;
	/** A remark about a valid value, shown as a warning. */
	warn?: (value: never) => string | undefined;
	/** A prompt asks for it although it is optional; `answered`: and there it cannot be left out. */
	offer?: true | "answered";
	/** A prompt leaves it out where the field beside it has this value. */
	unless?: readonly [field: string, value: string];
	/** Personal data: masked in debug output and in dry runs. */
	personal?: true;
	source?: Source;
}

const metadata = z.registry<FieldMeta>();

/** Attaches metadata to a schema. Each field needs a schema instance of its own. */
export function field<S extends z.ZodMiniType>(schema: S, meta: FieldMeta): S {
	const own = schema.clone();
	metadata.add(own, meta);
	return own as S;
}

export type FieldKind = "text" | "boolean" | "choice" | "number" | "object" | "list" | "json";

/** A field as the rest of the program reads it. */
export interface Field {
	name: string;
	/** Checks one value, without the wrappers for optional and default. */
	schema: z.ZodMiniType;
	kind: FieldKind;
	required: boolean;
	fallback?: unknown;
	/** Closed choices. */
	choices?: readonly string[];
	/** Of an object. */
	fields?: Field[];
	/** Of a list. */
	element?: Field;
	meta: FieldMeta;
}

interface Def {
	type: string;
	innerType?: z.ZodMiniType;
	in?: z.ZodMiniType;
	out?: z.ZodMiniType;
	shape?: Record<string, z.ZodMiniType>;
	element?: z.ZodMiniType;
	entries?: Record<string, string>;
	defaultValue?: unknown;
}

const definition = (schema: z.ZodMiniType): Def => schema._zod.def as unknown as Def;

const kindsByType: Record<string, FieldKind> = {
	string: "text",
	boolean: "boolean",
	enum: "choice",
	number: "number",
	object: "object",
	array: "list",
};

/** Schemas never change, so each is read once. */
const cache = new WeakMap<z.ZodMiniType, Field>();

/** A schema as a {@link Field}, with its children. */
export function describe(schema: z.ZodMiniType): Field {
	const known = cache.get(schema) ?? fieldOf(schema, "");
	cache.set(schema, known);
	return known;
}

function fieldOf(schema: z.ZodMiniType, name: string): Field {
	let current = schema;
	let required = true;
	let fallback: unknown;
	let meta: FieldMeta | undefined;
	for (;;) {
		meta = meta ?? metadata.get(current);
		const def = definition(current);
		if (["optional", "nullable", "default", "prefault"].includes(def.type)) {
			required = false;
			fallback ??= def.defaultValue;
			current = def.innerType as z.ZodMiniType;
		} else if (def.type === "pipe") current = def.in as z.ZodMiniType;
		else break;
	}
	const def = definition(current);
	const kind = meta?.wire === "number" ? "number" : (kindsByType[def.type] ?? "json");
	return {
		name,
		schema: current,
		kind,
		required,
		fallback,
		choices: def.type === "enum" ? Object.values(def.entries as Record<string, string>) : undefined,
		fields: def.type === "object" ? Object.entries(def.shape ?? {}).map(([key, part]) => fieldOf(part, key)) : undefined,
		element: def.type === "array" ? fieldOf(def.element as z.ZodMiniType, "") : undefined,
		meta: meta ?? { description: "" },
	};
}

const records = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

/** The schema of an answer that is no list and has records: each is one line of `--output ndjson`, and one row of csv. */
export function withRecords<S extends z.ZodMiniType>(answer: S, record: z.ZodMiniType): S {
	records.set(answer, record);
	return answer;
}

/** What one record of an answer is: an element of a list, a line of a report, or the answer itself. */
export function recordOf(answer: z.ZodMiniType): z.ZodMiniType {
	return records.get(answer) ?? describe(answer).element?.schema ?? answer;
}

/** A fault or a remark about one field of an input. */
export interface Remark {
	field: string;
	message: string;
}

/** The same schema in which these fields (dotted) may be left out. */
export function withOptional<S extends z.ZodMiniType>(schema: S, names: ReadonlySet<string>, before = ""): S {
	const def = definition(schema);
	if (names.size === 0 || def.type !== "object") return schema;
	const shape = Object.fromEntries(
		Object.entries(def.shape ?? {}).map(([name, part]) => {
			const inner = withOptional(part, names, `${before}${name}.`);
			return [name, names.has(before + name) ? z.optional(inner) : inner];
		}),
	);
	const made = schema.clone({ ...schema._zod.def, shape } as never) as S;
	const meta = metadata.get(schema);
	return meta === undefined ? made : field(made, meta);
}

/** What a template says where a value has to be written. */
export const placeholder = "CHANGE-ME";

/** True for a plain object: neither a list, nor null, nor a number literal. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

/** Whether a fault of {@link check} says that something is not there. */
export const isMissing = (message: string): boolean => message.startsWith("is required");

/** The most certain first. */
const certainty: readonly Source[] = ["spec", "documented", "assumed"];

/** The less certain of two sources; undefined where neither is given. */
export function leastCertain(one: Source | undefined, other: Source | undefined): Source | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return certainty[Math.max(certainty.indexOf(one), certainty.indexOf(other))];
}

/**
 * The document without empty values (`city:`) at any depth, as far as the schema knows the fields. Inside free JSON, such as metadata
 * (specification 2.1), an empty value is a value and stays.
 */
export function withoutEmpty(schema: z.ZodMiniType, document: unknown): unknown {
	return filled(describe(schema), document);
}

function filled(shape: Field | undefined, value: unknown): unknown {
	if (Array.isArray(value))
		return shape?.kind === "json" ? value : value.filter((part) => part !== null).map((part) => filled(shape?.element, part));
	if (!isRecord(value) || shape?.kind === "json") return value;
	const known = new Map(shape?.fields?.map((field) => [field.name, field]));
	const entries = Object.entries(value).filter(([, part]) => part !== null);
	return Object.fromEntries(entries.map(([name, part]) => [name, filled(known.get(name), part)]));
}

/** `registeredAddress` → `registered address`. */
export function wordsOf(name: string): string {
	return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

/** How a person is asked for a field: its description up to the first remark. */
export function titleOf({ name, meta }: Pick<Field, "name" | "meta">): string {
	const words = (meta.description || wordsOf(name)).replace(/ \(([01]\.\.|name or|the field|12 of ).*\)$/, "").replace(/;.*$/, "");
	return words.replace(/ of a (company|person)$/, "");
}
