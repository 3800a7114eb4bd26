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
});

describe.each(drivers)("the file, with %s", (driver) => {
	test("shows a trigger that does nothing, and one that is added", async () => {
		const journal = await filled(newFolder(), driver);
		const idle = "DROP TRIGGER event_is_kept; CREATE TRIGGER event_is_kept BEFORE UPDATE ON event BEGIN SELECT 1; END";
		await tamper(journal, `${idle}; CREATE TRIGGER helpful AFTER INSERT ON intent BEGIN UPDATE intent SET alike = NULL; END`, driver);
		const faults = ["database: event_is_kept is not as it was made", "database: helpful was added"];
		expect((await journal.verify()).faults).toEqual(faults);
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
	const link = { seq: 2, at: "2026-03-01T10:00:00.000Z", intent: 1, kind: "begun", content: "{}", batch: null };
	expect([hashOf(genesis, link), hashOf("1".repeat(64), link)]).toEqual([
		"d86808da27eff23608280631f17418639f7e0d617b1f1c249f427359eca44d2d",
		"c3ee9f60e5fb48a2393eaf088a5357a7c0a9a71059ded6135f208659ec079f92",
	]);
});
