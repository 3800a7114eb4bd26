/**
 * The mapping of a deployment as a file that people edit, and what stands in it for the program: one schema says both, and leads from either
 * to the other. `purser help mapping` explains it.
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
import { forms } from "./request/forms.js";
import { partsOf } from "./request/places.js";
import { isZone } from "./request/zone.js";

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
/** A text that may be wrong in a way of its own. */
const checked = (faultOf: (given: string) => string | undefined) =>
	text().check((payload) => {
		const message = faultOf(payload.value);
		if (message !== undefined) wrong(payload, message);
	});
const pointer = z.optional(
	checked((given) => (partsOf(given) === undefined ? `${given} is not a JSON Pointer, like /data/id` : undefined)),
);
const idForm = checked(idPatternFault);
const zone = checked((given) =>
	isZone(given) ? undefined : `${given} is no zone: UTC, an offset like +01:00, or a name like Europe/Paris`,
);
const constant = z.union([text(), z.boolean(), z.number()]);
const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"];

/** What is wrong with a text of the file that says several things. */
const wrong = ({ issues, value }: { issues: z.core.$ZodRawIssue[]; value: unknown }, message: string, path: string[] = []): never => {
	issues.push({ code: "custom", message, input: value, path });
	return z.NEVER;
};

function placeOf(place: string, payload: z.core.ParsePayload, path: string[] = []): RequestPlace {
	const [, kind, at] = /^(path|query|header|body)\s+(\S+)$/.exec(place.trim()) ?? [];
	if (kind !== undefined && at !== undefined) return { place: kind as RequestPlace["place"], at };
	return wrong(payload, `must be path NAME, query NAME, header NAME or body /POINTER, not ${JSON.stringify(place)}`, path);
}
const placeText = ({ place, at }: RequestPlace): string => `${place} ${at}`;

const isFilled = (given: object): boolean => Object.keys(given).length > 0;
const form = said(z.optional(z.enum(forms)), "How the value is written; as purser writes it without one");
const values = said(
	z.optional(
		z.record(text(), z.union([constant, z.array(constant).check(z.minLength(1))])).check(z.refine(isFilled, "has an empty list of values")),
	),
	"Our value: theirs. Of several the first is sent, and all are read",
);
const currency = said(z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))), "Of minor units, where every amount is in one currency");
const isOneForm = ({ form, values }: MappedValue): boolean => form === undefined || values === undefined;
const isInCurrency = ({ form, currency }: MappedValue): boolean => currency === undefined || form === "minor-units";
const formed = z
	.strictObject({ at: text(), form, values, currency })
	.check(
		z.refine(isOneForm, "has both another form and other values; only one can be read back"),
		z.refine(isInCurrency, "has a currency, which only minor-units need"),
	);
const field = z.union([text(), formed]);

/** A field that is only a place is its text in the file. */
const written = (at: string, { form, values, currency }: MappedValue): z.output<typeof field> =>
	form === undefined && values === undefined && currency === undefined ? at : ({ at, form, values, currency } as z.output<typeof field>);

const requestField = z.codec(field, z.custom<RequestField | "none">(), {
	decode: (given, payload) => {
		if (typeof given === "string") return given === "none" ? given : placeOf(given, payload);
		return { ...given, ...placeOf(given.at, payload) };
	},
	encode: (one) => (one === "none" ? one : written(placeText(one), one)),
});
const answerField = z.codec(field, z.custom<AnswerField | "none">(), {
	decode: (given) => (given === "none" ? given : typeof given === "string" ? { at: given } : given),
	encode: (one) => (one === "none" ? one : written(one.at, one)),
});
const constants = z.codec(z.record(text(), z.union([constant, z.array(constant)])), z.custom<readonly Constant[]>(), {
	decode: (given, payload) => Object.entries(given).map(([place, value]) => ({ ...placeOf(place, payload, [place]), value })),
	encode: (all) => Object.fromEntries(all.map((one) => [placeText(one), one.value])) as Record<string, string>,
});
const status = z.int().check(z.gte(200), z.lte(299));

const entry = z.strictObject({
	send: said(text(), "METHOD /path, with {parameters} in braces"),
	body: said(z.optional(z.enum(["json", "form"])), "How the body is written"),
	fields: said(
		z.optional(
			z.record(
				text(),
				said(requestField, "path NAME, query NAME, header NAME or body /POINTER; none where the deployment does not have it"),
			),
		),
		"Where each of our fields goes. Without it: under our own names",
	),
	constants: said(z.optional(constants), "PLACE: value, sent with every request"),
	answer: z.optional(
		z.strictObject({
			record: said(pointer, "/POINTER of the record in the answer, or in each entry of a list"),
			records: said(pointer, "/POINTER of a list's entries"),
			fields: said(
				z.optional(z.record(text(), said(answerField, "/POINTER from the record, or none"))),
				"Where our fields stand. Without it: under our own names",
			),
		}),
	),
	statuses: said(
		z.optional(z.strictObject({ done: z.optional(z.array(status)), waiting: z.optional(z.array(status)) })),
		"The answers that mean done, or accepted and waiting",
	),
});

const operation = z.codec(z.union([z.string(), entry]), z.custom<MappedOperation | "none">(), {
	decode: (given, payload) => {
		if (typeof given === "string") return given === "none" ? given : wrong(payload, "must be none, or have send: METHOD /path");
		const { send, body, ...rest } = given;
		const [, method = "", path = ""] = /^([A-Z]+)\s+(\S+)$/.exec(send.trim()) ?? [];
		if (!methods.includes(method)) return wrong(payload, `must be METHOD /path, with one of ${methods.join(", ")}`, ["send"]);
		return { method, path, ...(body === "form" && { body }), ...rest } as MappedOperation;
	},
	encode: (one) => {
		if (one === "none") return one;
		const { method, path, ...rest } = one;
		return { send: `${method} ${path}`, ...rest } as z.output<typeof entry>;
	},
});

const keeps = z.optional(z.string().check(z.regex(/^([1-9]\d{0,3}[hd]|\?)$/)));
const idempotency = z.codec(z.strictObject({ key: text(), keeps }), z.custom<IdempotencyKey>(), {
	decode: ({ key, keeps = "" }, payload) => {
		const hours = Number.parseInt(keeps, 10) * (keeps.endsWith("d") ? 24 : 1);
		return { ...placeOf(key, payload, ["key"]), ...(hours > 0 && { hours }) };
	},
	encode: ({ hours, ...place }) => ({ key: placeText(place), ...(hours !== undefined && { keeps: `${hours}h` }) }),
});

const paging = z.strictObject({
	style: z.enum(["page", "offset", "cursor", "link"]),
	at: z.optional(text()),
	first: z.optional(z.union([z.literal(0), z.literal(1)])),
	size: z.optional(z.strictObject({ at: text(), most: z.int().check(z.gte(1), z.lte(1_000)) })),
	next: pointer,
	records: pointer,
	total: pointer,
	order: z.optional(z.strictObject({ at: text(), ascending: text(), descending: text() })),
	lists: z.optional(z.enum(["repeated", "comma"])),
});

const mappingFile = z.strictObject({
	purser: z.literal("mapping"),
	version: z.literal(1),
	paging: said(z.optional(paging), "How lists are divided into pages"),
	errors: said(
		z.optional(z.strictObject({ code: pointer, message: pointer, details: pointer })),
		"Where an error says its code, its message, and its details: a list, or an object with an entry for each field",
	),
	ids: said(z.optional(z.partialRecord(z.enum(idKinds), idForm)), "The form of each kind of id that is no UUID: acc_[0-9A-Za-z]{16}"),
	zone: said(z.optional(zone), "The zone of times that have none: UTC, +01:00 or Europe/Paris"),
	idempotency: said(z.optional(idempotency), "Where a payment's idempotency key goes, and for how long the service keeps it: 24h, 7d"),
	operations: z.record(text(), operation),
});

/** The JSON Schema of the file (2020-12), for editors. */
export const mappingSchema = (): unknown => ({
	title: "A mapping of purser",
	...z.toJSONSchema(mappingFile, { target: "draft-2020-12", io: "input" }),
});

/** The value of the file that says this mapping, for `purser api export`. */
export const fileOf = (mapping: Mapping): unknown => z.encode(mappingFile, { purser: "mapping", version: 1, ...mapping } as File);

type File = z.output<typeof mappingFile>;

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

/** What is wrong with the shape of a mapping that is stored: a profile's file may have been edited since. */
export function shapeFaults(mapping: Mapping): MappingFault[] {
	const written = z.safeEncode(mappingFile, { purser: "mapping", version: 1, ...mapping } as File);
	return written.success ? [] : faultsOf(written.error);
}

const faultsOf = ({ issues }: z.core.$ZodError): MappingFault[] =>
	issues
		.flatMap((one) => innermost(one))
		.slice(0, 50)
		.map((issue) => ({ path: issue.path.map(String), message: shapeText(issue) }));

type Issue = Pick<z.core.$ZodIssue, "code" | "path" | "message"> & { keys?: readonly string[] };

/** Of a text or a record, what is wrong with the record: that says where. */
function innermost(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): Issue[] {
	const path = [...above, ...issue.path];
	const [last] =
		issue.code === "invalid_union"
			? issue.errors.filter((some) => some.some((one) => one.path.length > 0 || one.code === "unrecognized_keys" || one.code === "custom"))
			: [];
	return last === undefined ? [{ ...issue, path }] : last.flatMap((one) => innermost(one, path));
}

function shapeText({ code, message, keys = [] }: Issue): string {
	if (code === "custom") return message;
	if (code === "unrecognized_keys") return `has ${keys.join(", ")}, which no mapping has`;
	if (code === "invalid_type") return "is missing, or of another type than it must be";
	if (code === "invalid_value" || code === "invalid_union") return "is none of the values that it may have";
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
