/**
 * Journals of a released version: upgraded with a copy of before, and nothing of them lost or made up.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openBatches } from "../../src/journal/open-batches.js";
import { WriteTransaction } from "../../src/journal/sqlite/transaction.js";
import { batchRules } from "../../src/payments/batch/send/rules.js";
import type { IntentState } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { type DriverName, loadDriver } from "../../src/sqlite/drivers.js";
import type { OpenStorage } from "../../src/sqlite/storage.js";
import { drivers, newFolder, newUuid, open, removeFolders, testClock } from "../journal/journals.js";
import { programOf } from "../support/program.js";
import { watched } from "./changes.js";
import { released, unpack } from "./released.js";

afterEach(removeFolders);

/** Number, state and attempt of every payment, as the purser that wrote them told them. */
const told: readonly (readonly [string, IntentState, number])[] = [
	["1", "accepted", 1],
	["2", "accepted", 1],
	["3", "accepted", 1],
	["4", "refused", 1],
	["6", "accepted", 1],
	["8", "accepted", 1],
	["10", "not-created", 1],
	["12", "accepted", 2],
	["13", "accepted", 1],
	["15", "waiting", 1],
	["17", "in-doubt", 1],
	["19", "in-doubt", 1],
	["21", "in-doubt", 1],
	["22", "accepted", 1],
	["23", "accepted", 1],
	["24", "accepted", 1],
	["25", "accepted", 1],
	["26", "accepted", 1],
	["28", "accepted", 1],
	["29", "accepted", 1],
	["39", "accepted", 1],
	["43", "in-doubt", 1],
	["44", "accepted", 1],
	["45", "in-doubt", 1],
	["46", "in-doubt", 1],
	["47", "in-doubt", 1],
	["48", "in-doubt", 1],
	["79", "accepted", 1],
];

const now = "2026-11-22T08:00:00.000Z";

async function statesOf(journal: Journal): Promise<(readonly [string, IntentState, number])[]> {
	const records = await journal.list({ effect: "money" });
	return records.map(({ intent, state, attempt }) => [intent, state, attempt] as const).reverse();
}

const opened = (folder: string, driver = drivers[0], rest: object = {}): Promise<Journal> =>
	open(folder, { driver, profile: released.journal, clock: testClock(now), ...rest });

async function versionOf(file: string): Promise<unknown> {
	const storage = (await loadDriver(drivers[0]))(file, { wait: 0 });
	const version = storage.prepare("PRAGMA user_version").get()?.user_version;
	storage.close();
	return version;
}

describe.each(drivers)("a journal of version 2, with %s", (driver) => {
	test("is upgraded, and every payment stands where it stood", async () => {
		const folder = newFolder();
		const file = unpack(folder, "journal");
		const journal = await opened(folder, driver);
		expect(await statesOf(journal)).toEqual(told);
		// 80 events were there, and each of the two steps of the upgrade is one more.
		expect(await journal.verify()).toMatchObject({ events: 82, intents: 82, head: { seq: 82 }, faults: [] });
		await journal.close();
		expect(await versionOf(file)).toBe(4);
	});

	test("what the older purser did not record is unknown, and no default", async () => {
		const folder = newFolder();
		unpack(folder, "journal");
		const journal = await opened(folder, driver);
		for (const record of await journal.list({})) {
			expect(record).not.toHaveProperty("operator", expect.anything());
			expect(record).not.toHaveProperty("skew", expect.anything());
		}
		await journal.close();
	});

	test("a copy of before lies beside it, private, and is the whole journal of before", async () => {
		const folder = newFolder();
		const file = unpack(folder, "journal");
		const said: string[] = [];
		const journal = await opened(folder, driver, { tell: (message: string) => said.push(message) });
		await journal.close();
		const copy = `${file}.version-2`;
		expect(statSync(copy).mode & 0o777).toBe(0o600);
		const storage = (await loadDriver(driver))(copy, { wait: 0 });
		const meta = (key: string): unknown => storage.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.value;
		expect(storage.prepare("PRAGMA user_version").get()?.user_version).toBe(2);
		expect([meta("seq"), meta("hash")]).toEqual(["80", "ffb4681c820a74db3ee7bb71a770352e77986a24aabc56d42e6810e177e093d9"]);
		storage.close();
		expect(said).toEqual([
			"The journal is being upgraded from version 2 to 3; a copy is kept beside it",
			`The journal is upgraded; the copy from before is ${copy}`,
			"The journal is being upgraded from version 3 to 4; a copy is kept beside it",
			`The journal is upgraded; the copy from before is ${file}.version-3`,
		]);
		expect(readdirSync(dirname(file)).filter((name) => /\.version-\d\./.test(name))).toEqual([]);
	});

	test("its purged beginning stays accounted for", async () => {
		const folder = newFolder();
		unpack(folder, "purged");
		const journal = await open(folder, { driver, profile: released.purged, clock: testClock("2026-03-07T11:00:00.000Z") });
		expect(await journal.verify()).toMatchObject({ events: 13, intents: 6, head: { seq: 20 }, faults: [] });
		await journal.close();
	});

	test("its doubts are settled, and what was not created is sent again, as an attempt that follows", async () => {
		const folder = newFolder();
		unpack(folder, "journal");
		const journal = await opened(folder, driver);
		const evidence = { source: "person", reason: "the bank confirmed it" } as const;
		await journal.settle("19", { state: "not-created", evidence }, 1);
		const { record } = (await journal.show("19")) as NonNullable<Awaited<ReturnType<Journal["show"]>>>;
		const { operation, effect, profile, origin, service, method, path, digest, transfer } = record;
		expect(await journal.begin({ operation, effect, profile, origin, service, method, path, digest, transfer })).toBe("19");
		expect((await journal.show("19"))?.record).toMatchObject({ state: "sending", attempt: 2 });
		expect(await journal.verify()).toMatchObject({ faults: [] });
		await journal.close();
	});

	test.each([
		["2", 4, ["30", "31", "32", "33"]],
		["7", 3, ["80", "81", "82"]],
	])("batch %s goes on with the rows that were never sent", async (batch, left, numbers) => {
		const folder = newFolder();
		unpack(folder, "journal");
		const random = { uuid: newUuid, fraction: () => 0.5 };
		const clock = testClock("2026-11-22T08:00:00.000Z");
		const batches = await openBatches({ directory: folder, profile: released.journal, clock, random, rules: batchRules({}), driver });
		await batches.begin(batch, ["planned"], { duplicates: 0, batches: [] });
		const begun = await batches.advance(batch, [], 100);
		expect(begun).toHaveLength(left);
		expect(begun.map(({ number }) => String(number))).toEqual(numbers);
		await batches.close();
	});
});

test("a journal that was altered is not upgraded, and stays as it is", async () => {
	const folder = newFolder();
	const file = unpack(folder, "journal");
	const storage = (await loadDriver(drivers[0]))(file, { wait: 0 });
	storage.exec("UPDATE intent SET state = 'not-created' WHERE number = 19");
	storage.close();
	await expect(opened(folder)).rejects.toThrow(/must be upgraded, but it was altered: intent 19/);
	expect(await versionOf(file)).toBe(2);
	expect(existsSync(`${file}.version-2`)).toBe(false);
});

test("another process that is sending is waited for, not upgraded away from", async () => {
	const folder = newFolder();
	const file = unpack(folder, "journal");
	const load = await loadDriver(drivers[0]);
	const storage = load(file, { wait: 0 });
	const sender = String(storage.prepare("SELECT sender FROM intent WHERE number = 19").get()?.sender);
	storage.close();
	const senders = file.replace(/db$/, "senders");
	mkdirSync(senders, { mode: 0o700 });
	const lock = load(`${senders}/${sender}.lock`, { wait: 0 });
	lock.exec("PRAGMA journal_mode = MEMORY");
	lock.exec("BEGIN EXCLUSIVE");
	await expect(opened(folder)).rejects.toThrow(/another purser is still writing to it; nothing was sent/);
	expect(await versionOf(file)).toBe(2);
	lock.exec("ROLLBACK");
	lock.close();
	const journal = await opened(folder);
	expect(await statesOf(journal)).toEqual(told);
	await journal.close();
});

test("what another process writes between the copy and the change is in the copy too", async () => {
	const folder = newFolder();
	const file = unpack(folder, "journal");
	const load = await loadDriver(drivers[0]);
	let copies = 0;
	const meddling: OpenStorage = (path, options) => {
		if (path.includes(".version-2.") && copies++ === 0) {
			// The older purser looks at a doubt meanwhile, and records it.
			const other = load(file, { wait: 0 });
			other.exec("BEGIN IMMEDIATE");
			const transaction = new WriteTransaction(other, new Date(now));
			transaction.append("looked", 19, { attempt: 1, look: { at: now, source: "service", complete: true, unclaimed: 0, possible: 0 } });
			transaction.finish();
			other.exec("COMMIT");
			other.close();
		}
		return load(path, options);
	};
	const journal = await opened(folder, drivers[0], { storage: meddling });
	expect(await journal.verify()).toMatchObject({ events: 83, faults: [] });
	expect(await journal.looks("19")).toHaveLength(1);
	await journal.close();
	const copy = load(`${file}.version-2`, { wait: 0 });
	expect(copy.prepare("SELECT count(*) AS looks FROM event WHERE intent = 19 AND kind = 'looked'").get()?.looks).toBe(1);
	copy.close();
});

test("a journal of a newer purser is left alone", async () => {
	const folder = newFolder();
	const journal = await opened(folder);
	await journal.close();
	const storage = (await loadDriver(drivers[0]))(journal.file, { wait: 0 });
	storage.exec("PRAGMA user_version = 5");
	storage.close();
	await expect(opened(folder)).rejects.toThrow(
		"The journal was written by a newer purser (journal version 5; this one reads up to 4); nothing was sent",
	);
	// The released purser of version 2 takes exactly 2, so it refuses this one's.
	expect(await versionOf(journal.file)).toBe(5);
});

describe("killed", () => {
	let upgrader: Awaited<ReturnType<typeof programOf>>;
	beforeAll(async () => {
		upgrader = await programOf(new URL("./upgrader.ts", import.meta.url));
	});
	afterAll(() => upgrader.remove());

	const run = (folder: string, step: number, driver: string) =>
		execa(process.execPath, ["--no-warnings", upgrader.script, folder, String(step), driver], { reject: false });

	/** Opened after a kill, it is whole. @returns the version that the kill left */
	async function versionAfterKill(folder: string, driver: DriverName): Promise<unknown> {
		const file = join(folder, "journal", "sandbox.sandbox.db");
		const version = await versionOf(file);
		const journal = await opened(folder, driver);
		expect(await statesOf(journal)).toEqual(told);
		expect(await journal.verify()).toMatchObject({ events: 82, intents: 82, faults: [] });
		await journal.close();
		expect(await versionOf(`${file}.version-2`)).toBe(2);
		return version;
	}

	/** The bytes of every file of a folder, as a digest; SQLite's index of its log is made anew with each opening. */
	function contentOf(folder: string): string {
		const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile() && !one.name.endsWith("-shm"));
		const hash = createHash("sha256");
		for (const { parentPath, name } of names) hash.update(name).update(readFileSync(join(parentPath, name)));
		return hash.digest("hex");
	}

	test.each(drivers)("at every step of the upgrade, nothing is lost, with %s", async (driver) => {
		const folder = newFolder();
		unpack(folder, "journal");
		// What a kill leaves is what stands in the files at that moment.
		const moments: string[] = [];
		const storage = watched(await loadDriver(driver), () => {
			const copy = newFolder();
			cpSync(folder, copy, { recursive: true });
			moments.push(copy);
		});
		const journal = await opened(folder, driver, { storage });
		const steps = moments.length;
		await journal.close();
		expect(steps).toBeGreaterThanOrEqual(10);
		const versions: unknown[] = [];
		let last = "";
		for (const copy of moments.slice(0, steps)) {
			// What lies on the disk as it lay a moment ago was looked at then.
			const now = contentOf(copy);
			versions.push(now === last ? versions.at(-1) : await versionAfterKill(copy, driver));
			last = now;
		}
		// Before each commit it is the old one, after it the next one: all were met.
		expect(new Set(versions)).toEqual(new Set([2, 3, 4]));
		// And real kills leave what was copied.
		for (const step of [1, Math.ceil(steps / 2), versions.indexOf(3), versions.indexOf(3) + 1, steps]) {
			const killed = newFolder();
			unpack(killed, "journal");
			expect([step, (await run(killed, step, driver)).signal]).toEqual([step, "SIGKILL"]);
			expect(await versionAfterKill(killed, driver)).toBe(versions[step - 1]);
		}
	});

	test("six that open it at once upgrade it once", async () => {
		const folder = newFolder();
		unpack(folder, "journal");
		const all = await Promise.all(Array.from({ length: 6 }, () => run(folder, 0, drivers[0] as string)));
		expect(all.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(Array.from({ length: 6 }, () => [0, ""]));
		const journal = await opened(folder);
		expect(await journal.verify()).toMatchObject({ events: 82, faults: [] });
		expect(await statesOf(journal)).toEqual(told);
		await journal.close();
	});
});
