/**
 * Sends a batch. Each durable step records the outcomes of rows and marks the next group as being sent; steps run in parallel with the
 * sending. A crash leaves in doubt the marked rows without a recorded outcome, at most `open` of them.
 */
import type { Batches, MarkedRow, RowOutcome } from "../../../ports/batches.js";
import type { JournalOutcome } from "../../../ports/intent.js";
import type { Clock } from "../../../ports/machine.js";
import type { Arrived } from "../../../ports/service.js";
import { Concurrency, interrupted, type Pause, type SendLimits, Steps, type Stop, StopRules, stopBy } from "./pace.js";

/** Nothing is sent before `until`, RFC 3339 UTC by this machine's clock; why, in words. */
export interface Paused {
	until: string;
	why: string;
}

export interface SendTools {
	advance: Batches["advance"];
	send(row: MarkedRow): Promise<Arrived>;
	clock: Pick<Clock, "now" | "monotonic" | "sleep">;
	signal: AbortSignal;
	/** Called with each outcome. Resolves false if nobody reads the output any more; sending then stops. */
	arrived?(row: MarkedRow, arrived: Pick<Arrived, "outcome" | "status" | "renewed">): Promise<boolean>;
	/** Called at the start of a pause, and again where it becomes longer. */
	paused?(pause: Paused): void;
}

export interface SendResult {
	/** Absent if no row was left. */
	stop?: Stop;
	/** Rows whose outcome could not be recorded; the journal treats them as in doubt. */
	unrecorded: number;
	failure?: unknown;
}

/** Most milliseconds that an outcome waits for others to share its step. */
const shareDelay = 3;
/** Milliseconds from which a pause is announced, and no row stays marked meanwhile: a crash in it must leave none in doubt. */
const realPause = 2_000;

/** Sends the rows that {@link SendTools.advance} returns until none is left or a rule stops it; rows in flight are awaited. */
export function sendBatch(batch: string, tools: SendTools, limits: SendLimits, concurrency = new Concurrency(limits)): Promise<SendResult> {
	return new Promise((resolve) => new Sending(batch, tools, limits, concurrency, resolve).start());
}

class Sending {
	readonly #steps: Steps;
	readonly #rules = new StopRules();
	#ready: MarkedRow[] = [];
	#at = 0;
	#flying = 0;
	#ended: RowOutcome[] = [];
	#stepping = false;
	#exhausted = false;
	#stop: Stop | undefined;
	#left: number;
	#failure: unknown;
	#enough = false;
	#timer = false;
	/** What no step could record was given to the journal a last time. */
	#isLast = false;
	/** End of the pause that was announced last, in monotonic milliseconds. */
	#announced = 0;
	#over = false;
	#lingered = false;
	#lingering = false;

	constructor(
		private readonly batch: string,
		private readonly tools: SendTools,
		limits: SendLimits,
		private readonly concurrency: Concurrency,
		private readonly resolve: (sent: SendResult) => void,
	) {
		this.#steps = new Steps(limits);
		this.#left = limits.stopAfter ?? Infinity;
	}

	start(): void {
		const halt = (): void => this.#halt(interrupted);
		if (this.tools.signal.aborted) halt();
		else this.tools.signal.addEventListener("abort", halt, { once: true });
		this.#turn();
	}

	get #waiting(): number {
		return this.#ready.length - this.#at;
	}

	#turn(): void {
		if (this.#over) return;
		const pause = this.#pauseLeft;
		if (this.#stop !== undefined || pause > 0) this.#giveBack();
		if (pause > 0) this.#rest(pause);
		this.#launch();
		this.#step();
		if (this.#flying > 0 || this.#stepping || this.#waiting > 0 || pause > 0) return;
		if (this.#ended.length > 0 && this.#failure === undefined) return;
		if (!this.#exhausted && this.#stop === undefined) return;
		if (this.#ended.length > 0 && !this.#isLast) {
			this.#recordLast();
			return;
		}
		this.#over = true;
		if (this.#enough) this.#stop ??= { code: "STOP_AFTER", why: "the requested number of rows was sent" };
		this.resolve({ stop: this.#stop, unrecorded: this.#ended.length, failure: this.#failure });
	}

	/** Milliseconds of a real pause that are left. */
	get #pauseLeft(): number {
		const delay = this.#stop === undefined ? this.concurrency.delay(this.tools.clock.monotonic()) : 0;
		return delay >= realPause ? delay : 0;
	}

	#launch(): void {
		while (this.#waiting > 0 && this.#flying < this.concurrency.width) {
			const delay = this.concurrency.delay(this.tools.clock.monotonic());
			if (delay > 0) {
				this.#rest(delay);
				return;
			}
			this.#fly(this.#ready[this.#at++] as MarkedRow);
		}
		if (this.#waiting === 0 && this.#at > 0) {
			this.#ready = [];
			this.#at = 0;
		}
	}

	#fly(row: MarkedRow): void {
		this.#flying += 1;
		void this.tools.send(row).then((arrived) => {
			this.#flying -= 1;
			this.#steps.answered();
			// Nothing of it left, and that says nothing about the service.
			const pause = arrived.tooOld ? undefined : this.concurrency.answered(this.tools.clock.monotonic(), arrived);
			const stop = pause?.isTooLong ? this.#tooLong(pause, arrived) : undefined;
			if (arrived.tooOld) this.#again(row, arrived.outcome);
			else this.#end(row, arrived);
			if (pause !== undefined && stop === undefined) this.#pause(pause, arrived);
			const halt = stop ?? (arrived.tooOld ? undefined : this.#rules.after(arrived, pause));
			if (halt !== undefined) this.#halt(halt);
			else this.#turn();
		});
	}

	#end(row: MarkedRow, arrived: Pick<Arrived, "outcome">): void {
		this.#ended.push({ number: row.number, outcome: arrived.outcome });
		void this.tools.arrived?.(row, arrived).then((isOutputOpen) => {
			if (!isOutputOpen) this.#halt({ code: "OUTPUT_CLOSED", why: "its output was closed" });
		});
	}

	/** Ends a row that was not sent and is to be after the pause. */
	#again({ number }: MarkedRow, outcome: JournalOutcome): void {
		this.#ended.push({ number, outcome, again: true });
		this.#left += 1;
		[this.#exhausted, this.#enough] = [false, false];
	}

	/** Ends marked rows that are not sent now as not sent, so that a crash leaves no doubt about them. */
	#giveBack(): void {
		for (const row of this.#ready.splice(this.#at))
			if (this.#stop === undefined) this.#again(row, { state: "not-sent", reason: "paused before it left" });
			else this.#end(row, { outcome: { state: "not-sent", reason: `stopped before it left: ${this.#stop.why}` } });
	}

	/** Announces a pause at its start, and again where it becomes longer. */
	#pause({ until }: Pause, arrived: Arrived): void {
		if (this.#pauseLeft === 0 || until < this.#announced + realPause) return;
		this.#announced = until;
		this.tools.paused?.({ until: this.#momentOf(until), why: pauseReason(arrived) });
	}

	#tooLong({ until }: Pause, arrived: Arrived): Stop {
		const moment = this.#momentOf(until);
		const asks = arrived.wait === undefined ? "and has taken nothing since, after several pauses" : `and asks to wait until ${moment}`;
		return { code: "SERVICE_BUSY", why: `${pauseReason(arrived)} ${asks}`, until: moment };
	}

	/** RFC 3339 UTC. */
	#momentOf(monotonic: number): string {
		const { clock } = this.tools;
		return new Date(clock.now().getTime() + monotonic - clock.monotonic()).toISOString();
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
		this.tools.clock.sleep(Math.ceil(delay)).then(resume, resume);
	}

	/** Starts a durable step in parallel with the sending, never two at a time. */
	#step(): void {
		if (this.#stepping || this.#failure !== undefined) return;
		const rows = {
			waiting: this.#waiting,
			flying: this.#flying,
			ended: this.#ended.length,
			width: this.concurrency.width,
			resting: this.concurrency.delay(this.tools.clock.monotonic()) > 0,
		};
		const marks = this.#exhausted || this.#stop !== undefined || this.#pauseLeft > 0 ? 0 : this.#steps.marks(rows, this.#left);
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
		const started = this.tools.clock.monotonic();
		this.#steps.begin(started);
		void this.#advance(ended, marks).then(() => {
			this.#steps.end(this.tools.clock.monotonic() - started);
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
		this.tools.clock.sleep(shareDelay).then(resume, resume);
	}

	async #advance(ended: RowOutcome[], marks: number): Promise<void> {
		try {
			const begun = await this.tools.advance(this.batch, ended, marks);
			const isToCome = [...ended, ...this.#ended].some(({ again }) => again);
			if (marks > 0 && begun.length === 0 && !isToCome) this.#exhausted = true;
			this.#left -= begun.length;
			if (this.#left === 0 && !this.#exhausted) {
				this.#exhausted = true;
				this.#enough = true;
			}
			this.#ready = this.#ready.length === this.#at ? begun : [...this.#ready.slice(this.#at), ...begun];
			this.#at = 0;
		} catch (error) {
			this.#stop ??= stopBy(error);
			await this.#recordAlone(ended);
		}
	}

	/** What ended after a step had failed is recorded at the end, once: a team's machine keeps it, and a disk may have room again. */
	#recordLast(): void {
		this.#isLast = true;
		this.#stepping = true;
		const ended = this.#ended;
		this.#ended = [];
		void this.#recordAlone(ended).then(() => {
			this.#stepping = false;
			this.#turn();
		});
	}

	/** Retries once with the outcomes alone: they must not be lost because rows could not be marked in the same step. */
	async #recordAlone(ended: RowOutcome[]): Promise<void> {
		try {
			await this.tools.advance(this.batch, ended, 0);
		} catch (error) {
			this.#failure = error;
			this.#ended = [...ended, ...this.#ended];
		}
	}
}

const pauseReason = ({ status }: Arrived): string =>
	`the service answered ${status === 429 ? "429 (too many requests)" : "503 (unavailable)"}`;
