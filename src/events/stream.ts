/**
 * What `events listen` and `events follow` share: events are stored, written to standard output in that order with what the service says of
 * them, once each, and handed on, until it is over.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Context } from "../context.js";
import type { Confirmed, Inbox, Notice, ServiceEvent } from "../ports/events.js";
import { Confirming } from "./confirm.js";
import { type HandedOn, HandingOn, type Hook } from "./hooks.js";
import { calledIn, eventCells, eventLine } from "./line.js";

/** Milliseconds that a line waits for what the service says; then it is written without. */
const patience = 5_000;
/** Most events that wait to be written. */
const mostWaiting = 1_000;
/** Most events that an answer in one piece lists; the newest. */
const mostListed = 1_000;

export interface StreamOptions {
	/** Names, or their beginnings with `*` at the end. Any of them; every type where there are none. */
	types?: readonly string[];
	/** Milliseconds. */
	time?: number;
	hooks: readonly Hook[];
}

/** Why it ended; `unread` where nobody reads its output any more. */
type End = "time" | "stopped" | "unread";

export interface Streamed {
	end: End;
	received: number;
	hooks: HandedOn;
	/** Empty where they were written as they came. */
	events: ServiceEvent[];
}

export class EventStream {
	/** Those that were not written as they came. */
	readonly #listed: ServiceEvent[] = [];
	readonly #confirming: Confirming;
	readonly #handing: HandingOn;
	#waiting = 0;
	#received = 0;
	/** The line before. */
	#last: Promise<void> = Promise.resolve();
	#end: End | undefined;
	/** Resolves with the end; rejects where a line cannot be written or its event not stored. */
	readonly #over: Promise<void>;
	#settle: () => void = () => {};
	#fail: (error: unknown) => void = () => {};

	constructor(
		private readonly context: Context,
		private readonly inbox: Inbox,
		private readonly options: StreamOptions,
	) {
		this.#confirming = new Confirming(context);
		this.#handing = new HandingOn(context, inbox, options.hooks, this.#confirming);
		this.#over = new Promise((resolve, reject) => {
			this.#settle = resolve;
			this.#fail = reject;
		});
		this.#over.catch(() => {});
	}

	get isOver(): boolean {
		return this.#end !== undefined;
	}

	/** Whether nothing may be brought now: it is over, or too much waits to be written. */
	get isFull(): boolean {
		return this.isOver || this.#waiting >= mostWaiting;
	}

	/** Waits until everything is written. @returns whether more may be brought */
	async hasRoom(): Promise<boolean> {
		await this.#last;
		return !this.isFull;
	}

	/**
	 * Stores a notice, with the hooks that it is due for. Resolves once that is durable.
	 * @param confirmed what our own read said, where the source is one
	 * @returns whether it is new: a repeat is not written
	 */
	async receive(notice: Notice, confirmed?: Confirmed): Promise<boolean> {
		const wanted = isWanted(notice.change.type, this.options.types) && !this.isOver;
		const { isNew, event } = await this.inbox.receive(notice, wanted ? this.#handing.ids : []);
		if (confirmed !== undefined) await this.inbox.confirm(event.id, confirmed);
		if (isNew && wanted) this.#add({ ...event, confirmed: confirmed ?? event.confirmed });
		return isNew;
	}

	/**
	 * Resolves when the time is over, or Ctrl-C was pressed.
	 * @param broken rejects where what brings events does not work any more
	 */
	async run(broken: Promise<never> = new Promise(() => {})): Promise<void> {
		const { signal, clock } = this.context;
		const stop = (): void => this.#stop("stopped");
		signal.addEventListener("abort", stop, { once: true });
		if (signal.aborted) stop();
		const { time } = this.options;
		if (time !== undefined)
			void clock.sleep(time).then(
				() => this.#stop("time"),
				() => {},
			);
		await Promise.race([this.#over, broken, this.#handing.start()]);
	}

	/** Writes what waits, hands on what is due, and says how it ended. */
	async finish(): Promise<Streamed> {
		this.#stop("stopped");
		await this.#last;
		const hooks = await this.#handing.finish();
		this.#confirming.end();
		return { end: this.#end as End, received: this.#received, hooks, events: this.#listed };
	}

	#stop(end: End): void {
		this.#end ??= end;
		this.#settle();
	}

	#add(event: ServiceEvent): void {
		const written = { ...event };
		const asked = event.confirmed === null ? this.#ask(written) : Promise.resolve();
		asked.catch((error: unknown) => this.#fail(error));
		this.#waiting += 1;
		this.#last = this.#last.then(() => this.#write(written, asked)).catch((error: unknown) => this.#fail(error));
		this.#handing.wake();
	}

	async #ask(event: ServiceEvent): Promise<void> {
		const confirmed = await this.#confirming.of(event.subject);
		if (confirmed !== null) await this.inbox.confirm(event.id, confirmed);
		event.confirmed = confirmed;
	}

	async #write(event: ServiceEvent, asked: Promise<void>): Promise<void> {
		const { report, system } = this.context;
		// No longer than that, and not at the end.
		const timer = new AbortController();
		const late = pause(patience, undefined, { signal: timer.signal }).catch(() => {});
		await Promise.race([asked, this.#over, late]).finally(() => timer.abort());
		const whole = { ...event };
		this.#received += 1;
		this.#waiting -= 1;
		// What was read of the record told its name.
		if (system.terminal.stdout.isTerminal) await this.context.names.of(whole.confirmed === null ? [] : calledIn([whole]));
		let isShown = false;
		const isRead = await report.record(() => {
			isShown = true;
			return whole;
		});
		if (!isShown)
			await report.part(whole, (one, style) => {
				isShown = true;
				return system.terminal.stdout.isTerminal ? eventLine(one, style) : eventCells(one).join("\t");
			});
		if (!isShown) this.#listed.push(whole);
		if (this.#listed.length > mostListed) this.#listed.shift();
		if (!isRead || system.terminal.stdout.isClosed?.() === true) this.#stop("unread");
	}
}

export const isWanted = (type: string, types: readonly string[] = []): boolean =>
	types.length === 0 || types.some((one) => (one.endsWith("*") ? type.startsWith(one.slice(0, -1)) : type === one));
