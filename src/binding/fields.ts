/**
 * The fields of a binding, with their places taken apart.
 */
import { isRecord } from "../api/schema.js";
import type { AnswerField, RequestField } from "../ports/binding.js";
import { placeOf, put } from "./pointer.js";

/** One bound field. */
export interface Bound<F> {
	field: F;
	/** The parts of our name. */
	ours: readonly string[];
	/** The parts of the deployment's place; of a path, a query or a header the one name. */
	theirs: readonly string[];
}

export function boundFields<F extends RequestField | AnswerField>(fields: Readonly<Record<string, F>> | undefined): Bound<F>[] {
	return Object.entries(fields ?? {}).map(([name, field]) => {
		const place = "place" in field ? field.place : "body";
		// A header's name has no case.
		const theirs = place === "body" ? placeOf(field.at) : [place === "header" ? field.at.toLowerCase() : field.at];
		return { field, ours: name.split("."), theirs };
	});
}

/** The bound currency of a record or a request, if one is bound. */
export const currencyField = <F>(fields: readonly Bound<F>[]): Bound<F> | undefined =>
	fields.find(({ ours }) => ours.length === 1 && ours[0] === "currency");

/** An object with a value at a place; the value itself for no place. */
export function inside(parts: readonly string[], value: unknown): unknown {
	if (parts.length === 0) return value;
	const outer: Record<string, unknown> = {};
	put(outer, parts, [], value);
	return outer;
}

/** Adds what another object has and this one has not, below it too. */
export function merge(target: Record<string, unknown>, more: unknown): void {
	if (!isRecord(more)) return;
	for (const [name, value] of Object.entries(more)) {
		const held = Object.hasOwn(target, name) ? target[name] : undefined;
		if (isRecord(held) && isRecord(value)) merge(held, value);
		else if (held === undefined) Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
	}
}
