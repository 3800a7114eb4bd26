/**
 * Whoever changes the database: each column of each table, in whatever row, is missed by verify, and so is what was taken away or added.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tables } from "../../src/journal/tables/schema.js";
import type { JournalOutcome, Settlement } from "../../src/ports/intent.js";
import { none, planned, sent, type World, worldWith } from "./batch.js";
import { change, codeOf, doubtful, payment, removeFolders, type StoreName, stores } from "./journals.js";

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const lost: JournalOutcome = { state: "in-doubt", reason: "timeout" };
const look = { at: "2026-03-01T10:00:00.000Z", source: "service", complete: true, fitting: 1 } as const;
const accepted = (number: number): JournalOutcome => ({ state: "accepted", id: id(number), status: 201, skew: 70 });
const listed = (number: number, checks?: number): Settlement => ({
	state: "accepted",
	id: id(number),
	evidence: { source: "service", reason: "listed", ...(checks && { checks: [{ ...look, number: checks }] }) },
});

/**
 * Intents 1 to 7: accepted, in doubt, settled, reopened, refused, and a change. Batch 1 (8 to 10) is sent, and a row of it was reopened; batch 2 (11 to
 * 13) is under way, and its first sender died; batch 3 (14 to 17) was cancelled, and a row of it settled.
 */
async function filled(driver: StoreName): Promise<World> {
	const world = await worldWith({}, driver);
	const { journal, batches, clock, another } = world;
	const pay = async (number: number, outcome: JournalOutcome): Promise<void> => {
		const intent = await journal.begin(payment({ reference: `Single ${number}` }, { skew: 50, operator: "anna" }));
		clock.advance(1_000);
		await journal.end(intent, outcome);
	};
	for (const [at, outcome] of [accepted(1), lost, lost, accepted(4), { state: "refused", status: 422 } as const].entries())
		await pay(at + 1, outcome);
	await journal.resend("2", 1);
	const check = await journal.recordCheck(["3"], look);
	await journal.settle("3", listed(3, check), 1);
	await journal.reopen("4", "reference differs", 1);
	await journal.end(await journal.begin(change()), accepted(6));
	await doubtful(journal, { amount: "7.00", reference: "Another day" });
	await journal.changeSettings({ before: {}, after: { "cap-per-day": "900 EUR" }, operator: "anna" });
	await sent(batches, await planned(batches, [1, 2, 3]), [accepted(8), accepted(9), accepted(10)]);
	await journal.reopen("9", "another's", 1);
	const dying = await another();
	const second = await planned(batches, [4, 5, 6]);
	await dying.begin(second, ["planned"], none, 30);
	await dying.advance(second, [], 1, 30);
	await dying.close();
	await batches.begin(second, ["planned"], none, 40);
	await batches.advance(second, [], 1, 40);
	await sent(batches, await planned(batches, [7, 8, 9, 10]), [accepted(14), lost]);
	await batches.abandon("3", { reason: "no more of this month" });
	await journal.settle("15", listed(15), 1);
	return world;
}

const columns = [...tables.matchAll(/CREATE TABLE (\w+) \(([^;]*)\)/g)].flatMap(([, table = "", text = ""]) =>
	[...text.matchAll(/(\w+) (TEXT|INTEGER)/g)].map(([, column = "", type = ""]) => ({ name: `${table}.${column}`, table, column, type })),
);

describe.each(stores)("with %s", (driver) => {
	let world: World;
	const faults = async (): Promise<readonly string[]> => (await world.journal.verify()).faults;

	describe("one journal, changed and changed back", () => {
		beforeAll(async () => {
			world = await filled(driver);
		});
		afterAll(removeFolders);

		test("holds what it should", async () => {
			expect(columns.length).toBe(46);
			expect(await world.journal.verify()).toMatchObject({ intents: 17, faults: [] });
			const states = (await world.journal.list({})).map(({ intent, state }) => `${intent} ${state}`);
			expect(states.reverse().join(", ")).toBe(
				"1 accepted, 2 in-doubt, 3 accepted, 4 in-doubt, 5 refused, 6 accepted, 7 in-doubt, 8 accepted, 9 in-doubt, 10 accepted, 11 in-doubt, 12 sending, 14 accepted, 15 accepted",
			);
			expect((await world.batches.list()).map(({ state }) => state)).toEqual(["abandoned", "begun", "begun"]);
		});

		// The events come last: what keeps them is dropped, and stays so.
		test.each(columns.filter(({ table }) => table !== "event"))("a change of $name is missed in every row", async (of) => {
			const { table, column, type } = of;
			const rows = { intent: 17, batch: 3, spent: 1, meta: driver === "postgres" ? 7 : 4 }[table] as number;
			const isText = type === "TEXT";
			const [none, changed] = isText ? ["'-'", `${column} || ' '`] : ["-77", `${column} + 1000`];
			const back = isText ? `substr(${column}, 1, length(${column}) - 1)` : `${column} - 1000`;
			// A file of another owner is not opened at all.
			const which = table === "meta" && driver !== "postgres" ? "WHERE value NOT LIKE 'test sandbox%'" : "";
			await world.tamper(`UPDATE ${table} SET ${column} = coalesce(${changed}, ${none}) ${which}`);
			const found = await faults().catch((error) => [String(error)]);
			await world.tamper(`UPDATE ${table} SET ${column} = CASE WHEN ${column} = ${none} THEN NULL ELSE ${back} END ${which}`);
			expect(found.length, found.join("\n")).toBeGreaterThanOrEqual(rows);
			expect(await faults()).toEqual([]);
		});

		test.each(columns.filter(({ table }) => table === "event"))("a change of an event's $column is missed", async ({ column, type }) => {
			await world.tamper("DROP TRIGGER event_is_kept").catch(() => {});
			const [changed, back] =
				type === "TEXT" ? [`${column} || ' '`, `substr(${column}, 1, length(${column}) - 1)`] : [`${column} + 1`, `${column} - 1`];
			const which =
				column === "seq" ? "seq = (SELECT max(seq) FROM event)" : `seq = (SELECT max(seq) FROM event WHERE ${column} IS NOT NULL)`;
			await world.tamper(`UPDATE event SET ${column} = ${changed} WHERE ${which}`);
			expect((await faults()).join("\n")).toMatch(column === "seq" ? /event \d+ is missing/ : /event \d+ was altered/);
			await world.tamper(`UPDATE event SET ${column} = ${back} WHERE ${which}`);
			expect(await faults()).toEqual(["database: event_is_kept is gone"]);
		});
	});

	const unlocked = "DROP TRIGGER event_is_kept; DROP TRIGGER event_is_not_lost;";
	const swapped = `UPDATE intent SET (content, party, fingerprint, alike) = (SELECT content, party, fingerprint, alike FROM intent WHERE number = 8)
		WHERE number = 13`;
	const moved = "seq = (SELECT max(seq) FROM event WHERE kind = 'abandoned')";

	describe("a journal", () => {
		afterAll(removeFolders);

		test.each([
			[
				"an amount of an event",
				`${unlocked} UPDATE event SET content = replace(content, '10.10', '10.11') WHERE seq = 5`,
				"event 5 was altered",
			],
			["a hash", `${unlocked} UPDATE event SET hash = '${"f".repeat(64)}' WHERE seq = 5`, "event 5 was altered"],
			["an event that is gone", `${unlocked} DELETE FROM event WHERE seq = 6`, "event 6 is missing"],
			["the end that is gone", `${unlocked} DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)`, "was written last"],
			["the beginning that is gone", `${unlocked} DELETE FROM event WHERE seq < 4`, "event 1 is missing"],
			[
				"an event that is added",
				`${unlocked} INSERT INTO event SELECT max(seq) + 1, '2026-03-01T10:00:00.000Z', 2, 'settled', '{"settlement":{"state":"not-created"}}', 'x', NULL FROM event`,
				"was altered",
			],
			[
				"the rows of a cancellation",
				`${unlocked} UPDATE event SET content = replace(content, '[16,17]', '[15,17]') WHERE ${moved}`,
				"intent 15",
			],
			["whose cancellation it is", `${unlocked} UPDATE event SET batch = NULL WHERE ${moved}`, "batch 3 is kept with another state than"],
			["an intent that is gone", "DELETE FROM intent WHERE number = 3", "intent 3 has events, but no entry of its own"],
			["a row that is gone", "DELETE FROM intent WHERE number = 13", "batch 2 has 2 rows, but was planned with 3"],
			["an intent that is added", "UPDATE intent SET number = 999 WHERE number = 13", "intent 999 (row 3 of batch 2) has no events"],
			["a batch that is gone", "DELETE FROM batch WHERE number = 2", "batch 2 has events, but no entry of its own"],
			[
				"a batch that is hidden",
				"UPDATE batch SET state = 'loading' WHERE number = 2",
				"batch 2 is kept with another state than its events say",
			],
			["a batch that is added", "UPDATE batch SET number = 9 WHERE number = 2", "batch 9 has no events"],
			["whom a row pays, with all that follows from it", swapped, "the rows of batch 2 are not those that were planned"],
			[
				"where a batch is sent",
				`UPDATE batch SET shared = replace(shared, 'api.example', 'other.example')`,
				"batch 1 is kept with another shared",
			],
			["a sum that is gone", "DELETE FROM spent", "the sum of the day 2026-03-01 EUR is not that of what went out on it"],
			[
				"the service's time, gone",
				"DELETE FROM meta WHERE key = 'service-time'",
				"service-time is kept as nothing, but the events say 2026-03-01",
			],
			["a trigger", "DROP TRIGGER event_is_kept", "database: event_is_kept is gone"],
			["an index", "DROP INDEX intent_alike", "database: intent_alike is gone"],
		])("that was changed in %s is found out", async (_, sql, fault) => {
			world = await filled(driver);
			await world.tamper(sql);
			expect((await faults()).join("\n")).toContain(fault);
		});

		test.each(["shared = replace(shared, 'api.example', 'other.example')", "plan = replace(plan, '3.30', '9.30')"])(
			"sends nothing of a batch whose %s",
			async (set) => {
				world = await filled(driver);
				const batch = await planned(world.batches, [11, 12, 13]);
				await world.tamper(`UPDATE batch SET ${set}`);
				expect(await codeOf(world.batches.begin(batch, ["planned"], none))).toBe("PLAN_CHANGED");
			},
		);

		test("refuses to have its events changed", async () => {
			world = await filled(driver);
			await expect(world.tamper("UPDATE event SET content = '{}' WHERE seq = 3")).rejects.toThrow(/events are never changed/);
			await expect(world.tamper("DELETE FROM event WHERE seq = 3")).rejects.toThrow(/events are never removed/);
		});
	});
});
