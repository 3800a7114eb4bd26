/**
 * What a person sees of a journal's anchor: before a payment, and in the commands of the journal.
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
const words = ["pay", "ledger", "--ledger-from-id", from, "--ledger-to-id", to, "--amount", "10.10"];
const paid = (): number => world.requests.filter(({ method }) => method === "POST").length;
const codeOf = (stderr: string): string => (JSON.parse(stderr.trim().split("\n").at(-1) ?? "{}") as { error: { code: string } }).error.code;

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
		const declined = await world.purser(words, { answers: [false] });
		expect([declined.exit, place.written, paid()]).toEqual([10, [], 0]);
		expect(declined.stderr).toContain("the journal is new, so no earlier payment is known");
		const ran = await world.purser(words, { answers: [true, "10.10"] });
		expect([ran.exit, paid()]).toEqual([0, 1]);
		expect((place.kept as Anchor).services).toEqual(["https://api.example.com"]);
		const again = await world.purser([...words, "--reference", "Other"], { answers: [true, "10.10"] });
		expect([again.exit, again.stderr.includes("the journal is new")]).toEqual([0, false]);
	});

	test("in a script needs the flag, whose name the refusal tells", async () => {
		const refused = await world.purser([...words, "--yes", "--live", "--json"]);
		expect([refused.exit, codeOf(refused.stderr), paid(), place.written]).toEqual([10, "NEW_JOURNAL", 0, []]);
		expect(refused.stderr).toContain("add --new-journal");
		const ran = await world.purser([...words, "--yes", "--live", "--new-journal", "--json"]);
		expect([ran.exit, paid()]).toEqual([0, 1]);
		expect(JSON.stringify(world.requests)).not.toContain("newJournal");
	});

	test("is refused at a terminal before anything is asked, where another journal was the one", async () => {
		place.kept = anchorOfAnother();
		const ran = await world.purser(words, { answers: [] });
		expect([ran.exit, world.asked.length, paid()]).toEqual([10, 0, 0]);
		expect(ran.stderr).toContain("This is not the journal that profile sandbox used for payments before; nothing was sent");
		expect(ran.stderr).toContain("purser history adopt --reason TEXT");
	});
});

describe("history adopt", () => {
	test("asks at a terminal, needs --yes in a script and a reason everywhere", async () => {
		place.kept = anchorOfAnother();
		const no = await world.purser("history adopt --reason moved", { answers: [false] });
		const bare = await world.purser("history adopt --reason moved --json");
		const unreasoned = await world.purser("history adopt --yes --json");
		const empty = await world.purser(["history", "adopt", "--reason", "  ", "--yes", "--json"]);
		const dry = await world.purser("history adopt --reason moved --yes --dry-run");
		expect([no.exit, bare.exit, unreasoned.exit, empty.exit, dry.exit, place.written]).toEqual([10, 2, 2, 3, 0, []]);
		const yes = await world.purser("history adopt --reason moved", { answers: [true] });
		expect([yes.exit, world.asked.length]).toEqual([0, 1]);
		expect(yes.stdout).toContain("Payments use this journal from now on");
		const events = (await world.json("history export")) as { kind: string; content: object }[];
		expect(events.at(-1)).toMatchObject({ kind: "adopted", content: { reason: "moved", found: "other" } });
		expect((await world.purser([...words, "--yes", "--live"])).exit).toBe(0);
	});

	test("has nothing to do for a sandbox", async () => {
		await newWorld("sandbox");
		const ran = await world.purser("history adopt --reason x --yes --json");
		expect([ran.exit, codeOf(ran.stderr)]).toEqual([10, "NOT_GUARDED"]);
	});
});

describe("a journal that is behind its anchor", () => {
	beforeEach(async () => {
		expect((await world.purser([...words, "--yes", "--live", "--new-journal"])).exit).toBe(0);
		const kept = place.kept as Anchor;
		place.kept = { ...kept, seq: kept.seq + 4, hash: "a".repeat(64) };
	});
	const missing = "at least 3 entries since 2026-03-01T10:00:00.000Z are missing";

	test.each([[["pay", "doubts"]], [["pay", "settle"]], [["overview"]], [["home"]]])("is told by %j, on stderr", async (asked) => {
		const ran = await world.purser([...asked, "--json"]);
		expect(ran.stderr.replace(/\s+/g, " ")).toContain(`The journal is an older copy: ${missing}, so nothing is paid by it`);
		expect((await world.purser("history adopt --reason checked --yes")).exit).toBe(0);
		expect((await world.purser([...asked, "--json"])).stderr).not.toContain("older copy");
	});

	test("is adopted with what is missing, in the question, the answer and on record", async () => {
		const ran = await world.purser("history adopt --reason checked", { answers: [true], columns: 200 });
		expect(world.asked[0]?.message).toContain(`Compared with the journal that paid last, ${missing} here.`);
		expect(ran.stdout).toMatch(new RegExp(`Missing +${missing}`));
		const events = (await world.json("history export")) as { kind: string; content: object }[];
		expect(events.at(-1)).toMatchObject({ content: { found: "behind", missing: { entries: 3, since: "2026-03-01T10:00:00.000Z" } } });
	});
});

describe("history verify", () => {
	test("exits 1 for a journal that is not the anchored one, and shows the anchor of one that is", async () => {
		place.kept = anchorOfAnother();
		const other = await world.purser("history verify", { columns: 400 });
		expect([other.exit, other.stdout.includes("is another journal than the one that money left by before")]).toEqual([1, true]);
		await world.purser("history adopt --reason moved --yes");
		const own = await world.purser("history verify", { columns: 200 });
		expect([own.exit, own.stdout.includes("The journal was not altered")]).toEqual([0, true]);
		expect(own.stdout).toMatch(/Anchor +event 2 of 2026-/);
	});
});

test("history backup tells what was checked", async () => {
	const file = join(folder, "copy.db");
	const ran = await world.purser(`history backup ${file}`, { columns: 200 });
	expect([ran.exit, ran.stdout.includes("its pages, its chain and its last event were checked"), statSync(file).size > 0]).toEqual([
		0,
		true,
		true,
	]);
	expect((await world.purser(`history backup ${file}`)).exit).toBe(10);
	expect((await world.purser(`history backup ${join(folder, "dry.db")} --dry-run`)).exit).toBe(0);
	expect(statSync(join(folder, "dry.db"), { throwIfNoEntry: false })).toBeUndefined();
});
