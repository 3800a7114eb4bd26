/**
 * Reads the content of an answer. It may be anything, so nothing here throws.
 */
import { isUtf8 } from "node:buffer";
import { at, listAt, textAt } from "../api/answer.js";
import { parseJson } from "../api/json.js";
import type { Answer, AnyOperation } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import type { Fault } from "../errors.js";
import type { AppliedMapping } from "../mapping/request/applied.js";
import type { Following } from "../mapping/request/paging.js";
import { partsOf, valueAt } from "../mapping/request/places.js";
import type { Answered } from "../ports/service.js";
import type { WireOutcome } from "../ports/wire.js";
import { type Hide, hiddenIn, hideNothing } from "./redact.js";

interface Problem {
	apiCode?: string;
	message?: string;
	details: Fault[];
}

export interface Content {
	/** `other`: text, a document or nonsense. */
	kind: "empty" | "json" | "other";
	type?: string;
	/** For `json`: the data, with field names as described. */
	data?: unknown;
	/** For `json` with success: the same as it came, where a mapping made `data` of it. */
	received?: unknown;
	/** For an answer without success. */
	problem?: Problem;
}

/** A complete, successful answer. */
export interface Reply<O extends AnyOperation = AnyOperation> extends Answered {
	status: number;
	/** The parsed JSON answer with field names as described; `undefined` without content. For a document: undefined unless JSON. */
	data: Answer<O>;
	/** The answer's Date header, in milliseconds; undefined if it has none. */
	at?: number;
	/** Of a page of a list, where the profile says how lists are divided: what comes after it. */
	following?: Following;
}

/** Whether the answer to a request for a document is data about it: by its type, or where it has none by its content. */
export const isData = ({ kind, type }: Content): boolean => type?.endsWith("json") ?? kind === "json";

export function replyOf(operation: AnyOperation, outcome: WireOutcome & { kind: "answer" }, content: Content): Reply {
	const data = content.kind === "json" && (!operation.document || isData(content)) ? content.data : undefined;
	const at = Date.parse(outcome.headers.date ?? "");
	return { status: outcome.status, data, contentType: content.type, at: at > 0 ? at : undefined, bytes: outcome.body, waiting: false };
}

const longestMessage = 300;
/**
 * Bounds of an answer that is read: no record has more, and reading more would take minutes or a gigabyte. A page of a hundred records
 * holds some ten thousand values.
 */
const bounds = { levels: 200, values: 500_000, members: 10_000, digits: 1_000 } as const;
const mostDetails = 50;

interface Reading {
	applied?: AppliedMapping;
	/** Hides the request's secrets in what the service says about it. */
	hide?: Hide;
}

export function contentOf(status: number, headers: Readonly<Record<string, string>>, body: Uint8Array, reading: Reading = {}): Content {
	const { applied, hide = hideNothing } = reading;
	const type = mediaType(hide(headers["content-type"] ?? ""));
	const failed = status < 200 || status > 299;
	if (body.length === 0) return { kind: "empty", type, problem: failed ? { details: [] } : undefined };
	const parsed = parsedBody(body);
	if (parsed === undefined)
		return { kind: "other", type, problem: failed ? { message: readable(type, body, hide), details: [] } : undefined };
	if (failed) return { kind: "json", type, data: parsed.value, problem: problemOf(hiddenIn(parsed.value, hide), applied) };
	const data = applied ? applied.fromAnswer(parsed.value) : parsed.value;
	return data === parsed.value ? { kind: "json", type, data } : { kind: "json", type, data, received: parsed.value };
}

/** In lower case and without parameters. */
export const mediaType = (header: string): string | undefined => header.split(";", 1)[0]?.trim().toLowerCase() || undefined;

function parsedBody(body: Uint8Array): { value: unknown } | undefined {
	try {
		if (!isUtf8(body)) return undefined;
		const whole = Buffer.from(body.buffer, body.byteOffset, body.length).toString();
		// A byte-order mark may be ignored (RFC 8259, 8.1).
		const text = whole.startsWith("\ufeff") ? whole.slice(1) : whole;
		return { value: parseJson(text, bounds) };
	} catch {
		// Not JSON, or beyond the bounds; the caller treats both alike.
		return undefined;
	}
}

function problemOf(value: unknown, applied: AppliedMapping | undefined): Problem {
	const form = applied?.errors;
	const found = (pointer: string | undefined): unknown => (pointer === undefined ? undefined : valueAt(value, partsOf(pointer) ?? []));
	const textOf = (pointer: string | undefined): string | undefined => textAt({ value: found(pointer) }, "value");
	const messages = ["message", "detail", "title", "error_description", "error.message", "error"];
	const apiCode = form === undefined ? textAt(value, "errorCode", "code", "error.code") : textOf(form.code);
	const message = form === undefined ? textAt(typeof value === "string" ? { message: value } : value, ...messages) : textOf(form.message);
	const own = at(value, "details");
	const listed = Array.isArray(own) ? own : (at(value, "errors") ?? listAt(value));
	return {
		apiCode: apiCode === undefined ? undefined : short(apiCode, 80),
		message: short(message ?? "", longestMessage) || undefined,
		details: detailsIn(form === undefined ? listed : found(form.details)),
	};
}

/** What a service says of single fields, as it names them: the entries of a list, the members of an object, or one value. */
function detailsIn(value: unknown): Problem["details"] {
	const entries = isRecord(value) ? Object.entries(value) : [value].flat().map((one): [string, unknown] => ["", one]);
	const shown = entries.filter(([, one]) => one !== undefined && one !== null).slice(0, mostDetails);
	return shown.map(([name, one]) => {
		const said = textAt(one, "message", "error");
		const field = said === undefined ? name : (textAt(one, "field", "path") ?? name);
		return { field: short(field, 120), message: short(said ?? detailText(one), longestMessage) };
	});
}

/** A record as its members: `field: email, reason: is no address`. */
function detailText(value: unknown): string {
	if (!isRecord(value)) return textAt({ value }, "value") ?? "";
	return Object.keys(value)
		.map((name) => `${name}: ${textAt({ value: value[name] }, "value") ?? ""}`)
		.join(", ");
}

/** The beginning of a text answer, without tags; empty for other content. */
function readable(type: string | undefined, body: Uint8Array, hide: Hide): string | undefined {
	if (type !== undefined && !/^text\/|json|xml/.test(type)) return undefined;
	// Of a secret that is cut the rest could not be found: more is searched than is shown.
	const text = hide(new TextDecoder().decode(body.subarray(0, 100_000))).slice(0, 4_000);
	const words = text.replace(/<(style|script)\b[\s\S]*?(<\/\1>|$)/gi, " ").replace(/<[^>]*(>|$)/g, " ");
	return short(words, longestMessage) || undefined;
}

function short(text: string, most: number): string {
	const line = text
		.slice(0, most * 8)
		.replace(/[\s\p{Cc}]+/gu, " ")
		.trim();
	const characters = [...line];
	return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}
