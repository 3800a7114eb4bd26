/**
 * What the journal insists on: settings that hold, few commits for many, a lock that is waited for and not forced.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { loadDriver } from "../../src/sqlite/drivers.js";
import type { OpenStorage, SqlRow } from "../../src/sqlite/storage.js";
import { failure } from "./batch.js";
import { drivers, newFolder, open, payment, removeFolders } from "./journals.js";

afterEach(removeFolders);

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A driver that says something else than the truth about a setting, or notes what it is asked. */
function lying(driver: OpenStorage, settings: Record<string, string | number>, asked: string[] = []): OpenStorage {
	return (path, options) => {
		const storage = driver(path, options);
		return {
			close: () => storage.close(),
			exec: (sql) => {
				asked.push(sql);
				storage.exec(sql);
			},
			prepare: (sql) => {
				const statement = storage.prepare(sql);
				const name = /^PRAGMA (\w+)$/.exec(sql)?.[1] ?? "";
				const told: SqlRow | undefined = name in settings ? { [name]: settings[name] as string | number } : undefined;
				return {
					run: (...values) => statement.run(...values),
					all: (...values) => statement.all(...values),
					get: (...values) => told ?? statement.get(...values),
				};
			},
		};
	};
}

describe.each(drivers)("the journal with %s", (driver) => {
	test.each([
		["synchronous", 1],
		["synchronous", 0],
		["journal_mode", "delete"],
		["secure_delete", 0],
		["fullfsync", 0],
	])("is not used where %s is %s, also when it was there before", async (name, value) => {
		const folder = newFolder();
		const storage = lying(await loadDriver(driver), { [name]: value });
		for (let again = 0; again < 2; again++) {
			const error = await failure(open(folder, { storage }));
			expect([error.kind, error.failure.code]).toEqual(["usage", "JOURNAL_UNSAFE"]);
			expect(error.message).toContain(`${name} is ${value}`);
			await (await open(folder, { driver })).close();
		}
	});

	test("a hundred at once are four commits, at most 32 in each; each has its own number, and the sequence has no hole", async () => {
		const asked: string[] = [];
		const journal = await open(newFolder(), { storage: lying(await loadDriver(driver), {}, asked) });
		asked.length = 0;
		const intents = await Promise.all(Array.from({ length: 100 }, (_, index) => journal.begin(payment({ reference: `Row ${index}` }))));
		expect(new Set(intents).size).toBe(100);
		// 32 + 32 + 32 + 4.
		expect(asked.filter((sql) => sql === "COMMIT")).toHaveLength(4);
		// The installation, the settings in force, and one event for each of the hundred.
		expect(await journal.verify()).toMatchObject({
			faults: [],
			events: 102,
			head: { seq: 102 },
			installation: expect.stringMatching(uuid4),
		});
	});

	test("a lock of another process is waited for, told, and not taken for a broken disk", async () => {
		const folder = newFolder();
		const real = await loadDriver(driver);
		const journal = await open(folder, { storage: (path) => real(path, { wait: 50 }) });
		const other = real(journal.file, { wait: 0 });
		other.exec("BEGIN IMMEDIATE");
		const error = await failure(journal.begin(payment()));
		expect([error.kind, error.failure.code]).toEqual(["usage", "JOURNAL_BUSY"]);
		other.exec("ROLLBACK");
		expect(await journal.begin(payment())).toBe("1");
		other.close();
	});

	test("the locks of the dead are cleared away by the next who sends, those of the living stay", async () => {
		const folder = newFolder();
		const senders = join(folder, "journal", "test.sandbox.senders");
		const living = await open(folder, { driver });
		await living.begin(payment({ amount: "1" }));
		const [held] = readdirSync(senders);
		const dead = (await loadDriver(driver))(join(senders, "left-behind.lock"), { wait: 0 });
		dead.close();
		const next = await open(folder, { driver });
		await next.begin(payment({ amount: "2" }));
		const left = readdirSync(senders);
		expect([left.length, left.includes(held as string), left.includes("left-behind.lock")]).toEqual([2, true, false]);
		await next.close();
		expect(readdirSync(senders)).toEqual([held]);
	});
});
