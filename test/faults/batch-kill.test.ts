/**
 * Batches whose sender is killed at any moment and gone on with, whose answers are lost or odd or carry others' ids, alone and with others at
 * work on the same journal: each row is sent once for each attempt on record, and what was made is found.
 */
import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { type CountingPeer, keyOf, type Reply } from "../support/counting-peer.js";
import { type Desk, type Ended, faultyProgram, type OnRecord, plantedName, recordOf } from "../support/driver.js";
import {
	countedDesk,
	from,
	type Kind,
	leaveDoubt,
	mixedReply,
	payees,
	payment,
	planned,
	plannedRows,
	rowsOn,
	violationsOf,
} from "../support/driver-campaign.js";
import { centsOf } from "../support/invariants.js";
import { seedOfRun } from "../support/seed.js";

const isLong = process.env.PURSER_TORTURE === "1";
const wanted = Number(process.env.PURSER_TEST_KILLS ?? 6);
/** Rows of a batch; enough that a kill within 150 ms still finds most of them unsent. */
const rows = isLong ? 5_000 : 400;
const seed = seedOfRun("batch-kill");

interface Campaign {
	program?: string;
	random: Random;
	rows: number;
	/** Maximum number of kills. */
	kills: number;
	/** A run is killed by what it sent: at a payment from its first up to this one. Else within 150 ms of its first payment or of its start. */
	arrivals?: number;
	/** What the service does with a row. */
	reply?: (random: Random) => Reply;
	/** Settling, the control and the account of the batch run all the while on the same journal, and the doubts are settled in the end. */
	beside?: boolean;
}

/** About 3 of 100 replies are wrong or do not come. */
const faultyReply = (random: Random): Reply => (random.often(0.15) ? mixedReply(random) : { kind: "created" });

/** The rows of a file: both kinds, with decimals and without. */
function fileOf(random: Random, rows: number): { text: string; keys: string[]; cents: bigint } {
	const all = Array.from({ length: rows }, (_, row) => {
		const amount = `${1 + random.below(999)}${random.often(0.5) ? `.${10 + random.below(90)}` : ""}`;
		const [kind, reference]: [Kind, string] = [random.often(0.5) ? "ledger" : "beneficiary", `Row ${row + 1}`];
		const payee = kind === "ledger" ? `${payees.ledger.id},` : `,${payees.beneficiary.id}`;
		return { amount, line: `${from},${payee},${amount},EUR,${reference}\n`, key: payment(reference, amount, kind).key };
	});
	return {
		text: `ledgerFromId,ledgerToId,beneficiaryId,amount,currency,reference\n${all.map(({ line }) => line).join("")}`,
		keys: all.map(({ key }) => key),
		cents: all.reduce((sum, { amount }) => sum + centsOf(amount), 0n),
	};
}

/** Sends a batch by processes that are killed and started again. @returns also how many rows are in doubt although they were made */
async function campaign(options: Campaign): Promise<{ kills: number; runs: number; record: OnRecord; found: string[]; owners: number }> {
	const { random, beside, reply = faultyReply } = options;
	const { text, keys, cents } = fileOf(random, options.rows);
	const replies = new Map(keys.map((key) => [key, reply(random)]));
	const peerOptions = {
		random,
		reply: (key: string) => replies.get(key) as Reply,
		slowest: 8,
		personal: plantedName,
		keep: true,
		doors: 2,
	};
	const { desk, peer } = await countedDesk({ ...peerOptions, lists: beside }, options.program);
	const plan = await planned(desk, text);
	const stop = beside ? others(desk) : async () => [];
	const ended = await killAndGoOn(desk, peer, plan, options);
	const wrong = await stop();
	if (beside) {
		await desk.start(["pay", "settle", "--json"]).ended;
		ended.push(await desk.start(["pay", "batch", "status", "1", "--json"]).ended);
	}
	const record = await recordOf(desk);
	const onRecord = rowsOn(record);
	const kills = ended.filter(({ code }) => code === "killed").length;
	const found = violationsOf(peer, record, {
		rows: onRecord,
		asked: keys,
		cents,
		deaths: kills,
		// Rows that a crash may leave in doubt.
		inFlight: 96,
		otherDoubts: [...replies].filter(([, { kind }]) => leaveDoubt.includes(kind)).length,
		exits: [{ code: ended.at(-1)?.code ?? -1, states: onRecord.map(({ state }) => state) }],
	});
	const owners = record.intents.filter(({ state, transfer }) => state === "in-doubt" && peer.created.has(keyOf(transfer))).length;
	return { kills, runs: ended.length, record, found: [...wrong, ...found], owners };
}

/** Runs what others do beside a batch, in turn, until it is told to end. @returns how to end it: gives what none of them may have ended with */
function others(desk: Desk): () => Promise<string[]> {
	const lines = [["settle"], ["reconcile"], ["batch", "status", "1"], ["doubts"]];
	const wrong: string[] = [];
	let over = false;
	const turns = (async () => {
		for (let turn = 0; !over; turn += 1) {
			const argv = lines[turn % lines.length] as string[];
			const { code, stderr } = await desk.start(["pay", ...argv, "--json"]).ended;
			// A batch of which nothing was sent so far is told with 10.
			const may = argv.includes("status") ? [0, 5, 7, 8, 9, 10] : [0, 5, 7, 8, 9];
			if (!may.includes(code as number)) wrong.push(`${argv.join(" ")}: ${code} ${stderr}`);
		}
	})();
	return async () => {
		over = true;
		await turns;
		return wrong;
	};
}

/** Sends, kills and resumes; the last run is not disturbed until nothing is left to send. */
async function killAndGoOn(desk: Desk, peer: CountingPeer, plan: string, { random, kills, arrivals }: Campaign): Promise<Ended[]> {
	const ended: Ended[] = [];
	let [killed, begun] = [0, false];
	for (let runs = 0; runs < kills * 3 + 400; runs++) {
		begun ||= ended.length > 0 && (await isBegun(desk, plan));
		const run = desk.start(["pay", "batch", begun ? "resume" : "send", plan, "--yes", "--json"]);
		const after = random.fraction() * 150;
		let timer: NodeJS.Timeout | undefined;
		const arm = (): void => {
			timer = setTimeout(() => run.kill(), after);
		};
		if (killed < kills) {
			if (arrivals !== undefined) killAt(peer, 1 + random.below(arrivals), run.kill);
			else if (random.often(0.8)) peer.when(peer.urls[0] as string, "body", arm);
			else arm();
		}
		const end = await run.ended;
		clearTimeout(timer);
		ended.push(end);
		if (end.code === "killed") killed += 1;
		else if (isOver(end)) return ended;
	}
	throw new Error(`the batch did not come to its end; the last run said ${JSON.stringify(ended.at(-1))}`);
}

/** Calls back when so many payments have arrived. */
function killAt(peer: CountingPeer, left: number, kill: () => void): void {
	peer.when(peer.urls[0] as string, "body", () => (left === 1 ? kill() : killAt(peer, left - 1, kill)));
}

/** Whether a process that was killed had begun the batch: only then there is something to go on with. */
async function isBegun(desk: Desk, plan: string): Promise<boolean> {
	const { code, stderr } = await desk.start(["pay", "batch", "send", plan, "--yes", "--json", "--dry-run"]).ended;
	return code === 10 && stderr.includes("BATCH_BEGUN");
}

/** Whether nothing is left that could be sent. */
function isOver({ stdout, code, stderr }: Ended): boolean {
	if (stdout === "") throw new Error(`a run that was not killed said nothing: exit ${code}\n${stderr}`);
	const { counts } = JSON.parse(stdout) as { counts: Record<string, number> };
	return ["planned", "not-sent", "not-created", "sending"].every((state) => (counts[state] ?? 0) === 0);
}

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
		// The reply of every kind stops a batch often: the long run has it in every second one.
		const ran = await campaign({ random, rows, kills: wanted - kills, reply: batches % 2 === 0 ? anyReply : undefined });
		kills += ran.kills;
		runs += ran.runs;
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
	const program = await faultyProgram(file, part, instead);
	const caught: string[] = [];
	const random = new Random(seed);
	// A kill that meets nothing on its way shows nothing: the first batch of eight that shows it is enough.
	for (let batch = 0; batch < 8 && caught.length === 0; batch += 1) {
		const { found } = await campaign({ program, random, rows: 200, kills, reply: kills === 0 ? anyReply : undefined });
		caught.push(...found.filter((one) => one.startsWith(sign)));
	}
	expect(caught.length).toBeGreaterThan(0);
});

const kills = isLong ? 60 : 2;

test(`${kills} SIGKILLs in a batch with answers that bear others' ids, settling and the control beside: all that were made are found`, async () => {
	const ran = await campaign({ random: new Random(seed), rows: 100 * kills, kills, arrivals: 60, reply: mixed, beside: true });
	// But for the owners of those ids.
	expect(ran.found.filter((one) => !isMisnamed(one))).toEqual([]);
	expect(ran.owners).toBe(ran.found.filter(isMisnamed).length);
	expect(ran.kills).toBe(kills);
});

test("8 processes on one batch within 50 ms: each row is sent once", async () => {
	const { desk, peer } = await countedDesk({ random: new Random(seed), slowest: 5, keep: true });
	const { plan, keys } = await plannedRows(desk, 300);
	const runs = Array.from({ length: 8 }, () => desk.start(["pay", "batch", "send", plan, "--yes", "--json"]));
	const codes = (await Promise.all(runs.map(({ ended }) => ended))).map(({ code }) => code);
	expect(codes.sort((one, other) => Number(one) - Number(other))).toEqual([0, ...Array(7).fill(10)]);
	expect([...peer.arrived].sort()).toEqual(keys.sort());
});

test("a closed stdout while rows are told: what is on its way is awaited, nothing new starts, and the rest can be sent", async () => {
	const { desk, peer, url } = await countedDesk({ random: new Random(seed), slowest: 5, keep: true });
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
