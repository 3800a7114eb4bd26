import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import type { Anchor } from "../../src/ports/anchor.js";
import type { Journal } from "../../src/ports/journal.js";
import { loadDriver } from "../../src/sqlite/drivers.js";
import { type TestPlace, testPlace, unwritable } from "./anchors.js";
import { endWorlds, none, planned } from "./batch.js";
import { doubtful, drivers, newFolder, open, openRows, payment } from "./journals.js";

afterEach(endWorlds);

const profile = { name: "test", environment: "live" } as const;
const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const live = (folder: string, place: TestPlace): Promise<Journal> => open(folder, { profile, anchor: async () => place });

const codeOf = (reason: unknown): string => (reason instanceof PurserError ? `${reason.exit} ${reason.failure.code}` : String(reason));
const refused = (asked: Promise<unknown>): Promise<string> => asked.then(() => "nothing was refused", codeOf);

async function paid(journal: Journal, ...references: string[]): Promise<void> {
	for (const reference of references) {
		const intent = await journal.begin(payment({ reference }));
		await journal.end(intent, { state: "accepted", id: id(Number(intent)), status: 201 });
	}
}

/** A journal that was begun as a new one and has paid so often; closed. */
async function begun(folder: string, place: TestPlace, ...references: string[]): Promise<string> {
	const journal = await live(folder, place);
	await journal.adopt("new");
	await paid(journal, ...references);
	await journal.close();
	return journal.file;
}

/** Opens it, asks it something, closes it. */
async function once<T>(folder: string, place: TestPlace, ask: (journal: Journal) => Promise<T>): Promise<T> {
	const journal = await live(folder, place);
	try {
		return await ask(journal);
	} finally {
		await journal.close();
	}
}

const beginning = (folder: string, place: TestPlace): Promise<string> =>
	once(folder, place, (journal) => refused(journal.begin(payment())));

describe("the table of what is found", () => {
	test("a journal with payments and no anchor: anchored by itself, on record", async () => {
		const [folder, place] = [newFolder(), testPlace()];
		await begun(folder, testPlace(), "first");
		expect(await beginning(folder, place)).toBe("nothing was refused");
		expect(place.written.length).toBeGreaterThan(0);
		const adopted = await once(folder, place, async (journal) => {
			const found: unknown[] = [];
			for await (const event of journal.events(0)) if (event.kind === "adopted") found.push(event.content);
			return found.at(-1);
		});
		expect(adopted).toEqual({ reason: "payments stand in it, and no anchor was kept of it", found: "unanchored" });
	});

	test("a journal ahead of its anchor that contains its hash: the anchor follows", async () => {
		const [folder, place] = [newFolder(), testPlace()];
		await begun(folder, place, "first");
		const behind = place.kept as Anchor;
		await once(folder, place, (journal) => paid(journal, "second"));
		place.kept = behind;
		expect(await beginning(folder, place)).toBe("nothing was refused");
		expect((place.kept as Anchor).seq).toBeGreaterThan(behind.seq);
	});

	test.each<[string, string, (file: string, place: TestPlace) => unknown]>([
		["an anchor, and no journal", "other", (file) => rmSync(file)],
		["an anchor, and an emptied file", "other", (file) => writeFileSync(file, "")],
		["a journal behind its anchor", "behind", (file) => copyFileSync(`${file}.older`, file)],
		["a journal without its hash", "changed", (_, place) => Object.assign(place.kept as Anchor, { hash: "f".repeat(64) })],
		["an anchor that was edited", "broken", (_, place) => Object.assign(place, { kept: "broken" })],
	])("%s: refused for money until it is adopted with a reason", async (_, found, spoil) => {
		const [folder, place] = [newFolder(), testPlace()];
		const file = await begun(folder, place, "first");
		copyFileSync(file, `${file}.older`);
		await once(folder, place, (journal) => paid(journal, "second"));
		// Another file each time, and no log of the one before: somebody else's process would leave none.
		renameSync(file, `${file}.newer`);
		copyFileSync(`${file}.newer`, file);
		for (const part of ["-wal", "-shm"]) rmSync(file + part, { force: true });
		spoil(file, place);
		const code = found === "broken" ? "10 ANCHOR_BROKEN" : "10 JOURNAL_NOT_THE_ONE";
		expect(await beginning(folder, place)).toBe(code);
		expect(await once(folder, place, (journal) => refused(journal.guard(true)))).toBe(code);
		expect((await once(folder, place, (journal) => journal.verify())).faults).toHaveLength(1);
		expect(await once(folder, place, (journal) => journal.adopt("looked at the statement"))).toMatchObject({ found });
		expect(await beginning(folder, place)).toBe("nothing was refused");
		expect((await once(folder, place, (journal) => journal.verify())).faults).toEqual([]);
	});

	test("a second journal of one service: refused until one of both is adopted; of another service it is none", async () => {
		const [folder, other, place, beside] = [newFolder(), newFolder(), testPlace(), testPlace()];
		await begun(folder, place, "first");
		beside.beside = [place.kept as Anchor];
		expect(await beginning(other, beside)).toBe("10 SECOND_JOURNAL");
		expect(await once(other, beside, (journal) => refused(journal.guard(true)))).toBe("10 SECOND_JOURNAL");
		const elsewhere = testPlace("https://api.example.com/test");
		elsewhere.beside = beside.beside;
		expect(await once(newFolder(), elsewhere, (journal) => journal.guard(true))).toBe("new");
		expect(await once(other, beside, (journal) => journal.adopt("for the payroll"))).toMatchObject({ found: "second" });
		expect(await beginning(other, beside)).toBe("nothing was refused");
		place.beside = [beside.kept as Anchor];
		expect(await beginning(folder, place)).toBe("nothing was refused");
	});

	test.each([
		["http://localhost:4010", "http://127.0.0.1:4010", "nothing was refused"],
		["https://api.example.com", "https://bank.example.com", "nothing was refused"],
		["https://api.example.com", "https://api.example.com", "10 SECOND_JOURNAL"],
	])("one service reached by two addresses is two: %s and %s", async (one, other, expected) => {
		const [place, beside] = [testPlace(one), testPlace(other)];
		await begun(newFolder(), place, "first");
		beside.beside = [place.kept as Anchor];
		const again = async (journal: Journal): Promise<string> => {
			const guarded = await refused(journal.guard(true));
			if (guarded === "nothing was refused") await journal.adopt("new");
			return refused(journal.begin(payment({ reference: "first" })));
		};
		expect(await once(newFolder(), beside, again)).toBe(expected);
	});

	test("a journal of a sandbox has no anchor", async () => {
		const journal = await open(newFolder());
		expect(await journal.guard(false)).toBe("unguarded");
		expect(await refused(journal.adopt("x"))).toBe("10 NOT_GUARDED");
	});
});

describe("when it is written", () => {
	test("after the commit of the intent and before begin resolves; an end needs none", async () => {
		const [folder, place] = [newFolder(), testPlace()];
		const file = await begun(folder, place);
		const journal = await live(folder, place);
		const committed: unknown[] = [];
		const reader = (await loadDriver())(file, { wait: 0 });
		place.writing = ({ seq }) => void committed.push(reader.prepare("SELECT kind FROM event WHERE seq = ?").get(seq)?.kind);
		const intent = await journal.begin(payment());
		expect(committed).toEqual(["begun"]);
		await journal.end(intent, { state: "accepted", id: id(1), status: 201 });
		expect(committed).toEqual(["begun"]);
		reader.close();
	});

	test("where it cannot be written the payment is not sent, and no doubt", async () => {
		const [folder, place] = [newFolder(), testPlace()];
		await begun(folder, place);
		const journal = await live(folder, place);
		place.writing = unwritable;
		expect(await refused(journal.begin(payment()))).toBe("2 ANCHOR_UNWRITABLE");
		expect((await journal.list({})).map(({ state }) => state)).toEqual(["not-sent"]);
		place.writing = undefined;
		expect(await refused(journal.begin(payment()))).toBe("nothing was refused");
	});

	test("of two connections none puts it back", async () => {
		const [folder, place] = [newFolder(), testPlace()];
		await begun(folder, place);
		const [one, other] = [await live(folder, place), await live(folder, place)];
		await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 ? one : other).begin(payment({ reference: `Row ${at}` }))));
		const seqs = place.written.map(({ seq }) => seq);
		expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
		const { head } = await one.verify();
		expect((place.kept as Anchor).seq).toBe(head.seq);
	});

	test("a batch: at its begin, every 1,000 rows and its end; where it fails no row is marked", async () => {
		const [folder, place] = [newFolder(), testPlace()];
		await begun(folder, place);
		const batches = await openRows(folder, { profile, anchor: async () => place });
		const count = 2_500;
		const batch = await planned(batches, [...Array(count).keys()]);
		const before = place.written.length;
		await batches.begin(batch, ["planned"], none);
		expect(place.written.length - before).toBe(1);
		const seen: number[] = [];
		let last: { number: number; outcome: { state: "accepted"; id: string; status: number } }[] = [];
		for (let marked = 0; marked < count; ) {
			const rows = await batches.advance(batch, last, 100);
			last = rows.map(({ number }) => ({ number, outcome: { state: "accepted", id: id(number), status: 201 } }));
			marked += rows.length;
			if (place.written.length - before > seen.length + 1) seen.push(marked);
			if (marked === 2_000) {
				place.writing = unwritable;
				expect(await refused(batches.advance(batch, last, 100))).toBe("2 ANCHOR_UNWRITABLE");
				await batches.advance(batch, last, 0);
				break;
			}
		}
		expect(seen).toEqual([1_100]);
		expect((await batches.show(batch))?.counts).toMatchObject({ accepted: 2_000, sending: 0, planned: 500 });
		place.writing = undefined;
		await batches.release(batch);
		expect(place.written.length - before).toBe(3);
	});
});

describe.each(drivers)("one file that has everything, with %s", (driver) => {
	test("at the end of a run nothing stands in the log beside it", async () => {
		const folder = newFolder();
		const journal = await open(folder, { driver });
		await paid(journal, "first", "second", "third");
		await journal.close();
		expect(statSync(`${journal.file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
		const other = newFolder();
		mkdirSync(join(other, "journal"));
		copyFileSync(journal.file, join(other, "journal", "test.sandbox.db"));
		const copied = await open(other, { driver });
		expect((await copied.list({})).map(({ transfer }) => transfer?.reference)).toEqual(["third", "second", "first"]);
	});

	test("a backup while another writes is whole, private, and overwrites nothing", async () => {
		const folder = newFolder();
		const [journal, writer] = [await open(folder, { driver }), await open(folder, { driver })];
		await paid(writer, "first", "second");
		await writer.begin(payment({ reference: "under way" }));
		const file = join(folder, "copy.db");
		const copy = await journal.backup(file);
		expect(copy).toMatchObject({ file, events: 7, head: { seq: 7 } });
		expect(copy.bytes).toBe(statSync(file).size);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(await refused(journal.backup(file))).toBe("10 FILE_EXISTS");
		expect(await refused(journal.backup(join(folder, "none", "copy.db")))).toBe("2 BACKUP_NOT_WRITTEN");
		const restored = newFolder();
		mkdirSync(join(restored, "journal"));
		copyFileSync(file, join(restored, "journal", "test.sandbox.db"));
		const again = await open(restored, { driver });
		// The copy has one event more, its mark; the journal has none.
		expect(await again.verify()).toMatchObject({ events: 8, intents: 3, restored: { last: 7 }, faults: [] });
		expect((await journal.verify()).restored).toBeUndefined();
		expect(await refused(again.begin(payment({ reference: "third" })))).toBe("10 JOURNAL_RESTORED");
		expect(await refused(again.adopt("not compared"))).toBe("10 JOURNAL_RESTORED");
		expect(await again.adopt("compared", [])).toMatchObject({ found: "restored", inDoubt: 0, head: { seq: 9 } });
		expect(await refused(again.begin(payment({ reference: "third" })))).toBe("nothing was refused");
	});

	test("a copy that is not the journal is not believed, and removed", async () => {
		const load = await loadDriver(driver);
		const folder = newFolder();
		let spoiled = 0;
		const journal = await open(folder, {
			storage: (path, options) => {
				const storage = load(path, options);
				if (!path.endsWith(".partial")) return storage;
				spoiled += 1;
				storage.exec("DROP TRIGGER event_is_kept; UPDATE event SET content = '{}' WHERE seq = 2");
				return storage;
			},
		});
		await paid(journal, "first");
		const file = join(folder, "copy.db");
		expect(await refused(journal.backup(file))).toBe("2 BACKUP_NOT_WHOLE");
		expect([spoiled, statSync(file, { throwIfNoEntry: false })]).toEqual([1, undefined]);
		expect(await refused(journal.backup(file))).toBe("2 BACKUP_NOT_WHOLE");
	});
});

test("a record that was recomputed: verify finds it by the anchor, which nothing else shows", async () => {
	const [folder, place] = [newFolder(), testPlace()];
	const before = await live(folder, place);
	await before.adopt("new");
	await paid(before, "first");
	await doubtful(before, { reference: "doubtful" });
	await before.close();
	// The newest doubt is cut out, with its events, and the chain ends before it.
	const storage = (await loadDriver())(before.file, { wait: 0 });
	const trigger = String(storage.prepare("SELECT sql FROM sqlite_master WHERE name = 'event_is_not_lost'").get()?.sql);
	storage.exec(`DROP TRIGGER event_is_not_lost; DELETE FROM event WHERE intent = 2; DELETE FROM intent WHERE number = 2; ${trigger};
			UPDATE meta SET value = (SELECT max(seq) FROM event) WHERE key = 'seq';
			UPDATE meta SET value = (SELECT hash FROM event ORDER BY seq DESC LIMIT 1) WHERE key = 'hash';
			UPDATE spent SET total = '10.10'`);
	storage.close();
	const journal = await live(folder, place);
	const verified = await journal.verify();
	expect(verified.faults).toEqual([
		`${journal.file} ends before event 6, at which money left last (${(place.kept as Anchor).at}): it is an older copy, or was cut off`,
	]);
	expect(verified.anchor).toMatchObject({ seq: 6, holds: false });
	await journal.close();
	const unguarded = await open(folder, { profile });
	expect((await unguarded.verify()).faults).toEqual([]);
});
