/**
 * Sends a batch. Each durable step records the outcomes of rows and marks the next group as being sent; steps run in parallel with the
 * sending. A crash leaves in doubt the marked rows without a recorded outcome, at most `open` of them.
 */
import type { Batches, MarkedRow, RowOutcome } from "../../../ports/batches.js";
import type { JournalOutcome } from "../../../ports/intent.js";
import type { Clock } from "../../../ports/machine.js";
import type { Arrived } from "../../../ports/service.js";
import { Concurrency, type ConcurrencyLimits } from "./concurrency.js";
import { type StepLimits, Steps } from "./steps.js";
import { type Stop, StopRules, stopBy } from "./stop.js";

/** The dependencies of sending. */
export interface Road {
	advance: Batches["advance"];
	/** Sends one marked row, once. Never rejects. */
	send(row: MarkedRow): Promise<Arrived>;
	clock: Pick<Clock, "monotonic" | "sleep">;
	signal: AbortSignal;
	/** Called with each outcome. Resolves false if nobody reads the output any more; sending then stops. */
	arrived?(row: MarkedRow, outcome: JournalOutcome): Promise<boolean>;
	/** Called when the service is busy, and nothing is sent until then. @param until monotonic milliseconds */
	paused?(until: number): void;
}

export interface SendLimits extends ConcurrencyLimits, StepLimits {
	/** Most rows to send in this run. */
	stopAfter?: number;
}

/** How sending ended. */
export interface SendResult {
	/** Absent if no row was left. */
	stop?: Stop;
	/** Rows whose outcome could not be recorded; the journal treats them as in doubt. */
	unrecorded: number;
	/** Why they could not be recorded. */
	failure?: unknown;
}

/** Most milliseconds that an outcome waits for others to share its step. */
const shareDelay = 3;

/** Sends the rows that {@link Road.advance} returns until none is left or a rule stops it; rows in flight are awaited. */
export function sendBatch(batch: string, road: Road, limits: SendLimits): Promise<SendResult> {
	return new Promise((resolve) => new Sending(batch, road, limits, resolve).start());
}

class Sending {
	readonly #concurrency: Concurrency;
	readonly #steps: Steps;
	readonly #rules = new StopRules();
	/** Marked rows that are not sent yet. */
	#ready: MarkedRow[] = [];
	/** Index of the next row in {@link #ready}. */
	#at = 0;
	#flying = 0;
	#ended: RowOutcome[] = [];
	#stepping = false;
	#exhausted = false;
	#stop: Stop | undefined;
	#left: number;
	#failure: unknown;
	/** As many rows as requested were marked. */
	#enough = false;
	#timer = false;
	#over = false;
	/** Outcomes have waited long enough for others. */
	#lingered = false;
	#lingering = false;

	constructor(
		private readonly batch: string,
		private readonly road: Road,
		limits: SendLimits,
		private readonly resolve: (sent: SendResult) => void,
	) {
		this.#concurrency = new Concurrency(limits);
		this.#steps = new Steps(limits);
		this.#left = limits.stopAfter ?? Infinity;
	}

	start(): void {
		const interrupted = (): void => this.#halt({ code: "INTERRUPTED", why: "it was interrupted" });
		if (this.road.signal.aborted) interrupted();
		else this.road.signal.addEventListener("abort", interrupted, { once: true });
		this.#turn();
	}

	get #waiting(): number {
		return this.#ready.length - this.#at;
	}

	/** Does whatever can be done now. Called after every event. */
	#turn(): void {
		if (this.#over) return;
		this.#launch();
		this.#step();
		if (this.#flying > 0 || this.#stepping || this.#waiting > 0 || this.#timer) return;
		if (this.#ended.length > 0 && this.#failure === undefined) return;
		if (!this.#exhausted && this.#stop === undefined) return;
		this.#over = true;
		if (this.#enough) this.#stop ??= { code: "STOP_AFTER", why: "the requested number of rows was sent" };
		this.resolve({ stop: this.#stop, unrecorded: this.#ended.length, failure: this.#failure });
	}

	#launch(): void {
		if (this.#stop !== undefined) this.#giveBack();
		while (this.#waiting > 0 && this.#flying < this.#concurrency.width) {
			const now = this.road.clock.monotonic();
			const delay = this.#concurrency.delay(now);
			if (delay > 0) {
				this.#rest(delay);
				return;
			}
			this.#concurrency.leave(now);
			this.#fly(this.#ready[this.#at++] as MarkedRow);
		}
		if (this.#waiting === 0 && this.#at > 0) {
			this.#ready = [];
			this.#at = 0;
		}
	}

	#fly(row: MarkedRow): void {
		this.#flying += 1;
		void this.road.send(row).then(({ outcome, status, wait, took }) => {
			this.#flying -= 1;
			this.#steps.arrive();
			const pausedUntil = this.#concurrency.arrive(this.road.clock.monotonic(), { status, took, wait });
			if (pausedUntil !== undefined) this.road.paused?.(pausedUntil);
			this.#end(row, outcome);
			const stop = this.#rules.after(outcome, status);
			if (stop !== undefined) this.#halt(stop);
			else this.#turn();
		});
	}

	#end(row: MarkedRow, outcome: JournalOutcome): void {
		this.#ended.push({ number: row.number, outcome });
		void this.road.arrived?.(row, outcome).then((isOutputOpen) => {
			if (!isOutputOpen) this.#halt({ code: "OUTPUT_CLOSED", why: "its output was closed" });
		});
	}

	/** Ends marked rows that will certainly not be sent any more as not sent, so that they are not in doubt. */
	#giveBack(): void {
		for (const row of this.#ready.splice(this.#at))
			this.#end(row, { state: "not-sent", reason: `stopped before it left: ${this.#stop?.why}` });
	}

	#halt(stop: Stop): void {
		this.#stop ??= stop;
		this.#turn();
	}

	#rest(delay: number): void {
		if (this.#timer) return;
		this.#timer = true;
		const resume = (): void => {
			this.#timer = false;
			this.#turn();
		};
		this.road.clock.sleep(Math.ceil(delay)).then(resume, resume);
	}

	/** Starts a durable step in parallel with the sending, never two at a time. */
	#step(): void {
		if (this.#stepping || this.#failure !== undefined) return;
		const rows = {
			waiting: this.#waiting,
			flying: this.#flying,
			ended: this.#ended.length,
			width: this.#concurrency.width,
			resting: this.#concurrency.delay(this.road.clock.monotonic()) > 0,
		};
		const marks = this.#exhausted || this.#stop !== undefined ? 0 : this.#steps.marks(rows, this.#left);
		const next = this.#steps.next(rows, marks);
		if (next === "none") return;
		if (next === "soon" && !this.#lingered) {
			this.#linger();
			return;
		}
		this.#stepping = true;
		this.#lingered = false;
		const ended = this.#ended;
		this.#ended = [];
		const started = this.road.clock.monotonic();
		this.#steps.begin(started);
		void this.#advance(ended, marks).then(() => {
			this.#steps.end(this.road.clock.monotonic() - started);
			this.#stepping = false;
			this.#turn();
		});
	}

	/** Waits briefly, so that a fast service's outcomes share a step while a slow one's are recorded soon. */
	#linger(): void {
		if (this.#lingering) return;
		this.#lingering = true;
		const resume = (): void => {
			this.#lingering = false;
			this.#lingered = this.#ended.length > 0;
			this.#turn();
		};
		this.road.clock.sleep(shareDelay).then(resume, resume);
	}

	async #advance(ended: RowOutcome[], marks: number): Promise<void> {
		try {
			const begun = await this.road.advance(this.batch, ended, marks);
			if (marks > 0 && begun.length === 0) this.#exhausted = true;
			this.#left -= begun.length;
			if (this.#left === 0 && !this.#exhausted) {
				this.#exhausted = true;
				this.#enough = true;
			}
			this.#ready = this.#ready.length === this.#at ? begun : [...this.#ready.slice(this.#at), ...begun];
			this.#at = 0;
		} catch (error) {
			await this.#recordAlone(ended, error);
		}
	}

	/** Retries once with the outcomes alone: they must not be lost because rows could not be marked in the same step. */
	async #recordAlone(ended: RowOutcome[], error: unknown): Promise<void> {
		this.#stop ??= stopBy(error);
		try {
			await this.road.advance(this.batch, ended, 0);
		} catch {
			this.#failure = error;
			this.#ended = [...ended, ...this.#ended];
		}
	}
}
