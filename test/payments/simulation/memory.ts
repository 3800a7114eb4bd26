/**
 * A disk in memory under the production journal: what is committed survives a killed process, and what is synced survives the
 * loss of power. With FULL that is the same; with NORMAL it is not.
 */

import { numberOf, recordOf } from "../../../src/journal/intents/record.js";
import { troubleWith } from "../../../src/journal/sqlite/trouble.js";
import type { Store } from "../../../src/journal/store.js";
import type { WindowStart } from "../../../src/journal/tables/service-time.js";
import type { StoredIntent, Tables } from "../../../src/journal/tables/tables.js";
import type { Check, IntentState } from "../../../src/ports/intent.js";
import type { JournalEvent, JournalFilter } from "../../../src/ports/journal.js";
import { RefusedJob } from "../../../src/sqlite/group-commit.js";

interface Content {
	intents: Map<number, StoredIntent>;
	events: JournalEvent[];
	spent: Map<string, Record<string, string>>;
	numbers: number;
	seen?: string;
	checks: number;
}

/** Says where the process that holds it stands. */
export interface Life {
	readonly name: string;
	/** @throws where the process is dead: nothing it does has any effect */
	check(): void;
	/** Called around each commit; may end the process. */
	committing(when: "before" | "after"): void;
}

export class Disk {
	content: Content = { intents: new Map(), events: [], spent: new Map(), numbers: 0, checks: 0 };
	readonly living = new Set<string>();
	#synced: Content | undefined;
	#last: Promise<unknown> = Promise.resolve();

	/** @param synchronous NORMAL forgets at a loss of power what came since the last sync */
	constructor(
		private readonly now: () => Date,
		private readonly synchronous: "FULL" | "NORMAL" = "FULL",
		private readonly full: () => boolean = () => false,
	) {
		if (synchronous === "NORMAL") this.sync();
	}

	sync(): void {
		if (this.synchronous === "NORMAL") this.#synced = structuredClone(this.content);
	}

	/** The power fails: every process is gone, and with NORMAL what was not synced. */
	losePower(): void {
		this.living.clear();
		if (this.#synced) this.content = structuredClone(this.#synced);
	}

	/** What is being sent by nobody is in doubt. */
	stateOf({ state, sender }: StoredIntent): IntentState {
		return state === "sending" && !this.living.has(sender ?? "") ? "in-doubt" : state;
	}

	/** The store as one process sees it. */
	store(life: Life): Store {
		const { living } = this;
		return {
			file: "memory",
			trouble: troubleWith("memory"),
			senders: {
				own: async () => {
					living.add(life.name);
					return life.name;
				},
				living: async (names) => new Set([...names].filter((name) => living.has(name))),
			},
			installation: async () => "simulated",
			write: (job) => {
				// One writer at a time, as a database has it.
				const written = this.#last.then(async () => {
					life.check();
					life.committing("before");
					if (this.full()) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
					const result = await job(this.#tables()).catch((error) => {
						throw error instanceof RefusedJob ? error.reason : error;
					});
					life.committing("after");
					return result;
				});
				this.#last = written.catch(() => {});
				return written;
			},
			list: async (filter) =>
				[...this.content.intents.values()]
					.filter((kept) => fits(kept, this.stateOf(kept), filter))
					.reverse()
					.slice(0, filter.limit)
					.map((kept) => recordOf(kept, living)),
			show: async (intent) => {
				const kept = this.content.intents.get(numberOf(intent) ?? 0);
				return kept && { record: recordOf(kept, living), events: this.content.events.filter((event) => event.intent === intent) };
			},
			holders: async (ids) => {
				const holder = (id: string) => [...this.content.intents.values()].find((kept) => kept.createdId === id.toLowerCase());
				return new Map(
					ids.flatMap((id) => {
						const kept = holder(id);
						return kept ? [[id, recordOf(kept, living)] as const] : [];
					}),
				);
			},
			guard: async () => "unguarded" as const,
			standing: async () => undefined,
			adopt: async () => {
				throw new Error("there is no anchor here");
			},
			checks: async (intent) => {
				const attempt = this.content.intents.get(numberOf(intent) ?? 0)?.attempt;
				const looked = this.content.events.filter(
					(event) => event.kind === "checked" && event.intent === intent && event.content.attempt === attempt,
				);
				return looked.map(({ content }) => content.check as Check);
			},
			events: async function* () {},
			verify: () => {
				throw new Error("no part of the simulation");
			},
			backup: () => {
				throw new Error("no part of the simulation");
			},
			close: async () => {},
		};
	}

	#tables(): Tables {
		const { content } = this;
		const newest = (): StoredIntent[] => [...content.intents.values()].reverse();
		const isOpen = ({ state }: StoredIntent): boolean => state === "sending" || state === "in-doubt" || state === "planned";
		const now = this.now();
		return {
			now,
			duplicates: async (fingerprint, since) =>
				newest().filter(
					(kept) =>
						kept.fingerprint === fingerprint &&
						(isOpen(kept) || ((kept.state === "accepted" || kept.state === "waiting") && isSince(kept, since))),
				),
			notCreated: async (fingerprint) => newest().find((kept) => kept.fingerprint === fingerprint && kept.state === "not-created"),
			find: async (number) => content.intents.get(number),
			holder: async (id, except) => newest().find((kept) => kept.createdId === id.toLowerCase() && kept.number !== except)?.number,
			add: async (kept) => {
				content.numbers += 1;
				content.intents.set(content.numbers, { ...kept, number: content.numbers });
				return content.numbers;
			},
			change: async (kept) => void content.intents.set(kept.number, kept),
			append: async (kind, intent, event) =>
				void content.events.push({
					seq: content.events.length + 1,
					at: now.toISOString(),
					intent: intent === undefined ? undefined : String(intent),
					kind,
					content: event as Record<string, unknown>,
					hash: "",
				}),
			head: () => ({ seq: content.events.length, hash: "" }),
			latest: async (kind) => content.events.findLast((event) => event.kind === kind && event.intent === undefined)?.content,
			spent: async (day) => content.spent.get(day) ?? {},
			setSpent: async (day, currency, total) => void content.spent.set(day, { ...content.spent.get(day), [currency]: total }),
			highestTime: async () => content.seen,
			setHighestTime: async (time) => {
				content.seen = time;
			},
			nextCheck: async () => {
				content.checks += 1;
				return content.checks;
			},
		};
	}
}

function isSince({ begun, intent, result }: StoredIntent, { service, own, now }: WindowStart): boolean {
	return (begun >= own && begun <= now) || Date.parse(begun) + (intent.skew ?? result.skew ?? 0) >= Date.parse(service);
}

function fits({ intent, fingerprint, number, begun }: StoredIntent, state: IntentState, wanted: JournalFilter): boolean {
	return (
		(wanted.states === undefined || wanted.states.includes(state)) &&
		(wanted.below === undefined || number < Number(wanted.below)) &&
		(wanted.since === undefined || begun >= wanted.since) &&
		(wanted.until === undefined || begun <= wanted.until) &&
		(wanted.effect === undefined || intent.effect === wanted.effect) &&
		(wanted.fingerprint === undefined || fingerprint === wanted.fingerprint)
	);
}
