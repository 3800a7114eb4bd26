/**
 * Everything in one anchored journal: payments and batches by clocks that jump, looks,
 * changed settings, decisions opened again, adoptions and backups in any order. After each step the journal's own check finds nothing, and
 * money leaves by it; at the end its copy is the same journal, with either driver.
 */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import type { Batches } from "../../src/ports/batches.js";
import type { JournalOutcome, Settlement } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun } from "../support/seed.js";
import { testPlace } from "./anchors.js";
import { endRows, none, planned } from "./batch.js";
import { drivers, newFolder, open, openRows, removeFolders, testClock } from "./journals.js";
import { payment } from "./payment.js";

afterAll(removeFolders);

const [sequences, steps] = [4, 45];
const [minute, day] = [60_000, 86_400_000];
const profile = { name: "sandbox", environment: "sandbox" } as const;
const fileIn = (folder: string): string => join(folder, "journal", "sandbox.sandbox.db");

class Everything {
	readonly clock = testClock("2026-11-22T08:00:00.000Z");
	readonly place = testPlace();
	readonly log: string[] = [];
	readonly #folder = newFolder();
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
	}

	async close(): Promise<void> {
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
			if (one) await this.journal.settle(one.intent, this.random.below(2) ? made : { state: "not-created", evidence }, one.attempt);
		},
		"open again": async () => {
			const decided = await this.journal.list({ states: ["accepted", "not-created"], effect: "money", limit: 20 });
			const one = decided[this.random.below(decided.length)];
			if (one) await this.journal.reopen(one.intent, "reference differs", one.attempt);
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
		batch: async () => this.#batch(),
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

	async #batch(): Promise<void> {
		this.#next += 10;
		const indexes = Array.from({ length: 6 }, (_, at) => this.#next + at);
		const batch = await planned(this.batches, indexes, { expires: "2027-11-22T08:00:00.000Z" });
		await this.batches.begin(batch, ["planned"], { ...none, operator: "ben" }, this.#skew);
		const taken = await this.batches.advance(batch, [], 4, this.#skew);
		await endRows(this.batches, batch, taken, () => this.#outcome(), 0, this.#skew);
		await this.batches.release(batch);
		if (this.random.below(2) === 0) return;
		await this.batches.begin(batch, ["planned", "not-sent", "not-created"], { ...none, operator: "ben" }, this.#skew);
		await this.batches.release(batch);
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
	}

	#outcome(): JournalOutcome {
		const skew = this.random.below(2) ? this.#skew : undefined;
		switch (this.random.below(4)) {
			case 0:
				return { state: "in-doubt", reason: "timeout", skew };
			case 1:
				return { state: "not-sent", reason: "refused", skew };
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
