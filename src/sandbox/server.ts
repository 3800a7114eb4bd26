/**
 * The sandbox on a real port of this machine. Faults happen on the socket, as they would.
 *
 * Which requests are let in: a page of any site, open in a browser on this machine, can reach the ports of this machine, under a name of its
 * own that it lets lead to 127.0.0.1 (DNS rebinding), or with a form. Neither may read or change anything here.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { largestBody } from "./message.js";
import { isPage } from "./pages/hosted.js";
import type { Request, Response, Sandbox } from "./sandbox.js";

export interface Served {
	/** Scheme, host and port. */
	url: string;
	/** Ends at once: connections are closed, delays are cut short. */
	close(): Promise<void>;
}

/** Milliseconds an idle connection stays open: longer than at clients, so that none is closed under a request. */
const keepAlive = 75_000;

/** Milliseconds between two checks of what is due to be delivered. */
const deliverEvery = 100;

/**
 * Listens; links of the sandbox then lead here.
 * @param place port 0 takes a free one
 * @throws the system's error where the port cannot be had
 */
export async function serve(sandbox: Sandbox, { port = 0 } = {}): Promise<Served> {
	const stop = new AbortController();
	const server = createServer({ keepAliveTimeout: keepAlive }, (incoming, outgoing) => {
		answered(sandbox, incoming, outgoing, stop.signal).catch(() => incoming.socket.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, "127.0.0.1", () => resolve());
	});
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	sandbox.options.origin = url;
	const delivering = setInterval(() => void sandbox.deliver(), deliverEvery);
	return {
		url,
		close: () =>
			new Promise((resolve) => {
				stop.abort();
				clearInterval(delivering);
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

async function answered(sandbox: Sandbox, incoming: IncomingMessage, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
	const given = refusalOf(incoming) ?? (await sandbox.handle(await requestOf(incoming)));
	if (given.delivery?.delay) await pause(given.delivery.delay, undefined, { signal });
	deliver(given, outgoing);
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
	const headers = Object.fromEntries(
		Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
	);
	return { method: incoming.method ?? "GET", target: incoming.url ?? "/", headers, body: await bodyOf(incoming) };
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

/** The refusal of a request that is not let in; undefined where it is. Its body has not been read. */
function refusalOf({ url = "/", headersDistinct, socket }: IncomingMessage): Response | undefined {
	const { host: hosts = [], origin: origins = [] } = headersDistinct;
	const [host = ""] = hosts;
	const { localPort } = socket;
	if (hosts.length !== 1 || !isOwn(host, localPort))
		return plainly(421, `This sandbox answers only to localhost and 127.0.0.1 (port ${localPort}).\n`);
	// Browsers write `null` for a form of a page whose policy is to send no referrer, as ours is. Whoever knows a page's address has its secret.
	const isKnown = (origin: string): boolean =>
		origin.toLowerCase() === `http://${host}`.toLowerCase() || (isPage(url) && origin === "null");
	return origins.every(isKnown) ? undefined : plainly(403, "This request comes from a page of another site. Nothing was done.\n");
}

/** Whether a `Host` means this server: a name or an address of this machine's loopback, with its port. */
function isOwn(host: string, port: number | undefined): boolean {
	const [, given] = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]):(\d{1,5})$/i.exec(host) ?? [];
	return given !== undefined && Number(given) === port;
}

function plainly(status: number, text: string): Response {
	const headers = { "content-type": "text/plain; charset=utf-8", connection: "close" };
	return { status, headers, body: new TextEncoder().encode(text) };
}
