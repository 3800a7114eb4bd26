/**
 * The request that a mapping makes, as a person is shown it before they confirm it: its exact bytes, of example values. No real person's data.
 */
import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { decimalsOf } from "../../api/amount.js";
import { largestPage } from "../../api/fields.js";
import type { AnyOperation, Input } from "../../api/operation.js";
import { describe, type Field } from "../../api/schema.js";
import { type IdForms, idKindOf, idOfDigit } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import { mappingFaults } from "../../mapping/faults.js";
import { hasPlace } from "../../mapping/request/places.js";
import type { MappedOperation, Mapping } from "../../ports/mapping.js";
import type { Auth, Profile } from "../../ports/profiles.js";
import { draftRequest } from "../request/request.js";

/** A request as it is shown; of a payment with its currency and with what is debited, credited, the amount and the reference. */
export type ShownRequest = ReturnType<typeof exampleOf>;

/** @throws PurserError validation, where the profile's mapping has faults: what is shown of two fields at one place would not tell it */
export function exampleOf(operation: AnyOperation, profile: Profile, version: string) {
	const { mapping } = profile;
	const faults =
		mapping === undefined ? [] : mappingFaults(mapping).filter(({ path: [part, id] }) => part !== "operations" || id === operation.id);
	if (faults.length > 0)
		throw new PurserError("validation", {
			code: "MAPPING_INVALID",
			message: `The mapping of ${operation.id} in the profile ${profile.name} cannot be used, so it cannot be confirmed`,
			fix: advice`Correct the file, and store it again: ${purser`api use FILE`}`,
			details: faults.map(({ path, message }) => ({ field: path.join("."), message })),
		});
	const mapped = mapping?.operations[operation.id];
	const entry = mapped === "none" ? undefined : mapped;
	const isMoney = operation.effect === "money";
	const amount = entry?.fields?.amount;
	const currency = (amount !== undefined && amount !== "none" && amount.currency) || "EUR";
	const input = exampleInput(operation, entry, mapping, currency);
	const request = draftRequest(profile, operation, input, version, { currency });
	return {
		fields: isMoney ? paymentFields(operation, entry, input) : [],
		currency: isMoney ? currency : null,
		request: {
			method: request.method,
			url: request.url,
			headers: { ...request.headers, ...credentialOf(profile.auth, operation) },
			body: request.body === undefined ? null : new TextDecoder().decode(request.body),
		},
	};
}

function paymentFields({ body }: AnyOperation, entry: MappedOperation | undefined, input: Input) {
	const shown = Object.keys(body.shape).filter((name) => !name.startsWith("allow"));
	return shown.map((field) => {
		const placed = entry?.fields?.[field];
		const value = input.body?.[field];
		const place =
			placed === undefined || placed === "none" ? `body /${field}` : `${placed.place} ${placed.at}${placed.form ? `, ${placed.form}` : ""}`;
		return { field, value: value === undefined ? null : String(value), place };
	});
}

/** A value for every field that the mapping has a place for; of a change without a mapping's fields those that are required. */
function exampleInput(operation: AnyOperation, entry: MappedOperation | undefined, mapping: Mapping | undefined, currency: string): Input {
	const ids = mapping?.ids ?? {};
	const isMoney = operation.effect === "money";
	const filled = (fields: readonly Field[] = [], before = ""): Record<string, unknown> =>
		Object.fromEntries(
			fields
				.filter((field) => (entry?.fields === undefined ? field.required || isMoney : hasPlace(entry, before + field.name)))
				.map((field) => [field.name, field.fields ? filled(field.fields, `${before}${field.name}.`) : exampleFor(field, ids, currency)]),
		);
	const of = (shape: z.ZodMiniObject): Record<string, unknown> => filled(describe(shape).fields);
	const page = "pageSize" in operation.query.shape ? { page: "0", pageSize: String(largestPage) } : {};
	return {
		params: filled(describe(operation.params).fields),
		query: operation.effect === "read" ? { ...of(operation.query), ...page } : {},
		...(operation.body === undefined ? {} : { body: of(operation.body) }),
	} as Input;
}

const texts = ["2026-01-31", "2026-01-31T10:00:00Z", "someone@example.com", "https://example.com", "FRA", "EUR", "123456", "33"];

function exampleFor(field: Field, ids: IdForms, currency: string): unknown {
	const { name, kind, element, choices, meta, schema } = field;
	if (kind === "list") return element === undefined ? [] : [exampleFor(element, ids, currency)];
	if (kind === "boolean") return true;
	if (kind === "choice") return choices?.[0];
	if (name === "amount") return decimalsOf(currency) === 0 ? "12" : "12.34";
	if (kind === "number") return "12.5";
	if (kind === "json") return {};
	const idKind = idKindOf[name];
	// The party that is credited has another digit than the one that is debited.
	if (idKind !== undefined) return exampleId(ids[idKind], /^(ledgerToId|beneficiaryId)$/.test(name) ? "2" : "1");
	if (name === "reference") return "Example 1";
	const fitting = [meta.example, meta.known?.[0], name, ...texts].find((text) => text !== undefined && z.safeParse(schema, text).success);
	return fitting ?? name;
}

/** An id of this form; a UUID without one. */
function exampleId(pattern: string | undefined, digit: "1" | "2"): string {
	if (pattern !== undefined) return idOfDigit(pattern, digit);
	return `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;
}

function credentialOf(auth: Auth, { auth: needed }: AnyOperation): Record<string, string> {
	if (auth.kind === "none" || needed === "none") return {};
	if (auth.kind === "header") return { [auth.header.toLowerCase()]: "…" };
	return { authorization: "Bearer …" };
}
