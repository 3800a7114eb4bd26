/**
 * Decides what may be shown of a request and an answer. An allow-list, so that a new field is hidden until somebody decides otherwise.
 * Pure.
 */

import { formatJson } from "../api/json.js";
import { isRecord } from "../api/schema.js";
import { isUuid } from "../api/text/ids.js";
import { isUrl } from "../api/text/url.js";
import type { Auth } from "../ports/profiles.js";
import type { WireOutcome, WireRequest } from "../ports/wire.js";

export const mask = "***";

const plainHeaders = new Set(
	"accept accept-encoding content-type content-length content-encoding connection keep-alive transfer-encoding date location retry-after server user-agent x-request-id x-correlation-id linkcy-sca-strategy".split(
		" ",
	),
);

/** Whether a header of this name (in lower case) is shown unmasked, because it never holds a secret. */
export const isShownHeader = (name: string): boolean => plainHeaders.has(name);

/** Fields of a body that are always secret. */
const secrets = new Set(["password", "code", "token", "refreshToken"]);

/** A copy of a body with only its secrets masked, for the person who typed it. */
export function withoutSecrets(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutSecrets);
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, secrets.has(key) ? mask : withoutSecrets(part)]));
}

export type Hide = (text: string) => string;

export const hideNothing: Hide = (text) => text;

/** Shorter ones are found in any text. */
const shortestHidden = 4;

/**
 * What hides a request's secrets (credential, password, code) in what the service says: it may repeat what it was sent.
 * @param headers names in lower case
 * @param body under our names
 */
export function hiding(auth: Auth, headers: Readonly<Record<string, string>>, body?: unknown): Hide {
	const value = headers[auth.kind === "header" ? auth.header.toLowerCase() : "authorization"];
	const found = [...(value === undefined ? [] : secretsOfHeader(value)), ...secretsIn(body)];
	const forms = found.flatMap((secret) => (secret.length < shortestHidden ? [] : [secret, encodeURIComponent(secret)]));
	// A longer one may contain a shorter one.
	const all = [...new Set(forms)].sort((one, other) => other.length - one.length);
	return (text) => all.reduce((rest, secret) => rest.replaceAll(secret, mask), text);
}

/** A header's value with and without its scheme; of HTTP Basic, also what it encodes. */
function secretsOfHeader(value: string): string[] {
	const [, scheme, secret] = /^(Basic|Bearer) (.*)$/i.exec(value) ?? [];
	if (scheme === undefined || secret === undefined) return [value];
	if (scheme.toLowerCase() === "bearer") return [secret];
	const pair = Buffer.from(secret, "base64").toString();
	return [secret, pair, pair.slice(pair.indexOf(":") + 1)];
}

function secretsIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(secretsIn);
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([key, part]) => (secrets.has(key) && typeof part === "string" ? [part] : secretsIn(part)));
}

/** A copy of a body with secrets replaced in every name and text. */
export function hiddenIn(value: unknown, hide: Hide): unknown {
	if (typeof value === "string") return hide(value);
	if (Array.isArray(value)) return value.map((part) => hiddenIn(part, hide));
	return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [hide(key), hiddenIn(part, hide)])) : value;
}

/** Most levels and entries of a body that a debug line shows. */
const deepest = 4;
const mostEntries = 40;

/** A copy of a body with every value masked but UUIDs in fields of ids; names stay. */
export function shownBody(value: unknown, name = "", depth = 0): unknown {
	if (depth > deepest) return "…";
	if (Array.isArray(value)) return value.slice(0, 3).map((part) => shownBody(part, name, depth + 1));
	if (isRecord(value))
		return Object.fromEntries(
			Object.entries(value)
				.slice(0, mostEntries)
				.map(([key, part]) => [key.slice(0, 60), shownBody(part, key, depth + 1)]),
		);
	return value === null || (/(^id|Id)$/.test(name) && isUuid(String(value))) ? value : mask;
}

function shownHeaders(headers: Readonly<Record<string, string>>, hide = hideNothing): string {
	return Object.entries(headers)
		.map(([name, value]) => `${hide(name)}: ${plainHeaders.has(name) ? hide(value).slice(0, 120) : mask}`)
		.join(", ");
}

/** Scheme, host and port of an address from the service; the rest may be a secret. */
export function shownPlace(url: string): string {
	return isUrl(url) ? `${new URL(url).origin}/${mask}` : mask;
}

/** Path and query of a call, with values of the query masked except allowed ones. */
function shownAddress(url: string): string {
	if (!isUrl(url)) return mask;
	const address = new URL(url);
	const query = [...address.searchParams].map(([name, value]) => `${name}=${String(shownBody(value, name))}`).join("&");
	return address.pathname + (query === "" ? "" : `?${query}`);
}

/** One line about a request. @param address the address to show, if the request is no call */
export function requestLine(request: WireRequest, content: unknown, address = shownAddress(request.url)): string {
	const body = content === undefined ? "" : ` ${formatJson(shownBody(content))}`;
	return `> ${request.method} ${address} [${shownHeaders(request.headers)}]${body}`;
}

/** One line about its outcome. @param took milliseconds @param hide the request's secrets */
export function outcomeLine(outcome: WireOutcome, content: unknown, took: number, hide = hideNothing): string {
	const time = `${Math.round(took)} ms`;
	if (outcome.kind !== "answer") return `< ${outcome.kind} after ${time}: ${outcome.reason}`;
	const headers = { ...outcome.headers };
	if (headers.location !== undefined) headers.location = shownPlace(headers.location);
	const body = content === undefined ? `${outcome.body.length} bytes` : formatJson(shownBody(hiddenIn(content, hide)));
	return `< ${outcome.status} after ${time} [${shownHeaders(headers, hide)}] ${body}`;
}
