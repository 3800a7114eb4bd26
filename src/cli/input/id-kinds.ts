import { purser } from "../../api/advice.js";
import { describe, type Field, isRecord } from "../../api/schema.js";
import { type IdForms, idShould, isIdOf } from "../../api/text/ids.js";
import type { SuggestedCommand } from "../../errors.js";
import type { RecordKind } from "../../ports/resolver.js";
import type { AnyCommand } from "../command.js";
import type { IdKind } from "../contract.js";
import type { Flag } from "./flags.js";

/** An end-user is a company to whoever types it. */
export function recordKindOf(name: string, { meta: { id }, kind }: Field): RecordKind | undefined {
	if (id !== undefined) return id === "endUser" ? "corporate" : id;
	return kind === "text" && /^batch(Id|Number)?$/.test(name) ? "batch" : undefined;
}

export const idKindOf = (flag: Flag, field: Field): IdKind | undefined =>
	field.meta.choose === "profile" ? "profile" : recordKindOf(flag.path.at(-1) as string, field);

/** A value of an input that stands for a record and is not its id. */
export interface NamedRecord {
	/** Dotted; the index of a list is a part of its own. */
	path: readonly string[];
	kind: RecordKind;
	text: string;
	should(): string;
	/** It decides about money. */
	exact: boolean;
}

/** Every value that stands in the place of an id and is none, companies first: a person may be looked for in one of them. */
export function namedRecordsIn(command: AnyCommand, known: Record<string, unknown>, ids: IdForms): NamedRecord[] {
	const found = namesIn(describe(command.input), known, [], ids);
	return [...found.filter(({ kind }) => kind !== "related"), ...found.filter(({ kind }) => kind === "related")];
}

function namesIn(shape: Field, value: unknown, path: readonly string[], ids: IdForms): NamedRecord[] {
	if (shape.fields)
		return isRecord(value)
			? shape.fields.flatMap((field) =>
					Object.hasOwn(value, field.name) ? namesIn(field, value[field.name], [...path, field.name], ids) : [],
				)
			: [];
	if (shape.element)
		return Array.isArray(value) ? value.flatMap((part, at) => namesIn(shape.element as Field, part, [...path, String(at)], ids)) : [];
	// Batches are numbered by this machine, and their commands read the number or the plan themselves.
	const { id: of } = shape.meta;
	if (of === undefined || typeof value !== "string" || value.trim() === "") return [];
	const kind = of === "endUser" ? "corporate" : of;
	return isIdOf(of, value, ids) ? [] : [{ path, kind, text: value, should: () => idShould(of, ids), exact: shape.meta.exact === true }];
}

export function listCommandsOf(flags: readonly Flag[]): SuggestedCommand[] {
	const kinds = flags.flatMap(
		({ path, repeated, field }) => recordKindOf(path.at(-1) as string, (repeated && field.element) || field) ?? [],
	);
	return [...new Set(kinds)].map(listCommandOf);
}

/** Persons are listed by company. */
export function listCommandOf(kind: RecordKind): SuggestedCommand {
	const words = { transaction: ["pay"], batch: ["pay", "batch"] }[kind as string] ?? [kind];
	return purser`${[...words, "list"]} ${kind === "related" && "COMPANY"}`;
}
