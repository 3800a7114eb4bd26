/**
 * Where `--set path=value` goes: to a known field, or beside them. A path that would replace a checked field is refused: `amount.x` would
 * turn the amount into an object, behind every check and every preview.
 */
import { advice } from "../../api/advice.js";
import { describe } from "../../api/schema.js";
import { type Fault, PurserError } from "../../errors.js";
import type { AnyCommand } from "../command.js";
import { flagOf, helpOf } from "../names.js";
import { type Flag, flagsOf } from "./flags.js";
import type { Given } from "./input.js";
import { givenTwice } from "./value-faults.js";

/** `--set`, taken apart. */
interface Setting {
	path: string[];
	value: unknown;
}

/**
 * The settings of known fields, and those of unknown ones.
 * @throws PurserError usage, where two sources give one field; validation, where a path leads into a field that has no fields
 */
export function settingsOf(command: AnyCommand, { set, values }: Given): { known: Setting[]; unknown: Setting[] } {
	const flags = flagsOf(command.input);
	const objects = new Set(flags.flatMap(({ path }) => path.map((_, at) => path.slice(0, at + 1).join("."))));
	refuseTwice(set, values);
	const faults = set.flatMap(({ path }) => pathFaults(path, flags, command));
	if (faults.length > 0)
		throw new PurserError("validation", {
			code: "INVALID_INPUT",
			message: "--set names a field inside one that has no fields of its own; nothing was sent",
			fix: advice`Set the whole field, or name another; see \`${helpOf(command)}\`.`,
			details: faults,
		});
	const free = flags.filter(({ field }) => field.kind === "json").map(({ path }) => path.join("."));
	const isKnown = (path: string): boolean => objects.has(path) || free.some((one) => path.startsWith(`${one}.`));
	const settings = set.map(({ path, value }) => ({ path: path.split("."), value, known: isKnown(path) }));
	return { known: settings.filter(({ known }) => known), unknown: settings.filter(({ known }) => !known) };
}

/** Neither of two values, nor of a value and a part of it, may win silently. */
function refuseTwice(set: Given["set"], values: Given["values"]): void {
	for (const { path } of set) {
		const above = set.find((other) => path.startsWith(`${other.path}.`));
		if (above !== undefined) throw givenTwice(`--set ${above.path} and --set ${path} set the same field, and it takes one value`);
		if (values.has(path)) throw givenTwice(`--set ${path} and ${flagOf(path)} set the same field, and it takes one value`);
	}
}

/** A path that leads into a field with a single value, or into a list. Free JSON may hold anything. */
function pathFaults(path: string, flags: readonly Flag[], command: AnyCommand): Fault[] {
	const above = flags.find((flag) => path.startsWith(`${flag.path.join(".")}.`));
	if (above !== undefined && above.field.kind === "json") return [];
	const lists = (describe(command.input).fields ?? []).filter(({ kind }) => kind === "list").map(({ name }) => name);
	const list = lists.find((name) => path.startsWith(`${name}.`));
	const field = above?.path.join(".") ?? list;
	if (field === undefined) return [];
	return [{ field: path, message: `cannot be set: ${field} is a ${list === field ? "list" : "single value"}, without fields inside` }];
}
