/**
 * The fields of a mapping, with their places taken apart.
 */
import { isRecord } from "../../api/schema.js";
import type { AnswerField, MappedOperation, RequestField } from "../../ports/mapping.js";
import { placeOf } from "./pointer.js";

/** One field that has a place. */
export interface Placed<F> {
	field: F;
	/** The parts of our name. */
	ours: readonly string[];
	/** The parts of the deployment's place; of a path, a query or a header the one name. */
	theirs: readonly string[];
}

/** The fields that have a place; undefined where all stand under our own names. */
export function placedFields<F extends RequestField | AnswerField>(
	fields: Readonly<Record<string, F | "none">> | undefined,
): Placed<F>[] | undefined {
	if (fields === undefined) return undefined;
	return Object.entries(fields).flatMap(([name, field]) => {
		if (field === "none") return [];
		const place = "place" in field ? field.place : "body";
		// A header's name has no case.
		const theirs = place === "body" ? placeOf(field.at) : [place === "header" ? field.at.toLowerCase() : field.at];
		return [{ field, ours: name.split("."), theirs }];
	});
}

/** The currency of a record or a request, where it has a place. */
export const currencyField = <F>(fields: readonly Placed<F>[]): Placed<F> | undefined =>
	fields.find(({ ours }) => ours.length === 1 && ours[0] === "currency");

/** Whether a field of ours, or a part of it, has a place. */
export function hasPlace({ fields }: Pick<MappedOperation, "fields">, name: string): boolean {
	if (fields === undefined) return true;
	return Object.entries(fields).some(
		([one, field]) => field !== "none" && (one === name || one.startsWith(`${name}.`) || name.startsWith(`${one}.`)),
	);
}

/** The pairs of a body that is sent as a form: `source[account]`, `items[0][name]`. */
export function formPairs(value: unknown, name = ""): [string, string][] {
	// A list whose name ends in empty brackets repeats it.
	if (Array.isArray(value)) return value.flatMap((one, index) => formPairs(one, name.endsWith("[]") ? name : `${name}[${index}]`));
	if (!isRecord(value)) return value === undefined || value === null ? [] : [[name, String(value)]];
	return Object.entries(value).flatMap(([part, one]) => formPairs(one, name === "" ? part : `${name}[${part}]`));
}

/** Whether the client alone sets a header: it carries a credential, or determines how a request is framed. */
export const isOfTheClient = (name: string): boolean =>
	/^(authorization|proxy-.*|cookie|host|content-length|content-type|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/i.test(
		name,
	);
