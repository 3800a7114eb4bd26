import { Agent, type Dispatcher } from "undici";
import type { Transport, WireLimits, WireOutcome, WireRequest } from "../context.js";
import { ConnectError, createConnector } from "./connect.js";

/** An answer longer than allowed. Asking again would bring it again. */
export class AnswerTooLarge extends Error {
	override readonly name = "AnswerTooLarge";
	readonly code = "ANSWER_TOO_LARGE";
}

/** Milliseconds that a change which began to leave still gets for its answer after Ctrl-C: an answer leaves no doubt. */
const graceForChanges = 3_000;

/**
 * The real transport: HTTP/1.1 over undici's dispatch, one request on the wire a call. No redirect, no retry, no HTTP/2,
 * no pipelining, no decoding. Extra CAs are Node's own NODE_EXTRA_CA_CERTS.
 * @param options `env` for the proxy variables
 */
export function createTransport(options: { env: Readonly<Record<string, string | undefined>> }): Transport {
	const connector = createConnector(options.env);
	const agent = new Agent({
		connect: connector.connect,
		allowH2: false,
		pipelining: 1,
		connections: 64,
		// An idle connection is dropped early: the shorter it lives, the rarer a request meets one the server just closed.
		keepAliveTimeout: 2_000,
		keepAliveMaxTimeout: 4_000,
		headersTimeout: 0,
		bodyTimeout: 0,
	});
	return {
		send: (request, limits) => new Promise((resolve) => new Exchange(agent, request, limits, resolve).start()),
		async close() {
			connector.abandon();
			await agent.destroy();
		},
	};
}

/**
 * One exchange. Whether the request left is decided by events: undici calls `onRequestStart` in the same turn as, and
 * before, its first write, and an abort inside that call keeps the write from happening (client-h1.js, writeH1).
 */
class Exchange implements Dispatcher.DispatchHandler {
	#begun = false;
	#done = false;
	#controller: Dispatcher.DispatchController | undefined;
	#status: number | undefined;
	#headers: Record<string, string> = {};
	#chunks: Uint8Array[] = [];
	#size = 0;
	readonly #timers: NodeJS.Timeout[] = [];
	readonly #cancel = () => this.#cancelled();

	constructor(
		private readonly agent: Dispatcher,
		private readonly request: WireRequest,
		private readonly limits: WireLimits,
		private readonly resolve: (outcome: WireOutcome) => void,
	) {}

	start(): void {
		const { connect, total, signal } = this.limits;
		if (signal?.aborted) {
			this.#settle({ kind: "not-sent", reason: "cancelled" });
			return;
		}
		signal?.addEventListener("abort", this.#cancel, { once: true });
		this.#after(total, () => this.#giveUp(`no whole answer within ${seconds(total)}`));
		this.#after(connect, () => {
			if (!this.#begun) this.#giveUp(`no connection within ${seconds(connect)}`);
		});
		const { origin, pathname, search } = new URL(this.request.url);
		const headers = { ...this.request.headers };
		const body = this.request.body === undefined ? null : Buffer.from(this.request.body);
		try {
			this.agent.dispatch({ origin, path: pathname + search, method: this.request.method, headers, body, idempotent: false }, this);
		} catch (error) {
			this.#settle(this.#broken("the request could not be made", error));
		}
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		if (this.#done || this.#begun) {
			controller.abort(new Error("one request on the wire, and no other"));
			this.#settle(this.#broken("the connection broke before an answer", undefined));
			return;
		}
		this.#begun = true;
		this.#controller = controller;
	}

	onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
		if (status < 200) return;
		this.#status = status;
		for (const [name, value] of Object.entries(headers))
			if (value !== undefined) this.#headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
		const announced = Number(this.#headers["content-length"]);
		if (announced > this.limits.bytes) this.#tooLarge(controller);
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
		this.#size += chunk.length;
		if (this.#size > this.limits.bytes) this.#tooLarge(controller);
		else this.#chunks.push(chunk);
	}

	onResponseEnd(): void {
		const status = this.#status as number;
		this.#settle({ kind: "answer", status, headers: this.#headers, body: Buffer.concat(this.#chunks) });
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		this.#settle(this.#broken(error instanceof ConnectError ? error.message : wordsFor(error, this.#status), error));
	}

	#tooLarge(controller: Dispatcher.DispatchController): void {
		const error = new AnswerTooLarge(`the answer is longer than ${this.limits.bytes} bytes`);
		this.#settle(this.#broken(error.message, error));
		controller.abort(error);
	}

	#cancelled(): void {
		if (!this.#begun || this.request.method === "GET") this.#giveUp("cancelled");
		else this.#after(graceForChanges, () => this.#giveUp("cancelled before an answer came"));
	}

	#giveUp(reason: string): void {
		this.#settle(this.#broken(reason, undefined));
		this.#controller?.abort(new Error(reason));
	}

	#broken(reason: string, cause: unknown): WireOutcome {
		return this.#begun ? { kind: "sent", reason, status: this.#status, cause } : { kind: "not-sent", reason, cause };
	}

	#settle(outcome: WireOutcome): void {
		if (this.#done) return;
		this.#done = true;
		for (const timer of this.#timers) clearTimeout(timer);
		this.limits.signal?.removeEventListener("abort", this.#cancel);
		this.#chunks = [];
		this.resolve(outcome);
	}

	#after(milliseconds: number, act: () => void): void {
		this.#timers.push(setTimeout(act, milliseconds));
	}
}

function seconds(milliseconds: number): string {
	return milliseconds < 1_000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`;
}

function wordsFor(error: Error, status: number | undefined): string {
	const code = (error as { code?: unknown }).code;
	if (status !== undefined) return `the answer was cut short (${code ?? error.name})`;
	if (code === "ECONNRESET" || code === "UND_ERR_SOCKET" || code === "EPIPE") return "the connection was closed before an answer came";
	if (typeof code === "string" && code.startsWith("HPE_")) return `the answer is not HTTP (${code})`;
	return `the exchange broke off (${code ?? error.name})`;
}
