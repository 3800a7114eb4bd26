/**
 * From an operation and an input to the exact bytes of a request. Pure.
 */
import { Decimal, formatJson } from "../api/json.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { describe, encode, type Field, isRecord } from "../api/schema.js";
import { PurserError } from "../errors.js";
import type { Profile } from "../ports/profiles.js";
import type { WireRequest } from "../ports/wire.js";
import { addressOf } from "./address.js";
import { headersOf, placed, toWire } from "./override.js";

/** A request without its credential. */
export interface Draft extends WireRequest {
	headers: Record<string, string>;
	/** The same as `url`, taken apart. */
	address: URL;
	/** The body before it became bytes: wire names, numbers as literals. */
	content?: unknown;
}

/**
 * Builds a request. Fields stand in the description's order, unknown ones (from --set) after them; defaults of the
 * description are filled in, so that a deployment's own never count.
 * @param version of the tool, for the user agent
 * @throws PurserError usage or validation, where profile or input make no request
 */
export function draft(profile: Profile, operation: AnyOperation, input: Input, version: string): Draft {
	const override = profile.overrides[operation.id];
	const { method, path } = placed(operation, override);
	const query = toWire(arranged(describe(operation.query), input.query ?? {}), override) as Record<string, unknown>;
	const address = addressOf(profile, path, (input.params ?? {}) as Record<string, unknown>, pairs(query));
	const headers: Record<string, string> = {
		accept: operation.document ? "text/html, application/pdf, application/json" : "application/json",
		"accept-encoding": "identity",
		"user-agent": `purser/${version}`,
	};
	const content = operation.body === undefined ? undefined : wireBody(operation, input, profile);
	const body = content === undefined ? undefined : new TextEncoder().encode(formatJson(content));
	if (body !== undefined) headers["content-type"] = "application/json";
	if (operation.effect === "money" && profile.settings["sca-strategy"]) headers[scaHeader] = profile.settings["sca-strategy"];
	Object.assign(headers, headersOf(operation, override));
	if (headers[scaHeader] !== undefined) checkScaStrategy(profile, headers[scaHeader]);
	return { method, url: address.href, address, headers, body, content };
}

function wireBody(operation: AnyOperation, input: Input, profile: Profile): unknown {
	const data = arranged(describe(operation.body), input.body ?? {});
	return toWire(encode(operation.body, data), profile.overrides[operation.id]);
}

/** The description's order, its defaults where nothing is given, what it does not know last; `undefined` left out. */
function arranged(shape: Field, value: unknown): unknown {
	if (shape.element && Array.isArray(value)) return value.map((part) => arranged(shape.element as Field, part));
	if (!shape.fields || !isRecord(value)) return value;
	const entries: [string, unknown][] = [];
	for (const field of shape.fields) {
		const given = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
		const part = given === undefined ? field.fallback : given;
		if (part !== undefined) entries.push([field.name, arranged(field, part)]);
	}
	const known = new Set(shape.fields.map((field) => field.name));
	for (const [name, part] of Object.entries(value)) if (!known.has(name) && part !== undefined) entries.push([name, part]);
	return Object.fromEntries(entries);
}

function pairs(query: Record<string, unknown>): [string, string][] {
	return Object.entries(query).flatMap(([name, value]) =>
		(Array.isArray(value) ? value : [value]).map((part): [string, string] => [name, String(part)]),
	);
}

const scaHeader = "linkcy-sca-strategy";
const strategies = ["PUSH_NOTIFICATION", "DATA_SIGNING", "BY_PASS"];

/** How strong authentication is asked for (operations 1); skipping it is for a sandbox only, wherever it was set. */
function checkScaStrategy(profile: Profile, strategy: string): void {
	const why = !strategies.includes(strategy)
		? `is not one of ${strategies.join(", ")}`
		: strategy === "BY_PASS" && profile.environment !== "sandbox"
			? "is for a sandbox only; this profile is live"
			: undefined;
	if (why === undefined) return;
	throw new PurserError("usage", {
		code: "SETTING_INVALID",
		message: `The strong authentication strategy of profile ${profile.name}, ${JSON.stringify(strategy)}, ${why}`,
		fix: "Set another (sca-strategy, or the header of purser api set), or take it out: purser config explain",
	});
}

/**
 * Writes bodies of one operation one after the other, byte for byte as {@link draft} would: what does not change from one to
 * the next is worked out once. Only for a body of texts, booleans and wire numbers, all on one level.
 * @returns undefined where the body is not of that kind
 */
export function bodyWriter(profile: Profile, operation: AnyOperation): ((body: Readonly<Record<string, unknown>>) => string) | undefined {
	const fields = operation.body === undefined ? undefined : describe(operation.body).fields;
	if (fields === undefined || fields.some(({ kind }) => !["text", "number", "boolean", "choice"].includes(kind))) return undefined;
	const empty = toWire(Object.fromEntries(fields.map(({ name }) => [name, name])), profile.overrides[operation.id]);
	if (!isRecord(empty) || Object.values(empty).some((value) => typeof value !== "string")) return undefined;
	const named = new Map(Object.entries(empty).map(([wire, name]) => [name as string, `${JSON.stringify(wire)}:`]));
	const parts = fields.map(({ name, kind, fallback }) => ({ name, kind, fallback, start: named.get(name) as string }));
	const known = new Set(fields.map(({ name }) => name));
	return (body) => {
		for (const name of Object.keys(body)) if (!known.has(name)) throw new RangeError(`the description knows no field ${name}`);
		let text = "";
		for (const { name, kind, fallback, start } of parts) {
			const value = body[name] ?? fallback;
			if (value === undefined) continue;
			const written = kind === "number" && typeof value === "string" ? new Decimal(value).text : JSON.stringify(value);
			text += text === "" ? start + written : `,${start}${written}`;
		}
		return `{${text}}`;
	};
}
