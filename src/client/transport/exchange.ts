import type { WireLimits, WireOutcome, WireRequest } from "../../ports/wire.js";
import { ConnectError } from "./connect.js";
import { Slab } from "./slab.js";

/** An answer longer than allowed. Asking again would bring it again. */
export class AnswerTooLarge extends Error {
	override readonly name = "AnswerTooLarge";
	readonly code = "ANSWER_TOO_LARGE";
}

/** Whoever is to be cancelled with a signal: one listener for all, for adding and removing one costs more than the rest of an exchange's care. */
const cancelled = new WeakMap<AbortSignal, Slab<() => void>>();

function cancelledBy(signal: AbortSignal): Slab<() => void> {
	const known = cancelled.get(signal);
	if (known) return known;
	const made = new Slab<() => void>();
	cancelled.set(signal, made);
	signal.addEventListener("abort", () => made.all().forEach((cancel) => void cancel()), { once: true });
	return made;
}

/** Milliseconds that a change which began to leave still gets for its answer after Ctrl-C: an answer leaves no doubt. */
const graceForChanges = 3_000;

/**
 * One exchange, whichever transport makes it: what its events mean, its limits, and its one outcome.
 * A transport tells what happens on the wire; whether the request left is decided here, by {@link begin} alone.
 */
export class Exchange {
	/** Set by the transport: ends the connection, or keeps it from being made. */
	cut: (error: Error) => void = () => {};
	#begun = false;
	#done = false;
	#status: number | undefined;
	#headers: Record<string, string> = {};
	#chunks: Uint8Array[] = [];
	#size = 0;
	readonly #timers: NodeJS.Timeout[] = [];
	/** Its number among those cancelled with its signal. */
	#slot: number | undefined;

	constructor(
		readonly request: WireRequest,
		private readonly limits: WireLimits,
		private readonly resolve: (outcome: WireOutcome) => void,
	) {}

	/** Starts the limits. False where it was cancelled before: then nothing is to be done. */
	start(): boolean {
		const { connect, total, signal } = this.limits;
		if (signal?.aborted) {
			this.#settle({ kind: "not-sent", reason: "cancelled" });
			return false;
		}
		if (signal) this.#slot = cancelledBy(signal).add(() => this.#cancelled());
		this.#after(total, () => this.#giveUp(`no whole answer within ${seconds(total)}`));
		this.#after(connect, () => {
			if (!this.#begun) this.#giveUp(`no connection within ${seconds(connect)}`);
		});
		return true;
	}

	/** Must be called in the same turn as, and before, the first write. False: nothing may be written. */
	begin(): boolean {
		if (this.#done) return false;
		if (this.#begun) {
			// One request on the wire, and no other.
			this.#settle(this.#broken("the connection broke before an answer", undefined));
			return false;
		}
		this.#begun = true;
		return true;
	}

	/** The head of the final answer; values of a name that stands more than once are one list. */
	head(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
		this.#status = status;
		for (const [name, value] of Object.entries(headers))
			if (value !== undefined) this.#headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
		if (Number(this.#headers["content-length"]) > this.limits.bytes) this.#tooLarge();
	}

	data(chunk: Uint8Array): void {
		this.#size += chunk.length;
		if (this.#size > this.limits.bytes) this.#tooLarge();
		else this.#chunks.push(chunk);
	}

	/** The answer is whole. */
	end(): void {
		const status = this.#status as number;
		const [first] = this.#chunks;
		const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
		this.#settle({ kind: "answer", status, headers: this.#headers, body });
	}

	/** It broke off, wherever it was. */
	fail(error: Error): void {
		this.#settle(this.#broken(error instanceof ConnectError ? error.message : wordsFor(error, this.#status), error));
	}

	#tooLarge(): void {
		const error = new AnswerTooLarge(`the answer is longer than ${this.limits.bytes} bytes`);
		this.#settle(this.#broken(error.message, error));
		this.cut(error);
	}

	#cancelled(): void {
		if (!this.#begun || this.request.method === "GET") this.#giveUp("cancelled");
		else this.#after(graceForChanges, () => this.#giveUp("cancelled before an answer came"));
	}

	#giveUp(reason: string): void {
		this.#settle(this.#broken(reason, undefined));
		this.cut(new Error(reason));
	}

	#broken(reason: string, cause: unknown): WireOutcome {
		return this.#begun ? { kind: "sent", reason, status: this.#status, cause } : { kind: "not-sent", reason, cause };
	}

	#settle(outcome: WireOutcome): void {
		if (this.#done) return;
		this.#done = true;
		for (const timer of this.#timers) clearTimeout(timer);
		if (this.limits.signal && this.#slot !== undefined) cancelledBy(this.limits.signal).remove(this.#slot);
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
