import { afterEach, expect, test } from "vitest";
import { openEngine, removeFolders, stores } from "../../journal/journals.js";
import type { Disk } from "./memory.js";
import { none } from "./plants.js";
import { Run } from "./scenario.js";
import { SqlDisk } from "./sql.js";

afterEach(removeFolders);

/** What is on record, as JSON has it: what is not there is left out. */
function onRecord({ intents, spent, seen, checks }: Disk["content"]): unknown {
	return JSON.parse(JSON.stringify({ intents: [...intents.values()], spent: [...spent].sort(), seen, checks }));
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

test.each(stores)("equal seeds leave equal records in memory and in %s", async (store) => {
	for (const seed of seeds) {
		const memory = new Run(seed, none);
		expect([seed, await memory.go()]).toEqual([seed, []]);
		const { engine, clock, close } = await openEngine(store);
		const other = new Run(seed, none, (now, _, full) => new SqlDisk(engine, clock, now, full));
		expect([seed, await other.go(), other.trace]).toEqual([seed, [], memory.trace]);
		expect([seed, onRecord(other.content)]).toEqual([seed, onRecord(memory.content)]);
		await close();
	}
});
