/**
 * Decides, while a batch is sent: how many transfers are in flight (few at the start, one more after each good answer, half as many when the
 * service reports overload or does not answer, and from then on one more after each good round), when a durable step is made and how many rows it marks (as many as are sent during two
 * steps, so that sending never waits for the disk, and no more, because a crash leaves marked rows in doubt), and when the batch stops by
 * itself: rows in flight are then awaited and no new ones are sent. Pure.
 */
import { PurserError } from "../../../errors.js";
import type { Arrived } from "../../../ports/service.js";

export interface SendLimits {
	jobs: number;
	/** Most marked rows without a recorded outcome, which a crash would leave in doubt. */
	open: number;
	stopAfter?: number;
}

export interface Pause {
	/** Nothing is sent before; monotonic milliseconds. */
	until: number;
	/** It was not asked for before by what was in flight together. */
	isNew: boolean;
	isTooLong: boolean;
}

const start = 4;
/** The first pause in milliseconds after a 429 or 503 without Retry-After; doubled each consecutive time. */
const firstPause = 500;
/** The longest pause of our own in milliseconds. */
const longestPause = 60_000;
/** Milliseconds that pauses may last together until the service takes something again. */
const longestWait = 5 * 60_000;

export class Concurrency {
	#width: number;
	#well = 0;
	#cooling = 0;
	/** It was halved once: from then on it grows more slowly. */
	#isCareful = false;
	#pauses = 0;
	/** When the first and the last of these pauses began. */
	#pausedSince: number | undefined;
	#pausedAt = -Infinity;
	#restUntil = 0;

	constructor(private readonly limits: Pick<SendLimits, "jobs">) {
		this.#width = Math.min(start, limits.jobs);
	}

	get width(): number {
		return this.#width;
	}

	/** Milliseconds until the next may be sent; 0: now. @param now monotonic milliseconds */
	delay(now: number): number {
		return Math.max(0, this.#restUntil - now);
	}

	/** Records that one was answered. */
	answered(now: number, { status, took, wait }: { status?: number; took: number; wait?: number }): Pause | undefined {
		this.#cooling -= 1;
		if (status === 429 || status === 503) return this.#pause(now, now - took, wait);
		if (status === undefined) {
			this.#halve();
			return undefined;
		}
		this.#pauses = 0;
		this.#pausedSince = undefined;
		this.#well += 1;
		if (this.#isCareful && this.#well < this.#width) return undefined;
		this.#well = 0;
		this.#width = Math.min(this.limits.jobs, this.#width + 1);
		return undefined;
	}

	#pause(now: number, sent: number, wait: number | undefined): Pause {
		// What was in flight when a pause was asked for belongs to that pause.
		const isNew = sent >= this.#pausedAt;
		if (isNew) [this.#pauses, this.#pausedAt] = [this.#pauses + 1, now];
		this.#halve();
		const pause = wait ?? Math.min(longestPause, firstPause * 2 ** Math.max(0, this.#pauses - 1));
		this.#pausedSince ??= now;
		this.#restUntil = Math.max(this.#restUntil, now + pause);
		return { until: this.#restUntil, isNew, isTooLong: this.#restUntil - this.#pausedSince > longestWait };
	}

	#halve(): void {
		if (this.#cooling > 0) return;
		this.#isCareful = true;
		this.#cooling = this.#width;
		this.#well = 0;
		this.#width = Math.max(1, Math.floor(this.#width / 2));
	}
}

export interface Rows {
	/** Marked and not sent yet. */
	waiting: number;
	flying: number;
	ended: number;
	width: number;
	/** Whether none may be sent now. */
	resting: boolean;
}

/**
 * Most rows that one durable step marks, unless half of the rows that may be open is more: one half is in flight while the other is marked.
 * On a slow disk this determines the throughput (`npm run bench:batch`).
 */
const largestGroup = 48;
const worthwhile = 24;
/** Outcomes that are recorded without waiting for more. */
const enoughEnds = 32;
/** The weight of a new measurement in a running mean. */
const weight = 0.2;

export class Steps {
	/** Mean duration of a step in milliseconds, and mean number of answers per millisecond. */
	#time = 2;
	#flow = 0;
	/** Rows answered since the last step began. */
	#back = 0;
	#lastBegan: number | undefined;

	constructor(private readonly limits: Pick<SendLimits, "open">) {}

	answered(): void {
		this.#back += 1;
	}

	/** Records that a step begins. @param now monotonic milliseconds */
	begin(now: number): void {
		if (this.#lastBegan !== undefined && now > this.#lastBegan) this.#flow += weight * (this.#back / (now - this.#lastBegan) - this.#flow);
		this.#lastBegan = now;
		this.#back = 0;
	}

	/** Records that the step is durable. @param took milliseconds */
	end(took: number): void {
		this.#time += weight * (took - this.#time);
	}

	/** How many rows the next step marks. @param left rows that this run may still mark */
	marks({ waiting, flying, width, resting }: Rows, left: number): number {
		const free = Math.min(this.#largest, this.limits.open - waiting - flying, left);
		if (this.#fast) return Math.max(0, free);
		// During a pause, do not mark rows just because fewer are in flight: a crash would leave them in doubt.
		const places = resting ? 0 : width - flying;
		return Math.max(0, Math.min(free, places + Math.max(1, this.#ahead) - waiting));
	}

	/** Whether to make a step that marks so many rows `now`, `soon` (after waiting for more outcomes), or not at all. */
	next({ waiting, flying, ended }: Rows, marks: number): "now" | "soon" | "none" {
		const needed = marks > 0 && (this.#fast ? marks >= worthwhile || waiting <= flying : waiting <= this.#ahead / 2);
		if (needed) return "now";
		if (ended === 0) return "none";
		return waiting + flying === 0 || ended >= enoughEnds ? "now" : "soon";
	}

	get #largest(): number {
		return Math.max(largestGroup, Math.floor(this.limits.open / 2));
	}

	get #ahead(): number {
		return Math.ceil(2 * this.#flow * this.#time);
	}

	/** Whether so many rows are sent during a step that steps must follow each other without a pause. */
	get #fast(): boolean {
		return this.#ahead >= worthwhile;
	}
}

export interface Stop {
	code: string;
	why: string;
	/** When to go on, where the service says so; RFC 3339 UTC. */
	until?: string;
}

export const interrupted: Stop = { code: "INTERRUPTED", why: "it was interrupted" };

/** Most consecutive doubts, and most consecutive rows that could not be sent. */
const [maxDoubts, maxUnsent] = [5, 5];
/** Stop if this many first answers are all refusals. */
const firstAnswers = 20;

/**
 * Whether a row was refused for the moment: it is sent again at the end of the run, once nothing of it is listed.
 */
export function isForNow({ outcome, status, renewed }: Pick<Arrived, "outcome" | "status" | "renewed">): boolean {
	return outcome.state === "refused" && (status === 429 || renewed === true);
}

export class StopRules {
	#doubts = 0;
	#unsent = 0;
	#answers = 0;
	#accepted = 0;

	/** @param pause that it asked for: what was in flight together counts as one doubt */
	after(arrived: Arrived, pause: Pause | undefined): Stop | undefined {
		const { state } = arrived.outcome;
		if (isForNow(arrived)) return undefined;
		this.#answers += 1;
		if (pause?.isNew !== false) this.#doubts = state === "in-doubt" ? this.#doubts + 1 : 0;
		this.#unsent = state === "not-sent" ? this.#unsent + 1 : 0;
		if (state === "accepted") this.#accepted += 1;
		return this.#verdict(arrived);
	}

	#verdict({ outcome, status }: Arrived): Stop | undefined {
		if (this.#doubts >= maxDoubts)
			return { code: "DOUBTS", why: `${this.#doubts} payments in a row are in doubt: the service or the connection to it has a problem` };
		if (this.#unsent >= maxUnsent && outcome.state === "not-sent")
			return { code: "UNREACHABLE", why: `the service cannot be reached (${outcome.reason})` };
		if (outcome.state !== "refused") return undefined;
		if (status === 401 || status === 403)
			return {
				code: "NOT_ALLOWED",
				why: `the service answered ${status}: the credential or a permission is missing, and every row would fail the same way (purser auth status says which credential is in use)`,
			};
		if (status === 404) return { code: "NOT_FOUND", why: "the service answered 404: the operation's address or a ledger does not exist" };
		if (this.#answers === firstAnswers && this.#accepted === 0)
			return { code: "ALL_REFUSED", why: `the first ${firstAnswers} payments were all refused: check the reasons before you send more` };
		return undefined;
	}
}

/** Why a step could not be recorded. If the rules refused it, the journal itself is fine. */
export function stopBy(error: unknown): Stop {
	if (!(error instanceof PurserError)) return { code: "JOURNAL", why: "the journal could not be written" };
	if (error.kind === "interrupted") return interrupted;
	return { code: error.kind === "guard" ? error.failure.code : "JOURNAL", why: withoutNothingSent(error.message) };
}

export function withoutNothingSent(message: string): string {
	return message.replace(/((;|, so) nothing was (sent|done)|; this one sent nothing|, and nothing is sent that is not on record)$/, "");
}
