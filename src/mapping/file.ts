/**
 * The mapping of a deployment as a file that people edit, and what stands in it for the program: one schema says both. `purser help mapping`
 * explains it.
 */
import * as z from "zod/mini";
import { Decimal } from "../api/json.js";
import { isRecord } from "../api/schema.js";
import { idKinds, idPatternFault } from "../api/text/ids.js";
import type {
	AnswerField,
	Constant,
	IdempotencyKey,
	MappedOperation,
	MappedValue,
	Mapping,
	RequestField,
	RequestPlace,
} from "../ports/mapping.js";
import { forms, isZone } from "./request/forms.js";
import { partsOf } from "./request/places.js";

/** Stands for what a person has still to fill in. */
export const open = "?";

/** What is wrong at one place of the file: the names that lead there. */
export interface MappingFault {
	path: readonly string[];
	message: string;
}

/** A schema with the text that an editor shows. */
function described<S extends z.ZodMiniType>(schema: S, description: string): S {
	z.globalRegistry.add(schema, { description });
	return schema;
}
const maybe = <S extends z.ZodMiniType>(schema: S, description: string) => described(z.optional(schema), description);

const text = (longest = 400) => z.string().check(z.maxLength(longest));
/** A text that may be wrong in a way of its own. */
const checked = (faultOf: (given: string) => string | undefined) =>
	text().check(({ value, issues }) => {
		const message = faultOf(value);
		if (message !== undefined) issues.push({ code: "custom", message, input: value });
	});
/** A text of this form, or what it must be. */
const formed = (form: RegExp, must: string) =>
	checked((given) => (form.test(given) ? undefined : `must be ${must}, not ${JSON.stringify(given)}`));

const constant = z.union([text(), z.boolean(), z.number()]);
const place = formed(/^(path|query|header|body)\s+\S+$/, "path NAME, query NAME, header NAME or body /POINTER");
const pointed = checked((given) => {
	if (partsOf(given) === undefined) return `${given} is not a JSON Pointer, like /data/id`;
	return /\/\d+(\/|$)/.test(given) ? `${given} points into a list by a number, which is not read: * is its first entry` : undefined;
});
const pointer = z.optional(pointed);
const zone = checked((given) =>
	isZone(given) ? undefined : `${given} is no zone: UTC, an offset like +01:00, or a name like Europe/Paris`,
);

function placeOf(given: string): RequestPlace {
	const [place, at = ""] = given.split(/\s+/);
	return { place: place as RequestPlace["place"], at };
}
export const placeText = ({ place, at }: RequestPlace): string => `${place} ${at}`;

const theirValues = z.record(text(), z.union([constant, z.array(constant).check(z.minLength(1))]));
const value = {
	form: maybe(z.enum(forms), "How the value is written; as purser writes it without one"),
	values: maybe(theirValues, "Our value: theirs. Of several the first is sent, and all are read"),
	currency: maybe(z.string().check(z.regex(/^[A-Z]{3}$/)), "Of minor units, where every amount is in one currency"),
};
/** A field of ours: `none`, only its place, or its place and how its value is written. */
function fieldAt<F extends MappedValue>(at: z.ZodMiniType<string, string>, read: (at: string) => object) {
	const place = z.union([z.literal("none"), at, z.strictObject({ at, ...value })]);
	const decode = z.transform((given: z.output<typeof place>) => {
		if (given === "none") return given;
		return (typeof given === "string" ? read(given) : { ...given, ...read(given.at) }) as F;
	});
	return z.pipe(place, decode);
}
const requestField = fieldAt<RequestField>(place, placeOf);
const answerField = fieldAt<AnswerField>(text(), (at) => ({ at }));
const constants = z.pipe(
	z.record(place, z.union([constant, z.array(constant)])),
	z.transform((given): Constant[] => Object.entries(given).map(([at, value]) => ({ ...placeOf(at), value }))),
);
const send = formed(/^(GET|POST|PATCH|PUT|DELETE)\s+\S+$/, "METHOD /path, with one of GET, POST, PATCH, PUT, DELETE");
const asked = described(requestField, "path NAME, query NAME, header NAME or body /POINTER; none where the deployment does not have it");
const told = described(answerField, "/POINTER from the record, or none");
const answer = z.strictObject({
	record: maybe(pointed, "/POINTER of the record in the answer, or in each entry of a list"),
	records: maybe(pointed, "/POINTER of a list's entries"),
	fields: maybe(z.record(text(), told), "Where our fields stand. Without it: under our own names"),
});
const status = z.optional(z.array(z.int().check(z.gte(200), z.lte(299))));
const statuses = z.strictObject({ done: status, waiting: status });

const entry = z.strictObject({
	send: described(send, "METHOD /path, with {parameters} in braces"),
	body: maybe(z.enum(["json", "form"]), "How the body is written"),
	fields: maybe(z.record(text(), asked), "Where each of our fields goes. Without it: under our own names"),
	constants: maybe(constants, "PLACE: value, sent with every request"),
	answer: z.optional(answer),
	statuses: maybe(statuses, "The answers that mean done, or accepted and waiting"),
});

const operation = z.pipe(
	z.union([formed(/^none$/, "none, or have send: METHOD /path"), entry]),
	z.transform((given): MappedOperation | "none" => {
		if (typeof given === "string") return "none";
		const { send, body, ...rest } = given;
		const [method, path] = send.split(/\s+/);
		return { method, path, ...(body === "form" && { body }), ...rest } as MappedOperation;
	}),
);

const idempotency = z.pipe(
	z.strictObject({ key: place, keeps: z.optional(z.string().check(z.regex(/^([1-9]\d{0,3}[hd]|\?)$/))) }),
	z.transform(({ key, keeps = "" }): IdempotencyKey => {
		const hours = Number.parseInt(keeps, 10) * (keeps.endsWith("d") ? 24 : 1);
		return { ...placeOf(key), ...(hours > 0 && { hours }) };
	}),
);

const paging = z.strictObject({
	style: z.enum(["page", "offset", "cursor", "link"]),
	at: z.optional(text()),
	first: z.optional(z.union([z.literal(0), z.literal(1)])),
	size: z.optional(z.strictObject({ at: text(), most: z.int().check(z.gte(1), z.lte(1_000)) })),
	next: pointer,
	records: pointer,
	total: pointer,
});

const mappingFile = z.strictObject({
	purser: z.literal("mapping"),
	version: z.literal(1),
	paging: maybe(paging, "How lists are divided into pages"),
	errors: maybe(
		z.strictObject({ code: pointer, message: pointer, details: pointer }),
		"Where an error says its code, its message, and its details: a list, or an object with an entry for each field",
	),
	ids: maybe(z.partialRecord(z.enum(idKinds), checked(idPatternFault)), "The form of each kind of id that is no UUID: acc_[0-9A-Za-z]{16}"),
	zone: maybe(zone, "The zone of times that have none: UTC, +01:00 or Europe/Paris"),
	idempotency: maybe(idempotency, "Where a payment's idempotency key goes, and for how long the service keeps it: 24h, 7d"),
	operations: z.record(text(), operation),
});

/** The JSON Schema of the file (2020-12), for editors. */
export const mappingSchema = (): unknown => ({
	title: "A mapping of purser",
	...z.toJSONSchema(mappingFile, { target: "draft-2020-12", io: "input" }),
});

/**
 * Reads the file's value, as YAML or JSON has it. What is open or of another shape is a fault; what it means is checked by `faults.ts`.
 */
export function readMapping(value: unknown): { mapping?: Mapping; faults: MappingFault[] } {
	const plain = withNumbers(value);
	const faults = openPlaces(plain);
	const read = mappingFile.safeParse(plain);
	const isOpen = (path: string): boolean => faults.some((one) => `${one.path.join("\0")}\0`.startsWith(`${path}\0`));
	if (!read.success) return { faults: [...faults, ...faultsOf(read.error).filter(({ path }) => !isOpen(path.join("\0")))] };
	if (faults.length > 0) return { faults };
	const { purser: _purser, version: _version, ...mapping } = read.data;
	return { mapping: mapping as Mapping, faults };
}

const faultsOf = ({ issues }: z.core.$ZodError): MappingFault[] =>
	issues
		.flatMap((one) => innermost(one))
		.slice(0, 50)
		.map(({ path, message, keys }) => ({
			path: path.map(String),
			message: keys ? `has ${keys.join(", ")}, which no mapping has` : message,
		}));

type Issue = Pick<z.core.$ZodIssue, "code" | "path" | "message"> & { keys?: readonly string[] };

/** Of a text or a record, what is wrong with the record, and of a text what is wrong with it: that says where. */
function innermost(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): Issue[] {
	const path = [...above, ...issue.path];
	if (issue.code === "invalid_key") return issue.issues.flatMap((one) => innermost(one, path));
	const says = (one: z.core.$ZodIssue): boolean => one.path.length > 0 || one.code === "unrecognized_keys" || one.code === "custom";
	const inside = issue.code === "invalid_union" ? issue.errors.find((some) => some.some(says)) : undefined;
	return inside?.flatMap((one) => innermost(one, path)) ?? [{ ...issue, path }];
}

/** Every `?`, with what is asked where it stands. */
function openPlaces(value: unknown, path: readonly string[] = []): MappingFault[] {
	if (value === open) return [{ path, message: "is open (?): fill it in" }];
	if (Array.isArray(value)) return value.flatMap((one, at) => openPlaces(one, [...path, String(at)]));
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([name, one]) => openPlaces(one, [...path, name]));
}

/** Numbers of a document as plain ones: a mapping has statuses, sizes and constants only. */
function withNumbers(value: unknown): unknown {
	if (value instanceof Decimal) return /^-?\d{1,9}(\.\d{1,6})?$/.test(value.text) ? Number(value.text) : value.text;
	if (Array.isArray(value)) return value.map(withNumbers);
	return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withNumbers(part)])) : value;
}
