/**
 * Places in a JSON value, named by JSON Pointers (RFC 6901) in which `*` stands for each entry of a list, and the fields of a mapping that
 * stand there.
 */
import { advice, purser } from "../../api/advice.js";
import type { AnyOperation } from "../../api/operation.js";
import { isRecord } from "../../api/schema.js";
import { PurserError } from "../../errors.js";
import type { AnswerField, MappedOperation, RequestField, RequestPlace } from "../../ports/mapping.js";

/** Most parts of a pointer; no record is nested more deeply. */
const mostParts = 12;

/** Names that mean something to JavaScript and to nobody else. */
const forbidden = ["__proto__", "constructor", "prototype"];

/** A name as a part of a pointer, and back. */
export const escapedPart = (name: string): string => name.replace(/~/g, "~0").replace(/\//g, "~1");
export const unescapedPart = (part: string): string => part.replace(/~1/g, "/").replace(/~0/g, "~");

/** The parts of a pointer. @returns undefined where it is none that can be used */
export function partsOf(pointer: string): string[] | undefined {
	if (pointer === "") return [];
	const isEscaped = pointer.includes("~");
	if (!pointer.startsWith("/") || pointer.length > 400 || (isEscaped && /~(?![01])/.test(pointer))) return undefined;
	const names = pointer.slice(1).split("/");
	const parts = isEscaped ? names.map(unescapedPart) : names;
	return parts.length > mostParts || parts.some((part) => part === "" || forbidden.includes(part)) ? undefined : parts;
}

/** The parts of a stored pointer. @throws PurserError usage, where it cannot be used; a profile's file may have been edited */
export function placeOf(pointer: string): string[] {
	const parts = partsOf(pointer);
	if (parts !== undefined) return parts;
	throw new PurserError("usage", {
		code: "MAPPING_INVALID",
		message: `The profile's mapping cannot be used: ${JSON.stringify(pointer)} is not a JSON Pointer`,
		fix: advice`Store it again: ${purser`api use`}`,
	});
}

/** A value found at a place, and which entries of lists led to it. */
type Found = { indexes: readonly number[]; value: unknown };

/** Everything that stands at a place: one value, or several where a part is `*`. What is undefined is not found. */
export function foundAt(value: unknown, parts: readonly string[], indexes: readonly number[] = [], from = 0): Found[] {
	const part = parts[from];
	if (part === undefined) return value === undefined ? [] : [{ indexes, value }];
	if (part === "*") return Array.isArray(value) ? value.flatMap((one, index) => foundAt(one, parts, [...indexes, index], from + 1)) : [];
	return isRecord(value) && Object.hasOwn(value, part) ? foundAt(value[part], parts, indexes, from + 1) : [];
}

/** The one value at a place without `*`, or undefined. */
export const valueAt = (value: unknown, parts: readonly string[]): unknown => foundAt(value, parts)[0]?.value;

/**
 * Writes a value at a place and makes the objects and lists on the way.
 * @param indexes one for each `*` of the place
 */
export function put(target: Record<string, unknown>, parts: readonly string[], indexes: readonly number[], value: unknown): void {
	let holder: Record<string, unknown> | unknown[] = target;
	let used = 0;
	for (const [at, part] of parts.entries()) {
		const key = part === "*" ? (indexes[used++] ?? 0) : part;
		const slots = holder as Record<string | number, unknown>;
		if (at === parts.length - 1) {
			slots[key] = value;
			return;
		}
		const next = Object.hasOwn(slots, key) ? slots[key] : undefined;
		if (typeof next === "object" && next !== null) holder = next as Record<string, unknown>;
		else {
			holder = parts[at + 1] === "*" ? [] : {};
			slots[key] = holder;
		}
	}
}

/**
 * A copy of a value without what stands at some places; objects that are empty for that reason are left out too.
 * @param places the parts of each
 */
export function without(value: unknown, places: readonly (readonly string[])[]): unknown {
	if (places.length === 0) return value;
	if (places.some((parts) => parts.length === 0)) return undefined;
	if (Array.isArray(value)) {
		const inner = places.filter((parts) => parts[0] === "*").map((parts) => parts.slice(1));
		return inner.length === 0 ? value : value.map((one) => without(one, inner));
	}
	if (!isRecord(value)) return value;
	const left: Record<string, unknown> = {};
	for (const [name, part] of Object.entries(value)) {
		const inner = places.filter((parts) => parts[0] === name).map((parts) => parts.slice(1));
		const rest = inner.length === 0 ? part : without(part, inner);
		const emptied = inner.length > 0 && isRecord(rest) && Object.keys(rest).length === 0;
		// A member may have any name, `__proto__` too.
		if (rest !== undefined && !emptied)
			Object.defineProperty(left, name, { value: rest, enumerable: true, configurable: true, writable: true });
	}
	return left;
}

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

const ofTheClient =
	"authorization cookie host content-length content-type transfer-encoding connection keep-alive upgrade expect te trailer".split(" ");

/** Whether the client alone sets a header: it carries a credential, or determines how a request is framed. */
export function isOfTheClient(header: string): boolean {
	const name = header.toLowerCase();
	return ofTheClient.includes(name) || name.startsWith("proxy-");
}

/** Whether a header names JSON by a name that the service has for it, in the request or in the answer. */
export const isJsonType = (name: string, value: unknown): boolean =>
	/^(accept|content-type)$/i.test(name) && /^application\/([\w.-]+\+)?json$/.test(String(value));

/** Where a field of a request stands under its own name, as one does that no entry places. @param name dotted */
export function ownPlace({ params, query }: AnyOperation, name: string): RequestPlace {
	const place = name in params.shape ? "path" : name in query.shape ? "query" : "body";
	return { place, at: place === "body" ? `/${name.replaceAll(".", "/")}` : name };
}
