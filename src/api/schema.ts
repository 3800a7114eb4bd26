/**
 * What the zod schemas of the contract say beside their types, and a flat reading of them.
 * The flags, the prompts, the template, the reference and the wire encoding all read {@link describe}.
 */
import * as z from "zod/mini";
import { Decimal } from "./json.js";
import { suggestionFor } from "./suggest.js";
import { countries } from "./values.js";

// A run checks one input: that is faster without compiling a check for it. A fault that we have no words for is told in zod's.
z.config({ ...z.locales.en(), jitless: true });

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
	/** The searchable list that a prompt offers. */
	choose?: "country" | "dialling-code" | "industry" | "ledger" | "beneficiary";
	/** The command's positional argument. */
	positional?: true;
	/** A shorter name of its flag, beside the field's own: `from` for `ledgerFromId`. */
	alias?: string;
	/** An earlier name of its flag, still read, with a warning. */
	formerly?: string;
	/** A moment that can be typed as `7d` or `monday` too; a day is meant from its start, or to its end. */
	moment?: "start" | "end";
	/** Name of the value in help: `<date>`. */
	placeholder?: string;
	/** A remark about a valid value, shown as a warning. */
	warn?: (value: never) => string | undefined;
	/** A prompt asks for it although it is optional. */
	offer?: true;
	/** A day of something that has happened, which cannot be in the future. */
	past?: true;
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
		if (def.type === "optional" || def.type === "nullable") {
			required = false;
			current = def.innerType as z.ZodMiniType;
		} else if (def.type === "default" || def.type === "prefault") {
			required = false;
			fallback = def.defaultValue;
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

/** A fault or a remark about one field of an input. */
export interface Remark {
	field: string;
	message: string;
}

/** What a check of an input against a schema says: the data where nothing is wrong, every fault, every warning. */
export interface Checked<T> {
	data?: T;
	faults: Remark[];
	warnings: Remark[];
}

/**
 * Checks an input and gathers everything at once.
 * Numbers given as {@link Decimal} (from JSON or YAML) become the text typed where the field is text or a wire number, and a value of a
 * list may be written in any case.
 */
export function check<S extends z.ZodMiniType>(schema: S, input: unknown): Checked<z.output<S>> {
	const shape = describe(schema);
	const value = normalized(shape, input);
	const result = schema.safeParse(value);
	const warnings: Remark[] = [];
	if (result.success) {
		gatherWarnings(shape, result.data, "", warnings);
		return { data: result.data, faults: [], warnings };
	}
	const faults = result.error.issues.flatMap((issue) => faultsOf(issue, value, shape));
	return { faults, warnings };
}

function faultsOf(issue: z.core.$ZodIssue, value: unknown, shape: Field): Remark[] {
	const path = issue.path.map(String);
	if (issue.code === "unrecognized_keys")
		return issue.keys.map((key) => ({ field: [...path, key].join("."), message: unknownField(key, path, shape) }));
	const found = path.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], value);
	if (issue.code === "invalid_type") {
		if (found === undefined || found === null) return [{ field: path.join("."), message: "is required" }];
		return [{ field: path.join("."), message: `must be ${article(issue.expected)}, not ${article(typeName(found))}` }];
	}
	if (issue.code === "invalid_value" && found === undefined) return [{ field: path.join("."), message: "is required" }];
	if (issue.code === "invalid_value") return [{ field: path.join("."), message: `must be one of ${issue.values.map(String).join(", ")}` }];
	return [{ field: path.join("."), message: issue.message }];
}

function unknownField(key: string, path: readonly string[], shape: Field): string {
	const of = path.reduce<Field | undefined>((part, name) => part?.element ?? part?.fields?.find((one) => one.name === name), shape);
	const suggestion = suggestionFor(key, of?.fields?.map(({ name }) => name) ?? [], 6);
	return `is not a field the description knows${suggestion === undefined ? "" : `; is ${suggestion} meant?`} (send it with --set)`;
}

function typeName(value: unknown): string {
	if (Array.isArray(value)) return "list";
	if (value instanceof Decimal) return "number";
	return typeof value;
}

function article(noun: string): string {
	const name = ({ array: "list", string: "text", record: "JSON object" } as Record<string, string>)[noun] ?? noun;
	if (name === "text") return name;
	return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

/** Decimals as text where the field takes text, as a plain number where they can only be refused; everything else as it is. */
function normalized(shape: Field, value: unknown): unknown {
	if (value instanceof Decimal)
		return shape.kind === "text" || shape.kind === "number" ? value.text : shape.kind === "json" ? value : Number(value.text);
	if (shape.fields && isRecord(value)) {
		const known = new Map(shape.fields.map((part) => [part.name, part]));
		return Object.fromEntries(
			Object.entries(value).map(([key, part]) => {
				const inner = known.get(key);
				return [key, inner ? normalized(inner, part) : part];
			}),
		);
	}
	if (shape.element && Array.isArray(value)) return value.map((part) => normalized(shape.element as Field, part));
	return typeof value === "string" ? listedForm(value, listOf(shape)) : value;
}

const listOf = ({ choices, meta }: Field): readonly string[] => choices ?? (meta.choose === "country" ? countries : (meta.known ?? []));

/** The value as its list writes it: people write `active` for ACTIVE. Where case tells two listed values apart, it stays as typed. */
function listedForm(value: string, listed: readonly string[]): string {
	if (listed.length === 0 || listed.includes(value)) return value;
	const alike = listed.filter((one) => one.toLowerCase() === value.toLowerCase());
	return alike.length === 1 ? (alike[0] as string) : value;
}

function gatherWarnings(shape: Field, value: unknown, path: string, into: Remark[]): void {
	if (value === undefined || value === null) return;
	const remark = (shape.meta.warn as ((given: unknown) => string | undefined) | undefined)?.(value);
	if (remark) into.push({ field: path, message: remark });
	for (const part of shape.fields ?? [])
		gatherWarnings(part, (value as Record<string, unknown>)[part.name], path ? `${path}.${part.name}` : part.name, into);
	if (shape.element)
		for (const [index, part] of (value as unknown[]).entries()) gatherWarnings(shape.element, part, `${path}.${index}`, into);
}

/** What a template says where a value has to be written. */
export const placeholder = "CHANGE-ME";

/** True for a plain object: neither a list, nor null, nor a number literal. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

/** Whether a fault of {@link check} says that something is not there. */
export const isMissing = (message: string): boolean => message.startsWith("is required");
