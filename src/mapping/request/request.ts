/**
 * A request in the deployment's form. Pure.
 */
import type { AnyOperation } from "../../api/operation.js";
import { describe, isRecord } from "../../api/schema.js";
import type { MappedOperation, Mapping, RequestField, RequestPlace } from "../../ports/mapping.js";
import { CurrencyUnknown, Unwritable, widened, written } from "./forms.js";
import { borders, pageQuery, pagingFields } from "./paging.js";
import { currencyField, isOfTheClient, type Placed, placedFields } from "./places.js";
import { foundAt, placeOf, put, without } from "./pointer.js";
import { headerValue, refuseUnplaced, unwritableError } from "./refusal.js";

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

/** A request under construction. */
interface Made {
	params: Record<string, unknown>;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
	headers: Record<string, string>;
}

const pagingPlaces = pagingFields.map((name) => [name]);

/** Our values → the deployment's, for one operation. What it returns throws PurserError validation or guard, where one cannot be written. */
export function requestWriter(operation: AnyOperation, entry: MappedOperation | undefined, mapping: Mapping) {
	const fields = placedFields(entry?.fields);
	const paging = "pageSize" in operation.query.shape ? mapping.paging : undefined;
	const key = operation.effect === "money" ? mapping.idempotency : undefined;
	const fixed: (RequestPlace & { value: unknown })[] = [...(entry?.constants ?? []), ...(key ? [{ ...key, value: keyToCome }] : [])];
	return (ours: Values, facts: Facts): Values => {
		const query = (paging === undefined ? ours.query : without(ours.query, pagingPlaces)) as Record<string, unknown>;
		const body = isRecord(ours.body) ? ours.body : {};
		const made: Made = { params: {}, query: {}, body: {}, headers: {} };
		if (fields === undefined) Object.assign(made, { params: { ...ours.params }, query: { ...query }, body: { ...body } });
		else writeFields(operation, made, { params: ours.params, query, body }, { fields, fixed, currency: facts.currency });
		for (const { value, ...place } of fixed) writeAt(operation, made, place, value);
		if (paging !== undefined) {
			const page = pageQuery(paging, ours.query, facts.after);
			made.query = paging.style === "link" && facts.after !== undefined ? page : { ...made.query, ...page };
		}
		const hasBody = Object.keys(made.body).length > 0 || (isRecord(ours.body) && operation.body !== undefined);
		return { ...made, body: hasBody ? made.body : undefined };
	};
}

/** What a mapping says of the places of one request. */
interface Places {
	fields: readonly Placed<RequestField>[];
	fixed: readonly RequestPlace[];
	currency: string | undefined;
}

function writeFields(
	operation: AnyOperation,
	made: Made,
	{ params, query, body }: Record<"params" | "query" | "body", Record<string, unknown>>,
	{ fields, fixed, currency }: Places,
): void {
	if (operation.effect === "money" && currency === undefined && currencyField(fields) !== undefined)
		throw unwritableError(operation, "currency", new CurrencyUnknown("the deployment takes a currency, and it is not known"));
	const described = operation.body ? (describe(operation.body).fields ?? []).map(({ name }) => name) : [];
	const isOurs = ([name]: [string, unknown]): boolean => described.includes(name);
	const own = { ...Object.fromEntries(Object.entries(body).filter(isOurs)), ...query, ...params };
	const set = Object.fromEntries(Object.entries(body).filter((one) => !isOurs(one)));
	const all = { ...own, ...(currency === undefined ? {} : { currency }), set };
	for (const { field, ours, theirs } of fields)
		for (const { indexes, value } of foundAt(all, ours)) {
			const name = ours.join(".");
			const border = borders[name];
			const wire = inForm(operation, name, border === undefined ? value : widened(value, field, border), field, currency);
			if (field.place === "body") put(made.body, theirs, indexes, wire);
			else writeAt(operation, made, field, wire, name);
		}
	// An order or a page that the deployment does not know leaves nothing out: a list is read to its end.
	const unselecting = [["sortAttribute"], ...pagingPlaces];
	refuseUnplaced(operation, without(own, [...fields.map(({ ours }) => ours), ...unselecting]));
	// What a person names by --set goes where the deployment has it, but never where the mapping has something: what is left out is not given past it.
	const held = [...fields.map(({ field }) => field), ...fixed].flatMap(({ place, at }) =>
		place === "body" ? placeOf(at).slice(0, 1) : [],
	);
	for (const [name, value] of Object.entries(set)) {
		if (fields.some(({ ours }) => ours[0] === "set" && ours[1] === name)) continue;
		if (held.includes(name)) throw unwritableError(operation, name, new Unwritable("it would stand in place of another field"));
		made.body[name] = value;
	}
}

function writeAt(operation: AnyOperation, made: Made, { place, at }: RequestPlace, value: unknown, ours = at): void {
	if (place === "body") put(made.body, placeOf(at), [], value);
	else if (place === "path") made.params[at] = value;
	else if (place === "query") made.query[at] = value;
	else {
		// Refused where a mapping is stored; a profile's file may have been edited since.
		if (isOfTheClient(at)) throw unwritableError(operation, ours, new Unwritable(`no mapping may set the header ${at}`));
		made.headers[at.toLowerCase()] = headerValue(operation, ours, value);
	}
}

function inForm(operation: AnyOperation, name: string, value: unknown, field: RequestField, currency: string | undefined): unknown {
	try {
		return written(value, field, currency);
	} catch (error) {
		throw error instanceof Unwritable ? unwritableError(operation, name, error) : error;
	}
}
