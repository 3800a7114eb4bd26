/**
 * What goes in and out of the sandbox, before and after the wire.
 */
import { formatJson } from "../api/json.js";

export interface Request {
	method: string;
	/** Path and query. */
	target: string;
	/** Names in lower case. */
	headers: Readonly<Record<string, string>>;
	body: Uint8Array;
}

export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Uint8Array;
	/** How a fault wants it delivered; absent: as it is. */
	delivery?: Delivery;
}

/** What really happens on the socket when a fault was asked for. */
export interface Delivery {
	/** Milliseconds to wait before anything. */
	delay?: number;
	/** The connection is reset and no answer is written. */
	drop?: true;
	/** Only so many bytes of the body are written before the connection ends. */
	cut?: number;
}

const text = new TextEncoder();

/** An answer with JSON; `undefined` for no content. */
export function json(status: number, content?: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
	if (content === undefined) return { status, headers: { ...headers }, body: new Uint8Array() };
	return { status, headers: { "content-type": "application/json", ...headers }, body: text.encode(formatJson(content)) };
}

/** An HTML page. */
export function html(status: number, page: string): Answer {
	return { status, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }, body: text.encode(page) };
}

export interface Detail {
	field: string;
	message: string;
	rejectedValue?: unknown;
}

const names: Readonly<Record<number, string>> = {
	400: "linkcy.bad.request",
	401: "linkcy.unauthorized",
	403: "linkcy.forbidden",
	404: "linkcy.not.found",
	405: "linkcy.method.not.allowed",
	409: "linkcy.conflict",
	413: "linkcy.payload.too.large",
	415: "linkcy.unsupported.media.type",
	429: "linkcy.too.many.requests",
	500: "linkcy.internal.error",
	503: "linkcy.unavailable",
};

/** Thrown by a handler that refuses; `handle` makes the service's error shape of it. */
export class Refusal extends Error {
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

/** The service's error shape. */
export function refused(refusal: Refusal, now: Date): Answer {
	return json(
		refusal.status,
		{
			status: refusal.status,
			error: names[refusal.status] ?? "linkcy.error",
			errorCode: refusal.errorCode,
			message: refusal.message,
			...(refusal.details.length > 0 ? { details: refusal.details } : {}),
			timestamp: now.toISOString(),
		},
		refusal.headers,
	);
}

/** A refusal of fields, each named. */
export function invalid(...details: Detail[]): Refusal {
	return new Refusal(400, "VALIDATION_FAILED", "The request has invalid fields", details);
}
