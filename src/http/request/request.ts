/**
 * Builds the exact bytes of a request from an operation and an input. Pure.
 */
import { advice, purser } from "../../api/advice.js";
import { sha256 } from "../../api/digest.js";
import { canonicalJson, Decimal, formatJson } from "../../api/json.js";
import type { AnyOperation, Input } from "../../api/operation.js";
import { ownFields } from "../../api/operation.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { describe, type Field, isRecord } from "../../api/schema.js";
import { plainId } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import { type AppliedMapping, appliedMapping } from "../../mapping/request/applied.js";
import { placeOf, put } from "../../mapping/request/places.js";
import type { Facts, Values } from "../../mapping/request/request.js";
import type { Profile } from "../../ports/profiles.js";
import type { WireRequest } from "../../ports/wire.js";
import { addressOf } from "./address.js";

/** The version of the terms that a request accepts, by the description's name in any case, in our input or in what is sent. Pure. */
export function acceptedVersion({ body }: Input, { content }: { content?: unknown }): string | undefined {
	const fields = [body, content].flatMap((one) => (isRecord(one) ? Object.entries(one) : []));
	const [, version] = fields.find(([name, value]) => value !== undefined && name.toLowerCase() === "lasttermsaccepted") ?? [];
	return version === undefined ? undefined : String(version);
}

export interface DraftRequest extends WireRequest {
	headers: Record<string, string>;
	/** The same as `url`, taken apart. */
	address: URL;
	/** The body before it became bytes: wire names, numbers as literals. */
	content?: unknown;
	/** The operation as the profile's deployment has it. */
	applied: AppliedMapping;
}

/**
 * Builds a request. It has the operation's own fields in the description's order, and those of --set after them; the description's
 * defaults are filled in, so that a deployment's own never apply.
 * @param facts `currency`: a payment's, where it is known; only a mapping may need it
 * @throws PurserError usage or validation, if profile or input make no valid request; guard, if an amount's currency must be known and is not
 */
export function draftRequest(profile: Profile, operation: AnyOperation, input: Input, version: string, facts: Facts = {}): DraftRequest {
	const applied = appliedMapping(operation, profile.mapping);
	const values = applied.toRequest(encoded(operation, input), facts);
	const address = addressOf(profile, applied.path, values.params, pairs(values.query));
	const content = values.body;
	const headers: Record<string, string> = {
		accept: operation.document ? "text/html, application/pdf, application/json" : "application/json",
		"accept-encoding": "identity",
		"user-agent": `purser/${version}`,
	};
	const body = content === undefined ? undefined : bytesOf(content, applied);
	if (body !== undefined) headers["content-type"] = applied.body === "form" ? "application/x-www-form-urlencoded" : "application/json";
	if (operation.effect === "money" && profile.settings["sca-strategy"]) headers[scaHeader] = profile.settings["sca-strategy"];
	Object.assign(headers, values.headers);
	checkScaStrategy(profile, headers[scaHeader]);
	return { method: applied.method, url: address.href, address, headers, body, content, applied };
}

/** What an idempotency key is of: no two attempts have the same one. */
export interface KeyedAttempt {
	/** Of the journal. */
	installation: string;
	intent: string;
	attempt: number;
	/** Part of it, so that a journal that was restored from a backup never gives the key of one payment to another. */
	transfer: Transfer;
}

/** A UUID of version 8 (RFC 9562, 5.8), the same whenever it is made again. */
export function attemptKey({ installation, intent, attempt, transfer }: KeyedAttempt): string {
	const { kind, ledgerFromId, counterpartyId, amount, reference } = transfer;
	const paid = { kind, from: plainId(ledgerFromId), to: plainId(counterpartyId), amount, reference };
	const hex = sha256(canonicalJson({ installation, intent, attempt, paid }));
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * A payment's request with the idempotency key of its attempt, where the mapping names one.
 * @param draft of the payment, whose content is its own
 */
export function withKey(draft: DraftRequest, profile: Profile, of: KeyedAttempt): DraftRequest {
	const { place, at } = profile.mapping?.idempotency ?? {};
	if (place === undefined || at === undefined) return draft;
	const key = attemptKey(of);
	if (place === "header") return { ...draft, headers: { ...draft.headers, [at.toLowerCase()]: key } };
	put(draft.content as Record<string, unknown>, placeOf(at), [], key);
	return { ...draft, body: bytesOf(draft.content, draft.applied) };
}

/** The body of a request, before and after it becomes bytes, for operations whose address and headers do not depend on the input. */
export function encodeBody(
	applied: AppliedMapping,
	operation: AnyOperation,
	input: Input,
	facts: Facts = {},
): Pick<DraftRequest, "content" | "body"> {
	const content = applied.toRequest(encoded(operation, input), facts).body;
	return { content, body: content === undefined ? undefined : bytesOf(content, applied) };
}

const bytesOf = (content: unknown, { body }: AppliedMapping): Uint8Array =>
	Buffer.from(body === "form" ? new URLSearchParams(formPairs(content)).toString() : formatJson(content));

/** The pairs of a body that is sent as a form: `source[account]`, `items[0][name]`. */
function formPairs(value: unknown, name = ""): [string, string][] {
	// A list whose name ends in empty brackets repeats it.
	if (Array.isArray(value)) return value.flatMap((one, index) => formPairs(one, name.endsWith("[]") ? name : `${name}[${index}]`));
	if (!isRecord(value)) return value === undefined || value === null ? [] : [[name, String(value)]];
	return Object.entries(value).flatMap(([part, one]) => formPairs(one, name === "" ? part : `${name}[${part}]`));
}

/** What is sent of the input, with the description's order, defaults and number literals. */
function encoded(operation: AnyOperation, { params, query, body }: Input): Values {
	return {
		params: (params ?? {}) as Record<string, unknown>,
		query: encode(describe(operation.query), ownFields(operation.query, query ?? {})) as Record<string, unknown>,
		body: operation.body === undefined ? undefined : encode(describe(operation.body), ownFields(operation.body, body ?? {})),
	};
}

/**
 * The description's order, its defaults where nothing is given, the digits of a number as they were typed, what it does not know last;
 * `undefined` left out.
 */
function encode(shape: Field, value: unknown): unknown {
	if (shape.kind === "number" && typeof value === "string") return new Decimal(value);
	if (shape.element && Array.isArray(value)) return value.map((part) => encode(shape.element as Field, part));
	const { fields } = shape;
	if (!fields || !isRecord(value)) return value;
	const described: Record<string, unknown> = {};
	for (const field of fields) {
		const given = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
		const part = given === undefined ? field.fallback : given;
		if (part !== undefined) described[field.name] = encode(field, part);
	}
	const others = Object.keys(value).filter((name) => value[name] !== undefined && !fields.some((field) => field.name === name));
	if (others.length === 0) return described;
	return { ...described, ...Object.fromEntries(others.map((name) => [name, value[name]])) };
}

function pairs(query: Record<string, unknown>): [string, string][] {
	return Object.entries(query).flatMap(([name, value]) => [value].flat().map((part): [string, string] => [name, String(part)]));
}

const scaHeader = "linkcy-sca-strategy";

/** Skipping strong authentication is only possible on a sandbox, wherever it was set. */
export function checkScaStrategy(profile: Profile, strategy: string | undefined): void {
	if (strategy !== "BY_PASS" || profile.environment === "sandbox") return;
	throw new PurserError("usage", {
		code: "SETTING_INVALID",
		message: `The strong authentication strategy of profile ${profile.name}, BY_PASS, is for a sandbox only; this profile is live`,
		fix: advice`Set another (sca-strategy, or the constant in the mapping), or take it out: ${purser`config explain`}`,
	});
}
