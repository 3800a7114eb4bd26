/**
 * A peer made of bare TCP: it sees exactly what was on the wire and does with the connection whatever a script says.
 */
import { randomInt } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import * as tls from "node:tls";
import { onTestFinished } from "vitest";

interface Seen {
	/** Request line and headers as received. */
	head: string;
	body: string;
	/** Which request this is, over all connections, from 1. */
	number: number;
	/** Which request of its connection, from 1. */
	ofConnection: number;
}

export interface Peer {
	port: number;
	/** Whole requests, in order. */
	requests: Seen[];
	connections: number;
	close(): Promise<void>;
}

/** What is done with a whole request. */
export type Script = (socket: Socket, request: Seen) => void;

export interface PeerOptions {
	/** Done with a connection before anything is read. */
	onConnection?: (socket: Socket) => void;
	/** Key and certificate: the peer speaks TLS. */
	tls?: { key: string; cert: string };
}

/** Starts a peer on a free loopback port. */
export async function startPeer(script: Script, options: PeerOptions = {}): Promise<Peer> {
	const sockets = new Set<Socket>();
	const peer: Peer = { port: 0, requests: [], connections: 0, close: async () => {} };
	const listener = (socket: Socket) => {
		sockets.add(socket);
		peer.connections += 1;
		socket.on("error", () => {});
		socket.on("close", () => sockets.delete(socket));
		options.onConnection?.(socket);
		read(socket, peer, script);
	};
	const server: Server = options.tls ? tls.createServer(options.tls, listener) : createServer(listener);
	server.on("tlsClientError", () => {});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	peer.port = (server.address() as AddressInfo).port;
	peer.close = async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((resolve) => server.close(resolve));
	};
	return peer;
}

/** The same for one test. */
export async function peerFor(script: Script, options?: PeerOptions): Promise<Peer> {
	const peer = await startPeer(script, options);
	onTestFinished(() => peer.close());
	return peer;
}

function read(socket: Socket, peer: Peer, script: Script): void {
	let pending = "";
	let ofConnection = 0;
	socket.on("data", (chunk) => {
		pending += chunk.toString("latin1");
		for (;;) {
			const end = pending.indexOf("\r\n\r\n");
			if (end < 0) return;
			const head = pending.slice(0, end);
			const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
			if (pending.length < end + 4 + length) return;
			const body = pending.slice(end + 4, end + 4 + length);
			pending = pending.slice(end + 4 + length);
			ofConnection += 1;
			const seen = { head, body, number: peer.requests.length + 1, ofConnection };
			peer.requests.push(seen);
			script(socket, seen);
		}
	});
}

/** A whole answer. */
export function answer(status: number, body = "", headers: Record<string, string> = {}): string {
	const lines = Object.entries({ "content-type": "application/json", "content-length": String(Buffer.byteLength(body)), ...headers });
	return `HTTP/1.1 ${status} Whatever\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
}

/**
 * A port where nobody listens, and nobody will but whoever is told of it: below those that a system gives to servers and connections that name none, since another test
 * would get a port that was given back (or a connection meet itself on it).
 */
export async function closedPort(): Promise<number> {
	for (;;) {
		const port = randomInt(10_000, 20_000);
		const server = createServer();
		const isFree = await new Promise<boolean>((resolve) => {
			server.once("error", () => resolve(false));
			server.listen(port, "127.0.0.1", () => resolve(true));
		});
		if (!isFree) continue;
		await new Promise((resolve) => server.close(resolve));
		return port;
	}
}
