/**
 * The names that a field's flag has beside its own, and what an error calls it.
 */
import { isRecord } from "../../api/schema.js";
import { PurserError } from "../../errors.js";
import type { AnyCommand } from "../command.js";
import { flagOf } from "../names.js";
import { type Flag, flagsOf, placeholderOf, valueIn } from "./flags.js";
import type { Given } from "./input.js";
import { globalFlags } from "./options.js";

/** What a command calls its flags. */
export interface Names {
	/** The command takes a document, by `--file`. */
	document: boolean;
	aliases: readonly { name: string; flag: Flag }[];
}

export function namesOf(command: AnyCommand, flags: readonly Flag[]): Names {
	const aliases = flags.flatMap((flag) => (flag.field.meta.alias === undefined ? [] : [{ name: flag.field.meta.alias, flag }]));
	return { document: command.document === true, aliases };
}

/** The words with `--file` for `-f`, where the command takes one. */
export function withFileFlag(argv: readonly string[], flags: readonly Flag[], { document, aliases }: Names): readonly string[] {
	const isFile = ({ name, positional }: { name: string; positional?: boolean }): boolean => name === "file" && positional !== true;
	if (!document && ![...flags, ...aliases].some(isFile)) return argv;
	const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
	return argv.map((word, at) => (at < end ? word.replace(/^-f(?==|$)/, "--file") : word));
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
