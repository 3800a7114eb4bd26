/**
 * A sandbox in the words of a deployment: the same operations and the same state, through a binding that is applied backwards.
 */
import { parseJson } from "../../api/json.js";
import { catalog } from "../../api/operations/catalog.js";
import { describe, type Field, isRecord } from "../../api/schema.js";
import { type BoundOperation, boundOperation } from "../../binding/binding.js";
import type { Bindings } from "../../binding/file.js";
import { partsOf, put } from "../../binding/pointer.js";
import type { Values } from "../../binding/request.js";
import type { BoundErrors, OperationBinding, ServiceBinding } from "../../ports/binding.js";
import { HttpError, jsonResponse, type Request, type Response } from "../message.js";
import { readBody } from "../service/body.js";
import { asked } from "./answers.js";
import type { Language, Meant } from "./language.js";
import { askedPage, nextPlace, tellNext } from "./pages.js";
import { finderOf } from "./paths.js";
import { fittingBest, type Told, telling } from "./telling-apart.js";

/** An operation as the deployment has it. */
export interface Spoken {
	operation: (typeof catalog)[number];
	binding: OperationBinding;
	bound: BoundOperation;
	method: string;
	/** With the path of its own base address, where it has one. */
	path: string;
	/** What tells its requests from those of another operation at the same address. */
	told: Told;
}

/** Every operation, bound or not. */
export function spokenIn({ service, operations }: Bindings): Spoken[] {
	return catalog.map((operation) => {
		const binding = operations[operation.id] ?? {};
		const bound = boundOperation(operation, operations[operation.id], service);
		const base = binding.server === undefined ? "" : new URL(binding.server).pathname.replace(/\/+$/, "");
		return { operation, binding, bound, method: bound.method, path: base + bound.path, told: telling(operation, binding) };
	});
}

/** @param bindings without faults; see `dialectFaults` */
export function dialectOf(bindings: Bindings): Language {
	const find = finderOf(spokenIn(bindings));
	const { service = {} } = bindings;
	return {
		meaningsOf: (request, path, query) => {
			const body = bodyOf(request);
			const found = find(request.method, path).map(({ one, params }) => ({
				spoken: one,
				values: { params, query: record(query), headers: { ...request.headers }, body: body.value } satisfies Values,
			}));
			const { best, fault } = fittingBest(found.map((one) => ({ ...one, told: one.spoken.told })));
			const [first, ...others] = best;
			const meaning = ({ spoken, values }: typeof first): Meant =>
				meant(spoken, values, service, { request, query, fault: body.fault ?? fault });
			return [meaning(first), ...others.map(meaning)];
		},
		refused: (answer) => refusal(answer, service.errors, (name) => name),
	};
}

/** Of a query, the value of each name, or its values. */
function record(query: URLSearchParams): Record<string, string | string[]> {
	return Object.fromEntries(
		[...new Set(query.keys())].map((name) => {
			const all = query.getAll(name);
			return [name, all.length === 1 ? (all[0] as string) : all];
		}),
	);
}

/** A body that cannot be read is refused once its asker is let in, and not before. */
function bodyOf(request: Request): { value?: Record<string, unknown>; fault?: HttpError } {
	if (request.body.length === 0) return {};
	try {
		return { value: readBody(request) };
	} catch (cause) {
		if (cause instanceof HttpError) return { fault: cause };
		throw cause;
	}
}

function meant(
	{ operation, binding, bound }: Spoken,
	values: Values,
	{ paging, errors }: ServiceBinding,
	{ request, query, fault }: { request: Request; query: URLSearchParams; fault?: HttpError },
): Meant {
	const ours = bound.fromRequest(values);
	const isList = "pageSize" in operation.query.shape;
	const page = isList && paging !== undefined ? askedPage(paging, query, ours.query.pageSize) : undefined;
	if (page !== undefined) ours.query.pageSize = String(page.size);
	// What does not fit is named as the deployment does already.
	const refused = (answer: Response): Response => refusal(answer, errors, (name) => (fault === undefined ? bound.fieldToWire(name) : name));
	const told = (answer: Response): Response => {
		if (answer.status >= 400) return refused(answer);
		const status = statusOf(bound, answer.status);
		const data = jsonOf(answer);
		if (data === undefined) return { ...answer, status };
		const known = withWhatIsAsked(data, binding);
		if (paging === undefined || page === undefined) return jsonResponse(status, bound.toAnswer(known), answer.headers);
		const theirs = bound.toAnswer(paging.total === undefined ? withoutTotal(known) : known);
		const headers = tellNext(paging, theirs, nextPlace(page, data), request.target);
		return jsonResponse(status, theirs, { ...answer.headers, ...headers });
	};
	return {
		operation,
		params: texts(ours.params),
		query: search(ours.query),
		from: page?.from,
		body: () => {
			if (fault !== undefined) throw fault;
			return operation.body === undefined ? {} : (filled(describe(operation.body), ours.body) as Record<string, unknown>);
		},
		told,
		waiting: bound.statuses?.waiting?.[0] ?? 202,
	};
}

const texts = (params: Record<string, unknown>): Record<string, string> =>
	Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));

function search(query: Record<string, unknown>): URLSearchParams {
	const given = new URLSearchParams();
	for (const [name, value] of Object.entries(query))
		for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) given.append(name, String(one));
	return given;
}

/** What the description fills in by itself has no place at a deployment that does so too. */
function filled(shape: Field, value: unknown): unknown {
	if (shape.fields === undefined || !isRecord(value)) return value;
	const whole: Record<string, unknown> = { ...value };
	for (const field of shape.fields) {
		const given = whole[field.name] === undefined ? field.fallback : whole[field.name];
		if (given !== undefined) whole[field.name] = filled(field, given);
	}
	return whole;
}

/** The JSON of an answer; undefined for a page, a document, nothing, or what a simulated fault has made of it. */
function jsonOf({ headers, body }: Response): unknown {
	if (body.length === 0 || headers["content-type"] !== "application/json") return undefined;
	return parseJson(new TextDecoder().decode(body));
}

function withWhatIsAsked(data: unknown, { answer }: OperationBinding): unknown {
	const fields = answer?.fields;
	if (fields === undefined || !isRecord(data)) return data;
	return Array.isArray(data.content) ? { ...data, content: data.content.map((one) => asked(one, fields)) } : asked(data, fields);
}

/** A deployment that tells no number of all records. */
function withoutTotal(data: unknown): unknown {
	if (!isRecord(data)) return data;
	const { totalElements: _, ...rest } = data;
	return rest;
}

function statusOf({ statuses }: BoundOperation, status: number): number {
	const { accepted = [] } = statuses ?? {};
	return accepted.length === 0 || accepted.includes(status) ? status : (accepted[0] as number);
}

/** @param nameOf the deployment's name of our field */
function refusal(answer: Response, errors: BoundErrors | undefined, nameOf: (ours: string) => string): Response {
	const told = jsonOf(answer);
	if (!isRecord(told)) return answer;
	const details = (Array.isArray(told.details) ? told.details : []).filter(isRecord).map((one) => ({
		...one,
		field: nameOf(String(one.field)),
	}));
	const { "content-type": _, ...headers } = answer.headers;
	if (errors === undefined) return jsonResponse(answer.status, details.length === 0 ? told : { ...told, details }, headers);
	const theirs: Record<string, unknown> = {};
	const say = (pointer: string | undefined, value: unknown): void => {
		if (pointer !== undefined && value !== undefined) put(theirs, partsOf(pointer) ?? [], [], value);
	};
	say(errors.code, told.errorCode);
	say(errors.message, told.message);
	for (const [index, one] of details.entries()) {
		const { records = "", field = "", message = "" } = errors.details ?? {};
		if (records === "") break;
		const places = partsOf(records) ?? [];
		put(theirs, [...places, "*", ...(partsOf(field) ?? [])], [index], one.field);
		put(theirs, [...places, "*", ...(partsOf(message) ?? [])], [index], (one as { message?: unknown }).message);
	}
	return jsonResponse(answer.status, theirs, headers);
}
