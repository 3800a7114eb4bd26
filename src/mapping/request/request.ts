/**
 * A request in the deployment's form. Pure.
 */
import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import type { AnyOperation } from "../../api/operation.js";
import { describe, type Field, isRecord } from "../../api/schema.js";
import { PurserError } from "../../errors.js";
import type { MappedOperation, Mapping, RequestField, RequestPlace } from "../../ports/mapping.js";
import { CurrencyUnknown, Unwritable, widened, written } from "./forms.js";
import { borders, pageQuery, pagingFields } from "./paging.js";
import { currencyField, foundAt, isJsonType, isOfTheClient, type Placed, placedFields, placeOf, put, without } from "./places.js";

/** A request's values: of the description on one side, of the deployment on the other. */
export interface Values {
	params: Record<string, unknown>;
	query: Record<string, unknown>;
	/** Undefined where there is none. */
	body: unknown;
	/** The deployment's only. */
	headers?: Record<string, string>;
}

/** What else a request is made of. */
export interface Facts {
	/** Of a payment, where it is known. */
	currency?: string;
	/** Of a list with cursors or links: where the page before said that this one begins. */
	after?: string;
}

/** Stands for the idempotency key in a draft: an attempt that has begun has one. */
const keyToCome = "made-for-each-payment";

type Fields = Record<string, unknown>;

/** A request under construction. */
interface Made extends Record<"params" | "query" | "body", Fields> {
	headers: Record<string, string>;
}

const pagingPlaces = pagingFields.map((name) => [name]);
/** What no person asks for: it has no place and leaves nothing out. */
const unasked = [["page"], ["pageSize"]];

/** Our values → the deployment's, for one operation. What it returns throws PurserError validation or guard, where one cannot be written. */
export function requestWriter(operation: AnyOperation, entry: MappedOperation | undefined, mapping: Mapping) {
	const fields = placedFields(entry?.fields);
	const paging = "pageSize" in operation.query.shape ? mapping.paging : undefined;
	const key = operation.effect === "money" ? mapping.idempotency : undefined;
	const fixed: (RequestPlace & { value: unknown })[] = [...(entry?.constants ?? []), ...(key ? [{ ...key, value: keyToCome }] : [])];
	// A list that is sent as a POST has an empty body where no filter of it is asked for.
	const takesBody = entry?.method !== "GET" && (operation.body !== undefined || fields?.some(({ field }) => field.place === "body"));
	return (ours: Values, { currency, after }: Facts = {}): Values => {
		const query = (paging === undefined ? ours.query : without(ours.query, fields === undefined ? pagingPlaces : unasked)) as Fields;
		const body = isRecord(ours.body) ? ours.body : {};
		const made: Made = { params: {}, query: {}, body: {}, headers: {} };
		if (fields === undefined) Object.assign(made, { params: { ...ours.params }, query: { ...query }, body: { ...body } });
		else {
			const { own, set } = split(operation, { ...ours, query, body });
			writeFields(operation, made, fields, { ...own, ...(currency !== undefined && { currency }), set: Object.fromEntries(set) }, currency);
			refuseUnplaced(operation, own, [...fields.map(({ ours }) => ours), ...unasked]);
			if (set.length > 0) writeSet(operation, made, set, entry?.fields, [...fields.map(({ field }) => field), ...fixed]);
		}
		for (const { value, ...place } of fixed)
			try {
				if (place.place === "body") put(made.body, placeOf(place.at), [], value);
				else writeOutside(made, place, value);
			} catch (error) {
				throw refused(operation, place.at, error);
			}
		if (paging !== undefined) {
			const page = pageQuery(paging, ours.query, after);
			made.query = paging.style === "link" && after !== undefined ? page : { ...made.query, ...page };
		}
		return { ...made, body: takesBody || Object.keys(made.body).length > 0 ? made.body : undefined };
	};
}

/** Our own values, and what a person has named by --set. */
function split(operation: AnyOperation, { params, query, body }: Omit<Made, "headers">): { own: Fields; set: [string, unknown][] } {
	const described = operation.body ? (describe(operation.body).fields ?? []) : [];
	const isOwn = ([name]: [string, unknown]): boolean => described.some((field) => field.name === name);
	const all = Object.entries(body);
	const set = all.filter((one) => !isOwn(one));
	return { own: { ...(set.length === 0 ? body : Object.fromEntries(all.filter(isOwn))), ...query, ...params }, set };
}

function writeFields(
	operation: AnyOperation,
	made: Made,
	fields: readonly Placed<RequestField>[],
	all: Fields,
	currency: string | undefined,
): void {
	if (operation.effect === "money" && currency === undefined && currencyField(fields) !== undefined)
		throw refused(operation, "currency", new CurrencyUnknown("the deployment takes a currency, and it is not known"));
	for (const { field, ours, theirs } of fields) {
		const name = ours.join(".");
		const border = borders[name];
		try {
			for (const { indexes, value } of foundAt(all, ours)) {
				const wire = written(border === undefined ? value : widened(value, field, border), field, currency);
				if (field.place === "body") put(made.body, theirs, indexes, wire);
				else writeOutside(made, field, wire);
			}
		} catch (error) {
			throw refused(operation, name, error);
		}
	}
}

/**
 * What a person names by --set and the mapping does not goes into the body, but never where the mapping has something: what is left out is not
 * given past it.
 */
function writeSet(
	operation: AnyOperation,
	made: Made,
	set: readonly [string, unknown][],
	fields: MappedOperation["fields"] = {},
	places: readonly RequestPlace[],
): void {
	const held = places.flatMap(({ place, at }) => (place === "body" ? placeOf(at).slice(0, 1) : []));
	for (const [name, value] of set) {
		if (Object.hasOwn(fields, `set.${name}`)) continue;
		if (held.includes(name)) throw refused(operation, name, new Unwritable("it would stand in place of another field"));
		made.body[name] = value;
	}
}

function writeOutside(made: Made, { place, at }: RequestPlace, value: unknown): void {
	if (place === "path") made.params[at] = value;
	else if (place === "query") made.query[at] = value;
	else made.headers[at.toLowerCase()] = headerValue(at, value);
}

function headerValue(header: string, value: unknown): string {
	// Refused where a mapping is stored; a profile's file may have been edited since.
	if (isOfTheClient(header) && !isJsonType(header, value)) throw new Unwritable(`no mapping may set the header ${header}`);
	const text = String(value);
	if (!/^[\x20-\x7e]*$/.test(text)) throw new Unwritable("it has a character that no header may carry");
	// Spaces at the ends of a header are no part of it.
	if (text.trim() !== text) throw new Unwritable("it begins or ends with a space, which a header loses");
	return text;
}

/** An amount whose currency must be known and is not is held back, not called wrong. */
function refused(operation: AnyOperation, name: string, error: unknown): unknown {
	if (!(error instanceof Unwritable)) return error;
	const isHeld = error instanceof CurrencyUnknown;
	return new PurserError(isHeld ? "guard" : "validation", {
		code: isHeld ? "CURRENCY_UNKNOWN" : "INPUT_INVALID",
		message: `${operation.title}: ${name} cannot be sent: ${error.message}. Nothing was sent`,
		fix: isHeld ? "Say the currency: --currency" : advice`Correct it, or see how it is mapped: ${purser`api list`}`,
		details: [{ field: name, message: error.message }],
	});
}

/**
 * Refuses our fields that have no place at the deployment. One with the description's own default is left out: the deployment's applies.
 * @param taken the names of those that have one, in parts
 */
function refuseUnplaced({ title, query, body }: AnyOperation, own: Fields, taken: readonly (readonly string[])[]): void {
	const fields = [query, ...(body ? [body] : [])].flatMap((shape) => describe(shape).fields ?? []);
	const names = unplacedIn(own, taken, fields);
	if (names.length === 0) return;
	throw new PurserError("validation", {
		code: "FIELD_WITHOUT_PLACE",
		message: `${title}: ${names[0]} has no place at this deployment. Nothing was sent`,
		fix: advice`Leave it out, or say in the mapping where it belongs: ${purser`help mapping`}`,
		details: names.map((field) => ({ field, message: "has no place at this deployment" })),
	});
}

/** The names of what no field takes, dotted, without what the description fills in by itself. */
function unplacedIn(
	value: Fields,
	taken: readonly (readonly string[])[],
	fields: readonly Field[] = [],
	filled: unknown = undefined,
	before = "",
): string[] {
	return Object.entries(value).flatMap(([name, part]) => {
		const inside = taken.filter((parts) => parts[0] === name).map((parts) => parts.slice(1));
		if (part === undefined || inside.some((parts) => parts.length === 0)) return [];
		const field = fields.find((one) => one.name === name);
		const byItself = isRecord(filled) ? filled[name] : filledBy(field);
		if (part === byItself) return [];
		const entries =
			Array.isArray(part) && inside.length > 0 ? part.map((one): Fields => ({ "*": one })) : isRecord(part) ? [part] : undefined;
		return entries?.flatMap((one) => unplacedIn(one, inside, field?.fields, byItself, `${before}${name}.`)) ?? [before + name];
	});
}

/** What the description fills in where nothing is given: of an object, the defaults of its parts. */
const filledBy = (field: Field | undefined): unknown =>
	field?.fallback === undefined ? undefined : z.safeParse(field.schema, field.fallback).data;
