/**
 * Collisions of the names that a profile gives to fields on the wire.
 */
import type { AnyOperation } from "./operation.js";
import { describe, type Field } from "./schema.js";

/**
 * Names on the wire that two fields of one request would both have, with the path before them. Only one of the two would be sent, and for a payment
 * that may be the ledger to credit in place of the one to debit. Two fields that exchange their names do not collide.
 * @param fields the description's names, dotted, and theirs on the wire
 */
export function sharedNames({ query, body }: AnyOperation, fields: Readonly<Record<string, string>>): string[] {
	const shapes: Field[] = [query, body].flatMap((schema) => (schema === undefined ? [] : [describe(schema)]));
	return [...new Set(shapes.flatMap((shape) => sharedIn(shape, "", fields)))];
}

function sharedIn(shape: Field, before: string, fields: Readonly<Record<string, string>>): string[] {
	const parts = shape.fields ?? shape.element?.fields ?? [];
	const names = parts.map(({ name }) => fields[before + name] ?? name);
	const shared = names.filter((name, at) => names.indexOf(name) !== at).map((name) => before + name);
	return [...shared, ...parts.flatMap((part) => sharedIn(part, `${before}${part.name}.`, fields))];
}
