/**
 * Whether an input fits a schema, in words of our own.
 */
import type * as z from "zod/mini";
import { Decimal } from "../json.js";
import { describe, type Field, isRecord, type Remark } from "../schema.js";
import { suggestionFor } from "../suggest.js";
import { heldToForms, type IdForms } from "../text/ids.js";
import { kindWord } from "../text/issue-words.js";

/** What a check of an input against a schema says: the data where nothing is wrong, every fault, every warning. */
export interface Checked<T> {
	data?: T;
	faults: Remark[];
	warnings: Remark[];
}

/**
 * Checks an input and gathers everything at once. Numbers given as {@link Decimal} (from JSON or YAML) become the text typed where the
 * field is text or a wire number, and a value of a list may be written in any case.
 * @param ids the profile's forms of ids
 */
export function check<S extends z.ZodMiniType>(schema: S, input: unknown, ids: IdForms = {}): Checked<z.output<S>> {
	const shape = describe(schema);
	const value = normalized(shape, input);
	const result = heldToForms(ids, () => schema.safeParse(value));
	if (!result.success) return { faults: result.error.issues.flatMap((issue) => faultsOf(issue, value, shape)), warnings: [] };
	const warnings: Remark[] = [];
	gatherWarnings(shape, result.data, "", warnings);
	return { data: result.data, faults: [], warnings };
}

function faultsOf(issue: z.core.$ZodIssue, value: unknown, shape: Field): Remark[] {
	const path = issue.path.map(String);
	if (issue.code === "unrecognized_keys")
		return issue.keys.map((key) => {
			const near = suggestionFor(key, fieldAt(path, shape)?.fields?.map(({ name }) => name) ?? [], 6);
			const message = `is not a known field${near === undefined ? "" : `; did you mean ${near}?`} (send it with --set)`;
			return { field: [...path, key].join("."), message };
		});
	const found = path.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], value);
	const isMissing = found === undefined || (found === null && issue.code === "invalid_type");
	const isTyped = issue.code === "invalid_type" || issue.code === "invalid_value";
	return [{ field: path.join("."), message: isMissing && isTyped ? "is required" : messageOf(issue, found, fieldAt(path, shape)) }];
}

function messageOf(issue: z.core.$ZodIssue, found: unknown, field: Field | undefined): string {
	if (issue.code !== "invalid_type") return issue.message;
	if (field?.meta.read !== undefined && typeof found === "string") return `must be written like ${field.meta.example}`;
	return `must be ${kindWord(issue.expected)}, not ${kindWord(typeName(found))}`;
}

const fieldAt = (path: readonly string[], shape: Field): Field | undefined =>
	path.reduce<Field | undefined>((part, name) => part?.element ?? part?.fields?.find((one) => one.name === name), shape);

function typeName(value: unknown): string {
	if (Array.isArray(value)) return "list";
	if (value instanceof Decimal) return "number";
	return typeof value;
}

/** Decimals as text where the field takes text, as a plain number where they can only be refused; everything else as it is. */
function normalized(shape: Field, given: unknown): unknown {
	const value = shape.meta.read === undefined ? given : shape.meta.read(given);
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

const listOf = ({ choices, meta }: Field): readonly string[] => choices ?? meta.known ?? [];

/** The value as its list writes it: people write `active` for ACTIVE. Where case tells two listed values apart, it stays as typed. */
function listedForm(value: string, listed: readonly string[]): string {
	if (listed.length === 0 || listed.includes(value)) return value;
	const same = listed.filter((one) => one.toLowerCase() === value.toLowerCase());
	return same.length === 1 ? (same[0] as string) : value;
}

/** Whether an input has an id of a record of the service. */
export function hasIds({ meta, fields = [], element }: Field): boolean {
	return meta.id !== undefined || fields.some(hasIds) || (element !== undefined && hasIds(element));
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
