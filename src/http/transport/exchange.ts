import type { WireLimits, WireOutcome, WireRequest } from "../../ports/wire.js";
import { ConnectError } from "./connect.js";

/** The answer was longer than allowed; a retry would give the same. */
export class AnswerTooLarge extends Error {
	override readonly name = "AnswerTooLarge";
	readonly code = "ANSWER_TOO_LARGE";
}

/**
 * What cancels the exchanges of a signal, under reused numbers. One listener for all, because adding and removing one per exchange is
 * expensive. Not a Map or a Set: V8 copies those into a new table every few changes, and keeps all tables after the first that grew old until
 * the next full collection: every transfer of a batch did (4 KB a row in `--trace-gc`).
 */
const cancelled = new WeakMap<AbortSignal, ((() => void) | undefined)[]>();

function cancelledBy(signal: AbortSignal): ((() => void) | undefined)[] {
	const known = cancelled.get(signal);
	if (known) return known;
	const made: ((() => void) | undefined)[] = [];
	cancelled.set(signal, made);
	signal.addEventListener("abort", () => made.forEach((cancel) => void cancel?.()), { once: true });
	return made;
}

const nothing = Buffer.alloc(0);

/** Milliseconds that a partly sent change still gets for its answer after Ctrl-C, so that no doubt remains. */
const graceForChanges = 3_000;

/**
 * One exchange over any transport: interprets its events, enforces its limits and produces exactly one outcome. The transport reports what
 * happens on the wire; whether the request was sent is decided only by {@link begin}.
 */
export class Exchange {
	/** Set by the transport: closes the connection, or prevents it. */
	cut: (error: Error) => void = () => {};
	/** Set by the transport: whether a part of the request has not been written yet. */
	isUnwritten: () => boolean = () => false;
	/** Set by the transport: the connection had a request before, or shall have one after. */
	reused = false;
	#early = false;
	/** Once the answer is complete: settles with it although the connection broke. */
	#broke: (() => void) | undefined;
	#begun = false;
	#done = false;
	#status: number | undefined;
	#headers: Record<string, string> = {};
	/**
	 * The received part of the body, with room for more: a list of chunks would take a hundred times the memory where each is one byte.
	 * A body of one chunk is not copied.
	 */
	#body: Uint8Array = nothing;
	#size = 0;
	readonly #timers: NodeJS.Timeout[] = [];
	/** Its number among those cancelled with its signal. */
	#slot: number | undefined;

	constructor(
		readonly request: WireRequest,
		private readonly limits: WireLimits,
		private readonly resolve: (outcome: WireOutcome) => void,
	) {}

	/** Starts the limits. @returns false if it was cancelled already; nothing may be done then */
	start(): boolean {
		const { connect, total, signal } = this.limits;
		if (signal?.aborted) {
			this.#settle({ kind: "not-sent", reason: "cancelled" });
			return false;
		}
		if (signal) {
			const all = cancelledBy(signal);
			const free = all.indexOf(undefined);
			this.#slot = free < 0 ? all.length : free;
			all[this.#slot] = () => this.#cancelled();
		}
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
			// A second write would put a second request on the wire, which must never happen.
			this.#settle(this.#broken("the connection broke before an answer", undefined));
			return false;
		}
		const reason = this.limits.tooOld?.();
		if (reason !== undefined) {
			this.#settle({ kind: "not-sent", reason, tooOld: true });
			return false;
		}
		this.#begun = true;
		return true;
	}

	/** The head of the final answer; values of a repeated header are joined into one list. */
	head(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
		this.#status = status;
		this.#early = this.isUnwritten();
		for (const [name, value] of Object.entries(headers))
			if (value !== undefined) this.#headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
		if (Number(this.#headers["content-length"]) > this.limits.bytes) this.#tooLarge();
	}

	data(chunk: Uint8Array): void {
		if (this.#done) return;
		const size = this.#size + chunk.length;
		if (size > this.limits.bytes) {
			this.#tooLarge();
			return;
		}
		if (this.#size === 0) this.#body = chunk;
		else {
			if (size > this.#body.length) {
				const room = Buffer.allocUnsafe(Math.max(size, Math.min(2 * this.#body.length, this.limits.bytes)));
				room.set(this.#body.subarray(0, this.#size));
				this.#body = room;
			}
			this.#body.set(chunk, this.#size);
		}
		this.#size = size;
	}

	/** The answer is complete. @param done called once the outcome is settled; the connection must be left alone until then */
	end(done: () => void = () => {}): void {
		const settle = (early: boolean): void => {
			const body = this.#body.subarray(0, this.#size);
			this.#settle({ kind: "answer", status: this.#status as number, headers: this.#headers, body, reused: this.reused, early });
			done();
		};
		if (!this.#early) {
			settle(false);
			return;
		}
		// The system often says that a write is done after the answer to it came, above all with TLS: two turns later it has said so. What
		// breaks until then broke with a part of the request unwritten.
		this.#broke = () => settle(true);
		setImmediate(() => setImmediate(() => settle(this.isUnwritten())));
	}

	/** The exchange broke off at any point. */
	fail(error: Error): void {
		if (this.#broke) this.#broke();
		else this.#settle(this.#broken(error instanceof ConnectError ? error.message : wordsFor(error, this.#status), error));
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
		if (this.limits.signal && this.#slot !== undefined) cancelledBy(this.limits.signal)[this.#slot] = undefined;
		this.#body = nothing;
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
