/**
 * Live money is paid only by the journal that paid before: every known way around that, in real processes with a live profile.
 */
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { faultyProgram, type Running } from "../support/driver.js";
import { codeOf, type LiveDesk, livePayment, newLiveDesk } from "../support/live-desk.js";
import { seedOfRun } from "../support/seed.js";

let desk: LiveDesk;

const pay = (reference: string, ...words: string[]): Promise<string> => desk.pay(reference, ...words);
/** Number of the anchored event. */
const anchored = (): number => (JSON.parse(JSON.parse(readFileSync(desk.anchor, "utf8")).anchor) as { seq: number }).seq;
const events = async (): Promise<{ seq: number; kind: string; content: Record<string, unknown> }[]> =>
	desk.look(["history", "export", "--limit", "999999"]);

/** A desk that has paid once. */
async function paidDesk(): Promise<void> {
	desk = await newLiveDesk();
	expect(await pay("first", "--new-journal")).toBe("0");
}

/** A desk that has paid twice, and whose journal is that of the first payment again. */
async function olderCopy(): Promise<void> {
	await paidDesk();
	cpSync(desk.journal, join(desk.folder, "older.db"));
	expect(await pay("second")).toBe("0");
	desk.putBack(join(desk.folder, "older.db"));
}

test("a script begins a journal on live money only with --new-journal, and is told that no payment is known", async () => {
	desk = await newLiveDesk();
	const refused = await desk.start(livePayment("first")).ended;
	expect([codeOf(refused), refused.stderr.includes("--new-journal"), desk.peer.arrived]).toEqual(["10 NEW_JOURNAL", true, []]);
	const begun = await desk.start([...livePayment("first"), "--new-journal"]).ended;
	expect([begun.code, begun.stderr.includes("no earlier payment is known"), desk.peer.arrived.length]).toEqual([0, true, 1]);
	expect(statSync(desk.anchor).mode & 0o777).toBe(0o600);
	expect(statSync(join(desk.config, "anchors")).mode & 0o777).toBe(0o700);
	expect(await pay("second")).toBe("0");
	expect((await events()).filter(({ kind }) => kind === "adopted").map(({ content }) => content)).toEqual([
		{ reason: "confirmed by --new-journal to be a new journal", found: "new" },
	]);
});

describe("one variable that points elsewhere", () => {
	/** As `HOME` was never set: what the system says then, made up by a file that is loaded first. */
	const absentHome = (folder: string): Record<string, string> => {
		writeFileSync(join(desk.folder, "home.cjs"), `require("node:os").homedir = () => ${JSON.stringify(folder)};`);
		return { NODE_OPTIONS: `--require ${join(desk.folder, "home.cjs")}` };
	};

	test.each([
		["PURSER_STATE_DIR", (elsewhere: string) => ({ PURSER_STATE_DIR: elsewhere })],
		["an absent HOME", (elsewhere: string) => ({ ...absentHome(elsewhere), HOME: undefined as never })],
	])("%s: nothing is sent (10)", async (name, env) => {
		desk = await newLiveDesk();
		if (name !== "PURSER_STATE_DIR") delete desk.env.PURSER_STATE_DIR;
		expect(await pay("first", "--new-journal")).toBe("0");
		for (const words of [[], ["--new-journal"]]) {
			const run = desk.start([...livePayment("first"), ...words], { env: env(join(desk.folder, "elsewhere")) });
			expect(codeOf(await run.ended)).toBe("10 JOURNAL_NOT_THE_ONE");
		}
		expect(desk.peer.arrived).toHaveLength(1);
		expect(await pay("first")).toBe("10 DUPLICATE");
	});

	test("control: without the look at the anchor the same payment leaves twice", async () => {
		const faulty = await faultyProgram(
			"src/main.ts",
			'if (profile.environment !== "live") return undefined;',
			'if (profile.environment !== "") return undefined;',
		);
		desk = await newLiveDesk({}, faulty);
		expect(await pay("first")).toBe("0");
		desk.env.PURSER_STATE_DIR = join(desk.folder, "elsewhere");
		expect(await pay("first")).toBe("0");
		expect(desk.peer.arrived).toHaveLength(2);
	});
});

test("a journal that is an older copy: refused (10) and found by verify, until a person adopts it with a reason, on record", async () => {
	await olderCopy();
	expect([await pay("second"), desk.peer.arrived.length]).toEqual(["10 JOURNAL_NOT_THE_ONE", 2]);
	expect(await desk.verified()).toMatchObject({ code: 1, faults: { length: 1 } });
	const adopted = await desk.start(["history", "adopt", "--reason", "seen in the bank portal", "--yes", "--json"]).ended;
	expect(adopted.code).toBe(0);
	expect(JSON.parse(adopted.stdout)).toMatchObject({ reason: "seen in the bank portal", missing: { entries: expect.any(Number) } });
	expect((await events()).at(-1)).toMatchObject({ kind: "adopted", content: { reason: "seen in the bank portal" } });
	expect(await desk.verified()).toEqual({ code: 0, faults: [] });
	expect(await pay("third")).toBe("0");
});

test("control: an older copy that no anchor is kept of is taken for the one", async () => {
	await olderCopy();
	rmSync(join(desk.config, "anchors"), { recursive: true });
	expect([await pay("second"), desk.peer.arrived.length]).toEqual(["0", 3]);
});

test("where the disk is full that the anchor is on, nothing is sent and it can be run again (6)", async () => {
	const full = await faultyProgram(
		"src/config/secrets/anchors.ts",
		"replaceFile(file, text, 0o600,",
		'throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" }); replaceFile(file, text, 0o600,',
	);
	desk = await newLiveDesk({}, full);
	expect([await pay("first", "--new-journal"), desk.peer.arrived.length]).toEqual(["6 ANCHOR_UNWRITABLE", 0]);
});

test("the anchor is there before the first byte is, and a kill at any moment locks nobody out", async () => {
	await paidDesk();
	const random = new Random(seedOfRun("anchor and kills"));
	const stages = ["connection", "body", "answered"] as const;
	for (let round = 0; round < 4; round++) {
		const seen: { begun?: number } = {};
		const run: Running = desk.start(livePayment(`kill ${round}`));
		const [stage] = [stages[round % 3] as (typeof stages)[number]];
		if (round < 3)
			desk.peer.when(desk.peer.urls[0] as string, stage, () => {
				seen.begun = anchored();
				run.kill();
			});
		else setTimeout(() => run.kill(), 50 + 250 * random.fraction());
		await run.ended;
		const begun = (await events()).filter(({ kind }) => kind === "begun").at(-1)?.seq;
		if (round < 3) expect([stage, seen.begun]).toEqual([stage, begun]);
		expect(await pay(`after ${round}`)).toBe("0");
	}
	expect((await desk.verified()).faults).toEqual([]);
});

test("where live money was paid no profile that calls itself a sandbox pays (10)", async () => {
	await paidDesk();
	const [url = ""] = desk.peer.urls;
	const words = livePayment("first").filter((word) => word !== "--live");
	const set = (environment: string) => desk.start(["profile", "set", "desk", "--environment", environment, "--yes"]).ended;
	expect((await set("sandbox")).code).toBe(0);
	const renamed = await desk.start(words).ended;
	expect([codeOf(renamed), desk.peer.arrived.length]).toEqual(["10 LIVE_SERVICE", 1]);
	expect(renamed.stderr).toContain("purser profile set desk --environment live");
	expect((await set("live")).code).toBe(0);
	expect((await desk.start(["profile", "add", "beside", "--base-url", url, "--environment", "sandbox"]).ended).code).toBe(0);
	const beside = await desk.start([...words, "--profile", "beside"]).ended;
	expect([codeOf(beside), beside.stderr.includes("--profile desk"), desk.peer.arrived.length]).toEqual(["10 LIVE_SERVICE", true, 1]);
	expect(await pay("second")).toBe("0");
	rmSync(desk.anchor);
	expect(codeOf(await desk.start([...words, "--profile", "beside"]).ended)).toBe("0");
});
