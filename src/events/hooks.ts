/**
 * Hands events on to an address or a program, once. What is due stands in the inbox, so that a restart goes on; what failed waits there for
 * `events replay --failed`.
 */
import { sha256 } from "../api/digest.js";
import { formatJson } from "../api/json.js";
import type { Context } from "../context.js";
import type { Inbox, StoredEvent } from "../ports/events.js";
import type { Confirming } from "./confirm.js";

export type Hook = { kind: "forward"; url: string } | { kind: "exec"; words: readonly [string, ...string[]] };

/** What a hook is known by in the inbox. Its words are not stored: an address or an argument may hold a secret. */
export function hookId(hook: Hook): string {
	const words = hook.kind === "forward" ? [new URL(hook.url).href] : hook.words;
	return sha256(JSON.stringify([hook.kind, ...words])).slice(0, 32);
}

/** A hook for people, without what may be a secret: an address without its query, a program without its arguments. */
export function hookName(hook: Hook): string {
	if (hook.kind === "exec") return hook.words[0];
	const { origin, pathname } = new URL(hook.url);
	return `${origin}${pathname}`;
}

/** The headers that a program needs to check a delivery again; all others are of the connection. */
const ofTheDelivery = /^(webhook-|svix-|content-type$|user-agent$|purser-event-id$)/;

/** Milliseconds that a program may take for one event. */
const longestProgram = 300_000;
/** Bounds of an address: of its answer only the status counts. */
const bounds = { connect: 5_000, total: 10_000, bytes: 65_536 };

/**
 * One try.
 * @param event as a program is given it; an address is given the delivery
 * @returns undefined where it acknowledged, else why not, as a sentence without a full stop
 */
export async function handOn(
	context: Context,
	hook: Hook,
	{ event, delivery }: Pick<StoredEvent, "event" | "delivery">,
	signal: AbortSignal,
): Promise<string | undefined> {
	const json = `${formatJson(event)}\n`;
	if (hook.kind === "exec") return context.system.processes.program(hook.words, { input: json, limit: longestProgram, signal });
	let { headers: came, body } = delivery ?? {};
	if (came === undefined || body === undefined) {
		if (event.source !== "poll") return "its body is not kept (7 days)";
		// A poll brought no delivery: what is handed on is the event, which nobody signed.
		[came, body] = [{ "content-type": "application/json", "purser-event-id": event.id }, new TextEncoder().encode(json)];
	}
	// None of them came twice: such a delivery is nobody's.
	const headers = Object.fromEntries(
		Object.entries(came).flatMap(([name, one]) => (ofTheDelivery.test(name) ? [[name, String(one)]] : [])),
	);
	const transport = await context.system.transport();
	// No redirect is followed: the bytes go where they were meant to go, or nowhere.
	const outcome = await transport.send({ method: "POST", url: hook.url, headers, body }, { ...bounds, signal });
	const status = outcome.kind === "not-sent" ? undefined : outcome.status;
	if (status === undefined) return outcome.kind === "answer" ? undefined : outcome.reason;
	if (status >= 200 && status <= 299) return undefined;
	return status >= 300 && status <= 399 ? `it answered ${status}, and redirects are not followed` : `it answered ${status}`;
}

/** Most that are read from the inbox at once. */
const batch = 64;
/** Milliseconds that what is under way has after Ctrl-C. */
const lastTry = 10_000;

export interface HandedOn {
	/** Acknowledged in this run. */
	done: number;
	failed: number;
	/** Handed on by the next run that has the same hooks. */
	waiting: number;
}

export class HandingOn {
	/** What the hooks are known by in the inbox. */
	readonly ids: readonly string[];
	readonly #cut = new AbortController();
	readonly #handed = { done: 0, failed: 0 };
	#isEnding = false;
	#runs: Promise<void>[] = [];
	#woken: Promise<void> = Promise.resolve();
	#wake: () => void = () => {};

	/** @param confirming asks the service before a program is given an event */
	constructor(
		private readonly context: Context,
		private readonly inbox: Inbox,
		private readonly hooks: readonly Hook[],
		private readonly confirming: Confirming,
	) {
		this.ids = hooks.map(hookId);
		this.wake();
	}

	/** @returns never resolves; rejects where the inbox cannot be read or written */
	async start(): Promise<never> {
		this.context.signal.addEventListener("abort", () => {
			this.wake();
			setTimeout(() => this.#cut.abort(), lastTry).unref();
		});
		this.#runs = this.hooks.map((hook) => this.#run(hook));
		await Promise.all(this.#runs);
		return new Promise<never>(() => {});
	}

	/** Something is due. */
	wake(): void {
		const wake = this.#wake;
		this.#woken = new Promise((resolve) => {
			this.#wake = resolve;
		});
		wake();
	}

	/** Hands on what is due, except after Ctrl-C; then nothing begins any more. */
	async finish(): Promise<HandedOn> {
		this.#isEnding = true;
		this.wake();
		await Promise.all(this.#runs);
		const left = await Promise.all(this.ids.map((hook) => this.inbox.hooks.due(hook, 1_000)));
		return { ...this.#handed, waiting: left.flat().length };
	}

	async #run(hook: Hook): Promise<void> {
		const { signal } = this.context;
		while (!signal.aborted) {
			const woken = this.#woken;
			const due = await this.inbox.hooks.due(hookId(hook), batch);
			for (const id of due) if (!signal.aborted) await this.#try(hook, id);
			if (due.length > 0) continue;
			if (this.#isEnding) return;
			await woken;
		}
	}

	async #try(hook: Hook, id: string): Promise<void> {
		const stored = (await this.inbox.show(id)) as StoredEvent;
		const given = hook.kind === "exec" ? await this.#confirmed(stored) : stored;
		const why = await handOn(this.context, hook, given, this.#cut.signal);
		// It was cut off by the end of this run: that was no try.
		if (why !== undefined && this.#cut.signal.aborted) return;
		await this.inbox.hooks.ended(id, hookId(hook), why ?? null);
		this.#handed[why === undefined ? "done" : "failed"] += 1;
		if (why !== undefined) this.context.report.announce(`${hookName(hook)} did not take ${id}: ${why}`);
	}

	/** A program decides by what it is given, so it is given what the service itself says. */
	async #confirmed(stored: StoredEvent): Promise<StoredEvent> {
		const { event } = stored;
		return event.confirmed !== null ? stored : { ...stored, event: { ...event, confirmed: await this.confirming.of(event.subject) } };
	}
}
