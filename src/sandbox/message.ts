/**
 * Requests and responses of the sandbox, independent of the socket.
 */
import { STATUS_CODES } from "node:http";
import { formatJson, parseJson } from "../api/json.js";
import { isRecord } from "../api/schema.js";

export interface Request {
	method: string;
	/** Path and query. */
	target: string;
	/** Names in lower case. */
	headers: Readonly<Record<string, string>>;
	body: Uint8Array;
}

export interface Response {
	status: number;
	headers: Record<string, string>;
	body: Uint8Array;
	/** How a simulated fault delivers it; absent: as it is. */
	delivery?: Delivery;
}

/** What a simulated fault does on the socket. */
export interface Delivery {
	/** Milliseconds to wait before anything. */
	delay?: number;
	/** The connection is reset and no answer is written. */
	drop?: true;
	/** Only so many bytes of the body are written before the connection ends. */
	cut?: number;
}

const text = new TextEncoder();

/** @param content `undefined`: none */
export function jsonResponse(status: number, content?: unknown, headers: Readonly<Record<string, string>> = {}): Response {
	if (content === undefined) return { status, headers: { ...headers }, body: new Uint8Array() };
	return { status, headers: { "content-type": "application/json", ...headers }, body: text.encode(formatJson(content)) };
}

export interface Detail {
	field: string;
	message: string;
	rejectedValue?: unknown;
}

/** `linkcy.bad.request`. */
const nameOf = (status: number): string => `linkcy.${(STATUS_CODES[status] ?? "error").toLowerCase().replaceAll(" ", ".")}`;

/** Thrown by handlers; `handle` makes the service's error shape of it. */
export class HttpError extends Error {
	override readonly name = "Refusal";
	constructor(
		readonly status: number,
		readonly errorCode: string,
		message: string,
		readonly details: readonly Detail[] = [],
		/** Headers that belong to the answer, such as `allow`. */
		readonly headers: Readonly<Record<string, string>> = {},
	) {
		super(message);
	}
}

export function errorResponse(error: HttpError, now: Date): Response {
	const { status, errorCode, message, headers } = error;
	const details = error.details.length > 0 ? error.details : undefined;
	return jsonResponse(status, { status, error: nameOf(status), errorCode, message, details, timestamp: now.toISOString() }, headers);
}

export function invalidFields(...details: Detail[]): HttpError {
	return new HttpError(400, "VALIDATION_FAILED", "The request has invalid fields", details);
}

/** HTTP asks for the methods that are allowed. */
export function notAllowed(method: string, methods: readonly string[]): HttpError {
	const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].join(", ");
	return new HttpError(405, "METHOD_NOT_ALLOWED", `${method} is not allowed here`, [], { allow });
}

/** Largest body taken, in bytes. */
export const largestBody = 1024 * 1024;

/** The JSON object that a request carries. @throws HttpError 400, 413, 415 */
export function readBody({ headers, body }: Request): Record<string, unknown> {
	if (body.length > largestBody) throw new HttpError(413, "PAYLOAD_TOO_LARGE", `At most ${largestBody} bytes`, [], { connection: "close" });
	const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
	if (type !== "application/json") throw new HttpError(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be application/json");
	let parsed: unknown;
	try {
		parsed = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
	} catch {
		throw new HttpError(400, "MALFORMED_JSON", "The body is not JSON");
	}
	if (!isRecord(parsed)) throw new HttpError(400, "MALFORMED_JSON", "The body must be a JSON object");
	return parsed;
}
