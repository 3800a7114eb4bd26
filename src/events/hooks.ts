/**
 * Hands events on to an address or a program until each has acknowledged it. What is due stands in the inbox, so that a restart goes on.
 */
import { createHash } from "node:crypto";
import { formatJson } from "../api/json.js";
import type { Context } from "../context.js";
import type { Inbox, StoredEvent } from "../ports/events.js";
import { type Confirming, within } from "./confirm.js";

export type Hook = { kind: "forward"; url: string } | { kind: "exec"; words: readonly [string, ...string[]] };

/** What a hook is known by in the inbox. Its words are not stored: an address or an argument may hold a secret. */
export function hookId(hook: Hook): string {
	const words = hook.kind === "forward" ? [new URL(hook.url).href] : hook.words;
	return createHash("sha256")
		.update(JSON.stringify([hook.kind, ...words]))
		.digest("hex")
		.slice(0, 32);
}

/** A hook for people, without what may be a secret: an address without its query, a program without its arguments. */
export function hookName(hook: Hook): string {
	if (hook.kind === "exec") return hook.words[0];
	const { origin, pathname } = new URL(hook.url);
	return `${origin}${pathname}`;
}

/** Milliseconds until it is tried again, after the first, second … try failed. After the last it has failed. */
export const pauses: readonly number[] = [1_000, 10_000, 60_000, 600_000];

/** Headers of one connection (RFC 9110, 7.6.1), and those that the request to the next one has of its own. */
const ownHeaders = new Set([
	"connection",
	"content-length",
	"expect",
	"host",
	"keep-alive",
	"proxy-authenticate",
	"proxy-authorization",
	"proxy-connection",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
]);

/**
 * The headers of a delivery as they are handed on: every one that is about the delivery. One that came more than once has its values in one
 * line, which means the same (RFC 9110, 5.3).
 * @param headers names in lower case
 */
export function forwardedHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
	const lines = Object.entries(headers).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")] as const],
	);
	const named = (lines.find(([name]) => name === "connection")?.[1] ?? "").split(",").map((one) => one.trim().toLowerCase());
	return Object.fromEntries(lines.filter(([name]) => !ownHeaders.has(name) && !named.includes(name)));
}

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
	const { headers: came, body } = delivery ?? {};
	if (came !== undefined && body !== undefined) return forward(context, hook.url, forwardedHeaders(came), body, signal);
	if (event.source !== "poll") return "its body is not kept (events-keep)";
	// A poll brought no delivery: what is handed on is the event, which nobody signed.
	const headers = { "content-type": "application/json", "purser-event-id": event.id };
	return forward(context, hook.url, headers, new TextEncoder().encode(json), signal);
}

/** No redirect is followed: the bytes go where they were meant to go, or nowhere. */
async function forward(context: Context, url: string, headers: Record<string, string>, body: Uint8Array, signal: AbortSignal) {
	const transport = await context.system.transport();
	const outcome = await transport.send({ method: "POST", url, headers, body }, { ...bounds, signal });
	const status = outcome.kind === "not-sent" ? undefined : outcome.status;
	if (status === undefined) return outcome.kind === "answer" ? undefined : outcome.reason;
	if (status >= 200 && status <= 299) return undefined;
	return status >= 300 && status <= 399 ? `it answered ${status}, and redirects are not followed` : `it answered ${status}`;
}

/** An address takes several at once, as it does from the sender; a program is run one at a time. */
const atOnce = { forward: 8, exec: 1 } as const;
/** Most that are read from the inbox at once. */
const batch = 64;
/** Milliseconds between two checks for what is due, where nothing new came. */
const betweenChecks = 1_000;
/** Milliseconds that what is under way has after Ctrl-C. */
const lastTry = 10_000;

export interface HandedOn {
	/** Acknowledged in this run. */
	done: number;
	/** Failed for good in this run. */
	failed: number;
	/** Tried again by the next run that has the same hooks. */
	waiting: number;
}

export class HandingOn {
	/** What the hooks are known by in the inbox. */
	readonly ids: readonly string[];
	readonly #cut = new AbortController();
	readonly #handed = { done: 0, failed: 0 };
	/** Those of which a failure was reported. */
	readonly #reported = new Set<Hook>();
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
		const wake = this.#wake;
		this.#woken = new Promise((resolve) => {
			this.#wake = resolve;
		});
		wake();
	}

	/** Each that is due is tried once more, except after Ctrl-C; then nothing begins any more. */
	async finish(): Promise<HandedOn> {
		this.#isEnding = true;
		this.wake();
		await Promise.all(this.#runs);
		const far = new Date(this.context.clock.now().getTime() + 86_400_000).toISOString();
		const left = await Promise.all(this.ids.map((hook) => this.inbox.hooks.due(hook, far, 1_000)));
		return { ...this.#handed, waiting: left.flat().length };
	}

	async #run(hook: Hook): Promise<void> {
		const { signal, clock } = this.context;
		while (!signal.aborted) {
			const woken = this.#woken;
			const due = await this.inbox.hooks.due(hookId(hook), clock.now().toISOString(), batch);
			if (due.length === 0) {
				if (this.#isEnding) return;
				await within(betweenChecks, woken);
				continue;
			}
			const worker = async (): Promise<void> => {
				for (let one = due.shift(); one !== undefined && !signal.aborted; one = due.shift()) await this.#try(hook, one.event, one.tries);
			};
			await Promise.all(Array.from({ length: atOnce[hook.kind] }, worker));
		}
	}

	async #try(hook: Hook, id: string, tries: number): Promise<void> {
		const stored = await this.inbox.show(id);
		const why =
			stored === undefined
				? "the event is no longer kept"
				: await handOn(this.context, hook, hook.kind === "exec" ? await this.#confirmed(stored) : stored, this.#cut.signal);
		if (why === undefined) {
			this.#handed.done += 1;
			return this.inbox.hooks.done(id, hookId(hook));
		}
		// It was cut off by the end of this run: that was no try.
		if (this.#cut.signal.aborted) return;
		const pause = stored === undefined ? undefined : pauses[tries];
		const next = pause === undefined ? null : new Date(this.context.clock.now().getTime() + pause).toISOString();
		await this.inbox.hooks.failed(id, hookId(hook), why, next);
		if (next === null) this.#handed.failed += 1;
		this.#report(hook, `${hookName(hook)} did not take ${id}: ${why}`, pause);
	}

	/** A program decides by what it is given, so it is given what the service itself says. */
	async #confirmed(stored: StoredEvent): Promise<StoredEvent> {
		const { event } = stored;
		return event.confirmed !== null ? stored : { ...stored, event: { ...event, confirmed: await this.confirming.of(event.subject) } };
	}

	/** One that does not work fails for every event: only its first failure is reported, and each that is the last. */
	#report(hook: Hook, line: string, pause: number | undefined): void {
		const { report } = this.context;
		if (pause === undefined) report.announce(`${line}, and is not tried again for it`);
		else (this.#reported.has(hook) ? report.verbose : report.announce)(`${line}; again in ${pause / 1_000} s`);
		this.#reported.add(hook);
	}
}
