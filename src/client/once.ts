import type { Socket } from "node:net";
import type { Transport } from "../ports/wire.js";
import { ConnectError, openConnection, type Pending } from "./connect.js";
import { Exchange } from "./exchange.js";
import { AnswerReader, requestBytes } from "./http1.js";

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

/** One request, and what comes back. Nobody hears of an answer before its last byte is there, nor of one that more follows. */
function converse(exchange: Exchange, target: URL, socket: Socket): void {
	const bytes = requestBytes(target, exchange.request);
	const reader = new AnswerReader(exchange);
	const look = (read: () => void): void => {
		try {
			read();
			if (!reader.isWhole) return;
			exchange.end();
		} catch (error) {
			exchange.fail(error as Error);
		}
		socket.destroy();
	};
	socket.on("data", (chunk: Uint8Array) => look(() => reader.push(chunk)));
	socket.once("end", () => look(() => reader.end()));
	socket.once("error", (error) => exchange.fail(error));
	socket.once("close", () => exchange.fail(closed()));
	if (exchange.begin()) socket.write(bytes);
	else socket.destroy();
}

const closed = (): Error => Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });
