/**
 * What `events listen` and `events follow` share: which events are told, with what the service says of them, and when that is enough.
 */
import type { Context } from "../../context.js";
import { isWanted, type Wanted } from "../../events/filter.js";
import type { Confirmed, Heard, Inbox, ServiceEvent } from "../../ports/events.js";
import { Awaited } from "./event-awaited.js";
import type { Confirming } from "./event-confirm.js";
import type { HandedOn, HandingOn } from "./event-hooks.js";
import { abandoned, Lines } from "./event-lines.js";

/** Milliseconds between two signs that this process listens. */
const heartbeat = 10_000;

export interface StreamOptions extends Wanted {
	/** Most events to tell. */
	max?: number;
	/** Milliseconds. */
	time?: number;
	/** The id of the record whose final status ends it. */
	until?: string;
}

/** Why it ended; `unread` where nobody reads its output any more. */
type End = "max" | "until" | "time" | "stopped" | "unread";

export interface Streamed {
	end: End;
	/** How many events were told. */
	told: number;
	until: { id: string; status: string | null; ending: "good" | "bad" | null } | null;
	hooks: HandedOn;
	/** Empty where they were written as they came. */
	events: ServiceEvent[];
}

export class EventStream {
	readonly #context: Context;
	readonly #inbox: Inbox;
	readonly #options: StreamOptions;
	readonly #handing: HandingOn;
	readonly #confirming: Confirming | undefined;
	readonly #awaited: Awaited | undefined;
	readonly #lines: Lines;
	readonly #enough: Promise<void>;
	#accepted = 0;
	#end: End | undefined;
	#settle: () => void = () => {};

	/** @param beside `confirming` asks the service about each event; without it nothing is asked */
	constructor(context: Context, inbox: Inbox, options: StreamOptions, beside: { handing: HandingOn; confirming?: Confirming }) {
		this.#context = context;
		this.#inbox = inbox;
		this.#options = options;
		this.#handing = beside.handing;
		this.#confirming = beside.confirming;
		this.#awaited = options.until === undefined ? undefined : new Awaited(context, options.until, beside.confirming);
		this.#lines = new Lines(context, inbox, beside.confirming !== undefined, (isRead) => {
			if (!isRead) this.#stop("unread");
			if (this.#lines.told === options.max) this.#stop("max");
		});
		this.#enough = new Promise((resolve) => {
			this.#settle = resolve;
		});
	}

	/** Whether nothing may be brought now: it has ended, or too much waits to be told. */
	get isFull(): boolean {
		return this.hasEnough || this.#lines.isFull;
	}

	/** Whether nothing is taken any more, however long one waits. */
	get hasEnough(): boolean {
		return this.#end !== undefined || this.#isBeyondMost();
	}

	get isOver(): boolean {
		return this.#end !== undefined;
	}

	/** Waits where too much waits to be told. @returns false where nothing more may be brought */
	async hasRoom(): Promise<boolean> {
		if (this.#lines.isFull) await this.#lines.before;
		return !this.isFull;
	}

	/** Tells an event that was stored before, where it is wanted. */
	async tell(event: ServiceEvent): Promise<void> {
		if (isWanted(event, this.#options) && this.#mayTellMore()) await this.#lines.add(event);
	}

	/**
	 * Stores what was heard, with the hooks that it is due for. Resolves once that is durable and, where the service is not asked, told.
	 * @param confirmed what our own read said, where the source is one
	 * @returns whether it is new: a repeat is not told
	 */
	async hear(heard: Heard, confirmed?: Confirmed): Promise<boolean> {
		const wanted = isWanted(heard.said, this.#options) && !this.#isBeyondMost();
		// Before it is stored, so that many at once are not more than the most.
		if (wanted) this.#accepted += 1;
		let isNew = false;
		try {
			const stored = await this.#inbox.receive(heard, wanted ? [...this.#handing.ids, this.#lines.output] : []);
			isNew = stored.isNew || (wanted && (await this.#lines.isUntold(stored.event.id)));
			if (confirmed !== undefined) await this.#inbox.confirm(stored.event.id, confirmed);
			if (isNew) await this.#take({ ...stored.event, confirmed: confirmed ?? stored.event.confirmed }, wanted);
			return isNew;
		} finally {
			if (wanted && !isNew) this.#accepted -= 1;
		}
	}

	/**
	 * Resolves when it is enough, or Ctrl-C was pressed.
	 * @param broken rejects where what brings events does not work any more
	 * @throws PurserError where the record that is waited for cannot be asked for
	 */
	async run(broken: Promise<never> = new Promise(() => {})): Promise<void> {
		const { signal } = this.#context;
		const stop = (): void => this.#stop("stopped");
		signal.addEventListener("abort", stop, { once: true });
		if (signal.aborted) stop();
		void this.#afterTime().catch(() => {});
		const isOver = (): boolean => this.#end !== undefined;
		const watched = (this.#awaited?.watch(isOver) ?? Promise.resolve()).then(() => {
			this.#endWithAwaited();
			return this.#enough;
		});
		const beating = this.#again(heartbeat, () => this.#inbox.beat());
		const left = this.#confirming && this.#again(abandoned, () => this.#lines.tellAbandoned(this.#options, () => this.#mayTellMore()));
		await Promise.race([this.#enough, watched, broken, this.#handing.start(), beating, ...(left === undefined ? [] : [left])]);
	}

	/** Tells what waits, hands on what is due, and says how it ended. */
	async finish(): Promise<Streamed> {
		this.#stop("stopped");
		this.#confirming?.forget();
		await this.#lines.finish();
		const hooks = await this.#handing.finish();
		await this.#inbox.rest();
		const awaited = this.#awaited;
		return {
			end: this.#end as End,
			told: this.#lines.told,
			until: awaited === undefined ? null : { id: awaited.id, status: awaited.status, ending: awaited.ending ?? null },
			hooks,
			events: this.#lines.listed,
		};
	}

	#isBeyondMost(): boolean {
		const { max } = this.#options;
		return max !== undefined && this.#accepted >= max;
	}

	#mayTellMore(): boolean {
		if (this.isFull) return false;
		this.#accepted += 1;
		return true;
	}

	#stop(end: End): void {
		this.#end ??= end;
		this.#settle();
	}

	async #take(event: ServiceEvent, wanted: boolean): Promise<void> {
		const isAwaited = this.#awaited?.isSubjectOf(event) === true;
		const asked = this.#confirming !== undefined && (wanted || isAwaited) ? this.#ask(event, this.#confirming) : undefined;
		const told = wanted ? this.#lines.add(event, asked) : undefined;
		if (wanted) this.#handing.wake();
		// Its own line comes first.
		if (isAwaited) void this.#awaited?.heard(event, asked).then(() => this.#lines.before.then(() => this.#endWithAwaited()));
		if (asked === undefined) await told;
		else told?.catch(() => {});
	}

	async #ask(event: ServiceEvent, confirming: Confirming): Promise<Confirmed | null> {
		if (event.confirmed !== null) return event.confirmed;
		const confirmed = await confirming.of(event.subject);
		if (confirmed !== null) await this.#inbox.confirm(event.id, confirmed);
		return confirmed;
	}

	#endWithAwaited(): void {
		if (this.#awaited?.ending !== undefined) this.#stop("until");
	}

	async #afterTime(): Promise<void> {
		const { time } = this.#options;
		if (time === undefined) return;
		await this.#context.clock.sleep(time);
		if (this.#end === undefined) await this.#awaited?.look((asked) => this.#lines.soon(asked));
		this.#endWithAwaited();
		this.#stop("time");
	}

	/** Until the end, and then it does not resolve. */
	async #again(pause: number, act: () => Promise<void>): Promise<never> {
		while (this.#end === undefined) {
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
