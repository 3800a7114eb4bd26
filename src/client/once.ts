import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Transport } from "../context.js";
import { ConnectError, openConnection, type Pending } from "./connect.js";
import { Exchange } from "./exchange.js";

/**
 * The transport for a few calls: a connection for each, made first and closed after it, and one request on it.
 * No agent, no redirect, no retry, no decoding. Extra CAs are Node's own NODE_EXTRA_CA_CERTS.
 * @param options `env` for the proxy variables
 */
export function createOnce(options: { env: Readonly<Record<string, string | undefined>> }): Transport {
	const open = new Set<(error: Error) => void>();
	return {
		send: async (request, limits) => {
			const pending: Pending = new Set();
			let exchange: Exchange | undefined;
			const cut = (error: Error) => exchange?.cut(error);
			open.add(cut);
			try {
				return await new Promise((resolve) => {
					exchange = new Exchange(request, limits, resolve);
					void make(exchange, options.env, pending);
				});
			} finally {
				open.delete(cut);
			}
		},
		close: async () => open.forEach((cut) => void cut(new Error("the transport was closed"))),
	};
}

type Env = Readonly<Record<string, string | undefined>>;

async function make(exchange: Exchange, env: Env, pending: Pending): Promise<void> {
	if (!exchange.start()) return;
	const abandon = (): void => pending.forEach((one) => void one.destroy());
	exchange.cut = abandon;
	try {
		const target = new URL(exchange.request.url);
		const socket = await openConnection(target, env, pending);
		exchange.cut = (error) => void socket.destroy(error);
		// Whatever happens to the connection from here on reaches the request, which is not made yet.
		socket.on("error", () => {});
		if (socket.destroyed) throw new ConnectError("the connection was closed as soon as it stood", socket.errored);
		converse(exchange, target, socket);
	} catch (error) {
		exchange.fail(error as Error);
		exchange.cut(error as Error);
	}
}

/** Node emits `socket` in the same turn as, and before, its first write, and writes nothing to a socket destroyed there (_http_client.js, onSocketNT). */
function converse(exchange: Exchange, target: URL, socket: Socket): void {
	const { method, headers, body } = exchange.request;
	const outgoing: ClientRequest = httpRequest({
		method,
		path: target.pathname + target.search,
		headers: { host: target.host, connection: "close", ...headers, ...lengthOf(method, body) },
		createConnection: () => socket,
	});
	outgoing.once("socket", () => {
		if (!exchange.begin()) socket.destroy();
	});
	outgoing.once("response", (answer) => listen(exchange, answer));
	outgoing.once("error", (error) => exchange.fail(error));
	// Another protocol was agreed on where none was offered.
	outgoing.once("close", () => exchange.fail(closed()));
	outgoing.end(body);
}

function listen(exchange: Exchange, answer: IncomingMessage): void {
	answer.on("error", (error) => exchange.fail(error));
	answer.on("data", (chunk: Uint8Array) => exchange.data(chunk));
	answer.on("end", () => (answer.complete ? exchange.end() : exchange.fail(closed())));
	exchange.head(answer.statusCode as number, answer.headersDistinct);
}

/** A change always says how long its body is, also where it has none. */
function lengthOf(method: string, body: Uint8Array | undefined): Record<string, string> {
	if (body !== undefined) return { "content-length": String(body.length) };
	return method === "GET" || method === "DELETE" ? {} : { "content-length": "0" };
}

const closed = (): Error => Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });
