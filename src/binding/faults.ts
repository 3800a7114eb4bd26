/**
 * What is wrong with a binding, found before it is stored. Pure.
 */
import type { AnyOperation } from "../api/operation.js";
import { describe, type FieldKind } from "../api/schema.js";
import { idKindOf, idPatternFault } from "../api/text/ids.js";
import type { Fault } from "../errors.js";
import type { AnswerField, BoundValue, OperationBinding, RequestField, ServiceBinding } from "../ports/binding.js";
import { codecs } from "./codecs.js";
import { fieldNamed, hasField, pathFaults } from "./described.js";
import { isHeaderName, isOfTheClient, isSecret } from "./headers.js";
import { partsOf } from "./pointer.js";
import { isIdempotency } from "./wanted.js";

/** Most fields, and most values of one list, in a binding; most characters of a header's name. */
const mostFields = 200;
const mostValues = 500;
const longestName = 100;

/**
 * The faults of an operation's binding: places that do not exist or that two fields share, required fields without a place, codecs and values
 * that cannot be read back.
 * @param baseUrl of the profile; another server must have its origin
 */
export function bindingFaults(operation: AnyOperation, binding: OperationBinding, baseUrl: string): Fault[] {
	const faults: Fault[] = [];
	const refuse = (field: string, message: string): void => void faults.push({ field, message });
	const refuseAll = (field: string, messages: readonly string[]): void => {
		for (const message of messages) refuse(field, message);
	};
	const request = Object.entries(binding.request?.fields ?? {});
	const answer = Object.entries(binding.answer?.fields ?? {});
	if (request.length > mostFields || answer.length > mostFields) refuse("fields", `are more than ${mostFields}`);
	for (const [name, field] of request) refuseAll(name, requestFaults(operation, name, field, binding.method));
	for (const [name, field] of answer) refuseAll(name, answerFaults(operation, name, field));
	refuseAll("request", [...faultsOfPath(operation, binding), ...placeFaults(operation, binding), ...missingFaults(operation, binding)]);
	refuseAll("record", pointerFaults([binding.request?.record, binding.answer?.record, binding.answer?.records]));
	refuseAll("statuses", statusFaults(binding));
	refuseAll("constants", sameKeyFaults(operation, binding));
	refuseAll("server", serverFaults(binding.server, baseUrl));
	if (answer.length > 0 && operation.created !== undefined && !answer.some(([name]) => operation.created?.includes(name)))
		refuse("answer", `does not say where the new record's id stands (${operation.created.join(" or ")})`);
	return faults;
}

/** One idempotency key for all payments makes each of them the first one, sent again. */
function sameKeyFaults({ effect }: AnyOperation, { headers = {}, constants = [] }: OperationBinding): string[] {
	if (effect !== "money") return [];
	const names = [...Object.keys(headers), ...constants.map(({ place, at }) => (place === "body" ? (partsOf(at)?.at(-1) ?? at) : at))];
	return names
		.filter(isIdempotency)
		.map((name) => `${name} is an idempotency key: with one for all payments, each would count as the first`);
}

function pointerFaults(pointers: readonly (string | undefined)[]): string[] {
	return pointers.flatMap((one) => (one !== undefined && partsOf(one) === undefined ? [`${one} is not a JSON Pointer`] : []));
}

function serverFaults(server: string | undefined, baseUrl: string): string[] {
	if (server === undefined || originOf(server) === originOf(baseUrl)) return [];
	return [`${server} is not at the profile's own address, ${originOf(baseUrl) ?? baseUrl}`];
}

/** The faults of what a profile replaces for all operations. */
export function serviceFaults({ paging, errors, ids }: ServiceBinding): Fault[] {
	const faults: Fault[] = [];
	const pointers = { next: paging?.next, records: paging?.records, total: paging?.total, code: errors?.code, message: errors?.message };
	for (const [field, pointer] of Object.entries(pointers))
		if (pointer !== undefined && partsOf(pointer) === undefined) faults.push({ field, message: `${pointer} is not a JSON Pointer` });
	if (paging !== undefined && paging.style !== "link" && paging.at === undefined)
		faults.push({ field: "paging", message: "does not say which query field says the page" });
	if (paging?.style === "cursor" && paging.next === undefined)
		faults.push({ field: "paging", message: "does not say where the next cursor stands" });
	for (const [kind, pattern] of Object.entries(ids ?? {})) {
		const message = idPatternFault(pattern);
		if (message !== undefined) faults.push({ field: `ids.${kind}`, message });
	}
	return faults;
}

function originOf(address: string): string | undefined {
	try {
		return new URL(address).origin;
	} catch {
		return undefined;
	}
}

function requestFaults(operation: AnyOperation, name: string, field: RequestField, method: string | undefined): string[] {
	const shapes = [operation.params, operation.query, ...(operation.body ? [operation.body] : [])].map((schema) => describe(schema));
	const money = operation.effect === "money";
	if (!(money && name === "currency") && !shapes.some((shape) => hasField(shape, name.split("."))))
		return [`names no field of ${operation.id}`];
	const faults = [...valueFaults(field), ...(money ? moneyFaults(name, field) : [])];
	if (field.place !== "body") {
		const kind = name === "currency" && money ? "text" : (fieldNamed(shapes, name)?.kind ?? "json");
		return [...faults, ...textPlaceFaults(field, kind)];
	}
	if ((method ?? operation.method) === "GET") faults.push("stands in a body, and GET has none");
	const parts = partsOf(field.at);
	const stars = (names: readonly string[]): number => names.filter((part) => part === "*").length;
	if (parts === undefined || parts.length === 0) faults.push(`${field.at} is not a JSON Pointer of a field`);
	else if (stars(parts) !== stars(name.split("."))) faults.push(`${field.at} must have as many * as ${name}`);
	return faults;
}

/** A path, a query and a header hold text alone. */
function textPlaceFaults({ place, at }: RequestField, kind: FieldKind): string[] {
	const faults: string[] = [];
	if (kind === "object" || kind === "json") faults.push(`is a record, which a ${place} cannot hold`);
	if (kind === "list" && place !== "query") faults.push(`is a list, which a ${place} cannot hold`);
	if (place === "header") return [...faults, ...headerFaults(at)];
	return /^[A-Za-z_$][A-Za-z0-9_.$[\]-]{0,99}$/.test(at) ? faults : [...faults, `${at} is no name of a parameter`];
}

const decimalCodecs: readonly unknown[] = ["number", "decimal-text", "minor-units", undefined];

/** Who pays whom is never translated: an id may stand as a number of the same digits. An amount is written only in forms of itself. */
function moneyFaults(name: string, { codec, values }: RequestField): string[] {
	if (name === "allowFastPayment" || name === "allowInterLedger") return [];
	const faults = values === undefined ? [] : ["of a payment cannot have other values"];
	const isKept = Object.hasOwn(idKindOf, name) && codec === "number";
	if (name === "amount" ? !decimalCodecs.includes(codec) : codec !== undefined && !isKept)
		faults.push(`of a payment cannot be written as ${codec}`);
	return faults;
}

function headerFaults(name: string): string[] {
	if (!isHeaderName(name) || name.length > longestName) return [`${name} is no name of a header`];
	// Those of the answer's form and of the tool are refused too: nothing in a document asks for another value of them.
	return isOfTheClient(name) || isSecret(name) || /^(accept.*|user-agent)$/i.test(name)
		? [`${name} is a header that no binding may set`]
		: [];
}

function answerFaults(operation: AnyOperation, name: string, field: AnswerField): string[] {
	const faults = valueFaults(field);
	// Of a list the description shows the page; what its records have, and what stands in those parts, is named beside it.
	const isRecordsField =
		operation.record?.fields.some((one) => name === one || name.startsWith(`${one}.`)) || operation.created?.includes(name);
	const isKnown = isRecordsField || hasField(describe(operation.answer), name.split(".")) || isGivenAtCreation(operation, name);
	if (!isKnown) faults.push(`names no field of ${operation.id}'s answer`);
	if (partsOf(field.at) === undefined || field.at === "") faults.push(`${field.at} is not a JSON Pointer of a field`);
	return faults;
}

/** A record has the fields that it was created with (specification 2.5). */
function isGivenAtCreation({ record }: AnyOperation, name: string): boolean {
	return record?.given !== undefined && hasField(describe(record.given()), name.split("."));
}

function valueFaults({ codec, values }: BoundValue): string[] {
	const faults: string[] = [];
	if (codec !== undefined && !codecs.includes(codec)) faults.push(`${codec} is none of the forms ${codecs.join(", ")}`);
	if (codec !== undefined && values !== undefined) faults.push("has both another form and other values; only one can be read back");
	const theirs = Object.values(values ?? {});
	if (theirs.length > mostValues) faults.push(`has more than ${mostValues} values`);
	const twice = theirs.find((value, at) => theirs.indexOf(value) !== at);
	if (twice !== undefined) faults.push(`has two values that are both ${twice} at the deployment`);
	return faults;
}

function faultsOfPath(operation: AnyOperation, binding: OperationBinding): string[] {
	const fields = Object.entries(binding.request?.fields ?? {});
	const bound = fields.filter(([, { place }]) => place === "path").map(([, { at }]) => at);
	const sent =
		binding.request?.others === "refused"
			? []
			: Object.keys(operation.params.shape).filter((name) => !fields.some(([one]) => one === name));
	const faults = pathFaults(binding.path ?? operation.path, [...bound, ...sent], (name) => `has {${name}}, and nothing says what it is`);
	return faults.map((message) => `the path ${message}`);
}

/** Two fields may not stand at one place, nor one inside the other: only one of them would be sent. */
function placeFaults(operation: AnyOperation, binding: OperationBinding): string[] {
	const { request, constants = [], headers = {} } = binding;
	const record = partsOf(request?.record ?? "") ?? [];
	const places = [
		...Object.keys(headers).map((name) => ({ name: `the header ${name}`, key: ["header", name.toLowerCase()] })),
		...sentUnbound(operation, binding).map((name) => ({ name, key: ["body", ...record, binding.fields?.[name] ?? name] })),
		...Object.entries(request?.fields ?? {}).map(([name, { place, at }]) => ({
			name,
			key: place === "body" ? [place, ...record, ...(partsOf(at) ?? [])] : [place, place === "header" ? at.toLowerCase() : at],
		})),
		...constants.map(({ place, at }) => ({
			name: `the constant ${at}`,
			key: place === "body" ? [place, ...(partsOf(at) ?? [])] : [place, place === "header" ? at.toLowerCase() : at],
		})),
	];
	const faults = constants.filter(({ place }) => place === "header").flatMap(({ at }) => headerFaults(at));
	for (const [index, one] of places.entries())
		for (const other of places.slice(index + 1)) {
			const shorter = Math.min(one.key.length, other.key.length);
			if (one.key.slice(0, shorter).join("\0") === other.key.slice(0, shorter).join("\0"))
				faults.push(`${one.name} and ${other.name} would stand at one place`);
		}
	return faults;
}

/** What is sent under our own names because it is not bound: of a payment everything, else what is always sent. */
function sentUnbound({ body, effect }: AnyOperation, { request }: OperationBinding): string[] {
	if (body === undefined || request?.others === "refused") return [];
	const bound = Object.keys(request?.fields ?? {}).map((name) => name.split(".", 1)[0]);
	const sent = (describe(body).fields ?? []).filter(({ required }) => effect === "money" || required);
	return sent.map(({ name }) => name).filter((name) => !bound.includes(name));
}

function missingFaults(operation: AnyOperation, { request }: OperationBinding): string[] {
	if (request?.others !== "refused") return [];
	const shapes = [operation.params, ...(operation.body ? [operation.body] : [])].map((schema) => describe(schema));
	const bound = Object.keys(request.fields ?? {});
	const isBound = (name: string): boolean => bound.some((one) => one === name || one.startsWith(`${name}.`));
	const required = shapes.flatMap((shape) => (shape.fields ?? []).filter((one) => one.required).map(({ name }) => name));
	return required.filter((name) => !isBound(name)).map((name) => `${name} is required and has no place`);
}

function statusFaults({ answer }: OperationBinding): string[] {
	const { accepted = [], waiting = [] } = answer?.statuses ?? {};
	const all = [...accepted, ...waiting];
	const faults = all
		.filter((one) => !Number.isInteger(one) || one < 200 || one > 299)
		.map((one) => `${one} is no 2xx: no other can mean done`);
	if (new Set(all).size !== all.length) faults.push("one status cannot mean both done and waiting");
	return faults;
}
