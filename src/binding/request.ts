/**
 * A request in the deployment's form, and read back from it. Pure.
 */
import * as z from "zod/mini";
import { advice, purser } from "../api/advice.js";
import { canonicalJson } from "../api/json.js";
import type { AnyOperation } from "../api/operation.js";
import { describe, type Field, isRecord } from "../api/schema.js";
import { PurserError } from "../errors.js";
import type { BoundPaging, Constant, OperationBinding, RequestField, ServiceBinding } from "../ports/binding.js";
import { CurrencyUnknown, read, Unwritable, written } from "./codecs.js";
import { type Bound, boundFields, currencyField, inside, merge } from "./fields.js";
import { isHeaderValue } from "./headers.js";
import { fromWire, toWire } from "./names.js";
import { askedPage, pageQuery, pagingFields } from "./paging.js";
import { foundAt, placeOf, put, valueAt, without } from "./pointer.js";

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

	constructor(operation: AnyOperation, binding: OperationBinding | undefined, service: ServiceBinding | undefined) {
		this.#operation = operation;
		this.#binding = binding ?? {};
		this.#fields = boundFields(binding?.request?.fields);
		this.#record = placeOf(binding?.request?.record ?? "");
		this.#paging = "pageSize" in operation.query.shape ? service?.paging : undefined;
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
				const wire = writtenOf(operation, ours.join("."), value, field, currency);
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
			refuseRest(this.#operation, rest);
			return;
		}
		Object.assign(made.params, rest.params);
		Object.assign(made.query, toWire(rest.query, this.#binding));
		if (isRecord(rest.body)) merge(made.body, inside(this.#record, toWire(rest.body, this.#binding)));
	}

	/** The deployment's values → ours: the other way round. */
	read(theirs: Values): Values {
		const { params, query, body: bodyShape } = this.#operation;
		const ours = { params: {}, query: {}, body: {} } satisfies Values;
		const record = valueAt(theirs.body, this.#record);
		const sourceOf = (place: RequestField["place"]): unknown =>
			({ path: theirs.params, query: theirs.query, header: theirs.headers, body: record })[place];
		const currency = currencyField(this.#fields);
		const told = currency && valueAt(sourceOf(currency.field.place), currency.theirs);
		for (const { field, ours: name, theirs: place } of this.#fields) {
			const [head = ""] = name;
			const holder = head in params.shape ? ours.params : head in query.shape ? ours.query : ours.body;
			// A payment's currency is no field of ours.
			if (head === "currency" && !("currency" in (bodyShape?.shape ?? {}))) continue;
			for (const { indexes, value } of foundAt(sourceOf(field.place), place))
				put(holder, name, indexes, read(value, field, typeof told === "string" ? told : undefined));
		}
		if (this.#paging !== undefined) Object.assign(ours.query, askedPage(this.#paging, theirs.query as Record<string, string>));
		if (this.#binding.request?.others !== "refused") this.#readOthers(ours, theirs, record);
		return ours;
	}

	#readOthers(ours: { params: object; query: object; body: Record<string, unknown> }, theirs: Values, record: unknown): void {
		const taken = (place: RequestField["place"]) => this.#fields.filter(({ field }) => field.place === place).map((one) => one.theirs);
		Object.assign(ours.params, without(theirs.params, taken("path")));
		Object.assign(ours.query, fromWire(without(theirs.query, taken("query")), this.#binding));
		merge(ours.body, fromWire(without(record, taken("body")), this.#binding));
	}

	/** Our name of a bound field; undefined for a place that is not bound. @param theirs the parts of its place */
	nameOf(theirs: readonly string[]): string | undefined {
		for (const { ours, theirs: place } of this.#fields) {
			if (place.length > theirs.length || !place.every((part, at) => part === "*" || part === theirs[at])) continue;
			const indexes = theirs.filter((_part, at) => place[at] === "*");
			let used = 0;
			return [...ours.map((part) => (part === "*" ? (indexes[used++] ?? part) : part)), ...theirs.slice(place.length)].join(".");
		}
		return undefined;
	}
}

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

/** An amount whose currency must be known and is not is held back, not called wrong. */
function unwritableError(operation: AnyOperation, name: string, error: Unwritable): PurserError {
	const kind = error instanceof CurrencyUnknown ? "guard" : "validation";
	return new PurserError(kind, {
		code: kind === "guard" ? "CURRENCY_UNKNOWN" : "INPUT_INVALID",
		message: `${operation.title}: ${name} cannot be sent: ${error.message}. Nothing was sent`,
		fix: kind === "guard" ? "Say the currency: --currency" : advice`Correct it, or see how it is bound: ${purser`api list`}`,
		details: [{ field: name, message: error.message }],
	});
}

function headerValue(operation: AnyOperation, name: string, value: unknown): string {
	const text = String(value);
	if (isHeaderValue(text)) return text;
	throw new PurserError("validation", {
		code: "INPUT_INVALID",
		message: `${operation.title}: ${name} has a character that no header may carry. Nothing was sent`,
		fix: "Give it without that character",
		details: [{ field: name, message: "has a character that no header may carry" }],
	});
}

function placeConstant(made: Made, { place, at, value }: Constant): void {
	if (place === "body") put(made.body, placeOf(at), [], value);
	else if (place === "query") made.query[at] = value;
	else made.headers[at.toLowerCase()] = String(value);
}

/** Our fields that have no place at the deployment. One with the description's own default is left out: the deployment's applies. */
function refuseRest(operation: AnyOperation, rest: Record<"params" | "query" | "body", unknown>): void {
	const fields = operation.body ? (describe(operation.body).fields ?? []) : [];
	const left = Object.values(rest).flatMap((part) => (isRecord(part) ? Object.entries(part) : []));
	const fieldNamed = (name: string) => fields.find((one) => one.name === name);
	const [refused] = left.filter(([name, value]) => value !== undefined && !isFallback(fieldNamed(name), value));
	if (refused === undefined) return;
	throw new PurserError("validation", {
		code: "FIELD_NOT_BOUND",
		message: `${operation.title}: ${refused[0]} has no place at this deployment. Nothing was sent`,
		fix: advice`Leave it out, or say where it belongs: ${purser`api set ${operation.id} --help`}`,
		details: [{ field: refused[0], message: "has no place at this deployment" }],
	});
}

/** Whether a value is what the description fills in by itself: of an object, the defaults of its parts. */
function isFallback(field: Field | undefined, value: unknown): boolean {
	if (field?.fallback === undefined) return false;
	if (!isRecord(value)) return value === field.fallback;
	const filled = z.safeParse(field.schema, field.fallback);
	return filled.success && canonicalJson(filled.data) === canonicalJson(value);
}
