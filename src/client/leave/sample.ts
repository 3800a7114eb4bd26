/**
 * Sample values for a request that is shown and not sent. No real person's data.
 */
import * as z from "zod/mini";
import type { AnyOperation, Input } from "../../api/operation.js";
import { largestPage } from "../../api/paging.js";
import { describe, type Field, isRecord } from "../../api/schema.js";
import { idOfDigit } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { ServiceBinding } from "../../ports/binding.js";

/** An id of this form; a UUID without one. @param digit by which samples differ, where the form allows it */
export function sampleId(pattern: string | undefined, digit: "1" | "2" | "3" | "4" | "5"): string {
	if (pattern !== undefined) return idOfDigit(pattern, digit);
	return `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;
}

/** A value for every field that an operation takes; a text's is its own name, where it may be. */
export function sampleInput(operation: AnyOperation, service: ServiceBinding | undefined): Input {
	const filled = (shape: z.ZodMiniObject): Record<string, unknown> =>
		Object.fromEntries((describe(shape).fields ?? []).map((field) => [field.name, sampleOf(field, service)]));
	return {
		params: filled(operation.params),
		query: operation.effect === "read" ? { ...filled(operation.query), ...firstPage(operation) } : {},
		...(operation.body === undefined ? {} : { body: filled(operation.body) }),
	} as Input;
}

/** What the first page of a list is asked for with. */
const firstPage = ({ query }: AnyOperation): Record<string, string> =>
	"pageSize" in query.shape ? { page: "0", pageSize: String(largestPage) } : {};

const texts = [
	"2026-01-31",
	"2026-01-31T10:00:00Z",
	"someone@example.com",
	"https://example.com",
	"FRA",
	"EUR",
	"123456",
	"33",
	"0100000000",
];

function sampleOf(field: Field, service: ServiceBinding | undefined): unknown {
	const { name, kind, fields, element, choices, meta, schema } = field;
	if (kind === "object") return Object.fromEntries((fields ?? []).map((one) => [one.name, sampleOf(one, service)]));
	if (kind === "list") return element === undefined ? [] : [sampleOf(element, service)];
	if (kind === "boolean") return true;
	if (kind === "choice") return choices?.[0];
	if (kind === "number") return "12.34";
	if (kind === "json") return {};
	const pattern = idPatternOf(name, service);
	if (pattern !== undefined) return sampleId(pattern, "1");
	return (
		[meta.example, name, sampleId(undefined, "1"), ...texts].find((text) => text !== undefined && z.safeParse(schema, text).success) ?? name
	);
}

const kinds = [
	[/related|person|owner/i, "related"],
	[/corporate/i, "corporate"],
	[/ledger/i, "ledger"],
	[/beneficiary/i, "beneficiary"],
	[/transaction/i, "transaction"],
	[/endUser/i, "endUser"],
] as const;

/** The form of an id by its field's name. */
function idPatternOf(name: string, service: ServiceBinding | undefined): string | undefined {
	if (!/Id$/.test(name) || name === "externalId") return undefined;
	const found = kinds.find(([words]) => words.test(name));
	return found && service?.ids?.[found[1]];
}

/** An input without the fields for which the binding has no place or no form: nobody can send them. */
export function writable(input: Input, make: (input: Input) => unknown): Input {
	let left = input;
	for (let tries = 0; ; tries++)
		try {
			make(left);
			return left;
		} catch (error) {
			const [fault] = error instanceof PurserError && error.kind === "validation" ? (error.failure.details ?? []) : [];
			if (fault === undefined || tries === 100) throw error;
			const without = (part: unknown): unknown => withoutField(part, fault.field.split("."));
			const next = { ...left, query: without(left.query), body: without(left.body) } as Input;
			if (JSON.stringify(next) === JSON.stringify(left)) throw error;
			left = next;
		}
}

function withoutField(value: unknown, [name, ...below]: readonly string[]): unknown {
	if (Array.isArray(value)) return name === "*" || /^\d+$/.test(name ?? "") ? value.map((one) => withoutField(one, below)) : value;
	if (!isRecord(value) || name === undefined || !Object.hasOwn(value, name)) return value;
	const { [name]: held, ...rest } = value;
	return below.length === 0 ? rest : { ...rest, [name]: withoutField(held, below) };
}
