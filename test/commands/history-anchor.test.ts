/**
 * What a person sees of a journal's anchor: before a payment, and in the commands of the journal. That a script needs --new-journal is in
 * test/faults/anchor.test.ts.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Anchor } from "../../src/ports/anchor.js";
import type { Journal } from "../../src/ports/journal.js";
import { anchorOfAnother, type TestPlace, testPlace } from "../journal/anchors.js";
import { newFolder, open, removeFolders } from "../journal/journals.js";
import { answered, makeWorld, type World } from "../support/purser.js";

let [folder, place, world]: [string, TestPlace, World] = ["", testPlace(), undefined as never];
let made = 0;
let opened: Promise<Journal> | undefined;
const from = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const to = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
const pay = `pay ledger --ledger-from-id ${from} --ledger-to-id ${to} --amount 10.10`;
const paid = (): number => world.changes().length;

async function newWorld(environment: "live" | "sandbox" = "live"): Promise<void> {
	world = await makeWorld({
		profile: { environment, baseUrl: "https://api.example.com", auth: { kind: "none" } },
		wire: async (request) =>
			request.method === "POST"
				? answered(201, JSON.stringify({ id: `11111111-2222-4333-8444-${String(made++).padStart(12, "0")}` }))
				: answered(200, JSON.stringify({ id: from, currency: "EUR", status: "ACTIVE", availableAmount: 900, content: [] })),
		openJournal: (clock, profile) => {
			opened ??= open(folder, { clock: clock as never, profile, ...(environment === "live" && { anchor: async () => place }) });
			return opened;
		},
	});
}

beforeEach(async () => {
	[folder, place, opened] = [newFolder(), testPlace(), undefined];
	await newWorld();
});
afterEach(async () => {
	await (await opened)?.close();
	await removeFolders();
});

describe("a payment by a new journal", () => {
	test("at a terminal says before the question that no payment is known, and begins with the Yes", async () => {
		const declined = await world.purser(pay, { answers: [false] });
		expect([declined.exit, place.written, paid()]).toEqual([10, [], 0]);
		expect(declined.stderr).toContain("the journal is new, so no earlier payment is known");
		const ran = await world.purser(pay, { answers: [true, "10.10"] });
		expect([ran.exit, paid(), (place.kept as Anchor).services]).toEqual([0, 1, ["https://api.example.com"]]);
		const again = await world.purser(`${pay} --reference Other`, { answers: [true, "10.10"] });
		expect([again.exit, again.stderr.includes("the journal is new")]).toEqual([0, false]);
	});

	test("is refused at a terminal before anything is asked, where another journal was the one", async () => {
		place.kept = anchorOfAnother();
		const ran = await world.purser(pay, { answers: [] });
		expect([ran.exit, world.asked, paid()]).toEqual([10, [], 0]);
		expect(ran.stderr).toContain("This is not the journal that profile sandbox used for payments before; nothing was sent");
		expect(ran.stderr).toContain("purser history adopt --reason TEXT");
	});
});

describe("history adopt", () => {
	test("asks at a terminal, needs --yes in a script and a reason everywhere", async () => {
		place.kept = anchorOfAnother();
		expect((await world.purser("history adopt --reason moved", { answers: [false] })).exit).toBe(10);
		for (const [flags, exit] of [
			["--reason moved", 2],
			["--yes", 2],
			['--reason " " --yes', 3],
			["--reason moved --yes --dry-run", 0],
		] as const)
			expect([flags, (await world.purser(`history adopt ${flags}`)).exit, place.written]).toEqual([flags, exit, []]);
		const yes = await world.purser("history adopt --reason moved", { answers: [true] });
		expect([yes.exit, world.asked.length, yes.stdout]).toEqual([0, 1, expect.stringContaining("Payments use this journal from now on")]);
		const latest = (await world.json("history export")).at(-1);
		expect(latest).toMatchObject({ kind: "adopted", content: { reason: "moved", found: "other" } });
		expect((await world.purser(`${pay} --yes --live`)).exit).toBe(0);
	});

	test("has nothing to do for a sandbox", async () => {
		await newWorld("sandbox");
		const ran = await world.purser("history adopt --reason x --yes --json");
		expect([ran.exit, ran.error().code]).toEqual([10, "NOT_GUARDED"]);
	});
});

describe("a journal that is behind its anchor", () => {
	beforeEach(async () => {
		expect((await world.purser(`${pay} --yes --live --new-journal`)).exit).toBe(0);
		const kept = place.kept as Anchor;
		place.kept = { ...kept, seq: kept.seq + 4, hash: "a".repeat(64) };
	});
	const missing = "at least 3 entries since 2026-03-01T10:00:00.000Z are missing";

	test.each(["pay doubts", "pay settle", "overview", "home"])("is told by %s, on stderr", async (line) => {
		const ran = await world.purser(`${line} --json`);
		expect(ran.stderr.replace(/\s+/g, " ")).toContain(`The journal is an older copy: ${missing}, so nothing is paid by it`);
		expect((await world.purser("history adopt --reason checked --yes")).exit).toBe(0);
		expect((await world.purser(`${line} --json`)).stderr).not.toContain("older copy");
	});

	test("is adopted with what is missing, in the question, the answer and on record", async () => {
		const ran = await world.purser("history adopt --reason checked", { answers: [true], columns: 200 });
		expect(world.asked[0]?.message).toContain(`Compared with the journal that paid last, ${missing} here.`);
		expect(ran.stdout).toMatch(new RegExp(`Missing +${missing}`));
		const content = { found: "behind", missing: { entries: 3, since: "2026-03-01T10:00:00.000Z" } };
		expect((await world.json("history export")).at(-1)).toMatchObject({ content });
	});
});

test("history verify exits 1 for a journal that is not the anchored one, and shows the anchor of one that is", async () => {
	place.kept = anchorOfAnother();
	const other = await world.purser("history verify", { columns: 400 });
	expect([other.exit, other.stdout]).toEqual([1, expect.stringContaining("is another journal than the one that money left by before")]);
	await world.purser("history adopt --reason moved --yes");
	const own = await world.purser("history verify", { columns: 200 });
	expect([own.exit, own.stdout]).toEqual([0, expect.stringContaining("The journal was not altered")]);
	expect(own.stdout).toMatch(/Anchor +event 2 of 2026-/);
});

test("history backup tells what was checked", async () => {
	const [file, dry] = [join(folder, "copy.db"), join(folder, "dry.db")];
	const ran = await world.purser(["history", "backup", file], { columns: 200 });
	expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining("its pages, its chain and its last event were checked")]);
	expect(statSync(file).size).toBeGreaterThan(0);
	expect((await world.purser(["history", "backup", file])).exit).toBe(10);
	expect((await world.purser(["history", "backup", dry, "--dry-run"])).exit).toBe(0);
	expect(statSync(dry, { throwIfNoEntry: false })).toBeUndefined();
});
