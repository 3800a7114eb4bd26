import type { Socket } from "node:net";
import { type buildConnector, Client, type Dispatcher } from "undici";
import type { Transport } from "../../ports/wire.js";
import { createConnector } from "./connect.js";
import { Exchange } from "./exchange.js";

/**
 * The transport for many calls: HTTP/1.1 over undici's clients on kept connections, one request on the wire a call.
 * No redirect, no retry, no HTTP/2, no pipelining, no decoding. Extra CAs are Node's own NODE_EXTRA_CA_CERTS.
 *
 * No request waits for a connection: there are as many as callers have requests under way, and callers limit these (`--jobs`).
 * @param options `env` for the proxy variables
 */
export function createPooled(options: { env: Readonly<Record<string, string | undefined>> }): Transport {
	const connector = createConnector(options.env);
	const all: PooledConnection[] = [];
	/** Those without a request, by origin. */
	const free = new Map<string, PooledConnection[]>();
	const freeAt = (origin: string): PooledConnection[] => {
		const known = free.get(origin) ?? [];
		free.set(origin, known);
		return known;
	};
	const made = (origin: string): PooledConnection => {
		const connection = new PooledConnection(origin, connector.connect);
		all.push(connection);
		return connection;
	};
	// The rows of a batch all go to one address: it is taken apart once.
	let last: { url: string; origin: string; path: string } | undefined;
	const placeOf = (url: string): { origin: string; path: string } => {
		if (last?.url === url) return last;
		const { origin, pathname, search } = new URL(url);
		last = { url, origin, path: pathname + search };
		return last;
	};
	return {
		send: (request, limits) =>
			new Promise((resolve) => {
				const exchange = new Exchange(request, limits, resolve);
				if (!exchange.start()) return;
				const { origin, path } = placeOf(request.url);
				const others = freeAt(origin);
				const connection = others.pop() ?? made(origin);
				connection.carry(exchange, path, () => void others.push(connection));
			}),
		async close() {
			connector.abandon();
			await Promise.all(all.map((connection) => connection.close()));
		},
	};
}

/** A connection that carries one request after the other. undici ends it when a byte comes while it has none, and makes it anew. */
class PooledConnection {
	readonly #client: Client;
	#socket: Socket | undefined;

	constructor(origin: string, connect: buildConnector.connector) {
		this.#client = new Client(origin, {
			connect: (options, callback) =>
				connect(options, (...result) => {
					this.#socket = result[1] ?? undefined;
					callback(...result);
				}),
			allowH2: false,
			pipelining: 1,
			// An idle connection is dropped early: the shorter it lives, the rarer a request meets one the server just closed.
			keepAliveTimeout: 2_000,
			keepAliveMaxTimeout: 4_000,
			headersTimeout: 0,
			bodyTimeout: 0,
		});
	}

	/** @param done called once when another request can follow */
	carry(exchange: Exchange, path: string, done: () => void): void {
		const { method, headers, body = null } = exchange.request;
		exchange.reused = true;
		exchange.isUnwritten = () => (this.#socket?.writableLength ?? 0) > 0;
		try {
			this.#client.dispatch({ path, method, headers, body, idempotent: false }, handlerFor(exchange, done));
		} catch (error) {
			exchange.fail(error as Error);
		}
	}

	async close(): Promise<void> {
		await this.#client.destroy();
	}
}

/**
 * undici calls `onRequestStart` in the same turn as, and before, its first write, and an abort inside that call keeps the
 * write from happening (client-h1.js, writeH1).
 */
function handlerFor(exchange: Exchange, done: () => void): Dispatcher.DispatchHandler {
	return {
		onRequestStart(controller) {
			if (exchange.begin()) exchange.cut = (error) => controller.abort(error);
			else controller.abort(new Error("this exchange is over"));
		},
		onResponseStart(_controller, status, headers) {
			if (status >= 200) exchange.head(status, headers);
		},
		onResponseData: (_controller, chunk) => exchange.data(chunk),
		onResponseEnd() {
			exchange.end(done);
		},
		onResponseError(_controller, error) {
			exchange.fail(error);
			done();
		},
	};
}
