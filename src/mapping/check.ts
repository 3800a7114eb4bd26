/**
 * A mapping beside the deployment's document, and beside another mapping: what is wrong with it there, and what the two do differently. What is
 * wrong whatever a document says is found by `faults.ts`.
 */
import type { AnyOperation } from "../api/operation.js";
import { catalog } from "../api/operations/catalog.js";
import { type Field, isRecord } from "../api/schema.js";
import type { MappedOperation, MappedValue, Mapping, RequestPlace } from "../ports/mapping.js";
import type { TheirDocument, TheirField, TheirOperation, TheirPlace } from "./document.js";
import { faultsOfEntries, requestFieldNamed } from "./faults.js";
import { isKey, isList, missingIn, ourRequest } from "./fields.js";
import { type MappingFault, placeText } from "./file.js";
import { confirmable } from "./request/confirmation.js";
import { isJsonType } from "./request/places.js";

/** All of them, each with its path in the file. */
export function checkAgainst(mapping: Mapping, document: TheirDocument): MappingFault[] {
	const found = new Map<AnyOperation, TheirOperation>();
	const faults = faultsOfEntries(mapping, (operation, entry) => {
		const theirs = operationAt(document, entry);
		if (theirs === undefined) return [{ path: ["send"], message: `${entry.method} ${entry.path} is not in the document` }];
		found.set(operation, theirs);
		return [...requestFaults(operation, entry, theirs, mapping), ...answerFaults(operation, entry, theirs, mapping)];
	});
	return [...faults, ...sharedFaults(mapping, found)];
}

/** The operation that an entry names, whatever it calls parameters; a part of its path may be the value of a parameter of theirs. */
function operationAt({ operations }: TheirDocument, { method, path }: MappedOperation): TheirOperation | undefined {
	const partsIn = (one: string): string[] => one.replace(/\{[^{}]*\}/g, "{}").split("/");
	const own = partsIn(path);
	const similar = operations.filter((one) => one.method === method && partsIn(one.path).length === own.length);
	const fits = (one: TheirOperation, value?: string): boolean => partsIn(one.path).every((part, at) => part === own[at] || part === value);
	return similar.find((one) => fits(one)) ?? similar.find((one) => fits(one, "{}"));
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
	const { fields = ownPlaces(operation), constants = [], body = "json", method } = entry;
	const sent = Object.entries(fields).flatMap(([name, field]): Sent[] => {
		const ours = requestFieldNamed(operation, name);
		return field === "none" ? [] : [{ ...field, path: ["fields", name], name, field: ours === "open" ? undefined : ours }];
	});
	for (const { value, ...place } of constants) sent.push({ ...place, path: ["constants", placeText(place)], constant: value });
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
	const key: Sent[] = idempotency !== undefined && operation.effect === "money" ? [{ ...idempotency, path: [], constant: "" }] : [];
	const missing = missingIn(theirs.request, [...sent, ...key]).map((one): MappingFault => {
		const which = isKey(one) ? ": name it under idempotency" : one.values === undefined ? "" : `: one of ${listOf(one.values)}`;
		return { path: ["constants"], message: `have no ${placeText(one)}, and the document requires it${which}` };
	});
	return [...faults, ...missing];
}

const ownPlaces = (operation: AnyOperation): Record<string, RequestPlace> =>
	Object.fromEntries(
		ourRequest(operation).flatMap(({ name, required }): [string, RequestPlace][] => {
			const place = name in operation.params.shape ? "path" : name in operation.query.shape ? "query" : "body";
			return required ? [[name, { place, at: place === "body" ? `/${name.replaceAll(".", "/")}` : name }]] : [];
		}),
	);

const listOf = (values: readonly string[]): string => values.slice(0, 20).join(", ");
const textsOf = (value: unknown): string[] => [value].flat().map(String);

/** What keeps a value of a kind from standing at a place of theirs. In a form, a path, a query and a header all is text. */
function misfit({ form, values, constant, field }: Omit<Sent, "path" | "place" | "at">, theirs: TheirField, kind: string, isText: boolean) {
	const among = theirs.values ?? [];
	const unknown = textsOf(values === undefined ? (constant ?? []) : Object.values(values).flat()).filter((one) => !among.includes(one));
	if (among.length > 0 && unknown.length > 0) return `the document has no ${listOf(unknown)} here: ${listOf(among)}`;
	const ours = values === undefined && form === undefined ? (field?.choices ?? field?.meta.known ?? field?.element?.meta.known) : undefined;
	if (ours !== undefined && among.length > 0 && !ours.some((value) => among.includes(value)))
		return `has none of the document's values: say which are ours (values): ${listOf(among)}`;
	const takes = theirs.type === "integer" ? "number" : theirs.type;
	const isScalar = !/^(object|list)$/.test(kind) && !/^(object|list)$/.test(takes);
	if (kind === "any" || takes === "any" || kind === takes || (isText && isScalar)) return undefined;
	const typeNames: Readonly<Record<string, string>> = { object: "an object", list: "a list", text: "a text", boolean: "yes or no" };
	const number = theirs.type === "integer" ? "a whole number" : "a number";
	return `is ${typeNames[kind] ?? "a number"}, and the document has ${typeNames[theirs.type] ?? number} here`;
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
	const base = `${isList(operation) ? `${records}/*` : ""}${answer.record ?? ""}`;
	return Object.entries(answer.fields ?? {}).flatMap(([name, field]): MappingFault[] => {
		const found = field === "none" ? "open" : at(all, `${base}${field.at}`);
		if (found === "open" || field === "none") return [];
		const isWhole = /^(legalType|metadata|shares|kycInfo|phone|email|information|sender|receiver|\w*[aA]ddress)$/.test(name);
		const kind = isWhole || field.values !== undefined ? "any" : "text";
		const message = found === undefined ? `the document's answer has no ${base}${field.at}` : misfit(field, found, kind, true);
		return message === undefined ? [] : [{ path: ["answer", "fields", name], message }];
	});
}

/** What holds for all operations: each name and pointer is somewhere in the document. */
function sharedFaults({ paging, idempotency }: Mapping, found: ReadonlyMap<AnyOperation, TheirOperation>): MappingFault[] {
	const lists = [...found].flatMap(([operation, theirs]) => (isList(operation) ? [theirs] : []));
	const payments = [...found].flatMap(([{ effect }, theirs]) => (effect === "money" ? [theirs] : []));
	const answers = lists.flatMap(({ answer }) => answer);
	const isQuery = (name: string): boolean => lists.some((one) => placeAt(one, { place: "query", at: name }) !== undefined);
	const isPointer = (name: string): boolean => answers.length === 0 || answers.some(({ pointer }) => pointer === name);
	const rows: [path: string[], name: string | undefined, isThere: (name: string) => boolean][] = [
		[["at"], paging?.at, isQuery],
		[["size", "at"], paging?.size?.at, isQuery],
		...(["next", "total", "records"] as const).map((name): (typeof rows)[number] => [[name], paging?.[name], isPointer]),
	];
	const faults = rows.flatMap(([path, name, isThere]): MappingFault[] => {
		const message = `the document has no ${isThere === isQuery ? "query " : ""}${name} there`;
		return name === undefined || lists.length === 0 || isThere(name) ? [] : [{ path: ["paging", ...path], message }];
	});
	const next = answers.find(({ pointer }) => pointer === paging?.next);
	if (/date|time/.test(next?.format ?? "")) faults.push({ path: ["paging", "next"], message: `${paging?.next} is a date, and no cursor` });
	if (idempotency !== undefined && payments.length > 0 && !payments.some((one) => placeAt(one, idempotency) !== undefined))
		faults.push({ path: ["idempotency", "key"], message: `no payment of the document has ${placeText(idempotency)}` });
	return faults;
}

export interface Difference {
	/** The names that lead there. */
	path: readonly string[];
	/** Absent: it was not there. */
	before?: string;
	after?: string;
	/** Operations that have to be confirmed again because of it. */
	confirm: readonly string[];
}

/** Every value of a mapping with the names that lead to it. */
function leavesOf(value: unknown, path: readonly string[] = []): [string, string][] {
	if (Array.isArray(value) && value.some(isRecord))
		return value.flatMap(({ value: one, ...place }) => leavesOf(one, [...path, placeText(place)]));
	if (!isRecord(value)) return value === undefined ? [] : [[path.join("\0"), Array.isArray(value) ? JSON.stringify(value) : String(value)]];
	const { place, at, ...rest } = value;
	const own = place === undefined ? value : rest;
	const inside = Object.entries(own).flatMap(([name, part]) => leavesOf(part, [...path, name]));
	return place === undefined ? inside : [[path.join("\0"), placeText({ place, at } as RequestPlace)], ...inside];
}

/** What two mappings do differently, in their order: one that only says the same in other words has no difference. */
export function diffMappings(before: Mapping, after: Mapping): Difference[] {
	const [old, now] = [new Map(leavesOf(before)), new Map(leavesOf(after))];
	const changed = new Set<string>(catalog.filter((one) => digestIn(before, one) !== digestIn(after, one)).map(({ id }) => id));
	return [...new Set([...old.keys(), ...now.keys()])].flatMap((key): Difference[] => {
		const [was, is] = [old.get(key), now.get(key)];
		if (was === is) return [];
		const path = key.split("\0");
		const confirm = path[0] === "operations" ? [path[1] as string].filter((id) => changed.has(id)) : [...changed];
		return [{ path, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }), confirm }];
	});
}

/** Of what a person has to confirm. The address is any: it is the same for both. */
const digestIn = (mapping: Mapping, operation: AnyOperation): string | undefined =>
	confirmable(operation, { baseUrl: "https://api.example.com", mapping })?.digest;
