/**
 * Batches in every mix of states: random sequences of what is done with them, beside single payments, deaths and new days. After each
 * step the journal's own check finds nothing, no sum of a day is below zero, and no row leaves that was cancelled or may have been paid.
 */
import { afterEach, describe, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import type { Batches } from "../../src/ports/batches.js";
import type { IntentState, JournalOutcome } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { loadDriver } from "../../src/sqlite/drivers.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun } from "../support/seed.js";
import { endWorlds, none, planned, worldWith } from "./batch.js";
import { newUuid, type TestClock } from "./journals.js";
import { payment } from "./payment.js";

afterEach(endWorlds);

const [sequences, steps] = [12, 40];
const rows = 5;
const takes: readonly (readonly IntentState[])[] = [["planned"], ["planned", "not-sent", "not-created"], ["refused"]];
const states = ["planned", "sending", "accepted", "waiting", "refused", "not-sent", "in-doubt", "not-created", "abandoned"];

class Mix {
	/** What is marked by the sender that lives, by batch. */
	#flying = new Map<string, number[]>();
	/** By the journal's number: what the last attempt came to, `given-up`, or `flying`. */
	readonly #known = new Map<number, string>();
	#sender: Batches | undefined;
	#next = 0;
	/** Milliseconds by which the machine's clock is ahead of the service's. */
	#ahead = 0;
	readonly log: string[] = [];

	constructor(
		private readonly random: Random,
		private readonly clock: TestClock,
		private readonly journal: Journal,
		private readonly batches: Batches,
		private readonly another: () => Promise<Batches>,
	) {}

	async step(): Promise<void> {
		const all = await this.batches.list();
		const batch = all.length === 0 ? undefined : all[this.random.below(all.length)]?.batch;
		const acts: [string, () => Promise<unknown>][] = [
			["plan", () => this.#plan()],
			["single", () => this.#single()],
			["day", async () => this.clock.advance(86_400_000)],
			["clock", async () => this.#set()],
			["die", () => this.#die()],
		];
		if (batch !== undefined)
			acts.push(
				["begin", () => this.#begin(batch)],
				["begin", () => this.#begin(batch)],
				["advance", () => this.#advance(batch)],
				["advance", () => this.#advance(batch)],
				["release", () => this.#release(batch)],
				["settle", () => this.#settle()],
				["abandon", () => this.#abandon(batch)],
				["discard", () => this.batches.discard(batch)],
			);
		const [name, act] = acts[this.random.below(acts.length)] as (typeof acts)[number];
		this.log.push(`${name} ${batch ?? ""}`);
		try {
			await act();
		} catch (error) {
			// What the rules refuse is refused; anything else is a fault.
			if (!(error instanceof PurserError) || error.kind !== "guard") throw error;
			this.log.push(`  ${error.failure.code}`);
		}
	}

	/** Somebody sets the machine's clock, by days; at the service no time passes. */
	#set(): void {
		const ahead = this.random.pick([-3, -1, 0, 0, 2]) * 86_400_000;
		this.clock.advance(ahead - this.#ahead);
		this.#ahead = ahead;
	}

	/** The service's clock minus the machine's; known or not, where the machine's is right. */
	#skew(): number | undefined {
		return this.#ahead === 0 && this.random.often(0.5) ? undefined : -this.#ahead;
	}

	async #plan(): Promise<void> {
		const indexes = Array.from({ length: rows }, () => this.#next++);
		await planned(this.batches, indexes, { expires: "2027-03-01T10:00:00.000Z" });
	}

	async #single(): Promise<void> {
		const skew = this.#skew();
		const asked = payment({ amount: "0.07", currency: "EUR", reference: `single ${this.#next++}` });
		const number = await this.journal.begin(skew === undefined ? asked : { ...asked, skew });
		await this.journal.end(number, { state: "accepted", id: newUuid(), status: 201, skew: this.#skew() });
	}

	async #begin(batch: string): Promise<void> {
		this.#sender ??= await this.another();
		await this.#sender.begin(batch, takes[this.random.below(takes.length)] as IntentState[], none, this.#skew());
		this.#flying.set(batch, []);
	}

	async #advance(batch: string): Promise<void> {
		const flying = this.#flying.get(batch);
		if (this.#sender === undefined || flying === undefined) return;
		const ended = flying.splice(0, this.random.below(flying.length + 1)).map((number) => ({ number, outcome: this.#outcome() }));
		const begun = await this.#sender.advance(batch, ended, this.random.below(4), this.#skew());
		for (const { number, outcome } of ended) this.#known.set(number, outcome.state);
		for (const { number } of begun) {
			expect([undefined, "refused", "not-sent", "not-created"]).toContain(this.#known.get(number));
			this.#known.set(number, "flying");
			flying.push(number);
		}
	}

	#outcome(): JournalOutcome {
		const outcomes: JournalOutcome[] = [
			{ state: "accepted", id: newUuid(), status: 201 },
			{ state: "accepted", id: newUuid(), status: 201, waiting: true },
			{ state: "refused", status: 422 },
			{ state: "not-sent", reason: "connection refused" },
			{ state: "in-doubt", reason: "timeout" },
		];
		return outcomes[this.random.below(outcomes.length)] as JournalOutcome;
	}

	/** The sender dies: what it had marked is in doubt. */
	async #die(): Promise<void> {
		for (const number of [...this.#flying.values()].flat()) this.#known.set(number, "in-doubt");
		await this.#sender?.close();
		this.#sender = undefined;
		this.#flying.clear();
	}

	/** It sends the batch no more; what it could not record is in doubt. */
	async #release(batch: string): Promise<void> {
		if (this.#sender === undefined || !this.#flying.has(batch)) return;
		for (const number of this.#flying.get(batch) ?? []) this.#known.set(number, "in-doubt");
		this.#flying.delete(batch);
		await this.#sender.release(batch);
	}

	/** @returns false where nothing is in doubt */
	async #settle(): Promise<boolean> {
		const [doubt] = await this.journal.list({ states: ["in-doubt"], limit: 1 });
		if (doubt === undefined) return false;
		const state = this.random.below(2) === 0 ? "not-created" : "accepted";
		const evidence = { source: "person", reason: "asked" } as const;
		const settlement = state === "accepted" ? ({ state, id: newUuid(), evidence } as const) : ({ state, evidence } as const);
		await this.journal.settle(doubt.intent, settlement, doubt.attempt);
		this.#known.set(Number(doubt.intent), state);
		return true;
	}

	async #abandon(batch: string): Promise<void> {
		const rest = await this.batches.rest(batch);
		const before = await this.batches.show(batch);
		const after = await this.batches.abandon(batch, { reason: "no more" });
		if (before?.state === "abandoned") return;
		expect(after.abandoned).toMatchObject(rest);
		for await (const group of this.batches.rows(batch, ["abandoned"]))
			for (const { intent, attempt } of group) {
				expect([attempt, this.#known.get(Number(intent))]).toEqual([0, undefined]);
				this.#known.set(Number(intent), "given-up");
			}
	}

	/** Each batch has as many rows as its plan, each in one of the states; what was cancelled stays cancelled. */
	async look(): Promise<void> {
		for (const { batch, counts, plan, state, abandoned } of await this.batches.list()) {
			expect(Object.keys(counts)).toEqual(states);
			expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(plan.count);
			expect(state === "abandoned").toBe(abandoned !== undefined);
			expect([batch, counts.abandoned]).toEqual([batch, abandoned?.rows ?? 0]);
			if (state === "abandoned") expect([batch, counts.planned]).toEqual([batch, 0]);
		}
	}
}

describe("any sequence of what is done with batches", () => {
	const seed = seedOfRun("batches in any mix");
	test.each(Array.from({ length: sequences }, (_, at) => seed + at))("leaves a journal that adds up (%i)", async (one) => {
		const { clock, journal, batches, another } = await worldWith();
		const mix = new Mix(new Random(one), clock, journal, batches, another);
		const storage = (await loadDriver())(journal.file, { wait: 1_000 });
		for (let step = 0; step < steps; step++) {
			await mix.step();
			await mix.look();
			const { faults } = await journal.verify();
			const negative = storage.prepare("SELECT day, total FROM spent WHERE total LIKE '-%'").all();
			expect({ faults, negative, log: mix.log }).toEqual({ faults: [], negative: [], log: mix.log });
		}
		storage.close();
	});
});
