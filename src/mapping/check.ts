/**
 * A mapping beside the deployment's document: what is wrong with it there. What is wrong whatever a document says is found by `faults.ts`.
 */
import type { AnyOperation } from "../api/operation.js";
import type { Field } from "../api/schema.js";
import type { MappedOperation, MappedValue, Mapping, RequestPlace } from "../ports/mapping.js";
import type { TheirDocument, TheirField, TheirOperation, TheirPlace } from "./document.js";
import { faultsOfEntries, placed, requestFieldNamed } from "./faults.js";
import { isKey, isList, missingIn, ourRequest } from "./fields.js";
import { type MappingFault, placeText } from "./file.js";
import { isJsonType, ownPlace } from "./request/places.js";

/** All of them, each with its path in the file. */
export const checkAgainst = (mapping: Mapping, document: TheirDocument): MappingFault[] =>
	faultsOfEntries(mapping, (operation, entry) => {
		const theirs = operationAt(document, entry);
		if (theirs === undefined) return [{ path: ["send"], message: `${entry.method} ${entry.path} is not in the document` }];
		return [...requestFaults(operation, entry, theirs, mapping), ...answerFaults(operation, entry, theirs, mapping)];
	});

/** The operation that an entry names, whatever it calls parameters. */
function operationAt({ operations }: TheirDocument, { method, path }: MappedOperation): TheirOperation | undefined {
	const unnamed = (one: string): string => one.replace(/\{[^{}]*\}/g, "{}");
	return operations.find((one) => one.method === method && unnamed(one.path) === unnamed(path));
}

/** What stands at a place of theirs; `open` where the document leaves open what stands there. */
function at<T extends TheirField>(all: readonly T[], pointer: string): T | "open" | undefined {
	const around = all.filter((one) => pointer.startsWith(`${one.pointer}/`)).sort((one, other) => other.pointer.length - one.pointer.length);
	return all.find((one) => one.pointer === pointer) ?? (around[0]?.isOpen ? "open" : undefined);
}

function placeAt(theirs: TheirOperation, { place, at: name }: RequestPlace): TheirPlace | "open" | undefined {
	const all = theirs.request.filter((one) => one.place === place);
	if (place === "body") return at(all, name);
	// `page[size]` is a part of the object `page`, which is sent in parts.
	const isPartOf = (one: TheirPlace): boolean => one.type === "object" && name.startsWith(`${one.at}[`);
	return all.find((one) => one.at.toLowerCase() === name.toLowerCase()) ?? (all.some(isPartOf) ? "open" : undefined);
}

/** A value at a place: a field of ours, a constant, or what is given with `--set`. */
interface Sent extends RequestPlace, MappedValue {
	path: readonly string[];
	name?: string;
	constant?: unknown;
	field?: Field;
}

function requestFaults(operation: AnyOperation, entry: MappedOperation, theirs: TheirOperation, { idempotency }: Mapping): MappingFault[] {
	const { fields, constants = [], body = "json", method } = entry;
	const own = ourRequest(operation).flatMap(({ name, required }) => (required ? [[name, ownPlace(operation, name)] as const] : []));
	const sent = (fields === undefined ? own : placed(fields)).map(([name, field]): Sent => {
		const ours = requestFieldNamed(operation, name);
		return { ...field, path: fields === undefined ? [] : ["fields", name], name, field: ours === "open" ? undefined : ours };
	});
	for (const { value, ...place } of constants) sent.push({ ...place, path: ["constants", placeText(place)], constant: value });
	if (idempotency !== undefined && operation.effect === "money") sent.push({ ...idempotency, path: ["send"], constant: "" });
	// A body of another kind is one fault; that a GET has none is told without a document.
	const isOther = theirs.bodyType !== body && sent.some(({ place }) => place === "body");
	const faults: MappingFault[] = sent.flatMap((one) => {
		const isOpen = one.place === "path" || isJsonType(one.at, one.constant) || (one.place === "body" && isOther);
		const found = isOpen ? "open" : placeAt(theirs, one);
		const isText = body === "form" || one.place !== "body";
		const message =
			found === undefined ? `the document has no ${placeText(one)}` : found !== "open" && misfit(one, found, kindOf(one), isText);
		return message ? [{ path: one.path, message }] : [];
	});
	if (isOther && method !== "GET")
		faults.unshift({
			path: ["body"],
			message: theirs.bodyType ? `must be ${theirs.bodyType}: so the document has it` : "is sent, and the document has none here",
		});
	const missing = missingIn(theirs.request, sent).map((one): MappingFault => {
		const which = isKey(one) ? ": name it under idempotency" : one.values === undefined ? "" : `: one of ${listOf(one.values)}`;
		return { path: ["constants"], message: `have no ${placeText(one)}, and the document requires it${which}` };
	});
	return [...faults, ...missing];
}

const listOf = (values: readonly string[]): string => values.slice(0, 20).join(", ");

/** What keeps a value of a kind from standing at a place of theirs. In a form, a path, a query and a header all is text. */
function misfit({ form, values, constant, field }: Omit<Sent, "path" | "place" | "at">, theirs: TheirField, kind: string, isText: boolean) {
	const among = theirs.values ?? [];
	const sent = [values === undefined ? (constant ?? []) : Object.values(values)].flat(2).map(String);
	const unknown = sent.filter((one) => !among.includes(one));
	if (among.length > 0 && unknown.length > 0) return `the document has no ${listOf(unknown)} here: ${listOf(among)}`;
	const ours = values === undefined && form === undefined ? (field?.choices ?? field?.meta.known ?? field?.element?.meta.known) : undefined;
	if (ours !== undefined && among.length > 0 && !ours.some((value) => among.includes(value)))
		return `has none of the document's values: say which are ours (values): ${listOf(among)}`;
	const takes = theirs.type === "integer" ? "number" : theirs.type;
	const isScalar = !/^(object|list)$/.test(kind) && !/^(object|list)$/.test(takes);
	if (kind === "any" || takes === "any" || kind === takes || (isText && isScalar)) return undefined;
	return `is of type ${kind}, and the document has type ${theirs.type} here`;
}

/** What is written, as a type of theirs. One of our switches may be a word in a list of theirs. */
function kindOf({ name = "", form, values, constant, field }: Sent): string {
	const value = constant ?? Object.values(values ?? {}).flat()[0];
	if (name.startsWith("set.") || (values !== undefined && field?.kind === "boolean")) return "any";
	if (Array.isArray(value)) return "list";
	if (value !== undefined) return typeof value === "string" ? "text" : typeof value;
	if (form !== undefined) return /^(number|minor-units|epoch-.*)$/.test(form) ? "number" : "text";
	return { json: "object", choice: "text" }[field?.kind as string] ?? field?.kind ?? "any";
}

function answerFaults(operation: AnyOperation, { answer }: MappedOperation, theirs: TheirOperation, { paging }: Mapping): MappingFault[] {
	const all = theirs.answer;
	if (answer === undefined || all.length < 2) return [];
	const records = all[0]?.type === "list" ? "" : (answer.records ?? paging?.records ?? "");
	const list = isList(operation) ? at(all, records) : "open";
	if (list !== "open" && list?.type !== "list")
		return [{ path: ["answer", "records"], message: `${records || "the answer"} is no list in the document` }];
	const next = isList(operation) && all.find(({ pointer }) => pointer === paging?.next);
	if (next && /date|time/.test(next.format ?? ""))
		return [{ path: ["answer"], message: `has a date at ${next.pointer} (paging, next), and no cursor` }];
	const base = `${isList(operation) ? `${records}/*` : ""}${answer.record ?? ""}`;
	return placed(answer.fields).flatMap(([name, field]): MappingFault[] => {
		const found = at(all, `${base}${field.at}`);
		const isWhole = /^(legalType|metadata|shares|kycInfo|phone|email|information|sender|receiver|\w*[aA]ddress)$/.test(name);
		const kind = isWhole || field.values !== undefined ? "any" : "text";
		const message =
			found === undefined ? `the document's answer has no ${base}${field.at}` : found !== "open" && misfit(field, found, kind, true);
		return message ? [{ path: ["answer", "fields", name], message }] : [];
	});
}
