/**
 * The sandbox on a real port. Faults happen on the socket, as they would.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, Sandbox } from "./sandbox.js";

export interface Served {
	/** Scheme, host and port. */
	url: string;
	close(): Promise<void>;
}

/** More than the sandbox takes, so that it is the sandbox that refuses. */
const largest = 2 * 1024 * 1024;

/**
 * Listens; links of the sandbox then lead here.
 * @param place port 0 takes a free one
 * @throws the system's error where the port cannot be had
 */
export async function serve(sandbox: Sandbox, { host = "127.0.0.1", port = 0 } = {}): Promise<Served> {
	const server = createServer((incoming, outgoing) => {
		answer(sandbox, incoming, outgoing).catch(() => outgoing.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => resolve());
	});
	const address = server.address() as AddressInfo;
	const url = `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
	sandbox.options.origin = url;
	return {
		url,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

async function answer(sandbox: Sandbox, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
	const body = await bodyOf(incoming);
	const headers = Object.fromEntries(
		Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
	);
	const given = await sandbox.handle({ method: incoming.method ?? "GET", target: incoming.url ?? "/", headers, body });
	if (given.delivery?.delay) await new Promise((resolve) => setTimeout(resolve, given.delivery?.delay));
	deliver(given, outgoing);
}

function deliver({ status, headers, body, delivery }: Answer, outgoing: ServerResponse): void {
	if (delivery?.drop) {
		outgoing.socket?.resetAndDestroy();
		return;
	}
	outgoing.writeHead(status, { ...headers, ...(status === 204 ? {} : { "content-length": body.length }) });
	if (delivery?.cut !== undefined) {
		outgoing.write(body.subarray(0, delivery.cut), () => outgoing.socket?.resetAndDestroy());
		return;
	}
	outgoing.end(body);
}

async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array> {
	const parts: Buffer[] = [];
	let length = 0;
	for await (const part of incoming) {
		length += (part as Buffer).length;
		if (length <= largest) parts.push(part as Buffer);
	}
	return Buffer.concat(parts);
}
