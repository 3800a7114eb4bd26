/**
 * The mapping of a deployment as a file that people edit: its shape, and what stands in it for the program. `purser help mapping` explains it.
 */
import * as z from "zod/mini";
import { Decimal } from "../api/json.js";
import type { Method } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import { idKinds } from "../api/text/ids.js";
import type { AnswerField, Constant, MappedOperation, MappedValue, Mapping, RequestField, RequestPlace } from "../ports/mapping.js";
import { forms } from "./request/forms.js";

/** Stands for what a person has still to fill in. */
export const open = "?";

/** What is wrong at one place of the file: the names that lead there. */
export interface MappingFault {
	path: readonly string[];
	message: string;
	/** It is told, and keeps nobody from using the mapping. */
	isRemark?: true;
}

/** A schema with the text that an editor shows. */
function said<S extends z.ZodMiniType>(schema: S, description: string): S {
	z.globalRegistry.add(schema, { description });
	return schema;
}

const text = (longest = 400) => z.string().check(z.maxLength(longest));
const constant = z.union([text(), z.boolean(), z.number()]);
const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;
const written = {
	form: said(z.optional(z.enum(forms)), "How the value is written; as purser writes it without one"),
	values: said(
		z.optional(z.record(text(), z.union([constant, z.array(constant).check(z.minLength(1))]))),
		"Our value: theirs. Of several the first is sent, and all are read",
	),
	currency: said(z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))), "Of minor units, where every amount is in one currency"),
};
const requestField = said(
	z.union([text(), z.strictObject({ at: text(), ...written })]),
	"path NAME, query NAME, header NAME or body /POINTER; none where the deployment does not have it",
);
const answerField = said(z.union([text(), z.strictObject({ at: text(), ...written })]), "/POINTER from the record, or none");
const status = z.int().check(z.gte(200), z.lte(299));

const operation = z.strictObject({
	send: said(text(), "METHOD /path, with {parameters} in braces"),
	body: said(z.optional(z.enum(["json", "form"])), "How the body is written"),
	fields: said(z.optional(z.record(text(), requestField)), "Where each of our fields goes. Without it: under our own names"),
	constants: said(z.optional(z.record(text(), z.union([constant, z.array(constant)]))), "PLACE: value, sent with every request"),
	answer: z.optional(
		z.strictObject({
			record: said(z.optional(text()), "/POINTER of the record in the answer, or in each entry of a list"),
			records: said(z.optional(text()), "/POINTER of a list's entries"),
			fields: said(z.optional(z.record(text(), answerField)), "Where our fields stand. Without it: under our own names"),
		}),
	),
	statuses: said(
		z.optional(z.strictObject({ done: z.optional(z.array(status)), waiting: z.optional(z.array(status)) })),
		"The answers that mean done, or accepted and waiting",
	),
});

const paging = z.strictObject({
	style: z.enum(["page", "offset", "cursor", "link"]),
	at: z.optional(text()),
	first: z.optional(z.union([z.literal(0), z.literal(1)])),
	size: z.optional(z.strictObject({ at: text(), most: z.int().check(z.gte(1), z.lte(1_000)) })),
	next: z.optional(text()),
	records: z.optional(text()),
	total: z.optional(text()),
	order: z.optional(z.strictObject({ at: text(), ascending: text(), descending: text() })),
	lists: z.optional(z.enum(["repeated", "comma"])),
});

/** The file. Its JSON Schema is made from this. */
export const mappingFile = z.strictObject({
	purser: z.literal("mapping"),
	version: z.literal(1),
	paging: said(z.optional(paging), "How lists are divided into pages"),
	errors: said(
		z.optional(
			z.strictObject({
				code: z.optional(text()),
				message: z.optional(text()),
				details: z.optional(z.strictObject({ records: text(), field: text(), message: text() })),
			}),
		),
		"Where an error says its code, its message and the fields that it is about",
	),
	ids: said(z.optional(z.partialRecord(z.enum(idKinds), text())), "The form of each kind of id that is no UUID: acc_[0-9A-Za-z]{16}"),
	zone: said(z.optional(text(60)), "The zone of times that have none: UTC, +01:00 or Europe/Paris"),
	idempotency: said(
		z.optional(z.strictObject({ key: text(), keeps: z.optional(z.string().check(z.regex(/^([1-9]\d{0,3}[hd]|\?)$/))) })),
		"Where a payment's idempotency key goes, and for how long the service keeps it: 24h, 7d",
	),
	operations: z.record(text(), z.union([z.string(), operation])),
});

type File = z.output<typeof mappingFile>;

/** The JSON Schema of the file (2020-12), for editors. */
export const mappingSchema = (): unknown => ({ title: "A mapping of purser", ...z.toJSONSchema(mappingFile, { target: "draft-2020-12" }) });

/**
 * Reads the file's value, as YAML or JSON has it. What is open or of another shape is a fault; what it means is checked by `faults.ts`.
 */
export function readMapping(value: unknown): { mapping?: Mapping; faults: MappingFault[] } {
	const plain = withNumbers(value);
	const faults = openPlaces(plain);
	const read = mappingFile.safeParse(plain);
	if (!read.success) {
		const isOpen = (path: string): boolean => faults.some((one) => `${one.path.join("\0")}\0`.startsWith(`${path}\0`));
		for (const issue of read.error.issues.flatMap((one) => innermost(one)).slice(0, 50)) {
			const path = issue.path.map(String);
			if (!isOpen(path.join("\0"))) faults.push({ path, message: shapeText(issue) });
		}
		return { faults };
	}
	if (faults.length > 0) return { faults };
	return mappingOf(read.data);
}

type Issue = z.core.$ZodIssue;

/** Of a text or a record, what is wrong with the record: that says where. */
function innermost(
	issue: Issue,
	above: readonly PropertyKey[] = [],
): { code: string; path: readonly PropertyKey[]; keys?: readonly string[] }[] {
	const path = [...above, ...issue.path];
	const [last] =
		issue.code === "invalid_union"
			? issue.errors.filter((some) => some.some((one) => one.path.length > 0 || one.code === "unrecognized_keys"))
			: [];
	return last === undefined ? [{ ...issue, path }] : last.flatMap((one) => innermost(one, path));
}

function shapeText(issue: { code: string; keys?: readonly string[] }): string {
	if (issue.code === "unrecognized_keys") return `has ${(issue.keys ?? []).join(", ")}, which no mapping has`;
	if (issue.code === "invalid_type") return "is missing, or of another type than it must be";
	if (issue.code === "invalid_value" || issue.code === "invalid_union") return "is none of the values that it may have";
	return "is not as it must be";
}

/** Every `?`, with what is asked where it stands. */
function openPlaces(value: unknown, path: readonly string[] = []): MappingFault[] {
	if (value === open) return [{ path, message: "is open (?): fill it in" }];
	if (Array.isArray(value)) return value.flatMap((one, at) => openPlaces(one, [...path, String(at)]));
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([name, one]) => [
		...(name === open || / \?$/.test(name) ? [{ path: [...path, name], message: "is open (?): say where it goes" }] : []),
		...openPlaces(one, [...path, name]),
	]);
}

/** Numbers of a document as plain ones: a mapping has statuses, sizes and constants only. */
function withNumbers(value: unknown): unknown {
	if (value instanceof Decimal) return /^-?\d{1,9}(\.\d{1,6})?$/.test(value.text) ? Number(value.text) : value.text;
	if (Array.isArray(value)) return value.map(withNumbers);
	return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withNumbers(part)])) : value;
}

function mappingOf({ purser: _purser, version: _version, idempotency, operations, ...shared }: File): {
	mapping: Mapping;
	faults: MappingFault[];
} {
	const faults: MappingFault[] = [];
	const placeAt = (path: readonly string[], place: string): RequestPlace => {
		const [, kind, at] = /^(path|query|header|body)\s+(\S+)$/.exec(place.trim()) ?? [];
		if (kind !== undefined && at !== undefined) return { place: kind as RequestPlace["place"], at };
		faults.push({ path, message: `must be path NAME, query NAME, header NAME or body /POINTER, not ${JSON.stringify(place)}` });
		return { place: "query", at: "" };
	};
	const entryOf = (id: string, entry: File["operations"][string]): MappedOperation | "none" => {
		const path = ["operations", id];
		if (entry === "none") return "none";
		if (typeof entry === "string") {
			faults.push({ path, message: "must be none, or have send: METHOD /path" });
			return "none";
		}
		const [, method, address] = /^([A-Z]+)\s+(\S+)$/.exec(entry.send.trim()) ?? [];
		if (method === undefined || !methods.some((one) => one === method))
			faults.push({ path: [...path, "send"], message: `must be METHOD /path, with one of ${methods.join(", ")}` });
		const { answer } = entry;
		const fieldsAt = [...path, "fields"];
		return {
			method: method as Method,
			path: address ?? "",
			...(entry.body === "form" && { body: entry.body }),
			...(entry.fields && { fields: each(entry.fields, (field, name) => requestFieldOf(field, (at) => placeAt([...fieldsAt, name], at))) }),
			...(entry.constants && {
				constants: Object.entries(entry.constants).map(([at, value]): Constant => ({ ...placeAt([...path, "constants", at], at), value })),
			}),
			...(answer && { answer: { ...answer, ...(answer.fields && { fields: each(answer.fields, (field) => answerFieldOf(field)) }) } }),
			...(entry.statuses && { statuses: entry.statuses }),
		} as MappedOperation;
	};
	const key = idempotency && placeAt(["idempotency", "key"], idempotency.key);
	const hours = hoursOf(idempotency?.keeps);
	const mapping = {
		...shared,
		...(key && { idempotency: { ...key, ...(hours !== undefined && { hours }) } }),
		operations: each(operations, (entry, id) => entryOf(id, entry)),
	};
	return { mapping: mapping as Mapping, faults };
}

const each = <V, R>(record: Readonly<Record<string, V>>, make: (value: V, name: string) => R): Record<string, R> =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));

type Written = { at: string } & MappedValue;

function requestFieldOf(field: string | Written, placeAt: (place: string) => RequestPlace): RequestField | "none" {
	if (field === "none") return "none";
	if (typeof field === "string") return placeAt(field);
	const { at, ...value } = field;
	return { ...placeAt(at), ...value };
}

const answerFieldOf = (field: string | Written): AnswerField | "none" =>
	field === "none" ? "none" : typeof field === "string" ? { at: field } : field;

function hoursOf(keeps: string | undefined): number | undefined {
	const [, count, unit] = /^(\d+)([hd])$/.exec(keeps ?? "") ?? [];
	return count === undefined ? undefined : Number(count) * (unit === "d" ? 24 : 1);
}

/** The value of the file that says this mapping: the other way round, for `purser api export`. */
export function fileOf({ idempotency, operations, ...shared }: Mapping): unknown {
	const placeText = ({ place, at }: RequestPlace): string => `${place} ${at}`;
	const fieldOf = (at: string, { form, values, currency }: MappedValue): unknown =>
		form === undefined && values === undefined && currency === undefined ? at : { at, form, values, currency };
	return {
		purser: "mapping",
		version: 1,
		...shared,
		...(idempotency && {
			idempotency: { key: placeText(idempotency), ...(idempotency.hours !== undefined && { keeps: `${idempotency.hours}h` }) },
		}),
		operations: each(operations, (entry) => {
			if (entry === "none") return "none";
			const { method, path, fields, constants, answer, ...rest } = entry;
			return {
				send: `${method} ${path}`,
				...rest,
				...(fields && { fields: each(fields, (field) => (field === "none" ? "none" : fieldOf(placeText(field), field))) }),
				...(constants && { constants: Object.fromEntries(constants.map((one) => [placeText(one), one.value])) }),
				...(answer && {
					answer: {
						...answer,
						...(answer.fields && { fields: each(answer.fields, (field) => (field === "none" ? "none" : fieldOf(field.at, field))) }),
					},
				}),
			};
		}),
	};
}
