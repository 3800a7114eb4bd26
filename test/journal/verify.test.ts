import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { genesis, hashOf } from "../../src/journal/tables/transaction.js";
import type { Journal } from "../../src/ports/journal.js";
import { advised } from "../support/advice.js";
import { drivers, newFolder, open, payment, removeFolders, type StoreName, stores, tamper } from "./journals.js";

afterEach(removeFolders);

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Four payments, of which the third is in doubt. */
async function filled(folder: string, driver: StoreName): Promise<Journal> {
	const journal = await open(folder, { driver });
	for (let number = 1; number <= 4; number++) {
		const intent = await journal.begin(payment({ reference: `Row ${number}` }));
		await journal.end(intent, number === 3 ? { state: "in-doubt", reason: "timeout" } : { state: "accepted", id: id(number), status: 201 });
	}
	return journal;
}

describe.each(stores)("the record, with %s", (driver) => {
	test("is as it was written, whoever opens it", async () => {
		const folder = newFolder();
		const journal = await filled(folder, driver);
		const first = await journal.verify();
		expect(first).toMatchObject({ events: 10, intents: 4, head: { seq: 10 }, faults: [] });
		await journal.close();
		for (const other of driver === "postgres" ? [driver] : drivers) {
			const again = await open(folder, { driver: other });
			expect(await again.verify()).toEqual(first);
			await again.close();
		}
	});

	test("refuses to be changed", async () => {
		const journal = await filled(newFolder(), driver);
		await expect(tamper(journal, "UPDATE event SET content = '{}' WHERE seq = 3", driver)).rejects.toThrow(/events are never changed/);
		await expect(tamper(journal, "DELETE FROM event WHERE seq = 3", driver)).rejects.toThrow(/events are never removed/);
	});

	const unlocked = "DROP TRIGGER event_is_kept; DROP TRIGGER event_is_not_lost;";

	test.each([
		["an amount", `${unlocked} UPDATE event SET content = replace(content, '10.10', '10.11') WHERE seq = 5`, "event 5 was altered"],
		["a time", `${unlocked} UPDATE event SET at = '2026-02-01T00:00:00.000Z' WHERE seq = 5`, "event 5 was altered"],
		["whose event it is", `${unlocked} UPDATE event SET intent = 1 WHERE seq = 5`, "event 5 was altered"],
		["a hash", `${unlocked} UPDATE event SET hash = '${"f".repeat(64)}' WHERE seq = 5`, "event 5 was altered"],
		["an event that is gone", `${unlocked} DELETE FROM event WHERE seq = 6`, "event 6 is missing"],
		["the end that is gone", `${unlocked} DELETE FROM event WHERE seq = 10`, "the record ends at event 9, but 10 was written last"],
		["the beginning that is gone", `${unlocked} DELETE FROM event WHERE seq < 4`, "event 1 is missing"],
		["a state", "UPDATE intent SET state = 'not-created' WHERE number = 3", "intent 3: is kept with another state than its events say"],
		["an id", `UPDATE intent SET created_id = '${id(9)}' WHERE number = 2`, "intent 2: is kept with another created_id"],
		["an attempt", "UPDATE intent SET attempt = 2 WHERE number = 2", "intent 2: is kept with another attempt"],
		["an intent that is gone", "DELETE FROM intent WHERE number = 3", "1 intents have events, but no entry of their own"],
		[
			"an event that is added",
			`${unlocked} INSERT INTO event VALUES (11, '2026-03-01T10:00:00.000Z', 3, 'settled', '{"settlement":{"state":"not-created"}}', 'x', NULL)`,
			"event 11 was altered",
		],
		[
			"what was paid",
			"UPDATE intent SET content = replace(content, '10.10', '10.11') WHERE number = 2",
			"intent 2: is kept with another content than its events say",
		],
		[
			"what a payment alike is found by",
			"UPDATE intent SET fingerprint = 'f00d', alike = 1 WHERE number = 2",
			"intent 2: is kept with another fingerprint, alike than its events say",
		],
		["the key of that alone", "UPDATE intent SET alike = alike + 1 WHERE number = 2", "intent 2: is kept with another alike"],
		[
			"when it was paid",
			"UPDATE intent SET begun = '2020-01-01T00:00:00.000Z' WHERE number = 2",
			"intent 2: is kept with another begun than its events say",
		],
		["that it is money", "UPDATE intent SET effect = 'write' WHERE number = 2", "intent 2: is kept with another effect"],
		["who sent it", "UPDATE intent SET sender = NULL WHERE number = 3", "intent 3: is kept with another sender than its events say"],
		["the key of its id", "UPDATE intent SET created = 7 WHERE number = 2", "intent 2: is kept with another created"],
		["why it is in doubt", `UPDATE intent SET result = '{"why":"nothing"}' WHERE number = 3`, "intent 3: is kept with another result"],
		["whose row it is", "UPDATE intent SET batch = 1, row = 1 WHERE number = 2", "1 intents are said to be rows of a batch"],
		["a sum of a day", "UPDATE spent SET total = '0'", "the sum of the day 2026-03-01 EUR is not that of what went out on it"],
		["a sum that is gone", "DELETE FROM spent", "the sum of the day 2026-03-01 EUR"],
		["a trigger", "DROP TRIGGER event_is_kept", "database: event_is_kept is gone"],
		[
			"whose journal it is",
			"UPDATE meta SET value = 'x' WHERE key = 'installation'",
			"the installation is not the one that began the record",
		],
	])("shows a change of %s", async (_, sql, fault) => {
		const journal = await filled(newFolder(), driver);
		await tamper(journal, sql, driver);
		expect((await journal.verify()).faults.join("\n")).toContain(fault);
	});

	test("is exported event by event, each hash over the one before it", async () => {
		const journal = await filled(newFolder(), driver);
		const events = [];
		for await (const event of journal.events(0)) events.push(event);
		expect(events.map(({ seq, kind, intent }) => `${seq} ${kind} ${intent ?? ""}`.trim())).toEqual([
			"1 installed",
			"2 settings",
			"3 begun 1",
			"4 ended 1",
			"5 begun 2",
			"6 ended 2",
			"7 begun 3",
			"8 ended 3",
			"9 begun 4",
			"10 ended 4",
		]);
		expect(new Set(events.map(({ hash }) => hash)).size).toBe(10);
	});
});

describe.each(drivers)("the file, with %s", (driver) => {
	test.each([
		[
			"a trigger that does nothing",
			"DROP TRIGGER event_is_kept; CREATE TRIGGER event_is_kept BEFORE UPDATE ON event BEGIN SELECT 1; END",
			"database: event_is_kept is not as it was made",
		],
		[
			"a trigger that is added",
			"CREATE TRIGGER helpful AFTER INSERT ON intent BEGIN UPDATE intent SET alike = NULL; END",
			"database: helpful was added",
		],
	])("shows %s", async (_, sql, fault) => {
		const journal = await filled(newFolder(), driver);
		await tamper(journal, sql, driver);
		expect((await journal.verify()).faults.join("\n")).toContain(fault);
	});

	test.each([3, 99])("a journal of version %i is refused by name, and no byte of it changes", async (version) => {
		const folder = newFolder();
		const journal = await filled(folder, driver);
		await journal.close();
		await tamper(journal, `PRAGMA user_version = ${version}`, driver);
		const before = readFileSync(journal.file);
		await expect(open(folder, { driver })).rejects.toMatchObject({
			kind: "usage",
			message: `The journal has schema version ${version}, and this purser reads version 10 only; the file is unchanged and nothing was sent`,
			failure: {
				code: "JOURNAL_FOREIGN",
				why: journal.file,
				fix: advised(
					"Keep the file: it says what was sent. Write it out with the purser that wrote it: purser history export --limit 999999",
				),
			},
		});
		expect(readFileSync(journal.file).equals(before)).toBe(true);
	});

	test("a file of somebody else's is left alone", async () => {
		const folder = newFolder();
		const journal = await filled(folder, driver);
		await journal.close();
		await tamper(journal, "UPDATE meta SET value = 'other live' WHERE key = 'owner'", driver);
		await expect(open(folder, { driver })).rejects.toMatchObject({ kind: "usage", failure: { code: "JOURNAL_FOREIGN" } });
		await tamper(journal, "PRAGMA user_version = 0", driver);
		await expect(open(folder, { driver })).rejects.toMatchObject({ failure: { code: "JOURNAL_FOREIGN" } });
	});
});

test("the hash of an event covers the one before it", () => {
	const link = { seq: 2, at: "2026-03-01T10:00:00.000Z", intent: 1, kind: "begun", content: "{}" };
	expect([hashOf(genesis, link), hashOf("1".repeat(64), link)]).toEqual([
		"85bef167e20c3d319ae449eeca129b47fa9df6db60cb0fc6e8e18f09e6372bef",
		"7d8367afaca78b1348a14e68d5779866dd356ecf36bba2774318c0199f660af3",
	]);
});
