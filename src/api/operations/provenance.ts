/**
 * The sources of single fields, where they differ from the operation's.
 */
import type * as z from "zod/mini";
import { describe, type Field, type Source } from "../schema.js";

/** The most certain first. */
const order: readonly Source[] = ["spec", "documented", "assumed"];

/** The less certain of two sources; undefined where neither is given. */
export function leastCertain(one: Source | undefined, other: Source | undefined): Source | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	return order[Math.max(order.indexOf(one), order.indexOf(other))];
}

/** The assumed fields of a schema, dotted, without those inside them. */
export function assumedFields(schema: z.ZodMiniType): string[] {
	return assumedIn(describe(schema), "");
}

function assumedIn(shape: Field, before: string): string[] {
	return (shape.fields ?? []).flatMap((field) =>
		field.meta.source === "assumed" ? [before + field.name] : assumedIn(field, `${before}${field.name}.`),
	);
}
