/**
 * What the command line gave, and what an error calls each of its fields.
 */
import { isRecord } from "../../api/schema.js";
import { PurserError } from "../../errors.js";
import type { AnyCommand } from "../command.js";
import { flagOf } from "../names.js";
import { flagsOf, placeholderOf, valueIn } from "./flags.js";
import { globalFlags } from "./options.js";

/** What the command line says. */
export interface Given {
	/** By the flag's path joined with dots; positionals too. */
	values: ReadonlyMap<string, unknown>;
	/** The flag or argument as it was typed, by the same path: `--from` for `ledgerFromId`. */
	typed?: ReadonlyMap<string, string>;
	/** `--set path=value`, in order. */
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
	const flag = flagsOf(command.input).find((one) => one.path.join(".") === path);
	if (flag === undefined) return globalFlags.some(({ name }) => flagOf(path) === `--${name}`) ? flagOf(path) : undefined;
	return flag.positional ? placeholderOf(flag).toUpperCase() : flagOf(path);
}

/** The error with each of its faults named by its flag. Rows of a file have columns, not flags. */
export function withFlagNames(cause: unknown, command: AnyCommand, given: Given): unknown {
	if (!(cause instanceof PurserError) || cause.failure.details === undefined) return cause;
	const details = cause.failure.details.map((fault) =>
		fault.row === undefined ? { ...fault, flag: flagFor(command, given, fault.field) ?? fault.flag } : fault,
	);
	return new PurserError(cause.kind, { ...cause.failure, details });
}

/** The same by the flag's shorter name, where it has one: `--from`. */
export const typedName = (command: AnyCommand, name: string): string => {
	const alias = flagsOf(command.input).find((one) => flagOf(one.path.join(".")) === name)?.field.meta.alias;
	return alias === undefined ? name : `--${alias}`;
};

/** The error for something that was given twice. */
export function givenTwice(message: string, fix = "Give one of them."): PurserError {
	return new PurserError("usage", { code: "GIVEN_TWICE", message, fix });
}
