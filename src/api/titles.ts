import type { Field } from "./schema.js";

/** `registeredAddress` → `registered address`. */
export function wordsOf(name: string): string {
	return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

/** How a person is asked for a field: its description up to the first remark. */
export function titleOf({ name, meta }: Pick<Field, "name" | "meta">): string {
	return (meta.description || wordsOf(name)).replace(/ \(([01]\.\.|ISO |the field|12 of ).*\)$/, "").replace(/;.*$/, "");
}

/**
 * How many values of an open list are known, of how many where that is known too; in brackets, for a question.
 * @param known how many
 */
export function knownRemark({ meta }: Pick<Field, "meta">, known = meta.known?.length): string {
	if (meta.known === undefined) return "";
	const total = / of (\d+) values/.exec(meta.description)?.[1];
	return ` (${known}${total === undefined ? "" : ` of ${total}`} known)`;
}
