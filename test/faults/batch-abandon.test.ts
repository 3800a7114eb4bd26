/**
 * Cancelling the rest of a batch in processes of their own: beside one that sends it, after one that was killed, and killed itself.
 */
import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import type { CountingPeer, Reply } from "../support/counting-peer.js";
import { type Desk, type Ended, faultyProgram, type IntentView, recordOf } from "../support/driver.js";
import { countedDesk, plannedRows, rowsOn } from "../support/driver-campaign.js";
import { violations } from "../support/invariants.js";
import { seedOfRun } from "../support/seed.js";

const random = new Random(seedOfRun("batch-abandon"));

interface Place {
	desk: Desk;
	peer: CountingPeer;
	plan: string;
	keys: string[];
}

/** A planned batch of rows of 1 each, and a service that answers 200 payments and no more, so that a sender goes on until it is killed. */
async function placeWith(rows: number, program?: string): Promise<Place> {
	let left = 200;
	const reply = (): Reply => ({ kind: left-- > 0 ? "created" : "hang" });
	const { desk, peer } = await countedDesk({ random, reply, slowest: 30, keep: true }, program);
	return { desk, peer, ...(await plannedRows(desk, rows)) };
}

const abandon = ({ desk, plan }: Place) => desk.start(["pay", "batch", "abandon", plan, "--reason", "wrong file", "--yes", "--json"]);
const codeOf = ({ stderr }: Ended): string => /"code":"([A-Z_]+)"/.exec(stderr)?.[1] ?? "";

/** What the record says of every row, held against what arrived; `deaths`: senders that were killed. */
async function found({ desk, peer, keys }: Place, deaths: number): Promise<{ wrong: string[]; abandoned: number }> {
	const { intents, faults } = await recordOf(desk);
	const given = await desk.look<IntentView[]>(["history", "list", "--state", "abandoned", "--limit", "100000"]);
	const rows = rowsOn({ intents: [...intents, ...given] });
	const wrong = violations({ rows, asked: keys, total: `${keys.length}.00`, created: peer.created, deaths, inFlight: 96, faults });
	const begun = given.filter(({ attempt }) => attempt > 0).map(({ intent }) => `intent ${intent} was begun and is told as cancelled`);
	return { wrong: [...wrong, ...begun], abandoned: given.length };
}

/** Tries to give up while it is sent, kills the sender, and tries until it may. @returns what came of the first try */
async function besideSender(place: Place): Promise<string> {
	const { desk, peer, plan } = place;
	const sender = desk.start(["pay", "batch", "send", plan, "--yes", "--json"]);
	await new Promise<void>((resolve) => peer.when(peer.urls[0] as string, "body", resolve));
	const first = codeOf(await abandon(place).ended);
	sender.kill();
	await sender.ended;
	const { code, stderr } = await abandon(place).ended;
	expect([0, 7], stderr).toContain(code);
	return first;
}

test("beside a process that sends it is refused; once that was killed the rest is cancelled, and none of it ever arrives", async () => {
	const place = await placeWith(600);
	expect(await besideSender(place)).toBe("BATCH_BUSY");
	const arrived = place.peer.arrived.length;
	const { wrong, abandoned } = await found(place, 1);
	expect(wrong).toEqual([]);
	expect(abandoned).toBeGreaterThan(0);
	const resumed = await place.desk.start(["pay", "batch", "resume", place.plan, "--yes", "--json"]).ended;
	expect([resumed.code, codeOf(resumed), place.peer.arrived.length]).toEqual([10, "BATCH_ABANDONED", arrived]);
	process.stdout.write(`batch-abandon: ${arrived} arrived, ${abandoned} cancelled\n`);
});

test("control: one that takes over what is on its way is caught", async () => {
	const faulty = await faultyProgram(
		"src/journal/batches/abandon.ts",
		'if ((await sendersAtWork(batch, senders)).length > 0) throw busyBatch(batch, "nothing was cancelled");',
		`if (senders === undefined) throw sendersAtWork ?? busyBatch;
		await transaction.run(sql\`UPDATE intent SET state = 'planned', attempt = 0 WHERE batch = \${batch.number} AND state = 'sending'\`);`,
	);
	const place = await placeWith(600, faulty);
	await besideSender(place);
	expect((await found(place, 1)).wrong.some((one) => one.startsWith("4:"))).toBe(true);
});

test("killed at any moment it has cancelled all of the rest or nothing, and can be run again", async () => {
	const place = await placeWith(2_000);
	const started = performance.now();
	await place.desk.start(["pay", "batch", "abandon", place.plan, "--reason", "x", "--dry-run", "--json"]).ended;
	const usual = performance.now() - started;
	const seen: string[] = [];
	for (let kill = 0; kill < 3 && !seen.at(-1)?.startsWith("abandoned"); kill++) {
		const run = abandon(place);
		setTimeout(() => run.kill(), usual * (0.4 + random.fraction()));
		const { code } = await run.ended;
		const status = await place.desk.start(["pay", "batch", "status", place.plan, "--json"]).ended;
		const { state, counts } = JSON.parse(status.stdout) as { state: string; counts: Record<string, number> };
		const whole = `${state} ${counts.planned} ${counts.abandoned}`;
		// What was reported was done.
		expect(code === 0 ? ["abandoned 0 2000"] : ["planned 2000 0", "abandoned 0 2000"]).toContain(whole);
		seen.push(whole);
	}
	expect((await abandon(place).ended).code).toBe(0);
	expect(await found(place, 0)).toEqual({ wrong: [], abandoned: 2_000 });
	expect(place.peer.arrived).toEqual([]);
	process.stdout.write(`batch-abandon: after ${seen.length} kills: ${seen.join(", ")}\n`);
});
