/**
 * A service that holds every request against its own document and refuses what is not described: an unknown name, a missing value, a value of
 * another form. Which operations it carries out, and what they do, is told by its handlers; the others are not in the caller's plan.
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

/** A request as it came over the wire; the path has its query, the body is the text as sent. */
export interface Seen {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** A booked payment. Amounts in cents. */
export interface Payment {
	id: string;
	debited: string;
	credited: string;
	cents: number;
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

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
export type Fields = Record<string, any>;
export interface Reply {
	status: number;
	type: string;
	body: string;
}
export const json = (status: number, body: unknown): Reply => ({ status, type: "application/json", body: JSON.stringify(body) });
export const page = (title: string, lines: readonly string[]): Reply => ({
	status: 200,
	type: "text/html; charset=utf-8",
	body: `<!doctype html><title>${title}</title><pre>${lines.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>`,
});

/** A request refused; each service tells it in its own form. */
export class Refusal extends Error {
	constructor(
		readonly code: string,
		message: string,
		readonly field: string | null = null,
	) {
		super(message);
	}
}

/** The record of a key. @throws Refusal */
export function find<K, T>(rows: Map<K, T>, key: K, code: string, field: string | null = null): T {
	const row = rows.get(key);
	if (row === undefined) throw new Refusal(code, "There is no such record.", field);
	return row;
}

/** What a handler is given of a request: the ids of its path, its query, its body. */
export interface Call {
	ids: string[];
	query: Record<string, string>;
	body: Fields;
}

/** What a service says of itself beside its document. */
export interface Manner {
	document: string;
	/** Below which its paths stand. */
	base: string;
	/** Header and value of the credential. */
	key: readonly [string, string];
	/** By operation id. */
	handlers: Record<string, (call: Call) => Reply>;
	pays: readonly string[];
	refused(refusal: Refusal): Reply;
	/** Runs a change. */
	once(asked: Seen, run: () => Reply): Reply;
	payments(): Payment[];
}

const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const none = { type: "object", properties: {}, additionalProperties: false };

/** The requests that a document describes. */
function operationsOf(document: Fields) {
	/** A part with its references followed; an object takes the names that it lists, and no others. */
	const whole = (part: unknown): Fields => {
		if (Array.isArray(part)) return part.map(whole);
		if (!isRecord(part)) return part as Fields;
		const { $ref, ...rest } = part;
		const own = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, whole(one)]));
		const at = (path: string) => whole(path.split("/").reduce((one: Fields, name) => (name === "#" ? one : one[name]), document));
		return { ...(isRecord(own.properties) && { additionalProperties: false }), ...(typeof $ref === "string" && at($ref)), ...own };
	};
	const all = Object.entries(document.paths as Fields).flatMap(([path, item]) =>
		Object.entries(item as Fields).flatMap(([method, one]) =>
			method === "parameters" ? [] : [{ path, item: item as Fields, method, one }],
		),
	);
	return all.map(({ path, item, method, one }) => {
		const parameters = whole([...(item.parameters ?? []), ...(one.parameters ?? [])]) as unknown as Fields[];
		const shapeOf = (place: string) => {
			const these = parameters
				.filter((parameter) => parameter.in === place)
				.map((parameter) => ({ ...parameter, name: parameter.name.toLowerCase() }));
			const required = these.flatMap((parameter: Fields) => (parameter.required ? [parameter.name] : []));
			return { ...none, required, properties: Object.fromEntries(these.map((parameter: Fields) => [parameter.name, parameter.schema])) };
		};
		const patternOf = (name: string): string => shapeOf("path").properties[name]?.pattern?.replace(/^\^|\$$/g, "") ?? "[^/]+";
		const [content = {}] = Object.values((one.requestBody ? whole(one.requestBody).content : {}) as Fields);
		return {
			id: one.operationId as string,
			method: method.toUpperCase(),
			path: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, (_, name) => `(${patternOf(name)})`)}$`),
			...{ query: shapeOf("query"), headers: { ...shapeOf("header"), additionalProperties: true }, body: content.schema ?? none },
		};
	});
}

/** A query holds text alone: what a document calls a number is one of its digits. */
const ofText = ({ properties }: Fields, query: Record<string, string>): Fields =>
	Object.fromEntries(Object.entries(query).map(([name, one]) => [name, properties[name]?.type === "integer" ? Number(one) : one]));

/** Listens on 127.0.0.1 and notes every request. */
export async function serve(manner: Manner): Promise<Service> {
	const operations = operationsOf(parse(readFileSync(join(import.meta.dirname, "../documents", manner.document), "utf8")));
	const seen: Seen[] = [];
	let losing = false;

	const hold = (schema: Fields, value: unknown): void => {
		const [issue] = z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).safeParse(value).error?.issues ?? [];
		if (issue === undefined) return;
		const isMissing =
			issue.path.length > 0 &&
			issue.path.reduce((one, name) => (one as Fields | undefined)?.[String(name)], value as unknown) === undefined;
		const name = [...issue.path, ...(issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [])].join(".");
		const code = issue.code === "unrecognized_keys" ? "field_unknown" : isMissing ? "field_missing" : "field_invalid";
		throw new Refusal(code, `${name || "The body"}: ${issue.message}`, name || null);
	};

	function answer(asked: Seen): Reply | "cut" {
		const url = new URL(asked.path, "http://service.example");
		const path = url.pathname.startsWith(manner.base) ? url.pathname.slice(manner.base.length) : "";
		if (asked.headers[manner.key[0]] !== manner.key[1]) throw new Refusal("key_unknown", "The key is missing or unknown.");
		const found = operations.find((one) => one.method === asked.method && one.path.test(path));
		if (found === undefined) throw new Refusal("not_found", "There is no such path or record.");
		const handler = manner.handlers[found.id];
		if (handler === undefined) throw new Refusal("product_disabled", "Your key has no access to this.");
		const query = Object.fromEntries(url.searchParams);
		hold(found.query, ofText(found.query, query));
		hold(found.headers, asked.headers);
		if (asked.body !== "" && !asked.headers["content-type"]?.startsWith("application/json"))
			throw new Refusal("field_invalid", "Send JSON.", "Content-Type");
		const body = asked.body === "" ? {} : JSON.parse(asked.body);
		hold(found.body, body);
		const run = () => handler({ ids: found.path.exec(path)?.slice(1) ?? [], query, body });
		const reply = asked.method === "GET" ? run() : manner.once(asked, run);
		const isLost = losing && manner.pays.includes(found.id);
		if (isLost) losing = false;
		return isLost ? "cut" : reply;
	}

	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { method = "", url: path = "", headers } = request;
		const asked = { method, path, headers, body: Buffer.concat(chunks).toString("utf8") };
		seen.push(asked);
		let reply: Reply | "cut";
		try {
			reply = answer(asked);
		} catch (error) {
			reply = error instanceof Refusal ? manner.refused(error) : { status: 500, type: "text/plain", body: String(error) };
		}
		if (reply === "cut") return void request.socket.destroy();
		response.writeHead(reply.status, { "content-type": reply.type, "content-length": Buffer.byteLength(reply.body) });
		response.end(reply.body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${manner.base}`,
		seen,
		loseNextPayment: () => {
			losing = true;
		},
		payments: manner.payments,
		close: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
