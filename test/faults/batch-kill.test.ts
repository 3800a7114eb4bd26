import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { batchCampaign } from "../support/batch-campaign.js";
import { startCountingPeer } from "../support/counting-peer.js";
import { faultyProgram, newDesk } from "../support/driver.js";
import { plannedRows } from "../support/driver-campaign.js";
import { programsOfFile } from "../support/programs.js";
import { seedOfRun } from "../support/seed.js";

const wanted = Number(process.env.PURSER_TEST_KILLS ?? 16);
/** Rows of a batch; enough that a kill within 150 ms still finds most of them unsent. */
const rows = process.env.PURSER_TORTURE === "1" ? 5_000 : 1_000;
const seed = seedOfRun("batch-kill");
const programs = programsOfFile();

test(`${wanted} SIGKILLs in batches of ${rows} rows, 3 % of the answers lost or odd, gone on with after each: the invariants hold`, async () => {
	const random = new Random(seed);
	let [kills, runs, doubts, batches] = [0, 0, 0, 0];
	while (kills < wanted) {
		const ran = await batchCampaign({ program: programs.built, random, rows, kills: wanted - kills, within: 150 });
		kills += ran.kills;
		runs += ran.ended.length;
		batches += 1;
		doubts += ran.record.doubts.length;
		expect(ran.found).toEqual([]);
		expect(ran.record.intents.length).toBe(rows);
	}
	process.stdout.write(
		`batch-kill: ${kills} kills in ${runs} runs of ${batches} batches of ${rows} rows, ${doubts} rows in doubt in the end\n`,
	);
});

test("control: a recovery that sends again what was on its way is caught", async () => {
	const faulty = await faultyProgram("src/journal/batches/begin.ts", "SET state = 'in-doubt', changed", "SET state = 'planned', changed");
	programs.keep(faulty);
	const twice: string[] = [];
	const random = new Random(seed);
	// A kill that meets nothing on its way shows nothing: the first batch of eight that shows it is enough.
	for (let batch = 0; batch < 8 && twice.length === 0; batch += 1) {
		const { found } = await batchCampaign({ program: faulty, random, rows: 600, kills: 4, within: 150 });
		twice.push(...found.filter((one) => one.startsWith("1:")));
	}
	expect(twice.length).toBeGreaterThan(0);
});

test("20 processes on one batch within 50 ms: each row is sent once", async () => {
	const peer = await startCountingPeer({ random: new Random(seed), slowest: 5, keep: true });
	const desk = await newDesk(programs.built, peer.urls[0] as string);
	try {
		const { plan, keys } = await plannedRows(desk, 300);
		const runs = Array.from({ length: 20 }, () => desk.start(["pay", "batch", "send", plan, "--yes", "--json"]));
		const codes = (await Promise.all(runs.map(({ ended }) => ended))).map(({ code }) => code);
		expect(codes.filter((code) => code === 0)).toEqual([0]);
		expect(codes.filter((code) => code !== 0)).toEqual(Array.from({ length: 19 }, () => 10));
		expect(peer.arrived.map(({ key }) => key).sort()).toEqual(keys.sort());
	} finally {
		await peer.stop();
		await desk.remove();
	}
});

test("a closed stdout while rows are told: what is on its way is awaited, nothing new starts, and the rest can be sent", async () => {
	const peer = await startCountingPeer({ random: new Random(seed), slowest: 5, keep: true });
	const desk = await newDesk(programs.built, peer.urls[0] as string);
	try {
		const { plan } = await plannedRows(desk, 2_000);
		const run = desk.start(["pay", "batch", "send", plan, "--yes", "--output", "ndjson"]);
		peer.when(peer.urls[0] as string, "answered", () => run.closeStdout());
		const { code, stderr } = await run.ended;
		expect(code).toBe(9);
		expect(stderr).toContain("its output was closed, so no more rows were sent");
		expect(peer.arrived.length).toBeLessThan(1_500);
		const { counts } = await desk.look<{ counts: Record<string, number> }>(["pay", "batch", "resume", plan, "--yes"]);
		expect(counts).toMatchObject({ accepted: 2_000, planned: 0, sending: 0, "in-doubt": 0, "not-sent": 0, "not-created": 0 });
		expect(peer.arrived.length).toBe(2_000);
	} finally {
		await peer.stop();
		await desk.remove();
	}
});
