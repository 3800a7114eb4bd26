/**
 * Lines of a template that were left empty.
 */
import type * as z from "zod/mini";
import { describe, type Field, isRecord } from "../schema.js";

/**
 * The document without empty values (`city:`) at any depth, as far as the schema knows the fields. Inside free JSON, such as metadata
 * (specification 2.1), an empty value is a value and stays.
 */
export function withoutEmpty(schema: z.ZodMiniType, document: unknown): unknown {
	return filled(describe(schema), document);
}

function filled(shape: Field | undefined, value: unknown): unknown {
	if (Array.isArray(value))
		return shape?.kind === "json" ? value : value.filter((part) => part !== null).map((part) => filled(shape?.element, part));
	if (!isRecord(value) || shape?.kind === "json") return value;
	const entries = Object.entries(value).filter(([, part]) => part !== null);
	return Object.fromEntries(
		entries.map(([name, part]) => [
			name,
			filled(
				shape?.fields?.find((one) => one.name === name),
				part,
			),
		]),
	);
}
