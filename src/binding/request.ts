/**
 * A request in the deployment's form, and read back from it. Pure.
 */

import { Decimal } from "../api/json.js";
import type { AnyOperation } from "../api/operation.js";
import { describe, isRecord } from "../api/schema.js";
import type { BoundPaging, Constant, OperationBinding, RequestField, ServiceBinding } from "../ports/binding.js";
import { CurrencyUnknown, read, Unwritable, widened, written } from "./codecs.js";
import { fieldNamed } from "./described.js";
import { type Bound, boundFields, currencyField, inside, merge } from "./fields.js";
import { fromWire, pathFromWire, pathToWire, toWire } from "./names.js";
import { askedPage, borders, pageQuery, pagingFields } from "./paging.js";
import { foundAt, placeOf, put, valueAt, without } from "./pointer.js";
import { headerValue, refuseRest, unwritableError } from "./refusal.js";
import { fromText } from "./text.js";

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

/** A request under construction. */
interface Made {
	params: Record<string, unknown>;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
	headers: Record<string, string>;
}

/** How a request of one operation looks at a deployment. */
export class RequestForm {
	readonly #operation: AnyOperation;
	readonly #binding: OperationBinding;
	readonly #fields: readonly Bound<RequestField>[];
	readonly #record: readonly string[];
	readonly #paging: BoundPaging | undefined;
	readonly #lists: BoundPaging["lists"];

	constructor(operation: AnyOperation, binding: OperationBinding | undefined, service: ServiceBinding | undefined) {
		this.#operation = operation;
		this.#binding = binding ?? {};
		this.#fields = boundFields(binding?.request?.fields);
		this.#record = placeOf(binding?.request?.record ?? "");
		this.#paging = "pageSize" in operation.query.shape ? service?.paging : undefined;
		this.#lists = service?.paging?.lists;
	}

	/** Our values → the deployment's. @throws PurserError validation or guard, where one cannot be written */
	write(ours: Values, facts: Facts): Values {
		const operation = this.#operation;
		const given = this.#paging === undefined ? ours : { ...ours, query: withoutPaging(ours.query) };
		const made: Made = { params: {}, query: {}, body: {}, headers: {} };
		this.#writeBound(made, given, facts.currency);
		for (const one of this.#binding.constants ?? []) placeConstant(made, one);
		this.#writeOthers(made, given);
		if (this.#paging !== undefined) {
			const page = pageQuery(this.#paging, ours.query, facts.after);
			made.query = this.#paging.style === "link" && facts.after !== undefined ? page : { ...made.query, ...page };
		}
		const hasBody = Object.keys(made.body).length > 0 || (isRecord(ours.body) && operation.body !== undefined);
		return { ...made, body: hasBody ? made.body : undefined };
	}

	#writeBound(made: Made, { params, query, body }: Values, currency: string | undefined): void {
		const operation = this.#operation;
		if (operation.effect === "money" && currency === undefined && currencyField(this.#fields) !== undefined)
			throw unwritableError(operation, "currency", new CurrencyUnknown("the deployment takes a currency, and it is not known"));
		const all = { ...(isRecord(body) ? body : {}), ...query, ...params, ...(currency === undefined ? {} : { currency }) };
		for (const { field, ours, theirs } of this.#fields)
			for (const { indexes, value } of foundAt(all, ours)) {
				const border = borders[ours.join(".")];
				const exact = border === undefined ? value : widened(value, field, border);
				const wire = writtenOf(operation, ours.join("."), exact, field, currency);
				if (field.place === "body") put(made.body, [...this.#record, ...theirs], indexes, wire);
				else if (field.place === "path") made.params[field.at] = wire;
				else if (field.place === "query") made.query[field.at] = wire;
				else made.headers[field.at.toLowerCase()] = headerValue(operation, ours.join("."), wire);
			}
	}

	#writeOthers(made: Made, { params, query, body }: Values): void {
		const taken = this.#fields.map(({ ours }) => ours);
		const rest = { params: without(params, taken), query: without(query, taken), body: without(body, taken) };
		if (this.#binding.request?.others === "refused") {
			// An order or a page that the deployment does not know leaves nothing out: a list is read to its end.
			refuseRest(this.#operation, { ...rest, query: without(rest.query, unselecting) });
			return;
		}
		Object.assign(made.params, rest.params);
		Object.assign(made.query, toWire(rest.query, this.#binding));
		if (isRecord(rest.body)) merge(made.body, inside(this.#record, toWire(rest.body, this.#binding)));
	}

	/** The deployment's values → ours: the other way round. */
	read(theirs: Values): Values {
		const ours = { params: {}, query: {}, body: {} } satisfies Values;
		const record = valueAt(theirs.body, this.#record);
		this.#readBound(ours, theirs, record);
		if (this.#paging !== undefined) Object.assign(ours.query, askedPage(this.#paging, theirs.query as Record<string, string>));
		if (this.#binding.request?.others !== "refused") this.#readOthers(ours, theirs, record);
		return ours;
	}

	#readBound(ours: { params: object; query: object; body: object }, theirs: Values, record: unknown): void {
		const { params, query, body: bodyShape } = this.#operation;
		const shapes = [params, query, ...(bodyShape ? [bodyShape] : [])].map((schema) => describe(schema));
		const sourceOf = (place: RequestField["place"]): unknown =>
			({ path: theirs.params, query: theirs.query, header: theirs.headers, body: record })[place];
		const currency = currencyField(this.#fields);
		const told = currency && valueAt(sourceOf(currency.field.place), currency.theirs);
		for (const { field, ours: name, theirs: place } of this.#fields) {
			const [head = ""] = name;
			const holder = head in params.shape ? ours.params : head in query.shape ? ours.query : ours.body;
			// A payment's currency is no field of ours.
			if (head === "currency" && !("currency" in (bodyShape?.shape ?? {}))) continue;
			const kind = fieldNamed(shapes, name.join("."));
			for (const { indexes, value } of foundAt(sourceOf(field.place), place)) {
				const given = field.place === "body" ? value : fromText(value, kind, this.#lists);
				const ourValue = read(given, field, typeof told === "string" ? told : undefined);
				put(holder as Record<string, unknown>, name, indexes, inOurKind(ourValue, kind));
			}
		}
	}

	#readOthers(ours: { params: object; query: object; body: Record<string, unknown> }, theirs: Values, record: unknown): void {
		const { constants = [] } = this.#binding;
		const taken = (place: RequestField["place"]): (readonly string[])[] => [
			...this.#fields.filter(({ field }) => field.place === place).map((one) => one.theirs),
			...constants.filter((one) => one.place === place).map(({ at }) => (place === "body" ? this.#inRecord(placeOf(at)) : [at])),
		];
		Object.assign(ours.params, without(theirs.params, taken("path")));
		Object.assign(ours.query, fromWire(without(theirs.query, taken("query")), this.#binding));
		merge(ours.body, fromWire(without(record, taken("body")), this.#binding));
	}

	/** The parts of a body's place from the request's record; one that stands beside the record stays as it is. */
	#inRecord(parts: readonly string[]): readonly string[] {
		return this.#record.every((part, at) => part === parts[at]) ? parts.slice(this.#record.length) : parts;
	}

	/**
	 * Our name of a field in an error; undefined for a place that is not bound.
	 * @param theirs the parts of its place, from the body's root or from its record
	 */
	nameOf(theirs: readonly string[]): string | undefined {
		const inner = this.#inRecord(theirs);
		for (const parts of [theirs, inner])
			for (const { ours, theirs: place } of this.#fields) {
				const rest = restBelow(place, parts);
				if (rest !== undefined) return [...filledIn(ours, rest.indexes), ...rest.below].join(".");
			}
		return inner.length < theirs.length ? pathFromWire(inner.join("."), this.#binding) : undefined;
	}

	/** The deployment's place of our field, in an error: the other way round. */
	placeOfName(ours: string): string {
		const parts = ours.split(".");
		for (const { field, ours: name, theirs } of this.#fields) {
			const rest = restBelow(name, parts);
			if (rest === undefined) continue;
			const place = [...filledIn(theirs, rest.indexes), ...rest.below];
			return (field.place === "body" ? [...this.#record, ...place] : place).join(".");
		}
		const { params, query } = this.#operation;
		const isOutside = (parts[0] ?? "") in params.shape || (parts[0] ?? "") in query.shape;
		return [...(isOutside ? [] : this.#record), pathToWire(ours, this.#binding)].join(".");
	}
}

/** What stands below a place, and which entries of lists led there; undefined for another place. */
function restBelow(place: readonly string[], parts: readonly string[]): { indexes: string[]; below: readonly string[] } | undefined {
	if (place.length > parts.length || !place.every((part, at) => part === "*" || part === parts[at])) return undefined;
	return { indexes: parts.filter((_part, at) => place[at] === "*"), below: parts.slice(place.length) };
}

function filledIn(place: readonly string[], indexes: readonly string[]): string[] {
	let used = 0;
	return place.map((part) => (part === "*" ? (indexes[used++] ?? part) : part));
}

/** Query fields that say nothing of which records a list has. */
const unselecting = [["sortAttribute"], ...pagingFields.map((name) => [name])];

/** An id that stands as a number at the deployment is text with us. */
const inOurKind = (value: unknown, kind: ReturnType<typeof fieldNamed>): unknown =>
	value instanceof Decimal && typeof kind === "object" && kind.kind === "text" ? value.text : value;

const withoutPaging = (query: Record<string, unknown>): Record<string, unknown> =>
	without(
		query,
		pagingFields.map((name) => [name]),
	) as Record<string, unknown>;

function writtenOf(operation: AnyOperation, name: string, value: unknown, field: RequestField, currency: string | undefined): unknown {
	try {
		return written(value, field, currency);
	} catch (error) {
		throw error instanceof Unwritable ? unwritableError(operation, name, error) : error;
	}
}

function placeConstant(made: Made, { place, at, value }: Constant): void {
	if (place === "body") put(made.body, placeOf(at), [], value);
	else if (place === "query") made.query[at] = value;
	else made.headers[at.toLowerCase()] = String(value);
}
