/**
 * The sandbox on a real port. Faults happen on the socket, as they would.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Bound, isLoopback, refusalOf } from "./admission.js";
import type { Response, Sandbox } from "./sandbox.js";
import { largestBody } from "./service/body.js";

export interface Served {
	/** Scheme, host and port. */
	url: string;
	/** Whether other machines may reach it. */
	open: boolean;
	/** Ends at once: connections are closed, delays are cut short. */
	close(): Promise<void>;
}

/** Milliseconds an idle connection is kept: longer than clients keep theirs, so that none is closed under a request. */
const keepAlive = 75_000;

/** Milliseconds between two looks at what is due to be delivered. */
const deliverEvery = 100;

/** Milliseconds during which a body that is too large is read and discarded, so that its sender can read the answer. */
const linger = 1000;

/**
 * Listens; links of the sandbox then lead here.
 * @param place port 0 takes a free one
 * @throws the system's error where the port cannot be had
 */
export async function serve(sandbox: Sandbox, { host = "127.0.0.1", port = 0 } = {}): Promise<Served> {
	const stop = new AbortController();
	const bound: Bound = { host, address: host, port };
	const server = createServer({ keepAliveTimeout: keepAlive }, (incoming, outgoing) => {
		answered(sandbox, bound, incoming, outgoing, stop.signal).catch(() => incoming.socket.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => resolve());
	});
	Object.assign(bound, server.address() as AddressInfo);
	const url = urlOf(bound);
	sandbox.options.origin = url;
	const delivering = setInterval(() => void sandbox.deliver(), deliverEvery);
	return {
		url,
		open: !isLoopback(bound.address),
		close: () =>
			new Promise((resolve) => {
				stop.abort();
				clearInterval(delivering);
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** The address by which this machine reaches the server, also where it listens on all addresses. */
function urlOf({ address, port }: Bound): string {
	const host = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address;
	return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function answered(
	sandbox: Sandbox,
	bound: Bound,
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	signal: AbortSignal,
): Promise<void> {
	const refusal = refusalOf(incoming, bound);
	if (refusal) return refused(refusal, incoming, outgoing, signal);
	const body = await bodyOf(incoming);
	const headers = Object.fromEntries(
		Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
	);
	const given = await sandbox.handle({ method: incoming.method ?? "GET", target: incoming.url ?? "/", headers, body });
	if (given.delivery?.delay) await pause(given.delivery.delay, undefined, { signal });
	if (body.length > largestBody)
		await refused({ ...given, headers: { ...given.headers, connection: "close" } }, incoming, outgoing, signal);
	else deliver(given, outgoing);
}

/** Answers a request whose body has not been read to its end. */
async function refused(given: Response, incoming: IncomingMessage, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
	deliver(given, outgoing);
	await drained(incoming, signal);
}

/** Browsers take an answer for nothing but what it says it is, and tell no other site its address, which may hold a secret. */
const guards = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };

function deliver({ status, headers, body, delivery }: Response, outgoing: ServerResponse): void {
	const { socket } = outgoing;
	if (delivery?.drop || (delivery?.cut !== undefined && body.length === 0)) {
		socket?.resetAndDestroy();
		return;
	}
	const head = outgoing.req.method === "HEAD";
	outgoing.writeHead(status, { ...headers, ...(status === 204 || head ? {} : { "content-length": body.length }), ...guards });
	if (delivery?.cut === undefined) outgoing.end(body);
	else outgoing.write(body.subarray(0, delivery.cut), () => socket?.resetAndDestroy());
}

/** The body; of one that is too large, only enough to recognise that. */
async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array> {
	// A body that is announced as too large is not read.
	if (Number(incoming.headers["content-length"]) > largestBody) return new Uint8Array(largestBody + 1);
	const parts: Buffer[] = [];
	let length = 0;
	for await (const part of incoming.iterator({ destroyOnReturn: false })) {
		parts.push(part as Buffer);
		length += (part as Buffer).length;
		if (length > largestBody) break;
	}
	return Buffer.concat(parts);
}

/** Discards the rest of a body for a while, then ends the connection: with an immediate reset the answer would be lost. */
async function drained(incoming: IncomingMessage, signal: AbortSignal): Promise<void> {
	incoming.resume();
	await once(incoming, "close", { signal: AbortSignal.any([signal, AbortSignal.timeout(linger)]) }).catch(() => {});
	incoming.socket.destroy();
}
