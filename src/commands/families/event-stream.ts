/**
 * What `events listen` and `events follow` share: events are stored, told on standard output in that order with what the service says of
 * them, once each whatever becomes of this process, and handed on, until it is enough.
 */
import type { Context } from "../../context.js";
import { isWanted, type Wanted } from "../../events/filter.js";
import { eventCells, eventLine } from "../../events/line.js";
import type { Confirmed, Inbox, Notice, ServiceEvent } from "../../ports/events.js";
import type { Confirming } from "./event-confirm.js";
import type { HandedOn, HandingOn } from "./event-hooks.js";

/** Milliseconds that a line waits for what the service says; then it is told without. */
const patience = 5_000;
/** Most events that wait to be told. */
const mostUntold = 1_000;
/** Most events that an answer in one piece lists; the newest. */
const mostListed = 1_000;

/**
 * The output is due for an event as a hook is, until it has told it. What a process that was killed had stored and not told is told by
 * another one after so many milliseconds, which are more than a line waits.
 */
export const output = "output";
const abandoned = 15_000;
const betweenRescues = 5_000;

export interface StreamOptions extends Wanted {
	/** Most events to tell. */
	max?: number;
	/** Milliseconds. */
	time?: number;
}

/** Why it ended; `unread` where nobody reads its output any more. */
type End = "max" | "time" | "stopped" | "unread";

export interface Streamed {
	end: End;
	/** How many events were told. */
	told: number;
	hooks: HandedOn;
	/** Empty where they were written as they came. */
	events: ServiceEvent[];
}

export class EventStream {
	/** Those that were not written as they came. */
	readonly #listed: ServiceEvent[] = [];
	/** Waiting to be told. */
	readonly #untold = new Set<string>();
	#told = 0;
	#accepted = 0;
	/** The line before, and the mark that it was told. */
	#last: Promise<void> = Promise.resolve();
	#marked: Promise<void> = Promise.resolve();
	#end: End | undefined;
	readonly #enough: Promise<void>;
	#settle: () => void = () => {};
	readonly #hurried: Promise<null>;
	#hurry: () => void = () => {};

	/** @param confirming asks the service about each event; without it nothing is asked */
	constructor(
		private readonly context: Context,
		private readonly inbox: Inbox,
		private readonly options: StreamOptions,
		private readonly handing: HandingOn,
		private readonly confirming?: Confirming,
	) {
		this.#enough = new Promise((resolve) => {
			this.#settle = resolve;
		});
		this.#hurried = new Promise((resolve) => {
			this.#hurry = () => resolve(null);
		});
	}

	/** Whether nothing may be brought now: it has ended, or too much waits to be told. */
	get isFull(): boolean {
		return this.hasEnough || this.#untold.size >= mostUntold;
	}

	/** Whether nothing is taken any more, however long one waits. */
	get hasEnough(): boolean {
		return this.isOver || this.#isBeyondMost();
	}

	get isOver(): boolean {
		return this.#end !== undefined;
	}

	/** Waits where too much waits to be told. @returns false where nothing more may be brought */
	async hasRoom(): Promise<boolean> {
		if (this.#untold.size >= mostUntold) await this.#last;
		return !this.isFull;
	}

	/** Tells an event that was stored before, where it is wanted. @returns false where it may not be told now */
	async tell(event: ServiceEvent): Promise<boolean> {
		if (!isWanted(event, this.options)) return true;
		if (this.isFull) return false;
		this.#accepted += 1;
		await this.#add(event);
		return true;
	}

	/**
	 * Stores what was heard, with the hooks that it is due for. Resolves once that is durable and, where the service is not asked, told.
	 * @param confirmed what our own read said, where the source is one
	 * @returns whether it is new: a repeat is not told
	 */
	async hear(heard: Notice, confirmed?: Confirmed): Promise<boolean> {
		const wanted = isWanted(heard.change, this.options) && !this.#isBeyondMost();
		// Before it is stored, so that many at once are not more than the most.
		if (wanted) this.#accepted += 1;
		let isNew = false;
		try {
			const stored = await this.inbox.receive(heard, wanted ? [...this.handing.ids, output] : []);
			isNew = stored.isNew;
			if (confirmed !== undefined) await this.inbox.confirm(stored.event.id, confirmed);
			if (isNew && wanted) await this.#take({ ...stored.event, confirmed: confirmed ?? stored.event.confirmed });
			return isNew;
		} finally {
			if (wanted && !isNew) this.#accepted -= 1;
		}
	}

	/**
	 * Resolves when it is enough, or Ctrl-C was pressed.
	 * @param broken rejects where what brings events does not work any more
	 */
	async run(broken: Promise<never> = new Promise(() => {})): Promise<void> {
		const { signal } = this.context;
		const stop = (): void => this.#stop("stopped");
		signal.addEventListener("abort", stop, { once: true });
		if (signal.aborted) stop();
		const { time } = this.options;
		if (time !== undefined)
			void this.context.clock.sleep(time).then(
				() => this.#stop("time"),
				() => {},
			);
		const rescuing = this.#again(betweenRescues, () => this.#rescue());
		await Promise.race([this.#enough, broken, this.handing.start(), rescuing]);
	}

	/** Tells what waits, hands on what is due, and says how it ended. */
	async finish(): Promise<Streamed> {
		this.#stop("stopped");
		this.confirming?.forget();
		this.#hurry();
		await this.#last;
		await this.#marked;
		const hooks = await this.handing.finish();
		return { end: this.#end as End, told: this.#told, hooks, events: this.#listed };
	}

	#isBeyondMost(): boolean {
		const { max } = this.options;
		return max !== undefined && this.#accepted >= max;
	}

	#stop(end: End): void {
		this.#end ??= end;
		this.#settle();
	}

	async #take(event: ServiceEvent): Promise<void> {
		const asked = this.confirming && this.#ask(event, this.confirming);
		const told = this.#add(event, asked);
		this.handing.wake();
		if (asked === undefined) await told;
		else told.catch(() => {});
	}

	async #ask(event: ServiceEvent, confirming: Confirming): Promise<Confirmed | null> {
		if (event.confirmed !== null) return event.confirmed;
		const confirmed = await confirming.of(event.subject);
		if (confirmed !== null) await this.inbox.confirm(event.id, confirmed);
		return confirmed;
	}

	/** Tells what processes that are gone have left. */
	async #rescue(): Promise<void> {
		const before = new Date(this.context.clock.now().getTime() - abandoned).toISOString();
		for (const { event: id } of await this.inbox.hooks.due(output, before, mostUntold)) {
			if (this.#untold.has(id)) continue;
			const stored = await this.inbox.show(id);
			if (stored === undefined || !isWanted(stored.event, this.options)) await this.inbox.hooks.done(id, output);
			else if (!(await this.tell(stored.event))) return;
		}
	}

	/** @param asked what the service says of it; undefined where it is not asked. Resolves once it is told. */
	#add(event: ServiceEvent, asked?: Promise<Confirmed | null>): Promise<void> {
		const said = asked && this.#soon(asked);
		this.#untold.add(event.id);
		const written = this.#last.then(() => this.#write(event, said));
		this.#last = written.catch(() => {});
		return written;
	}

	async #write(event: ServiceEvent, said: Promise<Confirmed | null> | undefined): Promise<void> {
		const { report, system } = this.context;
		const told = said === undefined ? event : { ...event, confirmed: await said };
		this.#told += 1;
		let isShown = false;
		const isRead = await report.record(() => {
			isShown = true;
			return told;
		});
		if (!isShown)
			await report.part(told, (one, style) => {
				isShown = true;
				return system.terminal.stdout.isTerminal ? eventLine(one, style) : eventCells(one).join("\t");
			});
		if (!isShown) this.#listed.push(told);
		if (this.#listed.length > mostListed) this.#listed.shift();
		this.#untold.delete(event.id);
		this.#marked = this.inbox.hooks.done(event.id, output).catch(() => {});
		if (!isRead || system.terminal.stdout.isClosed?.() === true) this.#stop("unread");
		if (this.#told === this.options.max) this.#stop("max");
	}

	/** What the service says, where it says it soon. */
	async #soon(asked: Promise<Confirmed | null>): Promise<Confirmed | null> {
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<null>((resolve) => {
			timer = setTimeout(resolve, patience, null);
		});
		const answer = await Promise.race([asked.catch(() => null), late, this.#hurried]);
		clearTimeout(timer);
		return answer;
	}

	/** Until the end, and then it does not resolve. */
	async #again(pause: number, act: () => Promise<void>): Promise<never> {
		while (!this.isOver) {
			await act();
			let timer: NodeJS.Timeout | undefined;
			const later = new Promise<void>((resolve) => {
				timer = setTimeout(resolve, pause);
			});
			await Promise.race([this.#enough, later]);
			clearTimeout(timer);
		}
		return new Promise<never>(() => {});
	}
}
