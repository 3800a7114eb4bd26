/**
 * A journal of version 3 kept every id in small letters. Those that are no UUIDs have their capitals back after the upgrade, as the person
 * who settled by them wrote them.
 */
import { afterEach, expect, test } from "vitest";
import { openJournal } from "../../src/journal/open.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import { loadDriver } from "../../src/sqlite/drivers.js";
import { drivers, newFolder, newUuid, removeFolders, testClock } from "../journal/journals.js";
import { unpackBound } from "./released.js";

afterEach(removeFolders);

const opened = (directory: string) =>
	openJournal({
		directory,
		profile: { name: "bound", environment: "sandbox" },
		clock: testClock("2026-11-23T08:00:00.000Z"),
		random: { uuid: newUuid, fraction: () => 0.5 },
		driver: drivers[0],
		rules: moneyRules({}),
	});

const uuid = "0b9f6f0e-5d3c-4d1e-8a3f-3c2b1a090807";

test("ids of payments and of rows stand as they were given, and the copy is as it was", async () => {
	const folder = newFolder();
	const file = unpackBound(folder, "settled");
	const journal = await opened(folder);
	const records = await journal.list({ effect: "money" });
	expect(records.map(({ intent, id }) => [intent, id])).toEqual([
		["5", "TX-9B"],
		["4", "1b9f6f0e-5d3c-4d1e-8a3f-3c2b1a090807"],
		["3", undefined],
		["2", "TX-9A"],
		["1", uuid],
	]);
	expect([...(await journal.holders(["TX-9A", "tx-9a", "TX-9B", uuid.toUpperCase()]))]).toEqual([
		["TX-9A", "2"],
		["TX-9B", "5"],
		[uuid.toUpperCase(), "1"],
	]);
	expect((await journal.verify()).faults).toEqual([]);
	await journal.close();
	const storage = (await loadDriver(drivers[0]))(`${file}.version-3`, { wait: 0 });
	expect(storage.prepare("SELECT created_id FROM intent WHERE number IN (2, 5)").all()).toMatchObject([
		{ created_id: "tx-9a" },
		{ created_id: "tx-9b" },
	]);
	storage.close();
});

test("an id that was altered in its capitals is found", async () => {
	const folder = newFolder();
	const file = unpackBound(folder, "settled");
	await (await opened(folder)).close();
	const storage = (await loadDriver(drivers[0]))(file, { wait: 0 });
	storage.exec("UPDATE intent SET created_id = 'tx-9a' WHERE number = 2");
	storage.close();
	const journal = await opened(folder);
	expect((await journal.verify()).faults).toEqual(["intent 2: is kept with the id tx-9a, but its events say TX-9A"]);
	await journal.close();
});
