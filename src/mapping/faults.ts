/**
 * What is wrong with a mapping, whatever the deployment's document says: found before it is stored. What one value may be is said by the
 * schema in `file.ts`; here is what several say together. Pure.
 */
import type { AnyOperation } from "../api/operation.js";
import { catalog } from "../api/operations/catalog.js";
import { payeeField } from "../api/operations/transfer.js";
import { describe, type Field, type FieldKind } from "../api/schema.js";
import { idKindOf } from "../api/text/ids.js";
import type { AnswerField, Constant, MappedOperation, MappedValue, Mapping, RequestField, RequestPlace } from "../ports/mapping.js";
import { type OurField, ourAnswer, ourRequest } from "./fields.js";
import { type MappingFault, placeText } from "./file.js";
import { isJsonType, isOfTheClient, partsOf } from "./request/places.js";

/** All faults of a mapping: places that do not exist or that two fields share, fields without a place, values that cannot be read back. */
export function mappingFaults(mapping: Mapping): MappingFault[] {
	const unknown = Object.keys(mapping.operations).filter((id) => !catalog.some((one) => one.id === id));
	return [
		...unknown.map((id) => ({ path: ["operations", id], message: "is no operation of purser; see `purser api list`" })),
		...sharedFaults(mapping),
		...faultsOfEntries(mapping, (operation, entry) => entryFaults(operation, entry, mapping)),
	];
}

/** What is found of each operation that the deployment has in its own way, with the path of its entry in the file. */
export function faultsOfEntries(
	{ operations }: Mapping,
	faultsOf: (operation: AnyOperation, entry: MappedOperation) => MappingFault[],
): MappingFault[] {
	return catalog.flatMap((operation) => {
		const entry = operations[operation.id];
		const faults = entry === undefined || entry === "none" ? [] : faultsOf(operation, entry);
		return faults.map((one) => ({ ...one, path: ["operations", operation.id, ...one.path] }));
	});
}

type Message = string | false | undefined;

const faultsAt = (path: readonly string[], ...messages: readonly Message[]): MappingFault[] =>
	messages.flatMap((message) => (message ? [{ path, message }] : []));

function sharedFaults({ paging, idempotency }: Mapping): MappingFault[] {
	const isUnplaced = paging !== undefined && paging.style !== "link" && paging.at === undefined;
	const isEndless = paging?.style === "cursor" && paging.next === undefined;
	return [
		...faultsAt(["paging"], isUnplaced && "does not say which query field says the page (at)"),
		...faultsAt(["paging"], isEndless && "does not say where the next cursor stands (next)"),
		...faultsAt(["idempotency", "key"], ...(idempotency ? fixedFaults(idempotency, "a key goes into a header or the body") : [])),
	];
}

/** Of what stands in a request without being a field of ours. */
const fixedFaults = ({ place, at }: RequestPlace, instead: string): Message[] => [
	place === "path" && `stands in a path: ${instead}`,
	place === "header" && headerFault(at),
	place === "body" && pointerFault(at),
];

function pointerFault(pointer: string): Message {
	const parts = partsOf(pointer) ?? [];
	if (parts.length === 0) return `${pointer} is not a JSON Pointer of a field, like /data/id`;
	return parts.some((part) => /^\d+$/.test(part)) && `${pointer} points into a list: which entry is not known`;
}

function entryFaults(operation: AnyOperation, entry: MappedOperation, mapping: Mapping): MappingFault[] {
	const { fields, constants = [], answer, statuses: { done = [], waiting = [] } = {} } = entry;
	const isBodiless = entry.method === "GET";
	const inBody = ({ place }: RequestPlace) => isBodiless && place === "body" && "stands in a body, and GET has none";
	const isUnsaid = isBodiless && operation.body !== undefined && fields === undefined;
	const { created } = operation;
	const isIdLost = answer?.fields && created && !placed(answer.fields).some(([name]) => created.includes(name));
	return [
		...faultsAt(["send"], ...pathFaults(operation, entry), isUnsaid && "is a GET, which has no body: say where each field goes (fields)"),
		...placed(fields).flatMap(([name, field]) => faultsAt(["fields", name], ...requestFaults(operation, name, field), inBody(field))),
		...faultsAt(["fields"], ...missingFaults(operation, entry)),
		...constants.flatMap((one) => faultsAt(["constants", placeText(one)], ...constantFaults(operation, entry, one), inBody(one))),
		...placeFaults(operation, entry, mapping),
		...placed(answer?.fields).flatMap(([name, field]) => faultsAt(["answer", "fields", name], ...answerFaults(operation, name, field))),
		...faultsAt(["answer", "fields"], isIdLost && `do not say where the new record's id stands (${created?.join(" or ")})`),
		...faultsAt(["statuses"], done.some((status) => waiting.includes(status)) && "has a status twice"),
	];
}

const namesOf = (fields: readonly OurField[]): string => fields.map(({ name }) => name).join(", ") || "none";

/** The fields of an entry that have a place. */
export const placed = <F>(fields: Readonly<Record<string, F | "none">> = {}): [string, F][] =>
	Object.entries(fields).flatMap(([name, field]): [string, F][] => (field === "none" ? [] : [[name, field]]));

function constantFaults({ effect }: AnyOperation, { body }: MappedOperation, one: Constant): Message[] {
	const isKey = effect === "money" && /idempot/i.test(one.at);
	const key = "is an idempotency key: with one for all payments, each would count as the first; name it under idempotency";
	const isOfJson = one.place === "header" && isJsonType(one.at, one.value) && !(body === "form" && /^content-type$/i.test(one.at));
	return [isKey && key, ...(isOfJson ? [] : fixedFaults(one, "write it into the path itself"))];
}

/** The path, and that each of its parameters is told. */
function pathFaults({ params }: AnyOperation, { path, fields }: MappedOperation): Message[] {
	const inPath = placed(fields).flatMap(([, field]) => (field.place === "path" ? [field.at] : []));
	const wanted = fields === undefined ? Object.keys(params.shape) : inPath;
	const named = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] as string);
	return [
		!/^\/([A-Za-z0-9._~!$&'()*+,;=:@/-]|\{[^{}]*\})*$/.test(path) &&
			"must have a path that starts with / and holds only characters of a path (no ?, # or space), with each parameter in braces",
		/^\/\/|\/\.\.?(\/|$)/.test(path) && "must stay below the base address: no //, /./ or /../",
		...wanted.map((name) => named.filter((one) => one === name).length !== 1 && `must contain {${name}} exactly once`),
		...[...new Set(named)].map((name) => !wanted.includes(name) && `has {${name}}, and no field goes there (path ${name})`),
	];
}

/** The field of that name in the first of some descriptions that has it; `open` below what a description leaves open. */
function fieldIn(schemas: readonly (Parameters<typeof describe>[0] | undefined)[], name: string): Field | "open" | undefined {
	for (const schema of name.includes("__proto__") ? [] : schemas) {
		let found: Field | undefined = schema && describe(schema);
		for (const part of name.split(".")) {
			if (found?.kind === "json") return "open";
			found = part === "*" ? found?.element : found?.fields?.find((one) => one.name === part);
		}
		if (found !== undefined) return found;
	}
	return undefined;
}

/** The field of that name in a request; undefined where it is none, `open` where the description leaves it open. */
export const requestFieldNamed = ({ params, query, body }: AnyOperation, name: string): Field | "open" | undefined =>
	fieldIn([params, query, body], name);

function requestFaults(operation: AnyOperation, name: string, field: RequestField): Message[] {
	const isMoney = operation.effect === "money";
	const isGiven = /^set\.[A-Za-z_$][A-Za-z0-9_$-]{0,99}$/.test(name);
	if (isGiven && (operation.body === undefined || isMoney)) return ["cannot be given: no command has --set for it"];
	const ours = isGiven || (isMoney && name === "currency") ? "text" : requestFieldNamed(operation, name);
	if (ours === undefined) return [`is no field of ${operation.id}, which has ${namesOf(ourRequest(operation))}`];
	const faults = isMoney ? moneyFaults(name, field) : [];
	if (field.place !== "body") {
		const kind = field.form !== undefined || ours === "text" ? "text" : ours === "open" ? "json" : ours.kind;
		return [...faults, ...textPlaceFaults(field, kind)];
	}
	const stars = (names: readonly string[]): number => names.filter((part) => part === "*").length;
	const isUneven = stars(partsOf(field.at) ?? []) !== stars(name.split("."));
	return [...faults, pointerFault(field.at) || (isUneven && `${field.at} must have as many * as ${name}`)];
}

/** A path, a query and a header hold text alone. */
function textPlaceFaults({ place, at }: RequestPlace, kind: FieldKind): Message[] {
	const isName = /^[A-Za-z_$][A-Za-z0-9_.$[\]-]{0,99}$/.test(at);
	return [
		(kind === "object" || kind === "json") && `is a record, which a ${place} cannot hold`,
		kind === "list" && place !== "query" && `is a list, which a ${place} cannot hold`,
		place === "header" ? headerFault(at) : !isName && `${at} is no name of a parameter`,
	];
}

const amountForms: readonly unknown[] = ["number", "text", "minor-units", undefined];

/** Who pays whom is never translated: an id may stand as a number of the same digits. An amount is written only in forms of itself. */
function moneyFaults(name: string, { form, values }: MappedValue): Message[] {
	if (name === "allowFastPayment" || name === "allowInterLedger") return [];
	const isEmptied = form === undefined || (Object.hasOwn(idKindOf, name) && form === "number");
	return [
		values !== undefined && "of a payment cannot have other values",
		(name === "amount" ? !amountForms.includes(form) : !isEmptied) && `of a payment cannot be written as ${form}`,
	];
}

function headerFault(name: string): Message {
	if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) return `${name} is no name of a header`;
	// Secrets belong to the login. Those of the answer's form and of the tool are refused too: purser reads no other form.
	const isSecret = /(api-?key|token|secret|password|passwd|credential|^accept|^user-agent$)/i.test(name);
	return (isOfTheClient(name) || isSecret) && `${name} is a header that no mapping may set`;
}

function answerFaults(operation: AnyOperation, name: string, field: AnswerField): Message[] {
	const { id, answer = {}, record, created } = operation;
	// Of a list the description shows the page; what its records have, and what stands in those parts, is named beside it.
	const isOfRecord =
		record?.fields.some((one) => name === one || name.startsWith(`${one}.`)) || record?.ids.includes(name) || created?.includes(name);
	// A record has the fields that it was created with (specification 2.5).
	const isKnown = isOfRecord || Object.hasOwn(answer, name.split(".", 1)[0] as string) || fieldIn([record?.given?.()], name) !== undefined;
	const theirs = [Object.values(field.values ?? {})].flat(2).map(String);
	const twice = theirs.find((value, at) => theirs.indexOf(value) !== at);
	return [
		!isKnown && `is no field of ${id}'s answer, which has ${namesOf(ourAnswer(operation))}`,
		twice !== undefined && `has two values of ours for ${twice}, so it cannot be read`,
		pointerFault(field.at),
	];
}

/** Two fields may not stand at one place, nor one inside the other: only one of them would be sent. */
function placeFaults(operation: AnyOperation, { fields, constants = [] }: MappedOperation, { idempotency }: Mapping): MappingFault[] {
	const own = fields === undefined && operation.body ? (describe(operation.body).fields ?? []) : [];
	const one = (path: readonly string[], name: string, { place, at }: RequestPlace) => {
		const inside = place === "body" ? (partsOf(at) ?? []) : [place === "header" ? at.toLowerCase() : at];
		return { path, name, key: [place, ...inside, ""].join("\0") };
	};
	const places = [
		...own.map(({ name }) => one(["fields"], name, { place: "body", at: `/${name}` })),
		...placed(fields).map(([name, field]) => one(["fields", name], name, field)),
		...constants.map((given) => one(["constants", placeText(given)], `the constant ${placeText(given)}`, given)),
		...(idempotency && operation.effect === "money" ? [one(["fields"], "the idempotency key", idempotency)] : []),
	];
	return places.flatMap(({ path, key }, index) => {
		const same = places.slice(0, index).filter((other) => key.startsWith(other.key) || other.key.startsWith(key));
		return faultsAt(path, ...same.map(({ name }) => `stands at one place with ${name}: only one of them would be sent`));
	});
}

/** What is always given needs a place: what the address is made of, and of a payment the amount and both parties. */
function missingFaults(operation: AnyOperation, { fields }: MappedOperation): string[] {
	if (fields === undefined) return [];
	const payee = operation.effect === "money" ? Object.values(payeeField).filter((name) => name in operation.body.shape) : [];
	const always = operation.effect === "money" ? ["ledgerFromId", "amount", ...payee] : Object.keys(operation.params.shape);
	const lost = always.filter((name) => !placed(fields).some(([given]) => given === name));
	return lost.map((name) => `do not say where ${name} goes, and it is always given`);
}
