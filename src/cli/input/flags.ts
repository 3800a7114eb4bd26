/**
 * Flags from an input schema: kebab-case names, dots for nested objects, one flag per leaf.
 */
import type * as z from "zod/mini";
import { describe, type Field, leastCertain, type Source } from "../../api/schema.js";
import { kebab } from "../names.js";

/** One flag of a command, or a positional argument; a repeated argument is the last one and takes the rest. */
export interface Flag {
	/** Without dashes: `registered-address.iso-country-code`. */
	name: string;
	/** Where the value goes: `["registeredAddress", "isoCountryCode"]`. */
	path: readonly string[];
	field: Field;
	positional: boolean;
	/** Required once its parents are given; `always` when every parent is required too. */
	required: "no" | "with-parent" | "always";
	repeated: boolean;
	/** Where the field is known from: the least certain of its own source and those of the objects around it. */
	source?: Source;
}

/** The flags of an input, in its order. Lists of records come from a file only. */
export function flagsOf(input: z.ZodMiniType): Flag[] {
	return leafFlags(describe(input), [], true);
}

function leafFlags(shape: Field, path: readonly string[], always: boolean, around?: Source): Flag[] {
	return (shape.fields ?? []).flatMap((field) => {
		const here = [...path, field.name];
		const source = leastCertain(around, field.meta.source);
		if (field.kind === "object") return leafFlags(field, here, always && field.required, source);
		if (field.kind === "list" && (field.element as Field).kind === "object") return [];
		return [
			{
				name: here.map(kebab).join("."),
				path: here,
				field,
				positional: field.meta.positional === true && path.length === 0,
				required: field.required ? (always ? "always" : "with-parent") : "no",
				repeated: field.kind === "list",
				source,
			} satisfies Flag,
		];
	});
}

/** The flag that takes the words after `--`; another command has none, and there they are arguments like those before. */
export const afterDashes = (flags: readonly Flag[]): Flag | undefined => flags.find(({ field }) => field.meta.afterDashes);

/** The arguments among the words before `--`, in their order. */
export const argumentsOf = (flags: readonly Flag[]): Flag[] => flags.filter((flag) => flag.positional && flag !== afterDashes(flags));

/** The words of the command itself, and those after `--` where a flag takes them. */
export function withoutWordsAfter(words: readonly string[], flags: readonly Flag[]): { argv: readonly string[]; after: readonly string[] } {
	const at = afterDashes(flags) === undefined ? -1 : words.indexOf("--");
	return at < 0 ? { argv: words, after: [] } : { argv: words.slice(0, at), after: words.slice(at + 1) };
}

/** The name of the value in help: `<date>`, `<CORPORATE>`. */
export function placeholderOf(flag: Flag): string {
	if (flag.positional) {
		const { placeholder } = flag.field.meta;
		return kebab(placeholder && placeholder !== "uuid" ? placeholder : nounOf(flag.field.name));
	}
	const field = flag.repeated ? (flag.field.element as Field) : flag.field;
	if (field.meta.placeholder) return field.meta.placeholder;
	if (field.kind === "json") return "json";
	return field.choices || field.meta.known ? "value" : "text";
}

/** `corporateId` → `corporate`, `relatedPhysicalPersonId` and `corporateRelatedId` → `related`. */
function nounOf(name: string): string {
	if (/related/i.test(name)) return "related";
	return name.replace(/Id$/, "");
}

/** Puts a value at a path of a plain object, making the objects on the way. */
export function setValue(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
	let part = into;
	for (const key of path.slice(0, -1)) {
		const next = Object.hasOwn(part, key) ? part[key] : undefined;
		if (typeof next === "object" && next !== null && !Array.isArray(next)) part = next as Record<string, unknown>;
		else {
			const fresh: Record<string, unknown> = {};
			Object.defineProperty(part, key, { value: fresh, enumerable: true, configurable: true, writable: true });
			part = fresh;
		}
	}
	Object.defineProperty(part, path.at(-1) as string, { value, enumerable: true, configurable: true, writable: true });
}

/** The value at a path, or undefined. */
export function valueIn(from: unknown, path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(part, key) =>
			typeof part === "object" && part !== null && Object.hasOwn(part, key) ? (part as Record<string, unknown>)[key] : undefined,
		from,
	);
}
