/**
 * Flags from an input schema: kebab-case names, dots for nested objects, one flag per leaf; what the command line gave, and what an error
 * calls each field.
 */
import type * as z from "zod/mini";
import { describe, type Field, isRecord, leastCertain, type Source } from "../../api/schema.js";
import { type Fault, PurserError } from "../../errors.js";
import type { AnyCommand } from "../command.js";
import { flagOf, kebab } from "../names.js";
import { globalFlags } from "./options.js";

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
		const positional = field.meta.positional === true && path.length === 0;
		const required = field.required ? (always ? "always" : "with-parent") : "no";
		return [{ name: here.map(kebab).join("."), path: here, field, positional, required, repeated: field.kind === "list", source }];
	});
}

/** Whether fields that purser does not know can be given with `--set`; what is sent with money has a name. */
export const takesSettings = ({ input, effect }: AnyCommand): boolean => describe(input).meta.document === true && effect !== "money";

/** The flag that takes the words after `--`; another command has none, and there they are arguments like those before. */
export const afterDashes = (flags: readonly Flag[]): Flag | undefined => flags.find(({ field }) => field.meta.afterDashes);

export const argumentsOf = (flags: readonly Flag[]): Flag[] => flags.filter((flag) => flag.positional && flag !== afterDashes(flags));

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
	// A field called __proto__ stays a field.
	const put = (key: string, of: unknown) => Object.defineProperty(part, key, { ...plainly, value: of });
	for (const key of path.slice(0, -1)) {
		const next = Object.hasOwn(part, key) ? part[key] : undefined;
		const inner = isRecord(next) ? next : {};
		if (inner !== next) put(key, inner);
		part = inner;
	}
	put(path.at(-1) as string, value);
}

const plainly = { enumerable: true, configurable: true, writable: true };

export const valueIn = (from: unknown, path: readonly string[]): unknown =>
	path.reduce(
		(part, key) =>
			typeof part === "object" && part !== null && Object.hasOwn(part, key) ? (part as Record<string, unknown>)[key] : undefined,
		from,
	);

export interface Given {
	/** By the flag's path joined with dots; positionals too. */
	values: ReadonlyMap<string, unknown>;
	/** The flag or argument as it was typed, by the same path: `--from` for `ledgerFromId`. */
	typed?: ReadonlyMap<string, string>;
	set: readonly { path: string; value: unknown }[];
	document?: unknown;
}

/**
 * A field's flag or argument as the person typed it, or would have to. Undefined for a value from a file or `--set`, where the field's own
 * name stands.
 */
export function flagFor(command: AnyCommand, { typed, set, document }: Given, path: string): string | undefined {
	const exact = typed?.get(path);
	if (exact !== undefined) return exact;
	const above = [...(typed ?? [])].find(([one]) => path.startsWith(`${one}.`));
	if (above !== undefined) return `${above[1]} (${path.slice(above[0].length + 1)})`;
	// A part of an object that a file or `--set` gives is missing there.
	const [root = ""] = path.split(".");
	if (set.some((one) => path === one.path || path.startsWith(`${one.path}.`))) return undefined;
	if (isRecord(document) && (valueIn(document, path.split(".")) !== undefined || isRecord(document[root]))) return undefined;
	return nameOf(command, path, true) ?? (globalFlags.some(({ name }) => flagOf(path) === `--${name}`) ? flagOf(path) : undefined);
}

/**
 * A field as it is given on the command line: the argument's name, or the flag. Undefined where it has none of its own.
 * @param short by the flag's shorter name, where it has one: `--from`
 */
export function nameOf(command: AnyCommand, path: string, short = false): string | undefined {
	const flag = flagsOf(command.input).find((one) => one.path.join(".") === path);
	if (flag === undefined) return undefined;
	const { alias } = flag.field.meta;
	if (flag.positional) return placeholderOf(flag).toUpperCase();
	return short && alias !== undefined ? `--${alias}` : flagOf(path);
}

export function withFlagNames(cause: unknown, command: AnyCommand, given: Given): unknown {
	if (!(cause instanceof PurserError) || cause.failure.details === undefined) return cause;
	const named = (fault: Fault): Fault =>
		fault.row === undefined ? { ...fault, flag: flagFor(command, given, fault.field) ?? fault.flag } : fault;
	return new PurserError(cause.kind, { ...cause.failure, details: cause.failure.details.map(named) });
}

export function givenTwice(message: string, fix = "Give one of them."): PurserError {
	return new PurserError("usage", { code: "GIVEN_TWICE", message, fix });
}
