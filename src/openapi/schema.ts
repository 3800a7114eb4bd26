/**
 * The values that a schema describes, as a flat list of places. Bounded: a schema may contain itself.
 */
import { Decimal } from "../api/json.js";
import { isRecord } from "../api/schema.js";
import { escapedPart } from "../binding/pointer.js";
import type { ForeignField } from "./foreign.js";
import { isName, member, type References, textOf } from "./reference.js";

/** Levels, values and looked-at schemas of one body. */
const mostLevels = 8;
const mostFields = 600;
const mostSteps = 6_000;

interface Place {
	pointer: string;
	path: readonly string[];
	required: boolean;
	requiredWith?: string;
	level: number;
	/** Whether it is one of several alternatives: each may have a value of its own for the field that tells them apart. */
	alternative?: true;
	/** References that are being followed: one that comes again is a record inside itself, and its fields are known. */
	following: readonly string[];
}

/** @returns what the root is, and every value below it, parents before their parts */
export function fieldsOf(schema: unknown, references: References): { root: "object" | "list" | "none"; fields: ForeignField[] } {
	const walk = new Walk(references);
	walk.schema(schema, { pointer: "", path: [], required: true, level: 0, following: [] });
	const root = walk.rootType === "object" || walk.rootType === "list" ? walk.rootType : "none";
	return { root, fields: [...walk.fields.values()] };
}

/** One value, of a parameter. */
export function fieldOf(schema: unknown, name: string, required: boolean, description: string, references: References): ForeignField {
	const { value } = references.at(schema);
	return leaf(value, { pointer: `/${escapedPart(name)}`, path: [name], required, level: 0, following: [] }, description);
}

class Walk {
	readonly fields = new Map<string, ForeignField>();
	rootType: ForeignField["type"] = "any";
	#steps = 0;

	constructor(private readonly references: References) {}

	schema(given: unknown, place: Place): void {
		this.#steps += 1;
		if (this.#steps > mostSteps || this.fields.size >= mostFields || place.level > mostLevels) return;
		const { value, reference } = this.references.at(given);
		if (!isRecord(value)) return;
		const inside = reference === undefined ? place : { ...place, following: [...place.following, reference] };
		const type = typeOf(value);
		if (place.pointer === "") {
			if (this.rootType === "any") this.rootType = type;
		} else if (!this.fields.has(place.pointer) || this.fields.get(place.pointer)?.type === "any")
			this.fields.set(place.pointer, leaf(value, place));
		else if (place.alternative) this.#alternative(leaf(value, place));
		if (reference !== undefined && place.following.includes(reference)) return;
		this.#parts(value, inside);
		for (const part of listAt(value, "allOf")) this.schema(part, inside);
		for (const kind of ["oneOf", "anyOf"])
			for (const part of listAt(value, kind))
				this.schema(part, { ...inside, alternative: true, required: inside.pointer === "" ? false : inside.required });
	}

	/** The values of one field in all alternatives. */
	#alternative({ pointer, values }: ForeignField): void {
		const known = this.fields.get(pointer);
		if (known?.values === undefined || values === undefined) return;
		this.fields.set(pointer, { ...known, values: [...new Set([...known.values, ...values])].slice(0, 1_000) });
	}

	#parts(value: Record<string, unknown>, place: Place): void {
		const required = listAt(value, "required");
		const properties = member(value, "properties");
		if (isRecord(properties))
			for (const [name, part] of Object.entries(properties).filter(([one]) => isName(one))) {
				const pointer = `${place.pointer}/${escapedPart(name.slice(0, 100))}`;
				const isRequired = required.includes(name);
				this.schema(part, {
					...place,
					pointer,
					path: [...place.path, name.slice(0, 100)],
					required: place.required && isRequired,
					// Of an alternative nothing is required for itself, but its parts are once it is sent.
					requiredWith: isRequired && (place.required || place.requiredWith !== undefined) ? place.requiredWith : pointer,
					level: place.level + 1,
				});
			}
		const items = member(value, "items");
		if (isRecord(items)) this.schema(items, { ...place, pointer: `${place.pointer}/*`, required: false, level: place.level + 1 });
	}
}

function listAt(value: Record<string, unknown>, name: string): unknown[] {
	const list = member(value, name);
	return Array.isArray(list) ? list.slice(0, 200) : [];
}

function typeOf(value: Record<string, unknown>): ForeignField["type"] {
	const given = member(value, "type");
	const type = Array.isArray(given) ? given.find((one) => one !== "null") : given;
	if (type === "string") return "text";
	if (type === "array" || isRecord(member(value, "items"))) return "list";
	if (type === "object" || isRecord(member(value, "properties"))) return "object";
	return type === "number" || type === "integer" || type === "boolean" ? type : "any";
}

function leaf(given: unknown, { pointer, path, required, requiredWith }: Place, described = ""): ForeignField {
	const value = isRecord(given) ? given : {};
	const values = [...listAt(value, "enum"), ...("const" in value ? [value.const] : [])].filter(
		(one) => typeof one === "string" && isName(one),
	);
	const examples = [member(value, "example"), ...listAt(value, "examples")];
	const example = examples.find((one) => typeof one === "string" || one instanceof Decimal);
	return {
		pointer,
		path,
		type: typeOf(value),
		required,
		...(required || requiredWith === undefined || requiredWith === pointer ? {} : { requiredWith }),
		description: described || textOf(member(value, "description")),
		format: textOf(member(value, "format"), 40) || undefined,
		pattern: textOf(member(value, "pattern"), 200) || undefined,
		longest: countAt(value, "maxLength"),
		shortest: countAt(value, "minLength"),
		...(values.length > 0 ? { values: values as string[] } : {}),
		...(example === undefined ? {} : { example: String(example).slice(0, 140) }),
		...numbersOf(value),
	};
}

/** The bounds of a number, and the value that stands for none. */
function numbersOf(value: Record<string, unknown>): Pick<ForeignField, "least" | "most" | "fallback"> {
	const told = { least: member(value, "minimum"), most: member(value, "maximum"), fallback: member(value, "default") };
	const written = Object.entries(told).filter(([, one]) => typeof one === "string" || typeof one === "number" || one instanceof Decimal);
	return Object.fromEntries(written.map(([name, one]) => [name, String(one).slice(0, 40)]));
}

function countAt(value: Record<string, unknown>, name: string): number | undefined {
	const text = String(member(value, name) ?? "");
	return /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}
