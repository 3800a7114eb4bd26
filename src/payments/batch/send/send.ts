/**
 * Sending a batch: rows are marked as being sent a group at a time, in the same durable step that records what became of those
 * before, and that step runs beside the sending. A crash leaves in doubt what was marked and has no recorded end, at most `open` rows.
 */
import type { Batches, MarkedRow, RowOutcome } from "../../../ports/batches.js";
import type { JournalOutcome } from "../../../ports/intent.js";
import type { Clock } from "../../../ports/machine.js";
import type { Arrived } from "../../../ports/service.js";
import { Concurrency, type ConcurrencyLimits } from "./concurrency.js";
import { type StepLimits, Steps } from "./steps.js";
import { type Stop, StopRules, stopBy } from "./stop.js";

/** What sending needs of the outside. */
export interface Road {
	advance: Batches["advance"];
	/** Sends one row that is marked, once. Never rejects. */
	send(row: MarkedRow): Promise<Arrived>;
	clock: Pick<Clock, "monotonic" | "sleep">;
	signal: AbortSignal;
	/** Told of each row that came back. False: whoever wanted to know is gone, and nothing new starts. */
	arrived?(row: MarkedRow, outcome: JournalOutcome): Promise<boolean>;
}

export interface SendLimits extends ConcurrencyLimits, StepLimits {
	/** No more rows than this are sent in this run. */
	stopAfter?: number;
}

/** How sending ended. */
export interface SendResult {
	/** Absent where no row was left. */
	stop?: Stop;
	/** Rows that could not be recorded: the journal knows them as being sent, and so in doubt. */
	unrecorded: number;
	/** Why they could not. */
	failure?: unknown;
}

/** Milliseconds that an end waits at most for others to share its step. */
const patience = 3;

/** Sends what {@link Road.advance} gives until nothing is left or a rule stops it; what is on its way is awaited. */
export function sendBatch(batch: string, road: Road, limits: SendLimits): Promise<SendResult> {
	return new Promise((resolve) => new Sending(batch, road, limits, resolve).start());
}

class Sending {
	readonly #concurrency: Concurrency;
	readonly #steps: Steps;
	readonly #rules = new StopRules();
	/** Marked, and waiting for their turn. */
	#ready: MarkedRow[] = [];
	/** Next of {@link #ready}. */
	#at = 0;
	#flying = 0;
	#ended: RowOutcome[] = [];
	#stepping = false;
	#exhausted = false;
	#stop: Stop | undefined;
	#left: number;
	#failure: unknown;
	/** As many as were asked for. */
	#enough = false;
	#timer = false;
	#over = false;
	/** Ends have waited long enough. */
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

	/** Does what can be done now. Everything that happens ends here. */
	#turn(): void {
		if (this.#over) return;
		this.#launch();
		this.#step();
		if (this.#flying > 0 || this.#stepping || this.#waiting > 0 || this.#timer) return;
		if (this.#ended.length > 0 && this.#failure === undefined) return;
		if (!this.#exhausted && this.#stop === undefined) return;
		this.#over = true;
		if (this.#enough) this.#stop ??= { code: "STOP_AFTER", why: "as many rows as were asked for were sent" };
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
			this.#concurrency.arrive(this.road.clock.monotonic(), { status, took, wait });
			this.#end(row, outcome);
			const stop = this.#rules.after(outcome, status);
			if (stop !== undefined) this.#halt(stop);
			else this.#turn();
		});
	}

	#end(row: MarkedRow, outcome: JournalOutcome): void {
		this.#ended.push({ number: row.number, outcome });
		void this.road.arrived?.(row, outcome).then((heard) => {
			if (!heard) this.#halt({ code: "OUTPUT_CLOSED", why: "nobody reads its output any more" });
		});
	}

	/** Marked rows that will not leave any more: that is certain, so they are no doubts. */
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
		const again = (): void => {
			this.#timer = false;
			this.#turn();
		};
		this.road.clock.sleep(Math.ceil(delay)).then(again, again);
	}

	/** One durable step, beside the sending: never two at a time. */
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

	/** Ends of a slow service are recorded soon, those of a fast one together. */
	#linger(): void {
		if (this.#lingering) return;
		this.#lingering = true;
		const again = (): void => {
			this.#lingering = false;
			this.#lingered = this.#ended.length > 0;
			this.#turn();
		};
		this.road.clock.sleep(patience).then(again, again);
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

	/** What became of rows must not be lost to what was asked with it: once more, alone. */
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
