import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it came over the wire; the path has its query, the body is the text as sent. */
export interface Seen {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** A booked payment, told the same way for every service, so that a test can compare. Amounts in cents. */
export interface Payment {
	id: string;
	kind: "internal" | "external";
	debited: string;
	credited: string;
	cents: number;
	currency: string;
	reference: string | null;
	status: string;
}

/** A running service and what a test may ask or do behind its back. */
export interface Service {
	url: string;
	seen: Seen[];
	/** The next payment is booked and its connection cut without an answer. */
	loseNextPayment(): void;
	payments(): Payment[];
	close(): Promise<void>;
}

export interface Reply {
	status: number;
	type: string;
	body: string;
}

/** What is wrong with one field, or that it is missing or unknown. */
export interface Fault {
	at: readonly string[];
	code: "missing" | "malformed" | "unknown";
	why: string;
}

export type Rule = (value: unknown, at: readonly string[]) => Fault | undefined;
export type Fields = Record<string, unknown>;

function rule(good: (value: unknown) => boolean, why: string): Rule {
	return (value, at) => (good(value) ? undefined : { at, code: "malformed", why });
}

/** Text within a length, and of a pattern when one is given. */
export function text(max = 200, pattern?: RegExp, min = 1): Rule {
	const good = (value: unknown) =>
		typeof value === "string" && value.length >= min && value.length <= max && (pattern?.test(value) ?? true);
	return rule(good, `must be text of ${min} to ${max} characters${pattern ? ` like ${pattern.source}` : ""}`);
}

/** One word of an enumeration. */
export function oneOf(...words: string[]): Rule {
	return rule((value) => typeof value === "string" && words.includes(value), `must be one of ${words.join(", ")}`);
}

/** A number of JSON within bounds. */
export function number(min: number, max: number, whole = false): Rule {
	const good = (value: unknown) => typeof value === "number" && value >= min && value <= max && (!whole || Number.isInteger(value));
	return rule(good, `must be a ${whole ? "whole " : ""}number from ${min} to ${max}`);
}

/** A whole number written as text, as queries and forms carry it. */
export function digits(min: number, max: number): Rule {
	const good = (value: unknown) => typeof value === "string" && /^[0-9]{1,12}$/.test(value) && Number(value) >= min && Number(value) <= max;
	return rule(good, `must be a whole number from ${min} to ${max}`);
}

export const flag = rule((value) => typeof value === "boolean", "must be true or false");
export const email = text(254, /^[^@\s]+@[^@\s]+\.[^@\s]+$/);
export const link = text(250, /^https?:\/\/\S+$/);
export const moment = rule(
	(value) =>
		typeof value === "string" &&
		/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
		!Number.isNaN(Date.parse(value)),
	"must be a time of RFC 3339",
);

/** A day of the calendar, of the given order of year, month and day. */
export function day(pattern: RegExp): Rule {
	return rule(
		(value) => {
			const found = typeof value === "string" ? pattern.exec(value)?.groups : undefined;
			if (!found) return false;
			const iso = `${found.y}-${found.m}-${found.d}`;
			const at = new Date(`${iso}T00:00:00Z`);
			return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso);
		},
		`must be a day like ${pattern.source.replaceAll(/\?<[a-z]>/g, "")}`,
	);
}

/** A list that is not empty. */
export function list(of: Rule): Rule {
	return (value, at) => {
		if (!Array.isArray(value) || value.length === 0) return { at, code: "malformed", why: "must be a list of at least one" };
		return value.map((item, index) => of(item, [...at, String(index)])).find(Boolean);
	};
}

/** Named fields; a name that ends in `!` is required and a name not listed is refused. */
export function record(fields: Record<string, Rule>, min = 0): Rule {
	const known = new Map(Object.entries(fields).map(([name, of]) => [name.replace(/!$/, ""), of]));
	return (value, at) => {
		if (typeof value !== "object" || value === null || Array.isArray(value)) return { at, code: "malformed", why: "must be an object" };
		const given = Object.entries(value);
		const stranger = given.find(([name]) => !known.has(name));
		if (stranger) return { at: [...at, stranger[0]], code: "unknown", why: "is not known here" };
		const missing = Object.keys(fields).find((name) => name.endsWith("!") && !Object.hasOwn(value, name.slice(0, -1)));
		if (missing) return { at: [...at, missing.slice(0, -1)], code: "missing", why: "is required" };
		if (given.length < min) return { at, code: "malformed", why: "must not be empty" };
		return given.map(([name, item]) => known.get(name)!(item, [...at, name])).find(Boolean);
	};
}

/** Any names, each with text. */
export const tags: Rule = (value, at) =>
	typeof value === "object" && value !== null && !Array.isArray(value)
		? Object.entries(value)
				.map(([name, item]) => text(500, undefined, 0)(item, [...at, name]))
				.find(Boolean)
		: { at, code: "malformed", why: "must be an object of texts" };

/** Listens on 127.0.0.1 and notes every request; an answer of `cut` destroys the connection instead. */
export async function serve(answer: (asked: Seen) => Reply | "cut"): Promise<Pick<Service, "url" | "seen" | "close">> {
	const seen: Seen[] = [];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const asked = {
			method: request.method ?? "",
			path: request.url ?? "",
			headers: request.headers,
			body: Buffer.concat(chunks).toString("utf8"),
		};
		seen.push(asked);
		let reply: Reply | "cut";
		try {
			reply = answer(asked);
		} catch (error) {
			reply = { status: 500, type: "text/plain", body: String(error) };
		}
		if (reply === "cut") return void request.socket.destroy();
		response.writeHead(reply.status, { "content-type": reply.type, "content-length": Buffer.byteLength(reply.body) });
		response.end(reply.body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close };
}
