import type { Socket } from "node:net";
import { parseJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { isLoopback, isSandboxIdentity, serviceAddress } from "../../api/service-address.js";
import type { Profile } from "../../ports/profiles.js";
import type { Transport } from "../../ports/wire.js";
import { ConnectError, openConnection, type Pending } from "./connect.js";
import { Exchange } from "./exchange.js";

/** Number of requests in a run from which on connections are reused. */
const few = 4;

/**
 * The real transport. Most runs make a few requests, each on a connection of its own. A run with more than {@link few} switches to a pool of
 * persistent connections.
 * @param options `env` for the proxy variables
 */
export function createTransport(options: { env: Readonly<Record<string, string | undefined>> }): Transport {
	const once = createOnce(options);
	let opening: Promise<Transport> | undefined;
	let pool: Transport | undefined;
	let sent = 0;
	const choose = async (): Promise<Transport> => {
		sent += 1;
		if (sent <= few) return once;
		opening ??= import("./pooled.js").then(({ createPooled }) => createPooled(options));
		pool = await opening;
		return pool;
	};
	return {
		async send(request, limits) {
			return (pool ?? (await choose())).send(request, limits);
		},
		async close() {
			await once.close();
			await (await opening)?.close();
		},
	};
}

/** Milliseconds for the connection and for the whole answer, and most bytes of it. */
const limits = { connect: 5_000, total: 10_000, bytes: 4_096 };

/**
 * The identity of the sandbox at a profile's address. One request, which is neither repeated nor reported: without an answer there is none,
 * and the journal then counts everything that was sent to the address. A live profile and other machines are never asked.
 */
export async function askSandboxIdentity(
	{ environment, baseUrl }: Pick<Profile, "environment" | "baseUrl">,
	signal: AbortSignal,
	// No proxy of the environment can see it.
	transport: Pick<Transport, "send"> = createOnce({ env: {} }),
): Promise<string | undefined> {
	if (environment !== "sandbox" || !isLoopback(baseUrl)) return undefined;
	const url = `${serviceAddress(baseUrl)}/_sandbox/identity`;
	try {
		const request = { method: "GET", url, headers: { accept: "application/json" } } as const;
		const outcome = await transport.send(request, { ...limits, signal });
		if (outcome.kind !== "answer" || outcome.status !== 200) return undefined;
		const answer = parseJson(new TextDecoder().decode(outcome.body));
		return isRecord(answer) && isSandboxIdentity(answer.identity) ? answer.identity : undefined;
	} catch {
		return undefined;
	}
}

/**
 * The transport for a few calls: a connection for each, made first and closed after it, and one request of Node's own HTTP client on it.
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
		// From here on connection errors are reported to the request, which is created next.
		socket.on("error", () => {});
		const { request } = process.getBuiltinModule("node:http");
		if (socket.destroyed) throw new ConnectError("the connection was closed as soon as it was open", socket.errored);
		converse(exchange, target, socket, request);
	} catch (error) {
		exchange.fail(error as Error);
		exchange.cut(error as Error);
	}
}

/** Sends one request and reads the answer, which is reported only after its last byte. */
function converse(exchange: Exchange, target: URL, socket: Socket, request: typeof import("node:http").request): void {
	const { method, headers, body } = exchange.request;
	const outgoing = request({
		method,
		path: target.pathname + target.search,
		headers: { host: target.host, connection: "close", ...headers, ...lengthOf(method, body) },
		createConnection: () => socket,
	});
	exchange.isUnwritten = () => !outgoing.writableFinished;
	outgoing.once("error", (error) => exchange.fail(error));
	// No upgrade was requested; without a listener Node would leave the connection open.
	outgoing.once("upgrade", () => exchange.fail(closed()));
	outgoing.once("close", () => exchange.fail(closed()));
	outgoing.once("response", (incoming) => {
		exchange.head(incoming.statusCode as number, incoming.headers);
		incoming.on("data", (chunk: Uint8Array) => exchange.data(chunk));
		incoming.once("error", (error) => exchange.fail(error));
		incoming.once("end", () => {
			if (incoming.complete) exchange.end();
			else exchange.fail(closed());
			socket.destroy();
		});
	});
	// Before the first write, which `end` causes: from here on the request may have been sent.
	if (exchange.begin()) outgoing.end(body);
	else outgoing.destroy();
}

/** A change always has a Content-Length, even without a body. */
function lengthOf(method: string, body: Uint8Array | undefined): Record<string, string> {
	if (body !== undefined) return { "content-length": String(body.length) };
	return method === "GET" || method === "DELETE" ? {} : { "content-length": "0" };
}

const closed = (): Error => Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });
