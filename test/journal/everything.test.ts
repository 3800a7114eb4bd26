/**
 * Everything in one anchored journal: payments and batches in every mix of states by clocks that jump, deaths of who sends, looks, changed
 * settings, decisions opened again, adoptions and backups in any order. After each step the journal's own check finds nothing, money leaves by
 * it, no sum of a day is below zero, and no row has left that was cancelled or may have been paid; at the end its copy is the same journal.
 */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import type { Batches } from "../../src/ports/batches.js";
import type { IntentState, JournalOutcome, Settlement } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { loadDriver } from "../../src/sqlite/drivers.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun } from "../support/seed.js";
import { testPlace } from "./anchors.js";
import { none, planned, rowStates } from "./batch.js";
import { drivers, newFolder, open, openRows, removeFolders, testClock } from "./journals.js";
import { payment } from "./payment.js";

afterAll(removeFolders);

const [sequences, steps, rows] = [10, 60, 5];
const [minute, day] = [60_000, 86_400_000];
const profile = { name: "sandbox", environment: "sandbox" } as const;
const takes: readonly (readonly IntentState[])[] = [["planned"], ["planned", "not-sent", "not-created"], ["refused"]];
const fileIn = (folder: string): string => join(folder, "journal", "sandbox.sandbox.db");

class Everything {
	readonly clock = testClock("2026-11-22T08:00:00.000Z");
	readonly place = testPlace();
	readonly log: string[] = [];
	readonly #folder = newFolder();
	/** What rows have come to, by the journal's number: the state, `cancelled`, or `flying`. */
	readonly #known = new Map<number, string>();
	/** Who sends batches beside this process, and the rows that it has marked, by batch. */
	#sender: Batches | undefined;
	#flying = new Map<string, number[]>();
	#settings: Record<string, string> = {};
	/** The service's clock minus this machine's, where it is known. */
	#skew: number | undefined = 0;
	#ids = 0;
	#next = 0;
	#copies = 0;
	journal!: Journal;
	batches!: Batches;
	file!: string;

	/** @param driver one for the whole sequence: two libraries of SQLite in one process take each other's locks on a file away */
	constructor(
		private readonly random: Random,
		private readonly driver: (typeof drivers)[number],
	) {}

	async open(): Promise<void> {
		this.file = fileIn(this.#folder);
		const { driver, clock } = this;
		const options = { profile, driver, clock, settings: this.#settings, anchor: async () => this.place };
		[this.journal, this.batches] = [await open(this.#folder, options), await openRows(this.#folder, options)];
		this.#another = () => openRows(this.#folder, options);
	}

	#another!: () => Promise<Batches>;

	async close(): Promise<void> {
		await this.#die();
		await this.batches.close();
		await this.journal.close();
	}

	async step(): Promise<void> {
		const all = Object.entries(this.#steps);
		const [name, act] = all[this.random.below(all.length)] as (typeof all)[number];
		let told = "";
		try {
			await act();
		} catch (error) {
			// What the rules refuse is refused, and is on record nowhere.
			if (!(error instanceof PurserError) || error.kind === "bug") throw error;
			told = ` (${error.failure.code})`;
		}
		this.log.push(name + told);
		const { faults } = await this.journal.verify();
		expect(faults, this.log.join("\n")).toEqual([]);
		await expect(this.journal.guard(false), this.log.join("\n")).resolves.toBe("held");
		const storage = (await loadDriver(this.driver))(this.file, { wait: 1_000 });
		const negative = storage.prepare("SELECT day, total FROM spent WHERE total LIKE '-%'").all();
		storage.close();
		expect(negative, this.log.join("\n")).toEqual([]);
		// Each batch has as many rows as its plan, each in one of the states; what was cancelled stays cancelled.
		for (const { batch, counts, plan, state, abandoned } of await this.batches.list()) {
			expect(Object.keys(counts)).toEqual(rowStates);
			expect([batch, Object.values(counts).reduce((sum, count) => sum + count)]).toEqual([batch, plan.count]);
			expect([batch, counts.abandoned, state === "abandoned"]).toEqual([batch, abandoned?.rows ?? 0, abandoned !== undefined]);
			if (state === "abandoned") expect([batch, counts.planned]).toEqual([batch, 0]);
		}
	}

	readonly #steps: Record<string, () => Promise<unknown>> = {
		pay: async () => this.#pay(),
		"pay twice at once": async () => Promise.allSettled([this.#pay(), this.#pay()]),
		look: async () => {
			const open = await this.journal.list({ states: ["in-doubt"], effect: "money" });
			const look = { at: this.clock.now().toISOString(), source: "service", complete: true, fitting: 0 } as const;
			await this.journal.recordCheck(
				open.map(({ intent }) => intent),
				{ ...look, skew: this.#skew },
			);
		},
		settle: async () => {
			const [one] = await this.journal.list({ states: ["in-doubt"], effect: "money" });
			const evidence = { source: "person", reason: "asked" } as const;
			const made: Settlement = { state: "accepted", id: this.#id(), evidence: { source: "service", reason: "listed" } };
			const settlement: Settlement = this.random.below(2) ? made : { state: "not-created", evidence };
			if (one) await this.journal.settle(one.intent, settlement, one.attempt);
			if (one) this.#known.set(Number(one.intent), settlement.state);
		},
		"open again": async () => {
			const decided = await this.journal.list({ states: ["accepted", "not-created"], effect: "money", limit: 20 });
			const one = decided[this.random.below(decided.length)];
			if (one) await this.journal.reopen(one.intent, "reference differs", one.attempt);
			if (one) this.#known.set(Number(one.intent), "in-doubt");
		},
		"change a setting": async () => {
			const before = { ...this.#settings };
			this.#settings = { "cap-per-day": `${1_000_000 + this.random.below(9)} EUR` };
			if (this.random.below(2)) await this.journal.changeSettings({ before, after: this.#settings, operator: "anna" });
			await this.close();
			await this.open();
		},
		"time passes": async () => this.clock.advance(this.random.below(3) * day + this.random.below(600) * minute),
		"a clock jumps": async () => {
			const by = (this.random.below(9) - 4) * day;
			this.clock.advance(by);
			this.#skew = this.random.below(4) === 0 ? undefined : this.random.below(2) ? (this.#skew ?? 0) - by : 0;
		},
		plan: async () => {
			const indexes = Array.from({ length: rows }, () => this.#next++);
			await planned(this.batches, indexes, { expires: "2027-11-22T08:00:00.000Z" });
		},
		"begin a batch": async () => this.#begin(),
		"go on with a batch": async () => this.#begin(),
		send: async () => this.#advance(),
		"send more": async () => this.#advance(),
		"send the rest": async () => this.#advance(),
		"begin one more batch": async () => this.#begin(),
		"who sends dies": async () => this.#die(),
		"who sends ends": async () => {
			if (this.#flying.size === 0) return;
			const batch = this.random.pick([...this.#flying.keys()]);
			this.#doubt(this.#flying.get(batch));
			this.#flying.delete(batch);
			await this.#sender?.release(batch);
		},
		cancel: async () => this.#cancel(await this.#anyBatch()),
		discard: async () => this.batches.discard(await this.#anyBatch()),
		adopt: async () => this.journal.adopt("asked the bank"),
		"an older copy comes back, and is adopted": async () => this.#restored(),
		"begin anew": async () => {
			await this.close();
			await this.open();
		},
	};

	async #pay(): Promise<void> {
		this.#next += 1;
		const again = this.random.below(3) === 0 ? this.random.below(this.#next) : this.#next;
		const asked = payment({ amount: `${1 + (again % 7)}.10`, reference: `everything ${again}` }, { skew: this.#skew, operator: "anna" });
		const intent = await this.journal.begin(asked);
		await this.journal.end(intent, this.#outcome());
	}

	async #anyBatch(): Promise<string> {
		const all = await this.batches.list();
		return all[this.random.below(Math.max(1, all.length))]?.batch ?? "none";
	}

	async #begin(): Promise<void> {
		this.#sender ??= await this.#another();
		const batch = await this.#anyBatch();
		await this.#sender.begin(batch, this.random.pick(takes), { ...none, operator: "ben" }, this.#skew);
		this.#flying.set(batch, []);
	}

	async #advance(): Promise<void> {
		for (const [batch, flying] of this.#flying) {
			const ended = flying.splice(0, this.random.below(flying.length + 1)).map((number) => ({ number, outcome: this.#outcome() }));
			const begun = (await this.#sender?.advance(batch, ended, this.random.below(4), this.#skew)) ?? [];
			for (const { number, outcome } of ended) this.#known.set(number, outcome.state);
			for (const { number } of begun) {
				expect([undefined, "refused", "not-sent", "not-created"], this.log.join("\n")).toContain(this.#known.get(number));
				this.#known.set(number, "flying");
				flying.push(number);
			}
		}
	}

	/** What is on its way is in doubt. */
	#doubt(numbers: readonly number[] = []): void {
		for (const number of numbers) this.#known.set(number, "in-doubt");
	}

	async #die(): Promise<void> {
		this.#doubt([...this.#flying.values()].flat());
		this.#flying.clear();
		await this.#sender?.close();
		this.#sender = undefined;
	}

	async #cancel(batch: string): Promise<void> {
		const [rest, before] = [await this.batches.rest(batch), await this.batches.show(batch)];
		const after = await this.batches.abandon(batch, { reason: "no more" });
		if (before?.state === "abandoned") return;
		expect(after.abandoned).toMatchObject(rest);
		for await (const group of this.batches.rows(batch, ["abandoned"]))
			for (const { intent, attempt } of group) {
				expect([attempt, this.#known.get(Number(intent))]).toEqual([0, undefined]);
				this.#known.set(Number(intent), "cancelled");
			}
	}

	async #restored(): Promise<void> {
		const copy = join(this.#folder, `copy-${this.#copies++}.db`);
		await this.journal.backup(copy);
		await this.#pay();
		await this.close();
		for (const end of ["", "-wal", "-shm"]) rmSync(`${this.file}${end}`, { force: true });
		cpSync(copy, this.file);
		await this.open();
		await expect(this.journal.guard(false)).rejects.toMatchObject({ failure: { code: "JOURNAL_RESTORED" } });
		await this.journal.adopt("restored", []);
		// What came after the copy is not known by it.
		this.#known.clear();
		for (const { intent, batch, state } of await this.journal.list({ states: rowStates.filter((one) => one !== "planned") }))
			if (batch !== undefined) this.#known.set(Number(intent), state === "abandoned" ? "cancelled" : state);
	}

	#outcome(): JournalOutcome {
		const skew = this.random.below(2) ? this.#skew : undefined;
		switch (this.random.below(6)) {
			case 0:
				return { state: "in-doubt", reason: "timeout", skew };
			case 1:
				return { state: "not-sent", reason: "refused", skew };
			case 2:
				return { state: "refused", status: 422, skew };
			case 3:
				return { state: "accepted", id: this.#id(), status: 202, waiting: true, skew };
			default:
				return { state: "accepted", id: this.#id(), status: 201, skew };
		}
	}

	#id(): string {
		this.#ids += 1;
		return `00000000-0000-4000-9000-${String(this.#ids).padStart(12, "0")}`;
	}
}

test("whatever is done with it, it verifies, and its copy is the same journal", async () => {
	const seed = seedOfRun("everything");
	for (let at = 0; at < sequences; at++) {
		const run = new Everything(new Random(seed + at), drivers[at % drivers.length] as (typeof drivers)[number]);
		await run.open();
		await run.journal.adopt("new");
		try {
			for (let step = 0; step < steps; step++) await run.step();
			const copy = join(newFolder(), "copy.db");
			const { head } = await run.journal.backup(copy);
			expect((await run.journal.verify()).faults).toEqual([]);
			await run.close();
			for (const driver of drivers) {
				const folder = newFolder();
				mkdirSync(join(folder, "journal"));
				cpSync(copy, fileIn(folder));
				const restored = await open(folder, { profile, driver, clock: run.clock, anchor: async () => run.place });
				const { faults, head: last } = await restored.verify();
				expect([faults, last.seq]).toEqual([[], head.seq + 1]);
				await restored.close();
			}
		} catch (error) {
			throw new Error(`seed ${seed + at}\n${run.log.join("\n")}`, { cause: error });
		}
	}
});
