/**
 * The fields of a bound operation in a newer document. Pure.
 */
import { knownValues, type Lists } from "../../api/check/lists.js";
import type { AnyOperation } from "../../api/operation.js";
import { kybStatuses, transactionStatuses } from "../../api/values.js";
import type { BoundValue, OperationBinding, ServiceBinding } from "../../ports/binding.js";
import { matchFields } from "../fields.js";
import type { ForeignDocument, ForeignField, ForeignOperation } from "../foreign.js";
import { namedPlaces, type PlacedField } from "../places.js";

export interface Change {
	kind: "required" | "missing" | "form" | "values" | "status";
	/** Where, in the document's terms. */
	at: string;
	/** What it means, in a sentence without a full stop. */
	message: string;
}

export function changesOf(
	operation: AnyOperation,
	binding: OperationBinding,
	theirs: ForeignOperation,
	service: ServiceBinding | undefined,
): Change[] {
	return [...requestChanges(operation, binding, theirs, service), ...answerChanges(operation, binding, theirs)];
}

/** A name or a whole pointer from the body's root. */
const wholeOf = (binding: OperationBinding, { place, at }: { place: string; at: string }): string =>
	`${place} ${place === "body" ? (binding.request?.record ?? "") : ""}${at}`;

function requestChanges(
	operation: AnyOperation,
	binding: OperationBinding,
	theirs: ForeignOperation,
	service: ServiceBinding | undefined,
): Change[] {
	const places = namedPlaces(theirs);
	const at = (whole: string): PlacedField | undefined => places.find((one) => `${one.place} ${one.at}` === whole);
	const isDescribed = (place: string): boolean => place !== "body" || (theirs.body ?? []).length > 0;
	const bound = Object.entries(binding.request?.fields ?? {}).filter(([, { place }]) => place !== "path");
	const changed = bound.flatMap(([ours, field]): Change[] => {
		const whole = wholeOf(binding, field);
		const now = at(whole);
		if (now !== undefined) return fieldChanges(operation, ours, field, now, whole);
		if (!isDescribed(field.place)) return [];
		return [{ kind: "missing", at: whole, message: `${ours} is sent there, and it is no longer described` }];
	});
	// What was required already when it was bound is no change: it was told then.
	const wanted = binding.source?.wants ?? [];
	const taken = [
		...wanted.map(({ place, at: name }) => `${place} ${name}`),
		...bound.map(([, field]) => wholeOf(binding, field)),
		...(binding.constants ?? []).map(({ place, at: name }) => `${place} ${name}`),
		...[service?.paging?.at, service?.paging?.size?.at].map((name) => `query ${name}`),
	];
	const isTaken = (whole: string): boolean =>
		taken.some((one) => one === whole || one.startsWith(`${whole}/`) || whole.startsWith(`${one}/`));
	const required = places.filter(
		(one) =>
			one.required && one.place !== "path" && one.fallback === undefined && !isTaken(`${one.place} ${one.at}`) && !isInside(one, places),
	);
	const message = "it is required, and nothing is sent there";
	return [...changed, ...required.map((one): Change => ({ kind: "required", at: `${one.place} ${one.at}`, message }))];
}

/** An object is told by its required parts, where it has some. */
const isInside = (one: PlacedField, all: readonly PlacedField[]): boolean =>
	one.type === "object" && all.some((other) => other.required && other.at.startsWith(`${one.at}/`));

function answerChanges(operation: AnyOperation, binding: OperationBinding, theirs: ForeignOperation): Change[] {
	const { answer } = binding;
	const described = theirs.answers.filter(({ fields }) => fields.length > 0);
	const start = `${answer?.records === undefined ? "" : `${answer.records}/*`}${answer?.record ?? ""}`;
	const changed = Object.entries(answer?.fields ?? {}).flatMap(([ours, field]): Change[] => {
		const pointer = `${start}${field.at}`;
		const now = described.flatMap(({ fields }) => fields).find((one) => one.pointer === pointer);
		const at = `answer ${pointer}`;
		if (now !== undefined) return fieldChanges(operation, ours, field, now, at);
		return described.length === 0 ? [] : [{ kind: "missing", at, message: `${ours} is read there, and it is no longer described` }];
	});
	const { accepted = [], waiting = [] } = answer?.statuses ?? {};
	const unlisted = answer?.statuses === undefined ? [] : theirs.answers.filter(({ status }) => ![...accepted, ...waiting].includes(status));
	const message = "it is described now, and proves nothing to purser as it is bound";
	return [...changed, ...unlisted.map(({ status }): Change => ({ kind: "status", at: `answer ${status}`, message }))];
}

const fieldChanges = (operation: AnyOperation, ours: string, field: BoundValue, now: ForeignField, at: string): Change[] => [
	...formChanges(ours, field, now, at),
	...valueChanges(operation, ours, field, now, at),
];

/** Types that each form can stand in. */
function typesOf(ours: string, { codec, values }: BoundValue): readonly ForeignField["type"][] | undefined {
	if (values !== undefined) return undefined;
	if (codec === "decimal-text" || codec === "boolean-text" || codec?.startsWith("date:")) return ["text"];
	if (codec === "minor-units") return ["integer", "number"];
	if (codec === "epoch-seconds" || codec === "epoch-milliseconds" || codec === "number") return ["number", "integer"];
	return /amount$/i.test(ours) ? ["number"] : undefined;
}

function formChanges(ours: string, field: BoundValue, now: ForeignField, at: string): Change[] {
	const types = typesOf(ours, field);
	if (types === undefined || now.type === "any" || types.includes(now.type)) return [];
	return [{ kind: "form", at, message: `${ours} is bound as ${field.codec ?? "a number"}, and it is described as ${typeWords[now.type]}` }];
}

const typeWords: Readonly<Record<ForeignField["type"], string>> = {
	text: "text",
	number: "a number",
	integer: "a whole number",
	boolean: "true or false",
	object: "an object",
	list: "a list",
	any: "anything",
};

/** Values of theirs that mean nothing to us, and those of ours that it no longer has. */
function valueChanges({ id }: AnyOperation, ours: string, { values }: BoundValue, now: ForeignField, at: string): Change[] {
	if (now.values === undefined) return [];
	const known = values === undefined ? statusesOf(id, ours) : Object.values(values);
	if (known === undefined) return [];
	const grown = now.values.filter((value) => !known.includes(value));
	const lost = values === undefined ? [] : known.filter((value) => !now.values?.includes(value));
	return [
		...(grown.length === 0
			? []
			: [{ kind: "values" as const, at, message: `${ours} can be ${shortList(grown)}, which nothing is bound to` }]),
		...(lost.length === 0 ? [] : [{ kind: "values" as const, at, message: `${ours} can no longer be ${shortList(lost)}` }]),
	];
}

function statusesOf(id: string, ours: string): readonly string[] | undefined {
	if (ours === "kybStatus") return kybStatuses;
	return ours === "status" && id.startsWith("transaction.") ? transactionStatuses : undefined;
}

const shortList = (values: readonly string[]): string =>
	values.length <= 5 ? values.join(", ") : `${values.slice(0, 5).join(", ")} and ${values.length - 5} more`;

const lists: Readonly<Record<string, string>> = {
	industry: "industry",
	"expected-monthly-expenses": "expectedMonthlyExpenses",
	"employees-range": "employeesRange",
};

/** Lists that the document closes with more values than are known. */
export function grownLists(document: ForeignDocument, names: readonly string[], known: Lists): { list: string; values: string[] }[] {
	const bodies = document.operations.flatMap(({ body }) => body ?? []).filter(({ values }) => (values?.length ?? 0) > 1);
	return names.flatMap((list) => {
		const name = lists[list];
		if (name === undefined) return [];
		const [match] = matchFields([{ name, kind: "text", required: false, values: 99 }], bodies);
		const values = (match?.isSure ? (match.theirs.values ?? []) : []).filter((value) => !knownValues(list, known).values.includes(value));
		return values.length === 0 ? [] : [{ list, values }];
	});
}
