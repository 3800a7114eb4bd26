/**
 * Values that were written as text, in a path, a query or a header, as the description has them. Pure.
 */
import { Decimal } from "../api/json.js";
import type { Field } from "../api/schema.js";

/**
 * A value from a place that holds text alone. One that is not of its field's kind stays as it came: whoever reads it says what is wrong.
 * @param field ours; undefined where it is not described
 * @param lists how several values of one query field are written
 */
export function fromText(value: unknown, field: Field | undefined, lists: "repeated" | "comma" | undefined): unknown {
	if (field?.kind === "list") {
		const all = Array.isArray(value) ? value : [value];
		const parts = lists === "comma" ? all.flatMap((one) => (typeof one === "string" ? one.split(",") : [one])) : all;
		return parts.map((one) => fromText(one, field.element, undefined));
	}
	if (typeof value !== "string") return value;
	if (field?.kind === "boolean") return ({ true: true, false: false } as Record<string, unknown>)[value] ?? value;
	return field?.kind === "number" && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) ? new Decimal(value) : value;
}
