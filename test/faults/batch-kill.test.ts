/**
 * Batches whose sender is killed at any moment and gone on with, whose answers are lost or odd or carry others' ids, alone and with others at
 * work on the same journal: each row is sent once for each attempt on record, and what was made is found.
 */
import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { batchCampaign } from "../support/batch-campaign.js";
import type { Reply } from "../support/counting-peer.js";
import { faultyProgram } from "../support/driver.js";
import { countedDesk, plannedRows } from "../support/driver-campaign.js";
import { programsOfFile } from "../support/programs.js";
import { seedOfRun } from "../support/seed.js";

const isLong = process.env.PURSER_TORTURE === "1";
const wanted = Number(process.env.PURSER_TEST_KILLS ?? 6);
/** Rows of a batch; enough that a kill within 150 ms still finds most of them unsent. */
const rows = isLong ? 5_000 : 400;
const seed = seedOfRun("batch-kill");
const programs = programsOfFile();

/** Every fault of a service and a wire, in 15 of 100 answers; but for an id given twice, which who was killed before the answer cannot know. */
function anyReply(random: Random): Reply {
	if (random.often(0.85)) return { kind: "created" };
	const redirects = ([301, 302, 303, 307, 308] as const).flatMap((status): Reply[] => [
		{ kind: "redirect", status, elsewhere: false },
		{ kind: "redirect", status, elsewhere: true },
	]);
	const refusals = [400, 405, 406, 411, 413, 414, 415, 422, 428, 431].map((status): Reply => ({ kind: "refused", status }));
	const doubtful = [300, 304, 408, 409, 418, 451, 500, 501, 502, 504, 599].map((status): Reply => ({ kind: "status", status }));
	const odd = (["waiting", "no id", "reset", "cut"] as const).map((kind): Reply => ({ kind }));
	return random.pick([...redirects, ...refusals, ...doubtful, ...odd]);
}

/** Of 100 answers, 5 are lost and 5 carry the id of a lost one. */
function mixed(random: Random): Reply {
	if (random.often(0.05)) return { kind: "reset" };
	return random.often(0.05) ? { kind: "another's id" } : { kind: "created" };
}

/** What is accepted under an id that is another's. */
const isMisnamed = (one: string): boolean => one.includes("which the service does not know");

test(`${wanted} SIGKILLs in batches of ${rows} rows with every fault of a service and a wire, gone on with after each: the invariants hold`, async () => {
	const random = new Random(seed);
	let [kills, runs, doubts, batches] = [0, 0, 0, 0];
	while (kills < wanted) {
		const options = { program: programs.built, random, rows, kills: wanted - kills, within: 150 };
		// The reply of every kind stops a batch often: the long run has it in every second one.
		const ran = await batchCampaign({ ...options, ...(batches % 2 === 0 ? { reply: anyReply } : {}) });
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

test.each([
	["src/journal/batches/begin.ts", "SET state = 'in-doubt', changed", "SET state = 'planned', changed", "1:", 3],
	["src/http/classify.ts", "if (refuses) return", "if (refuses || status >= 500) return", "4:", 0],
])("control: a fault in %s is caught", async (file, part, instead, sign, kills) => {
	const faulty = await faultyProgram(file, part, instead);
	programs.keep(faulty);
	const caught: string[] = [];
	const random = new Random(seed);
	// A kill that meets nothing on its way shows nothing: the first batch of eight that shows it is enough.
	for (let batch = 0; batch < 8 && caught.length === 0; batch += 1) {
		const { found } = await batchCampaign({
			program: faulty,
			random,
			rows: 200,
			kills,
			within: 150,
			...(kills === 0 && { reply: anyReply }),
		});
		caught.push(...found.filter((one) => one.startsWith(sign)));
	}
	expect(caught.length).toBeGreaterThan(0);
});

const kills = isLong ? 60 : 2;

test(`${kills} SIGKILLs in a batch with answers that bear others' ids, settling and the control beside: all that were made are found`, async () => {
	const options = { rows: 100 * kills, kills, within: 0, arrivals: 60, reply: mixed, settle: true, beside: true };
	const ran = await batchCampaign({ program: programs.built, random: new Random(seed), ...options });
	// But for the owners of those ids.
	expect(ran.found.filter((one) => !isMisnamed(one))).toEqual([]);
	expect(ran.owners).toBe(ran.found.filter(isMisnamed).length);
	expect(ran.kills).toBe(kills);
});

test("8 processes on one batch within 50 ms: each row is sent once", async () => {
	const { desk, peer } = await countedDesk(programs.built, { random: new Random(seed), slowest: 5, keep: true });
	const { plan, keys } = await plannedRows(desk, 300);
	const runs = Array.from({ length: 8 }, () => desk.start(["pay", "batch", "send", plan, "--yes", "--json"]));
	const codes = (await Promise.all(runs.map(({ ended }) => ended))).map(({ code }) => code);
	expect(codes.sort((one, other) => Number(one) - Number(other))).toEqual([0, ...Array(7).fill(10)]);
	expect(peer.arrived.map(({ key }) => key).sort()).toEqual(keys.sort());
});

test("a closed stdout while rows are told: what is on its way is awaited, nothing new starts, and the rest can be sent", async () => {
	const { desk, peer, url } = await countedDesk(programs.built, { random: new Random(seed), slowest: 5, keep: true });
	const count = 1_000;
	const { plan } = await plannedRows(desk, count);
	const run = desk.start(["pay", "batch", "send", plan, "--yes", "--output", "ndjson"]);
	peer.when(url, "answered", () => run.closeStdout());
	const { code, stderr } = await run.ended;
	expect([code, peer.arrived.length < count - 200]).toEqual([9, true]);
	expect(stderr).toContain("its output was closed, so no more rows were sent");
	const { counts } = await desk.look<{ counts: Record<string, number> }>(["pay", "batch", "resume", plan, "--yes"]);
	expect(counts).toMatchObject({ accepted: count, planned: 0, sending: 0, "in-doubt": 0, "not-sent": 0, "not-created": 0 });
	expect(peer.arrived.length).toBe(count);
});
