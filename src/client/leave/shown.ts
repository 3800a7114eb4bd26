/**
 * What a binding sends, as a person is shown it before they confirm it: the exact request with sample values, and where each of them stands.
 * Found by making requests and comparing them, so that it cannot differ from what is sent.
 */
import { decimalsOf } from "../../api/amount.js";
import { formatJson } from "../../api/json.js";
import type { AnyOperation, Input, Method } from "../../api/operation.js";
import { payeeField } from "../../api/operations/transfer.js";
import { isRecord } from "../../api/schema.js";
import { bindingFaults, serviceFaults } from "../../binding/faults.js";
import { wantedTexts } from "../../binding/wanted.js";
import type { Fault } from "../../errors.js";
import type { OperationBinding } from "../../ports/binding.js";
import type { Auth, Profile } from "../../ports/profiles.js";
import { type DraftRequest, draftRequest } from "../request/request.js";
import { sampleId, sampleInput, writable } from "./sample.js";

/** A value in a request, and where it stands there: `body /source/account`. */
export interface ShownField {
	field: string;
	value: string;
	/** Empty where it is not sent. */
	places: { place: string; value: string }[];
}

/** A payment in words. */
export interface Direction {
	amount: string;
	currency: string;
	/** The debited party, and the credited one. */
	leaves: string;
	arrives: string;
}

export interface ShownBinding {
	/** Of a payment only. */
	direction: Direction | null;
	/** Of a payment only: payer, payee, amount and reference. */
	fields: ShownField[];
	request: { method: Method; url: string; headers: Record<string, string>; body: string | null };
	/** What is sent with every request: `body /category` and its value. */
	constants: { place: string; value: string }[];
	/** An answer as the deployment gives it, where the new record's id stands; null where none is expected. */
	answer: string | null;
	/** Statuses that mean accepted, or waiting; null where purser's table holds. */
	statuses: { accepted?: number[]; waiting?: number[] } | null;
	source: OperationBinding["source"] | null;
	/** What the document requires and the request does not have, in sentences. */
	wants: string[];
}

/** What is wrong with a binding, which then cannot be confirmed. */
export function faultsOf(operation: AnyOperation, { overrides, service, baseUrl }: Profile): Fault[] {
	return [...bindingFaults(operation, overrides[operation.id] ?? {}, baseUrl), ...(service ? serviceFaults(service) : [])];
}

/** @throws PurserError, where no request can be made by the binding */
export function shownBinding(operation: AnyOperation, profile: Profile, version: string): ShownBinding {
	const binding = profile.overrides[operation.id] ?? {};
	const isMoney = operation.effect === "money";
	const currency = binding.request?.fields?.amount?.currency ?? "EUR";
	const make = (input: Input): DraftRequest => draftRequest(profile, operation, input, version, { currency });
	const given = isMoney ? payment(operation, profile, currency) : sampleInput(operation, profile.service);
	const input = writable(given, make);
	const request = make(input);
	return {
		direction: isMoney ? directionOf(input, currency) : null,
		fields: isMoney ? fieldsOf(operation, profile, { given, input, request }, make) : [],
		request: {
			method: request.method,
			url: request.url,
			headers: { ...request.headers, ...credentialOf(profile.auth, operation) },
			body: request.body === undefined ? null : new TextDecoder().decode(request.body),
		},
		constants: (binding.constants ?? []).map(({ place, at, value }) => ({ place: `${place} ${at}`, value: String(value) })),
		answer: operation.created === undefined ? null : formatJson(request.bound.toAnswer(created(operation, profile))),
		statuses: binding.answer?.statuses ?? null,
		source: binding.source ?? null,
		wants: wantedTexts(operation, binding),
	};
}

const kindOf = ({ body }: AnyOperation): "ledger" | "beneficiary" => ("beneficiaryId" in body.shape ? "beneficiary" : "ledger");

function payment(operation: AnyOperation, { service }: Profile, currency: string, other = false): Input {
	const kind = kindOf(operation);
	const [one, two] = other ? (["3", "4"] as const) : (["1", "2"] as const);
	const decimals = decimalsOf(currency) ?? 2;
	return {
		body: {
			ledgerFromId: sampleId(service?.ids?.ledger, one),
			[payeeField[kind]]: sampleId(service?.ids?.[kind], two),
			amount: `${other ? 56 : 12}${decimals === 0 ? "" : other ? ".78" : ".34"}`,
			reference: other ? "Example 2" : "Example 1",
		},
	};
}

function directionOf({ body = {} }: Input, currency: string): Direction {
	const text = (name: string): string => String(body[name] ?? "");
	return {
		amount: text("amount"),
		currency,
		leaves: text("ledgerFromId"),
		arrives: text("ledgerToId") || text("beneficiaryId"),
	};
}

/** Each field of a payment, by what changes in the request where it alone is another one. */
function fieldsOf(
	operation: AnyOperation,
	profile: Profile,
	{ given, input, request }: { given: Input; input: Input; request: DraftRequest },
	make: (input: Input) => DraftRequest,
): ShownField[] {
	const currency = profile.overrides[operation.id]?.request?.fields?.amount?.currency ?? "EUR";
	const others: Record<string, unknown> = payment(operation, profile, currency, true).body ?? {};
	const before = placesOf(request);
	return Object.entries(given.body ?? {}).map(([field, value]) => {
		if (input.body?.[field] === undefined) return { field, value: String(value), places: [] };
		const after = placesOf(make({ ...input, body: { ...input.body, [field]: others[field] } }));
		const places = [...before].filter(([place, text]) => after.get(place) !== text).map(([place, text]) => ({ place, value: text }));
		return { field, value: String(value), places };
	});
}

/** Every value of a request by its place. */
function placesOf({ content, headers, address }: DraftRequest): Map<string, string> {
	const found = new Map<string, string>([["path", address.pathname]]);
	for (const [name, value] of address.searchParams) found.set(`query ${name}`, value);
	for (const [name, value] of Object.entries(headers)) found.set(`header ${name}`, value);
	const walk = (value: unknown, at: string): void => {
		if (Array.isArray(value)) for (const [index, part] of value.entries()) walk(part, `${at}/${index}`);
		else if (isRecord(value)) for (const [name, part] of Object.entries(value)) walk(part, `${at}/${name}`);
		else found.set(`body ${at}`, typeof value === "string" ? value : formatJson(value));
	};
	if (content !== undefined) walk(content, "");
	return found;
}

/** The header that carries the credential, without it. */
function credentialOf(auth: Auth, { auth: needed }: AnyOperation): Record<string, string> {
	if (auth.kind === "none" || needed === "none") return {};
	if (auth.kind === "header") return { [auth.header.toLowerCase()]: "…" };
	return { authorization: `${auth.kind === "basic" ? "Basic" : "Bearer"} …` };
}

/** A new record as the description has it. */
function created({ effect, created: names = [] }: AnyOperation, { service }: Profile): Record<string, string> {
	const pattern = effect === "money" ? service?.ids?.transaction : undefined;
	return Object.fromEntries(names.slice(0, 1).map((name) => [name, sampleId(pattern, "5")]));
}
