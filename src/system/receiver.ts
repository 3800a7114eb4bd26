/**
 * A receiver of deliveries on this machine: one path, POST only, reached by this machine alone. Everything it holds is bounded, because
 * whoever is on this machine, and any page that a browser here has open, can reach its port.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenReceiver, ReceivedDelivery, ReceiverLimits, ReceiverOptions, TurnedAway } from "../ports/receiver.js";

const usual: ReceiverLimits = {
	connections: 100,
	body: 1_048_576,
	request: 10_000,
	idle: 5_000,
	held: 33_554_432,
};

/** Most requests on one connection; then the sender opens another. */
const mostRequests = 1_000;

/** Milliseconds during which the rest of a refused body is read and dropped, so that its sender can read the answer. */
const linger = 500;

/** Milliseconds that deliveries on their way have when the receiver is closed. */
const lastAnswers = 5_000;

/** Seconds after which a sender may try again. */
const retryAfter = "5";

const guards = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

const statuses: Readonly<Record<TurnedAway, number>> = {
	connections: 503,
	host: 421,
	path: 404,
	method: 405,
	compressed: 415,
	"too-large": 413,
	"too-slow": 408,
	malformed: 400,
	busy: 503,
	failed: 500,
};

export const openReceiver: OpenReceiver = async ({ port, path = `/${randomBytes(16).toString("hex")}`, hosts = [] }, options) => {
	const receiving = new Receiving(path, hosts, options);
	const { limits } = receiving;
	const server = createServer(
		{
			headersTimeout: limits.request,
			requestTimeout: limits.request,
			keepAliveTimeout: limits.idle,
			connectionsCheckingInterval: Math.min(1_000, Math.ceil(limits.request / 4)),
		},
		(incoming, outgoing) => {
			receiving.answer(incoming, outgoing).catch(() => incoming.socket.destroy());
		},
	);
	server.maxConnections = limits.connections;
	server.maxRequestsPerSocket = mostRequests;
	server.on("drop", () => options.turnedAway("connections"));
	server.on("clientError", (error: NodeJS.ErrnoException, socket) => receiving.unreadable(error, socket as Socket));
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, "127.0.0.1", () => {
			server.off("error", reject);
			resolve();
		});
	});
	// An accept that fails, for want of file descriptors, must not end the run.
	server.on("error", () => options.turnedAway("connections"));
	const address = server.address() as AddressInfo;
	receiving.port = address.port;
	return { url: `http://127.0.0.1:${address.port}${path}`, close: () => receiving.close(server) };
};

class Receiving {
	readonly limits: ReceiverLimits;
	port = 0;
	readonly #path: string;
	readonly #hosts: readonly string[];
	readonly #options: ReceiverOptions;
	#closing = false;
	/** Deliveries that are whole and not yet answered. */
	#waiting = 0;
	/** Bytes of all bodies that are here. */
	#held = 0;
	#quiet: () => void = () => {};

	constructor(path: string, hosts: readonly string[], options: ReceiverOptions) {
		this.#path = path;
		this.#hosts = hosts.map((host) => host.toLowerCase());
		this.#options = options;
		this.limits = { ...usual, ...options.limits };
	}

	async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const refusal = this.#refusalOf(incoming);
		if (refusal !== undefined) return this.#turnAway(refusal, incoming, outgoing);
		const bytes = { here: 0 };
		let why: TurnedAway | undefined;
		try {
			const body = await this.#bodyOf(incoming, bytes);
			if (typeof body === "string") why = body;
			else if (incoming.complete) await this.#take({ headers: headersOf(incoming), body }, outgoing);
		} finally {
			this.#held -= bytes.here;
		}
		if (why !== undefined) await this.#turnAway(why, incoming, outgoing);
	}

	/** @param bytes counts what is held, also where this throws because the sender is gone */
	async #bodyOf(incoming: IncomingMessage, bytes: { here: number }): Promise<Buffer | TurnedAway> {
		const parts: Buffer[] = [];
		for await (const part of incoming.iterator({ destroyOnReturn: false })) {
			parts.push(part as Buffer);
			bytes.here += (part as Buffer).length;
			this.#held += (part as Buffer).length;
			if (bytes.here > this.limits.body) return "too-large";
			if (this.#held > this.limits.held) return "busy";
		}
		return Buffer.concat(parts);
	}

	async #take(delivery: ReceivedDelivery, outgoing: ServerResponse): Promise<void> {
		this.#waiting += 1;
		try {
			const answer = await this.#options.take(delivery).catch(() => "failed" as const);
			if (answer === "stored" || answer === "unsigned") this.#end(outgoing, answer === "stored" ? 200 : 401);
			else {
				this.#options.turnedAway(answer);
				this.#end(outgoing, statuses[answer]);
			}
		} finally {
			this.#waiting -= 1;
			if (this.#waiting === 0) this.#quiet();
		}
	}

	#refusalOf({ method, url = "", headers, headersDistinct }: IncomingMessage): TurnedAway | undefined {
		if (this.#closing) return "busy";
		const [host, ...others] = headersDistinct.host ?? [];
		if (others.length > 0 || !this.#isOwn(host)) return "host";
		if (url.split("?", 1)[0] !== this.#path) return "path";
		if (method !== "POST") return "method";
		const isPlain = (headers["content-encoding"] ?? "identity").toLowerCase() === "identity";
		if (!isPlain || (headers["transfer-encoding"] ?? "chunked").toLowerCase() !== "chunked") return "compressed";
		if (Number(headers["content-length"] ?? 0) > this.limits.body) return "too-large";
		return undefined;
	}

	/** A page of any site can let a name of its own lead to this machine. */
	#isOwn(host = ""): boolean {
		const given = host.toLowerCase();
		if (given === `127.0.0.1:${this.port}` || given === `localhost:${this.port}`) return true;
		return this.#hosts.includes(given) || this.#hosts.includes(given.replace(/:\d{1,5}$/, ""));
	}

	/** Answers a request whose body may not have been read to its end. */
	async #turnAway(why: TurnedAway, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		this.#options.turnedAway(why, why === "host" ? incoming.headers.host : undefined);
		outgoing.setHeader("connection", "close");
		this.#end(outgoing, statuses[why]);
		if (incoming.complete) return;
		// With an immediate reset the answer would be lost.
		incoming.resume();
		await once(incoming, "end", { signal: AbortSignal.timeout(linger) }).catch(() => {});
		incoming.socket.destroy();
	}

	#end(outgoing: ServerResponse, status: number): void {
		if (this.#closing) outgoing.setHeader("connection", "close");
		const more = status === 503 ? { "retry-after": retryAfter } : status === 405 ? { allow: "POST" } : {};
		outgoing.writeHead(status, { ...guards, ...more, "content-length": 0 }).end();
	}

	/** What is no request, or was not one in time. */
	unreadable(error: NodeJS.ErrnoException, socket: Socket): void {
		// A sender that went away before its request was whole.
		if (!["ECONNRESET", "EPIPE", "HPE_INVALID_EOF_STATE"].includes(error.code ?? "")) {
			const slow = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
			// A connection on which nothing was ever sent is no request.
			if (!slow || socket.bytesRead > 0) this.#options.turnedAway(slow ? "too-slow" : "malformed");
			const status = slow ? "408 Request Timeout" : "400 Bad Request";
			if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
		}
		const gone = setTimeout(() => socket.destroy(), linger);
		socket.once("close", () => clearTimeout(gone));
	}

	async close(server: Server): Promise<void> {
		this.#closing = true;
		const closed = new Promise<void>((resolve) => server.close(() => resolve()));
		server.closeIdleConnections();
		if (this.#waiting > 0) {
			const answered = new Promise<void>((resolve) => {
				this.#quiet = resolve;
			});
			await Promise.race([answered, pause(lastAnswers, undefined, { ref: false })]);
			// The last answer is given to the system before its connection is closed.
			await pause(20);
		}
		server.closeAllConnections();
		await closed;
	}
}

function headersOf({ headersDistinct }: IncomingMessage): ReceivedDelivery["headers"] {
	return Object.fromEntries(
		Object.entries(headersDistinct).flatMap(([name, values = []]) =>
			values.length === 0 ? [] : [[name, values.length === 1 ? (values[0] as string) : values]],
		),
	);
}
