/**
 * What is wrong with a mapping, whatever the deployment's document says: found before it is stored. Pure.
 */
import type { AnyOperation } from "../api/operation.js";
import { catalog } from "../api/operations/catalog.js";
import { payeeField } from "../api/operations/transfer.js";
import { describe, type Field, type FieldKind } from "../api/schema.js";
import { idKindOf, idPatternFault } from "../api/text/ids.js";
import type { AnswerField, MappedOperation, MappedValue, Mapping, RequestField, RequestPlace, SharedMapping } from "../ports/mapping.js";
import type { MappingFault } from "./file.js";
import { isOfTheClient } from "./request/places.js";
import { partsOf } from "./request/pointer.js";
import { isZone } from "./request/zone.js";

/** Most fields, and most values of one list, in an entry. */
const [mostFields, mostValues] = [200, 500];

/** All faults of a mapping: places that do not exist or that two fields share, fields without a place, values that cannot be read back. */
export function mappingFaults(mapping: Mapping): MappingFault[] {
	const faults = sharedFaults(mapping);
	for (const [id, entry] of Object.entries(mapping.operations)) {
		const operation = catalog.find((one) => one.id === id);
		const path = ["operations", id];
		if (operation === undefined) faults.push({ path, message: "is no operation of purser; see `purser api list`" });
		else if (entry !== "none")
			for (const one of entryFaults(operation, entry, mapping)) faults.push({ ...one, path: [...path, ...one.path] });
	}
	return faults;
}

function sharedFaults({ paging, errors, ids, zone, idempotency }: SharedMapping): MappingFault[] {
	const faults: MappingFault[] = [];
	const refuse = (path: string[], message: string | undefined): void => void (message !== undefined && faults.push({ path, message }));
	const { next, records, total } = paging ?? {};
	for (const [name, pointer] of Object.entries({ next, records, total })) refuse(["paging", name], pointerFault(pointer));
	for (const [name, pointer] of Object.entries({ code: errors?.code, message: errors?.message }))
		refuse(["errors", name], pointerFault(pointer));
	if (paging !== undefined && paging.style !== "link" && paging.at === undefined)
		refuse(["paging"], "does not say which query field says the page (at)");
	if (paging?.style === "cursor" && paging.next === undefined) refuse(["paging"], "does not say where the next cursor stands (next)");
	for (const [kind, pattern] of Object.entries(ids ?? {})) refuse(["ids", kind], idPatternFault(pattern));
	if (zone !== undefined && !isZone(zone)) refuse(["zone"], `${zone} is no zone: UTC, an offset like +01:00, or a name like Europe/Paris`);
	if (idempotency?.place === "path") refuse(["idempotency", "key"], "stands in a path: a key goes into a header or the body");
	if (idempotency?.place === "header") for (const message of headerFaults(idempotency.at)) refuse(["idempotency", "key"], message);
	if (idempotency?.place === "body") refuse(["idempotency", "key"], fieldPointerFault(idempotency.at));
	return faults;
}

const pointerFault = (pointer: string | undefined): string | undefined =>
	pointer === undefined || partsOf(pointer) !== undefined ? undefined : `${pointer} is not a JSON Pointer, like /data/id`;

const fieldPointerFault = (pointer: string): string | undefined =>
	(partsOf(pointer)?.length ?? 0) > 0 ? undefined : `${pointer} is not a JSON Pointer of a field, like /data/id`;

function entryFaults(operation: AnyOperation, entry: MappedOperation, shared: SharedMapping): MappingFault[] {
	const faults: MappingFault[] = [];
	const refuse = (path: readonly string[], messages: readonly (string | undefined)[]): void => {
		for (const message of messages) if (message !== undefined) faults.push({ path, message });
	};
	const { fields, constants = [], answer } = entry;
	if (Object.keys({ ...fields, ...answer?.fields }).length > mostFields) refuse([], [`has more than ${mostFields} fields`]);
	refuse(["send"], faultsOfPath(operation, entry));
	if (entry.body === "form" && entry.method === "GET") refuse(["body"], ["has no effect: GET has no body"]);
	for (const [name, field] of Object.entries(fields ?? {}))
		if (field !== "none") refuse(["fields", name], requestFaults(operation, name, field, entry.method));
	refuse(["fields"], missingFaults(operation, entry));
	for (const one of constants) refuse(["constants", `${one.place} ${one.at}`], constantFaults(operation, entry, one));
	for (const { path, message } of placeFaults(operation, entry, shared)) refuse(path, [message]);
	refuse(["answer", "record"], [pointerFault(answer?.record)]);
	refuse(["answer", "records"], [pointerFault(answer?.records)]);
	for (const [name, field] of Object.entries(answer?.fields ?? {}))
		if (field !== "none") refuse(["answer", "fields", name], answerFaults(operation, name, field));
	const { created } = operation;
	if (answer?.fields !== undefined && created !== undefined && !created.some((name) => isPlaced(answer.fields?.[name])))
		refuse(["answer", "fields"], [`do not say where the new record's id stands (${created.join(" or ")})`]);
	const { done = [], waiting = [] } = entry.statuses ?? {};
	if (new Set([...done, ...waiting]).size !== done.length + waiting.length) refuse(["statuses"], ["has a status twice"]);
	return faults;
}

const isPlaced = (field: unknown): boolean => field !== undefined && field !== "none";

const bodyFaults = (method: string): string[] => (method === "GET" ? ["stands in a body, and GET has none"] : []);

function constantFaults({ effect }: AnyOperation, { method }: MappedOperation, { place, at }: RequestPlace): (string | undefined)[] {
	const isKey = effect === "money" && /idempot/i.test(at);
	return [
		...(isKey ? ["is an idempotency key: with one for all payments, each would count as the first; name it under idempotency"] : []),
		...(place === "path" ? ["stands in a path: write it into the path itself"] : []),
		...(place === "header" ? headerFaults(at) : []),
		...(place === "body" ? [fieldPointerFault(at), ...bodyFaults(method)] : []),
	];
}

/** The path, and that each of its parameters is told. */
function faultsOfPath({ params }: AnyOperation, { path, fields }: MappedOperation): string[] {
	const faults: string[] = [];
	if (!/^\/[A-Za-z0-9._~!$&'()*+,;=:@/{}-]*$/.test(path))
		faults.push("must have a path that starts with / and holds only characters of a path (no ?, # or space)");
	if (path.startsWith("//") || path.split("/").some((part) => part === "." || part === ".."))
		faults.push("must stay below the base address: no //, /./ or /../");
	if (/[{}]/.test(path.replace(/\{[^{}]*\}/g, ""))) faults.push("has an unmatched brace");
	const placed = Object.values(fields ?? {}).flatMap((field) => (field !== "none" && field.place === "path" ? [field.at] : []));
	const wanted = fields === undefined ? Object.keys(params.shape) : placed;
	const named = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] as string);
	for (const name of wanted) if (named.filter((one) => one === name).length !== 1) faults.push(`must contain {${name}} exactly once`);
	for (const name of new Set(named)) if (!wanted.includes(name)) faults.push(`has {${name}}, and no field goes there (path ${name})`);
	return faults;
}

/**
 * Whether a description has a field of that name. Below a field that it leaves open (a page's content, a nested record) any plain name is one.
 * @param parts of the name; `*` stands for each of a list
 */
export function hasField(shape: Field, [name, ...below]: readonly string[]): boolean {
	const part = name === "*" ? shape.element : shape.fields?.find((one) => one.name === name);
	if (part === undefined) return false;
	if (below.length === 0 || hasField(part, below)) return true;
	return part.kind === "json" && below.every((one) => one === "*" || (/^[A-Za-z_$][A-Za-z0-9_$-]*$/.test(one) && one !== "__proto__"));
}

/** The field of that name in a request; undefined where it is none, or where the description leaves it open. */
export function requestFieldNamed({ params, query, body }: AnyOperation, name: string): Field | undefined {
	for (const schema of [params, query, body]) {
		let at: Field | undefined = schema && describe(schema);
		for (const part of name.split(".")) at = part === "*" ? at?.element : at?.fields?.find((one) => one.name === part);
		if (at !== undefined) return at;
	}
	return undefined;
}

function requestFaults(operation: AnyOperation, name: string, field: RequestField, method: string): string[] {
	const { params, query, body, effect } = operation;
	const isCurrency = effect === "money" && name === "currency";
	const isGiven = /^set\.[A-Za-z_$][A-Za-z0-9_$-]{0,99}$/.test(name);
	const isKnown = [params, query, body].some((schema) => schema !== undefined && hasField(describe(schema), name.split(".")));
	if (isGiven && body === undefined) return ["cannot be given: no command has --set for it"];
	if (!isCurrency && !isGiven && !isKnown) return [`is no field of ${operation.id}`];
	const faults = [...valueFaults(field), ...(effect === "money" ? moneyFaults(name, field) : [])];
	if (field.place !== "body") {
		const kind = isCurrency || isGiven || field.form !== undefined ? "text" : (requestFieldNamed(operation, name)?.kind ?? "json");
		return [...faults, ...textPlaceFaults(field, kind)];
	}
	const stars = (names: readonly string[]): number => names.filter((part) => part === "*").length;
	const parts = partsOf(field.at) ?? [];
	if (parts.length === 0) faults.push(`${field.at} is not a JSON Pointer of a field, like /data/id`);
	else if (stars(parts) !== stars(name.split("."))) faults.push(`${field.at} must have as many * as ${name}`);
	return [...faults, ...bodyFaults(method)];
}

/** A path, a query and a header hold text alone. */
function textPlaceFaults({ place, at }: RequestPlace, kind: FieldKind): string[] {
	const faults: string[] = [];
	if (kind === "object" || kind === "json") faults.push(`is a record, which a ${place} cannot hold`);
	if (kind === "list" && place !== "query") faults.push(`is a list, which a ${place} cannot hold`);
	if (place === "header") return [...faults, ...headerFaults(at)];
	return /^[A-Za-z_$][A-Za-z0-9_.$[\]-]{0,99}$/.test(at) ? faults : [...faults, `${at} is no name of a parameter`];
}

const amountForms: readonly unknown[] = ["number", "text", "minor-units", undefined];

/** Who pays whom is never translated: an id may stand as a number of the same digits. An amount is written only in forms of itself. */
function moneyFaults(name: string, { form, values }: MappedValue): string[] {
	if (name === "allowFastPayment" || name === "allowInterLedger") return [];
	const faults = values === undefined ? [] : ["of a payment cannot have other values"];
	const isKept = Object.hasOwn(idKindOf, name) && form === "number";
	if (name === "amount" ? !amountForms.includes(form) : form !== undefined && !isKept)
		faults.push(`of a payment cannot be written as ${form}`);
	return faults;
}

function headerFaults(name: string): string[] {
	if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) return [`${name} is no name of a header`];
	// Secrets belong to the login. Those of the answer's form and of the tool are refused too: nothing in a document asks for another value of them.
	return isOfTheClient(name) || /(api-?key|token|secret|password|passwd|credential|^accept|^user-agent$)/i.test(name)
		? [`${name} is a header that no mapping may set`]
		: [];
}

function answerFaults(operation: AnyOperation, name: string, field: AnswerField): string[] {
	const faults = valueFaults(field);
	// Of a list the description shows the page; what its records have, and what stands in those parts, is named beside it.
	const isRecordsField =
		operation.record?.fields.some((one) => name === one || name.startsWith(`${one}.`)) ||
		operation.record?.ids.includes(name) ||
		operation.created?.includes(name);
	// A record has the fields that it was created with (specification 2.5).
	const given = operation.record?.given?.();
	const isKnown = [operation.answer, given].some((schema) => schema !== undefined && hasField(describe(schema), name.split(".")));
	if (!isRecordsField && !isKnown) faults.push(`is no field of ${operation.id}'s answer`);
	const theirs = Object.values(field.values ?? {})
		.flat()
		.map(String);
	const twice = theirs.find((value, at) => theirs.indexOf(value) !== at);
	if (twice !== undefined) faults.push(`has two values of ours for ${twice}, so it cannot be read`);
	const parts = partsOf(field.at) ?? [];
	if (parts.length === 0) faults.push(`${field.at} is not a JSON Pointer of a field, like /id`);
	else if (parts.some((part) => /^\d+$/.test(part))) faults.push(`${field.at} points into a list: which entry comes first is not told`);
	return faults;
}

function valueFaults({ form, values, currency }: MappedValue): string[] {
	const faults: string[] = [];
	if (form !== undefined && values !== undefined) faults.push("has both another form and other values; only one can be read back");
	if (currency !== undefined && form !== "minor-units") faults.push("has a currency, which only minor-units need");
	if (values !== undefined && Object.keys(values).length === 0) faults.push("has an empty list of values");
	if (Object.keys(values ?? {}).length > mostValues) faults.push(`has more than ${mostValues} values`);
	return faults;
}

/** Two fields may not stand at one place, nor one inside the other: only one of them would be sent. */
function placeFaults(operation: AnyOperation, { fields, constants = [] }: MappedOperation, { idempotency }: SharedMapping): MappingFault[] {
	const keyOf = ({ place, at }: RequestPlace): readonly string[] =>
		place === "body" ? [place, ...(partsOf(at) ?? [])] : [place, place === "header" ? at.toLowerCase() : at];
	const own = fields === undefined && operation.body ? (describe(operation.body).fields ?? []).map(({ name }) => name) : [];
	const places = [
		...own.map((name) => ({ path: ["fields"], name, key: ["body", name] as readonly string[] })),
		...Object.entries(fields ?? {}).flatMap(([name, field]) =>
			field === "none" ? [] : [{ path: ["fields", name], name, key: keyOf(field) }],
		),
		...constants.map((one) => {
			const name = `${one.place} ${one.at}`;
			return { path: ["constants", name], name: `the constant ${name}`, key: keyOf(one) };
		}),
		...(idempotency !== undefined && operation.effect === "money"
			? [{ path: ["fields"], name: "the idempotency key", key: keyOf(idempotency) }]
			: []),
	];
	return places.flatMap((one, index) =>
		places.slice(0, index).flatMap((other) => {
			const shorter = Math.min(one.key.length, other.key.length);
			const isShared = one.key.slice(0, shorter).join("\0") === other.key.slice(0, shorter).join("\0");
			return isShared ? [{ path: one.path, message: `stands at one place with ${other.name}: only one of them would be sent` }] : [];
		}),
	);
}

/** What is always given needs a place: what the address is made of, and of a payment the amount and both parties. */
function missingFaults(operation: AnyOperation, { fields }: MappedOperation): string[] {
	if (fields === undefined) return [];
	const payee = operation.effect === "money" ? Object.values(payeeField).filter((name) => name in operation.body.shape) : [];
	const always = operation.effect === "money" ? ["ledgerFromId", "amount", ...payee] : Object.keys(operation.params.shape);
	return always.filter((name) => !isPlaced(fields[name])).map((name) => `do not say where ${name} goes, and it is always given`);
}
