/**
 * What a template says where a value has to be written.
 */
import { isRecord } from "./schema.js";

export const placeholder = "CHANGE-ME";

/** The dotted paths at which a document still has the placeholder, alone or inside a text. */
export function placeholdersIn(value: unknown, path: readonly (string | number)[] = []): string[] {
	if (typeof value === "string") return value.includes(placeholder) ? [path.join(".")] : [];
	if (Array.isArray(value)) return value.flatMap((one, at) => placeholdersIn(one, [...path, at]));
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([name, one]) => placeholdersIn(one, [...path, name]));
}
