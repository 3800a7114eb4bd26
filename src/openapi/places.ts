/**
 * Where values stand in a foreign request, and which values of ours there are.
 */
import type { AnyOperation } from "../api/operation.js";
import { describe } from "../api/schema.js";
import { idKindOf } from "../api/text/ids.js";
import { pagingFields } from "../binding/paging.js";
import type { OperationBinding, Place } from "../ports/binding.js";
import { isIdName, leavesOf, type Match, matchFields, type OurField } from "./fields.js";
import type { ForeignField, ForeignOperation } from "./foreign.js";
import { isParameter, partsOfPath } from "./voice.js";

/** A value of a foreign request. */
export interface PlacedField extends ForeignField {
	place: Place;
	/** As a binding has it: a name, or a JSON Pointer. */
	at: string;
}

const paging: ReadonlySet<string> = new Set(pagingFields);
const credentials =
	/^(authorization|cookie|accept.*|content-.*|user-agent|x-?request-?id|x-?correlation-?id|idempotency-?key|x-?idempotency-?key|if-.*|traceparent)$|key|token|secret|signature/i;

/** All values of a request. The collection before a path's parameter counts as its parent: `/companies/{id}` is a company's id. */
export function namedPlaces(theirs: ForeignOperation): PlacedField[] {
	const parts = partsOfPath(theirs.path);
	const named = [...theirs.path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] as string);
	const inPath = named.map((name): PlacedField => {
		const described = theirs.parameters.find((one) => one.place === "path" && one.name === name);
		const before = parts.slice(0, parts.indexOf(`{${name}}`)).findLast((part) => part !== "" && !part.startsWith("{"));
		const path = before === undefined || /[a-z]_?id$/i.test(name) ? [name] : [before, name];
		const base = described ?? { type: "text" as const, description: "" };
		return { ...base, pointer: `/${name}`, path, required: true, place: "path", at: name };
	});
	const others = theirs.parameters
		.filter((one) => one.place === "query" || (one.place === "header" && !credentials.test(one.name)))
		.map((one): PlacedField => ({ ...one, at: one.name }));
	const body = theirs.method === "GET" ? [] : (theirs.body ?? []);
	return [...inPath, ...others, ...body.map((field): PlacedField => ({ ...field, place: "body", at: field.pointer }))];
}

/** Whether an id stands in its path, or in a field that is named as one. */
export const takesId = (theirs: ForeignOperation): boolean =>
	namedPlaces(theirs).some(({ place, path }) => place === "path" || isIdName(path.at(-1) ?? ""));

/** All our values of a request, without paging and, for money, without who pays whom. */
export function ourRequest(operation: AnyOperation, isMoney: boolean): OurField[] {
	const shapes = [operation.params, operation.query, ...(operation.body ? [operation.body] : [])];
	const all = shapes.flatMap((shape) => leavesOf(describe(shape)));
	const left = all.filter(({ name }) => !paging.has(name) && !(isMoney && /(ledgerFromId|ledgerToId|beneficiaryId)$/.test(name)));
	return isMoney ? [...left, { name: "currency", kind: "text", required: false, values: 0 }] : left;
}

/** Whether a value of ours must be sent: a part that may be left out is not needed in a record that must be there. */
export function neededIn({ params, body }: AnyOperation): (ours: string) => boolean {
	const fields = [params, ...(body ? [body] : [])].flatMap((shape) => (describe(shape).fields ?? []).filter(({ required }) => required));
	const needed = fields.flatMap((field) => {
		const parts = leavesOf(field, field.name).filter(({ required }) => required);
		return parts.length === 0 ? [field.name] : parts.map(({ name }) => name);
	});
	return (ours) => needed.some((one) => one === ours || ours.startsWith(`${one}.`) || one.startsWith(`${ours}.`));
}

const allIds: readonly OurField[] = ["corporateId", "corporateRelatedId", "ledgerId", "beneficiaryId", "transactionId"].map(
	(name): OurField => ({ name, kind: "text", required: true, values: 0 }),
);

/** The last id of a path is that of the record it is about, whatever it is called: ours, where just one id of ours has no place yet. @param isOwn whether our operation is about the record itself */
export function withLastId(
	ours: readonly OurField[],
	request: readonly Match<PlacedField>[],
	places: readonly PlacedField[],
	{ path, isOwn }: { path: string; isOwn: boolean },
): Match<PlacedField>[] {
	const inPath = places.filter(({ place }) => place === "path");
	const last = inPath.at(-1);
	const left = ours.filter((one) => one.required && one.name in idKindOf && !request.some((match) => match.ours === one));
	const [only] = left;
	const isAbout = isParameter(partsOfPath(path).at(-1) ?? "") ? isOwn : !isOwn || inPath.length === 1;
	if (last === undefined || only === undefined || left.length > 1 || !isAbout || request.some(({ theirs }) => theirs === last))
		return [...request];
	const [named] = matchFields(allIds, [last]);
	if (named !== undefined && named.score >= 0.8 && idKindOf[named.ours.name] !== idKindOf[only.name]) return [...request];
	return [...request, { ours: only, theirs: last, score: 0.8, isSure: inPath.length === 1 }];
}

/** Path parameters that nothing of ours fills. @param filled what something of ours fills */
export function missingParameters({ path }: ForeignOperation, filled: readonly Partial<PlacedField>[]): string[] {
	const named = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] as string);
	return named.filter((name) => !filled.some(({ place, at }) => place === "path" && at === name));
}

/** Whether a request must have a field: always, or because something is sent that stands inside the same thing. @param sent pointers */
export const isNeeded = ({ required, requiredWith }: ForeignField, sent: readonly string[]): boolean =>
	required || (requiredWith !== undefined && sent.some((one) => one.startsWith(`${requiredWith}/`)));

/** Values that a request must have, for which nothing is bound and the document names no value that holds without them. */
export function unfilled(theirs: ForeignOperation, { request, constants = [] }: OperationBinding): PlacedField[] {
	const bound = [...Object.values(request?.fields ?? {}), ...constants];
	const sent = bound.flatMap(({ place, at }) => (place === "body" ? [`${request?.record ?? ""}${at}`] : []));
	const taken = new Set(bound.map(({ place, at }) => `${place} ${at}`));
	return namedPlaces(theirs).filter(
		(field) =>
			field.place !== "path" &&
			field.type !== "object" &&
			!sent.some((one) => one.startsWith(`${field.pointer}/`)) &&
			field.fallback === undefined &&
			isNeeded(field, sent) &&
			!field.at.includes("*") &&
			!taken.has(`${field.place} ${field.at}`),
	);
}
