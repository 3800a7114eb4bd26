/**
 * Hands events on to an address or a program until each has acknowledged it. What is due stands in the inbox, so that a restart goes on.
 */
import { formatJson } from "../../api/json.js";
import type { Context } from "../../context.js";
import { forwardedHeaders, type Hook, hookId, hookName, pauseAfter } from "../../events/hooks.js";
import { forward } from "../../http/transport/forward.js";
import type { Inbox, StoredEvent } from "../../ports/events.js";
import type { Confirming } from "./event-confirm.js";

/** An address takes several at once, as it does from the sender; a program is run one at a time. */
const atOnce = { forward: 8, exec: 1 } as const;

/** Most that are read from the inbox at once. */
const batch = 64;

/** Milliseconds between two looks for what is due, where nothing new came. */
const look = 1_000;

/** Milliseconds that a program may take for one event, and that what is under way has after Ctrl-C. */
const longestProgram = 300_000;
const lastTry = 10_000;

/** Milliseconds between two lines about one hook. */
const calm = 10_000;

export interface HandedOn {
	/** Acknowledged in this run. */
	done: number;
	/** Failed for good in this run. */
	failed: number;
	/** Tried again by the next run that has the same hooks. */
	waiting: number;
}

/**
 * One try.
 * @param event as a program is given it; an address is given the newest delivery whose bytes are kept
 * @returns undefined where it acknowledged, else why not, as a sentence without a full stop
 */
export async function handOn(
	context: Context,
	hook: Hook,
	{ event, deliveries }: Pick<StoredEvent, "event" | "deliveries">,
	signal: AbortSignal,
): Promise<string | undefined> {
	const json = (): string => `${formatJson(event)}\n`;
	if (hook.kind === "exec") return context.system.processes.program(hook.words, { input: json(), limit: longestProgram, signal });
	const { headers: came, body } = deliveries.findLast((one) => one.body !== undefined) ?? {};
	if (came !== undefined && body !== undefined) return forward(context, { url: hook.url, headers: forwardedHeaders(came), body }, signal);
	if (event.source !== "poll") return "its body is not kept (events-keep)";
	// A poll brought no delivery: what is handed on is the event, which nobody signed.
	const headers = { "content-type": "application/json", "purser-event-id": event.id };
	return forward(context, { url: hook.url, headers, body: new TextEncoder().encode(json()) }, signal);
}

export class HandingOn {
	readonly #cut = new AbortController();
	readonly #handed = { done: 0, failed: 0 };
	readonly #woken = new Set<() => void>();
	readonly #complainedAt = new Map<Hook, number>();
	#ending = false;
	#runs: Promise<void>[] = [];

	/** @param confirming asks the service before a program is given an event */
	constructor(
		private readonly context: Context,
		private readonly inbox: Inbox,
		private readonly hooks: readonly Hook[],
		private readonly confirming?: Confirming,
	) {}

	/** What they are known by in the inbox. */
	get ids(): string[] {
		return this.hooks.map(hookId);
	}

	/** @returns never resolves; rejects where the inbox cannot be read or written */
	start(): Promise<never> {
		this.context.signal.addEventListener("abort", () => {
			this.wake();
			setTimeout(() => this.#cut.abort(), lastTry).unref();
		});
		this.#runs = this.hooks.map((hook) => this.#run(hook));
		const never = new Promise<never>(() => {});
		const broken = Promise.race([never, ...this.#runs.map((one) => one.then(() => never))]);
		broken.catch(() => {});
		return broken;
	}

	/** Something is due. */
	wake(): void {
		for (const wake of [...this.#woken]) wake();
	}

	/** Each that is due is tried once more, except after Ctrl-C; then nothing begins any more. */
	async finish(): Promise<HandedOn> {
		this.#ending = true;
		this.wake();
		await Promise.all(this.#runs);
		const far = new Date(this.context.clock.now().getTime() + 86_400_000).toISOString();
		const left = await Promise.all(this.ids.map((hook) => this.inbox.hooks.due(hook, far, 1_000)));
		return { ...this.#handed, waiting: left.reduce((sum, { length }) => sum + length, 0) };
	}

	async #run(hook: Hook): Promise<void> {
		const { signal, clock } = this.context;
		for (;;) {
			if (signal.aborted) return;
			const due = await this.inbox.hooks.due(hookId(hook), clock.now().toISOString(), batch);
			if (due.length === 0) {
				if (this.#ending) return;
				await this.#nap();
				continue;
			}
			const left = [...due];
			const worker = async (): Promise<void> => {
				for (let one = left.shift(); one !== undefined && !signal.aborted; one = left.shift()) await this.#try(hook, one.event, one.tries);
			};
			await Promise.all(Array.from({ length: atOnce[hook.kind] }, worker));
		}
	}

	async #try(hook: Hook, id: string, tries: number): Promise<void> {
		const stored = await this.inbox.show(id);
		const why =
			stored === undefined
				? "the event is no longer kept"
				: await handOn(this.context, hook, hook.kind === "exec" ? await this.#asked(stored) : stored, this.#cut.signal);
		if (why === undefined) {
			this.#handed.done += 1;
			return this.inbox.hooks.done(id, hookId(hook));
		}
		// It was cut off by the end of this run: that was no try.
		if (this.#cut.signal.aborted) return;
		const pause = stored === undefined ? undefined : pauseAfter(tries + 1);
		const next = pause === undefined ? null : new Date(this.context.clock.now().getTime() + pause).toISOString();
		await this.inbox.hooks.failed(id, hookId(hook), why, next);
		if (pause === undefined) this.#handed.failed += 1;
		this.#complain(hook, `${id}: ${why}`, pause);
	}

	/** One that does not work fails for every event: only one in a while is told, except the last words about one. */
	#complain(hook: Hook, what: string, pause: number | undefined): void {
		const { report, clock } = this.context;
		const line = `${hookName(hook)} did not take ${what}${pause === undefined ? ", and is not tried again for it" : `; again in ${shownPause(pause)}`}`;
		const isTold = pause === undefined || clock.monotonic() - (this.#complainedAt.get(hook) ?? -calm) >= calm;
		if (!isTold) {
			report.verbose(line);
			return;
		}
		this.#complainedAt.set(hook, clock.monotonic());
		report.announce(line);
	}

	/** A program decides by what it is given, so it is given what the service itself says. */
	async #asked(stored: StoredEvent): Promise<StoredEvent> {
		const { event } = stored;
		if (event.confirmed !== null || this.confirming === undefined) return stored;
		return { ...stored, event: { ...event, confirmed: await this.confirming.of(event.subject) } };
	}

	#nap(): Promise<void> {
		return new Promise((resolve) => {
			const wake = (): void => {
				clearTimeout(timer);
				this.#woken.delete(wake);
				resolve();
			};
			const timer = setTimeout(wake, look);
			this.#woken.add(wake);
		});
	}
}

const shownPause = (milliseconds: number): string => (milliseconds < 60_000 ? `${milliseconds / 1_000} s` : `${milliseconds / 60_000} min`);
