/**
 * What the build puts in the place of zod: the calls of it that the contract uses, with the same answers, and nothing else.
 * A run checks one small input; zod's own start costs more than everything else of a payment. The source is written with
 * zod and tested with zod; test/api/lean.test.ts holds this to zod for every schema of the contract.
 */
import { Fields, FreeObject, List } from "./containers.js";
import { type Definition, LeanSchema, type Shape } from "./schema.js";
import { Absent, Anything, Flag, OneOf, Text } from "./simple.js";
import { AnyOf, Default, Optional } from "./wrappers.js";

/** The calls that chain and make another kind of schema. */
const chained = {
	optional(this: LeanSchema) {
		return new Optional({ type: "optional", innerType: this });
	},
	default(this: LeanSchema, value: unknown) {
		return new Default(withDefault("default", this, value));
	},
	prefault(this: LeanSchema, value: unknown) {
		return new Default(withDefault("prefault", this, value));
	},
};

function withDefault(type: string, innerType: LeanSchema, value: unknown): Definition {
	return {
		type,
		innerType,
		// Each value is one of its own, so that nobody changes another's.
		get defaultValue() {
			return structuredClone(value);
		},
	};
}

Object.assign(LeanSchema.prototype, chained);

export const z = {
	config(): void {},
	registry<T>() {
		const told = new WeakMap<LeanSchema, T>();
		return { add: (schema: LeanSchema, meta: T) => told.set(schema, meta), get: (schema: LeanSchema) => told.get(schema) };
	},
	string: () => new Text({ type: "string" }),
	boolean: () => new Flag({ type: "boolean" }),
	enum: (values: readonly string[]) => new OneOf("enum", values),
	literal: (value: string) => new OneOf("literal", [value]),
	unknown: () => new Anything({ type: "unknown" }),
	undefined: () => new Absent({ type: "undefined" }),
	object: (shape: Shape) => new Fields({ type: "object", shape }),
	strictObject: (shape: Shape) => new Fields({ type: "object", shape, unknownFields: "refuse" }),
	looseObject: (shape: Shape) => new Fields({ type: "object", shape, unknownFields: "keep" }),
	array: (element: LeanSchema) => new List({ type: "array", element }),
	union: (options: readonly LeanSchema[]) => new AnyOf(options),
	discriminatedUnion: (_name: string, options: readonly LeanSchema[]) => new AnyOf(options),
	record: () => new FreeObject({ type: "record" }),
};
