/**
 * The simulation's disk over a database: what is committed there is read back, so that the run sees what it would see in memory.
 */
import { type Engine, engineStore } from "../../../src/journal/engine.js";
import type { Store } from "../../../src/journal/store.js";
import { sql } from "../../../src/journal/tables/sql.js";
import { storedIntents, tablesIn } from "../../../src/journal/tables/tables.js";
import { metaOf } from "../../../src/journal/tables/transaction.js";
import { moneyRules } from "../../../src/payments/rules/rules.js";
import type { TestClock } from "../../journal/journals.js";
import { Disk, type Life } from "./memory.js";

export class SqlDisk extends Disk {
	#last: Promise<unknown> = Promise.resolve();

	/** @param clock by which the engine was opened; it follows the run's */
	constructor(
		private readonly engine: Engine,
		private readonly clock: TestClock,
		private readonly time: () => Date,
		private readonly isFull: () => boolean = () => false,
	) {
		super(time);
	}

	override store(life: Life): Store {
		const memory = super.store(life);
		const engine: Engine = { ...this.engine, senders: { ...memory.senders, end: async () => {} } };
		const { list, show, holders, checks } = engineStore(engine, moneyRules({}));
		return {
			...memory,
			...{ list, show, holders, checks },
			write: (job) => {
				const written = this.#last.then(async () => {
					life.check();
					life.committing("before");
					if (this.isFull()) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
					this.clock.set(this.time().toISOString());
					const result = await engine.connection.write((transaction) => job(tablesIn(transaction))).finally(() => this.#readBack());
					life.committing("after");
					return result;
				});
				this.#last = written.catch(() => {});
				return written;
			},
		};
	}

	#readBack(): Promise<void> {
		return this.engine.connection.read(async (reading) => {
			const intents = await storedIntents(reading, await reading.all(sql`SELECT * FROM intent ORDER BY number`));
			const spent = await reading.all(sql`SELECT * FROM spent ORDER BY day, currency`);
			this.content = {
				...this.content,
				intents: new Map(intents.map((kept) => [kept.number, kept])),
				spent: new Map(spent.map(({ day, currency, total }) => [String(day), { [String(currency)]: String(total) }])),
				seen: await metaOf(reading, "service-time"),
				checks: Number((await metaOf(reading, "checks")) ?? 0),
			};
		});
	}
}
