/**
 * A request in the deployment's form. Pure.
 */
import type { AnyOperation } from "../../api/operation.js";
import { describe, isRecord } from "../../api/schema.js";
import type { MappedOperation, Mapping, Paging, RequestField, RequestPlace } from "../../ports/mapping.js";
import { CurrencyUnknown, Unwritable, widened, written } from "./forms.js";
import { isJsonType, isOfTheClient } from "./headers.js";
import { borders, pageQuery, pagingFields } from "./paging.js";
import { currencyField, type Placed, placedFields } from "./places.js";
import { foundAt, placeOf, put, without } from "./pointer.js";
import { headerValue, refuseRest, unwritableError } from "./refusal.js";

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

/** How a request of one operation looks at a deployment. */
export class RequestForm {
	readonly #fields: readonly Placed<RequestField>[] | undefined;
	readonly #paging: Paging | undefined;

	constructor(
		private readonly operation: AnyOperation,
		private readonly entry: MappedOperation | undefined,
		private readonly shared: Mapping,
	) {
		this.#fields = placedFields(entry?.fields);
		this.#paging = "pageSize" in operation.query.shape ? shared.paging : undefined;
	}

	/** Our values → the deployment's. @throws PurserError validation or guard, where one cannot be written */
	write(ours: Values, facts: Facts): Values {
		const given = this.#paging === undefined ? ours : { ...ours, query: withoutPaging(ours.query) };
		const made: Made = { params: {}, query: {}, body: {}, headers: {} };
		if (this.#fields === undefined) {
			Object.assign(made.params, given.params);
			Object.assign(made.query, given.query);
			if (isRecord(given.body)) Object.assign(made.body, given.body);
		} else this.#writeFields(made, given, this.#fields, facts.currency);
		for (const { value, ...place } of this.entry?.constants ?? []) this.#place(made, place, value);
		const { idempotency } = this.shared;
		if (idempotency !== undefined && this.operation.effect === "money") this.#place(made, idempotency, keyToCome);
		if (this.#paging !== undefined) {
			const page = pageQuery(this.#paging, ours.query, facts.after);
			made.query = this.#paging.style === "link" && facts.after !== undefined ? page : { ...made.query, ...page };
		}
		const hasBody = Object.keys(made.body).length > 0 || (isRecord(ours.body) && this.operation.body !== undefined);
		return { ...made, body: hasBody ? made.body : undefined };
	}

	#writeFields(made: Made, { params, query, body }: Values, fields: readonly Placed<RequestField>[], currency: string | undefined): void {
		const { operation } = this;
		if (operation.effect === "money" && currency === undefined && currencyField(fields) !== undefined)
			throw unwritableError(operation, "currency", new CurrencyUnknown("the deployment takes a currency, and it is not known"));
		const own = new Set(operation.body ? (describe(operation.body).fields ?? []).map(({ name }) => name) : []);
		const given = Object.entries(isRecord(body) ? body : {});
		const set = Object.fromEntries(given.filter(([name]) => !own.has(name)));
		const all = { ...(isRecord(body) ? body : {}), ...query, ...params, ...(currency === undefined ? {} : { currency }), set };
		for (const { field, ours, theirs } of fields)
			for (const { indexes, value } of foundAt(all, ours)) {
				const border = borders[ours.join(".")];
				const wire = this.#written(ours.join("."), border === undefined ? value : widened(value, field, border), field, currency);
				if (field.place === "body") put(made.body, theirs, indexes, wire);
				else this.#place(made, field, wire, ours.join("."));
			}
		const taken = fields.map(({ ours }) => ours);
		const rest = { params: without(params, taken), query: without(query, taken), body: without(body, taken) };
		// An order or a page that the deployment does not know leaves nothing out: a list is read to its end.
		refuseRest(operation, {
			...rest,
			body: without(
				rest.body,
				[...Object.keys(set)].map((name) => [name]),
			),
			query: without(rest.query, unselecting),
		});
		this.#writeSet(made, set, fields);
	}

	/** What a person names by --set goes where the deployment has it, but never where the mapping has something: what is left out is not given past it. */
	#writeSet(made: Made, set: Record<string, unknown>, fields: readonly Placed<RequestField>[]): void {
		const key = this.operation.effect === "money" ? this.shared.idempotency : undefined;
		const places: RequestPlace[] = [...fields.map(({ field }) => field), ...(this.entry?.constants ?? []), ...(key ? [key] : [])];
		const held = places.flatMap(({ place, at }) => (place === "body" ? placeOf(at).slice(0, 1) : []));
		for (const [name, value] of Object.entries(set)) {
			if (fields.some(({ ours }) => ours[0] === "set" && ours[1] === name)) continue;
			if (held.includes(name)) throw unwritableError(this.operation, name, new Unwritable("it would stand in place of another field"));
			made.body[name] = value;
		}
	}

	#place(made: Made, { place, at }: RequestPlace, value: unknown, ours = at): void {
		if (place === "body") put(made.body, placeOf(at), [], value);
		else if (place === "path") made.params[at] = value;
		else if (place === "query") made.query[at] = value;
		else {
			// Refused where a mapping is stored; a profile's file may have been edited since.
			if (isOfTheClient(at) && !isJsonType(at, value))
				throw unwritableError(this.operation, ours, new Unwritable(`no mapping may set the header ${at}`));
			made.headers[at.toLowerCase()] = headerValue(this.operation, ours, value);
		}
	}

	#written(name: string, value: unknown, field: RequestField, currency: string | undefined): unknown {
		try {
			return written(value, field, currency);
		} catch (error) {
			throw error instanceof Unwritable ? unwritableError(this.operation, name, error) : error;
		}
	}

	/**
	 * Our name of a field in an error; undefined for a place that none of ours stands at.
	 * @param theirs the parts of its place, from the body's root or from a record in it
	 */
	nameOf(theirs: readonly string[]): string | undefined {
		const named = (this.#fields ?? []).flatMap(({ ours, theirs: place }) => {
			const tail = theirs.length < place.length ? place.slice(place.length - theirs.length) : place;
			const found = tail.every((part, at) => part === "*" || part === theirs[at]);
			const indexes = theirs.filter((_part, at) => tail[at] === "*");
			return found ? [{ exact: tail === place, name: [...filledIn(ours, indexes), ...theirs.slice(tail.length)].join(".") }] : [];
		});
		const exact = named.filter((one) => one.exact);
		// Without the record before it a name may be that of two fields.
		return exact[0]?.name ?? (named.length === 1 ? named[0]?.name : undefined);
	}
}

function filledIn(place: readonly string[], indexes: readonly string[]): string[] {
	let used = 0;
	return place.map((part) => (part === "*" ? (indexes[used++] ?? part) : part));
}

/** Query fields that say nothing of which records a list has. */
const unselecting = [["sortAttribute"], ...pagingFields.map((name) => [name])];

const withoutPaging = (query: Record<string, unknown>): Record<string, unknown> =>
	without(
		query,
		pagingFields.map((name) => [name]),
	) as Record<string, unknown>;
