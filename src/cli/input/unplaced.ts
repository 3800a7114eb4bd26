/**
 * Fields that purser requires and a deployment has no place for: nobody is asked for them.
 */
import { catalog } from "../../api/operations/catalog.js";
import { describe, type Field } from "../../api/schema.js";
import type { Mapping } from "../../ports/mapping.js";

/**
 * The required fields of these operations' bodies that the mapping has no place for, dotted; of an object with no placed part its own name.
 * @param ids of operations
 */
export function unplacedIn(mapping: Mapping | undefined, ids: readonly string[]): ReadonlySet<string> {
	const entries = catalog.flatMap(({ id, body }) => {
		const entry = ids.includes(id) ? mapping?.operations[id] : undefined;
		return body === undefined || entry === undefined || entry === "none" || entry.fields === undefined
			? []
			: [{ body, fields: entry.fields }];
	});
	return new Set(
		entries.flatMap(({ body, fields }) => {
			const placed = Object.entries(fields).flatMap(([name, field]) => (field === "none" ? [] : [name]));
			const isPlaced = (name: string): boolean =>
				placed.some((one) => one === name || one.startsWith(`${name}.`) || name.startsWith(`${one}.`));
			const missing = ({ name, required, fields: parts = [] }: Field, before: string): string[] => {
				if (!required) return [];
				return isPlaced(before + name) ? parts.flatMap((part) => missing(part, `${before}${name}.`)) : [before + name];
			};
			return (describe(body).fields ?? []).flatMap((field) => missing(field, ""));
		}),
	);
}
