import { afterAll, expect, test } from "vitest";
import { openJournal } from "../../src/journal/open.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import { loadDriver } from "../../src/sqlite/drivers.js";
import { drivers, newFolder, payment, removeFolders, testClock } from "./journals.js";

afterAll(removeFolders);

test.each(drivers)("what is asked at the same time shares a commit, at most 32 at once, with %s", async (driver) => {
	const real = await loadDriver(driver);
	let commits = 0;
	const journal = await openJournal({
		directory: newFolder(),
		profile: { name: "test", environment: "sandbox" },
		clock: testClock(),
		random: { fraction: () => 0.5, uuid: () => crypto.randomUUID() },
		rules: moneyRules({}),
		storage: (path, options) => {
			const storage = real(path, options);
			return {
				...storage,
				exec: (sql) => {
					if (sql === "COMMIT") commits += 1;
					storage.exec(sql);
				},
			};
		},
	});
	commits = 0;
	const begun = await Promise.all(Array.from({ length: 100 }, (_, row) => journal.begin(payment({ reference: `Row ${row}` }))));
	expect(new Set(begun).size).toBe(100);
	// 32 + 32 + 32 + 4.
	expect(commits).toBe(4);
	const verified = await journal.verify();
	expect(verified.faults).toEqual([]);
	// The installation, the settings in force, and one event for each of the hundred: the sequence has no hole.
	expect([verified.events, verified.head.seq]).toEqual([102, 102]);
	expect(verified.installation).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
	await journal.close();
});
