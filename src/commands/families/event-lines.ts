/**
 * Events as they are told on standard output: in the order in which they were stored, once each, whatever becomes of this process.
 */
import type { Context } from "../../context.js";
import { isWanted, type Wanted } from "../../events/filter.js";
import { eventCells, eventLine } from "../../events/line.js";
import type { Confirmed, Inbox, ServiceEvent } from "../../ports/events.js";

/** Milliseconds that a line waits for what the service says; then it is told without. */
const patience = 5_000;

/** Most events that wait to be told. */
const mostUntold = 1_000;

/** Most events that an answer in one piece lists; the newest. */
const mostListed = 1_000;

/**
 * The output is due for an event as a hook is, until it has told it: what a process that was killed had stored and not told is told later.
 * Where the service is not asked, an event is told before its sender is answered, so it comes again where it was not told, and is told then.
 * Where it is asked, a line may wait for some seconds; another process tells it after so many milliseconds.
 */
const outputs = { atOnce: "output", onceAsked: "output-once-asked" } as const;
export const abandoned = 15_000;

export const isOutput = (hook: string): boolean => hook === outputs.atOnce || hook === outputs.onceAsked;

export class Lines {
	/** Those that were not written as they came. */
	readonly listed: ServiceEvent[] = [];
	told = 0;
	readonly #context: Context;
	readonly #inbox: Inbox;
	readonly #after: (isRead: boolean) => void;
	readonly #hurried: Promise<null>;
	/** Waiting to be told here. */
	readonly #mine = new Map<string, Promise<void>>();
	#last: Promise<void> = Promise.resolve();
	#marked: Promise<void> = Promise.resolve();
	#hurry: () => void = () => {};

	/** What the output is known by in the inbox, as a hook is. */
	readonly output: string;

	/** @param after is called after each line: whether anybody reads them */
	constructor(context: Context, inbox: Inbox, asks: boolean, after: (isRead: boolean) => void) {
		this.output = asks ? outputs.onceAsked : outputs.atOnce;
		this.#context = context;
		this.#inbox = inbox;
		this.#after = after;
		this.#hurried = new Promise((resolve) => {
			this.#hurry = () => resolve(null);
		});
	}

	get isFull(): boolean {
		return this.#mine.size >= mostUntold;
	}

	/** @param asked what the service says of it; undefined where it is not asked. Resolves once it is told. */
	add(event: ServiceEvent, asked?: Promise<Confirmed | null>): Promise<void> {
		const said = asked && this.soon(asked);
		const written = this.#last.then(() => this.#tell(event, said));
		this.#mine.set(event.id, written);
		this.#last = written.catch(() => {});
		return written;
	}

	/** Whether an event that came before was told by nobody. Waits until it is, where that is on its way here. */
	async isUntold(id: string): Promise<boolean> {
		if (this.output !== outputs.atOnce) return false;
		const mine = this.#mine.get(id);
		await mine;
		const stored = mine === undefined ? await this.#inbox.show(id) : undefined;
		return stored?.hooks.some(({ hook, state }) => hook === outputs.atOnce && state === "due") === true;
	}

	/** What is to be told before now is. */
	get before(): Promise<void> {
		return this.#last;
	}

	/** Tells what waits, without what the service has not said. */
	async finish(): Promise<void> {
		this.#hurry();
		await this.#last;
		await this.#marked;
	}

	/** What the service says, where it says it soon. */
	async soon(asked: Promise<Confirmed | null>): Promise<Confirmed | null> {
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise<null>((resolve) => {
			timer = setTimeout(resolve, patience, null);
		});
		const answer = await Promise.race([asked.catch(() => null), late, this.#hurried]);
		clearTimeout(timer);
		return answer;
	}

	/** Tells what processes that are gone have left. @param mayTell false once there is enough */
	async tellAbandoned(wanted: Wanted, mayTell: () => boolean): Promise<void> {
		const before = new Date(this.#context.clock.now().getTime() - abandoned).toISOString();
		for (const { event: id } of await this.#inbox.hooks.due(this.output, before, mostUntold)) {
			if (this.#mine.has(id)) continue;
			const stored = await this.#inbox.show(id);
			if (stored === undefined || !isWanted(stored.event, wanted)) await this.#inbox.hooks.done(id, this.output);
			else if (mayTell()) await this.add(stored.event);
		}
	}

	async #tell(event: ServiceEvent, said: Promise<Confirmed | null> | undefined): Promise<void> {
		const { reporter, terminal } = this.#context;
		const told = said === undefined ? event : { ...event, confirmed: await said };
		this.told += 1;
		let isShown = false;
		const isRead = await reporter.record(() => {
			isShown = true;
			return told;
		});
		if (!isShown)
			await reporter.part(told, (one, style) => {
				isShown = true;
				return terminal.stdout.isTerminal ? eventLine(one, style) : eventCells(one);
			});
		if (!isShown) this.listed.push(told);
		if (this.listed.length > mostListed) this.listed.shift();
		this.#mine.delete(event.id);
		this.#marked = this.#inbox.hooks.done(event.id, this.output).catch(() => {});
		this.#after(isRead && terminal.stdout.isClosed?.() !== true);
	}
}
