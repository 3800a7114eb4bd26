/**
 * The shape of a binding as a document: what may stand in it, and of which type. What it means is checked by `faults.ts`.
 */
import * as z from "zod/mini";
import { idKinds } from "../api/text/ids.js";
import type { BoundErrors, BoundPaging, OperationBinding, ServiceBinding } from "../ports/binding.js";
import { codecs } from "./codecs.js";

const text = () => z.string().check(z.maxLength(400));
const texts = () => z.record(text(), text());

const value = {
	codec: z.optional(z.enum(codecs as unknown as [string, ...string[]])),
	values: z.optional(texts()),
	currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
};

const places = ["path", "query", "header", "body"] as const;
const statuses = () => z.optional(z.array(z.number()));

const operationBinding = z.strictObject({
	method: z.optional(z.enum(["GET", "POST", "PATCH", "PUT", "DELETE"])),
	path: z.optional(text()),
	server: z.optional(text()),
	fields: z.optional(texts()),
	headers: z.optional(texts()),
	constants: z.optional(
		z.array(z.strictObject({ place: z.enum(["query", "header", "body"]), at: text(), value: z.union([text(), z.boolean(), z.number()]) })),
	),
	request: z.optional(
		z.strictObject({
			record: z.optional(text()),
			fields: z.optional(z.record(text(), z.strictObject({ place: z.enum(places), at: text(), ...value }))),
			others: z.optional(z.enum(["sent", "refused"])),
		}),
	),
	answer: z.optional(
		z.strictObject({
			record: z.optional(text()),
			records: z.optional(text()),
			fields: z.optional(z.record(text(), z.strictObject({ at: text(), ...value }))),
			others: z.optional(z.enum(["kept", "apart"])),
			statuses: z.optional(z.strictObject({ accepted: statuses(), waiting: statuses() })),
		}),
	),
	source: z.optional(
		z.strictObject({
			document: text(),
			sha256: text(),
			pointer: text(),
			idempotency: z.optional(text()),
			wants: z.optional(z.array(z.strictObject({ place: z.enum(["query", "header", "body"]), at: text() })).check(z.maxLength(100))),
		}),
	),
});

const paging = z.strictObject({
	style: z.enum(["page", "offset", "cursor", "link"]),
	at: z.optional(text()),
	first: z.optional(z.union([z.literal(0), z.literal(1)])),
	size: z.optional(z.strictObject({ at: text(), most: z.number().check(z.gte(1), z.lte(1_000)) })),
	next: z.optional(text()),
	records: z.optional(text()),
	total: z.optional(text()),
	order: z.optional(z.strictObject({ at: text(), ascending: text(), descending: text() })),
	lists: z.optional(z.enum(["repeated", "comma"])),
});

const errors = z.strictObject({
	code: z.optional(text()),
	message: z.optional(text()),
	details: z.optional(z.strictObject({ records: text(), field: text(), message: text() })),
});

const serviceBinding = z.strictObject({
	paging: z.optional(paging),
	errors: z.optional(errors),
	ids: z.optional(z.partialRecord(z.enum(idKinds), text())),
});

/** A binding as a document. */
export const bindingDocument = z.strictObject({
	purser: z.literal("binding"),
	version: z.literal(1),
	service: z.optional(serviceBinding),
	operations: z.record(text(), operationBinding),
});

/** The same as the program has it. */
export interface BindingDocument {
	purser: "binding";
	version: 1;
	service?: ServiceBinding & { paging?: BoundPaging; errors?: BoundErrors };
	operations: Record<string, OperationBinding>;
}
