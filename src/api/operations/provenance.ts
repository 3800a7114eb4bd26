/**
 * Where the single fields of an operation come from, where that is not what is said of the whole.
 */
import type { z } from "zod";
import { describe, type Field, type Source } from "../schema.js";

/** From what is sure to what nobody showed. */
const order: readonly Source[] = ["spec", "documented", "assumed"];

/** The least sure of a field's own source and of what it stands in; undefined where none is said. */
export function leastSure(one: Source | undefined, other: Source | undefined): Source | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return order[Math.max(order.indexOf(one), order.indexOf(other))];
}

/** The fields of a schema that nobody showed, dotted; what stands inside such a field is not named beside it. */
export function assumedFields(schema: z.ZodType): string[] {
	return assumedIn(describe(schema), "");
}

function assumedIn(shape: Field, before: string): string[] {
	return (shape.fields ?? []).flatMap((field) =>
		field.meta.source === "assumed" ? [before + field.name] : assumedIn(field, `${before}${field.name}.`),
	);
}
