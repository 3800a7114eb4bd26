/**
 * A backup that was made while a batch was sent and is put back with its configuration: nothing is paid by it until it was adopted, and
 * nothing that was sent after it is sent again. Real processes, a live profile, a service that counts.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import type { Ended } from "../support/driver.js";
import { plannedRows } from "../support/driver-campaign.js";
import { codeOf, type LiveDesk, newLiveDesk } from "../support/live-desk.js";
import { seedOfRun } from "../support/seed.js";

let desk: LiveDesk;

const run = (...words: string[]): Promise<Ended> => desk.start([...words, "--json"]).ended;
const adopt = (...words: string[]): Promise<Ended> => run("history", "adopt", "--reason", "ticket 4711", "--yes", ...words);
const resume = (batch: string): Promise<Ended> => run("pay", "batch", "resume", batch, "--yes", "--live");
const send = (plan: string, ...words: string[]) => run("pay", "batch", "send", plan, ...words, "--yes", "--live");
const countsOf = async (batch: string) => JSON.parse((await run("pay", "batch", "status", batch)).stdout).counts;
const restore = (copy: string): void => {
	desk.putBack(copy);
	rmSync(desk.config, { recursive: true });
	cpSync(`${desk.folder}/config copy`, desk.config, { recursive: true });
};

/** Two rows of batch 1 were sent, and batch 2 was planned, when the backup is made; afterwards all of both is sent. */
async function sentAfterBackup(back: (copy: string) => Promise<unknown>): Promise<{ copy: string; second: string }> {
	desk = await newLiveDesk({ keep: true, slowest: 0, lists: true });
	expect(await desk.pay("first", "--new-journal")).toBe("0");
	const { plan } = await plannedRows(desk, 6, "1.10");
	expect((await send(plan, "--stop-after", "1", "--jobs", "1")).code).toBe(9);
	const before = desk.peer.arrived.length;
	expect(before).toBeLessThan(7);
	const second = join(desk.folder, "second.plan.json");
	renameSync(plan, join(desk.folder, "first.plan.json"));
	await plannedRows(desk, 3, "2.20");
	renameSync(plan, second);
	const copy = join(desk.folder, "copy.db");
	await back(copy);
	cpSync(desk.config, `${desk.folder}/config copy`, { recursive: true });
	expect((await resume("1")).code).toBe(0);
	expect((await send(second)).code).toBe(0);
	expect(desk.peer.arrived).toHaveLength(10);
	return { copy, second };
}

test("a restored backup pays nothing until it was adopted, and then sends nothing again that was sent after it", async () => {
	const { copy, second } = await sentAfterBackup(async (file) => expect((await run("history", "backup", file)).code).toBe(0));
	expect(await desk.pay("fourth")).toBe("0");
	restore(copy);
	const codes = [await desk.pay("third"), codeOf(await resume("1")), codeOf(await send(second))];
	expect(codes).toEqual(Array(3).fill("10 JOURNAL_RESTORED"));
	expect(desk.peer.arrived).toHaveLength(11);
	const { checks } = JSON.parse((await run("doctor")).stdout) as { checks: { check: string; text: string }[] };
	expect(JSON.stringify(checks)).toContain("is a restored backup");
	const shown = JSON.parse((await adopt("--dry-run")).stdout);
	expect(await desk.pay("third")).toBe("10 JOURNAL_RESTORED");
	const adopted = await adopt();
	const answer = JSON.parse(adopted.stdout);
	expect([adopted.code, answer.found, answer.since]).toEqual([0, "restored", shown.since]);
	expect(await countsOf("1")).toMatchObject({ planned: 0, "in-doubt": expect.any(Number) });
	expect([(await resume("1")).code, codeOf(await send(second))]).toEqual([7, "10 BATCH_ABANDONED"]);
	expect(desk.peer.arrived).toHaveLength(11);
	expect(answer.since.payments.filter(({ rows }: { rows: unknown[] }) => rows.length === 0)).toHaveLength(1);
	expect((await desk.verified()).faults).toEqual([]);
	// Each doubt is settled by the list, and all is as it was.
	await run("pay", "settle");
	expect(await countsOf("1")).toMatchObject({ accepted: 6, "in-doubt": 0 });
	expect(await countsOf("2")).toMatchObject({ accepted: 3, "in-doubt": 0 });
	expect([await desk.pay("third"), (await desk.verified()).faults]).toEqual(["0", []]);
});

test("control: a copy that carries no mark pays the rows again", async () => {
	const { copy } = await sentAfterBackup(async (file) => cpSync(desk.journal, file));
	restore(copy);
	expect((await resume("1")).code).toBe(0);
	expect(desk.peer.arrived.length).toBeGreaterThan(10);
});

test("where the service's list cannot be read, a batch that may go on is not adopted (6) before it is cancelled", async () => {
	desk = await newLiveDesk({ keep: true, slowest: 0 });
	expect(await desk.pay("first", "--new-journal")).toBe("0");
	await plannedRows(desk, 3, "1.10");
	const copy = join(desk.folder, "copy.db");
	expect((await run("history", "backup", copy)).code).toBe(0);
	cpSync(desk.config, `${desk.folder}/config copy`, { recursive: true });
	restore(copy);
	await desk.peer.stop();
	expect(codeOf(await adopt())).toBe("6 NOT_COMPARED");
	expect((await run("pay", "batch", "abandon", "1", "--reason", "restored", "--yes", "--live")).code).toBe(0);
	const adopted = JSON.parse((await adopt()).stdout);
	expect([adopted.found, adopted.since.unread.length, adopted.inDoubt]).toEqual(["restored", 1, 0]);
});

test("killed at any moment, a backup leaves a marked whole copy or none, and an adoption is whole or was not", async () => {
	const { copy } = await sentAfterBackup(async (file) => expect((await run("history", "backup", file)).code).toBe(0));
	const random = new Random(seedOfRun("restored and kills"));
	const folder = join(desk.folder, "copies");
	mkdirSync(folder);
	for (let round = 0; round < 2; round++) {
		const killed = desk.start(["history", "backup", join(folder, `${round}.db`)]);
		setTimeout(() => killed.kill(), 100 + 500 * random.fraction());
		await killed.ended;
	}
	expect(await desk.verified()).toMatchObject({ faults: [] });
	expect((await desk.verified()).restored).toBeUndefined();
	const copies = readdirSync(folder).filter((name) => !name.endsWith(".partial") && !name.includes(".partial-"));
	for (const name of copies) {
		restore(join(folder, name));
		expect(await desk.verified()).toMatchObject({ faults: [], restored: { last: expect.any(Number) } });
	}
	for (let round = 0; round < 2; round++) {
		restore(copy);
		const killed = desk.start(["history", "adopt", "--reason", "x", "--yes", "--json"]);
		setTimeout(() => killed.kill(), 200 + 700 * random.fraction());
		await killed.ended;
		const { faults, restored } = await desk.verified();
		const counts = await countsOf("1");
		expect([faults, counts.planned > 0, counts["in-doubt"] > 0]).toEqual([[], restored !== undefined, restored === undefined]);
		if (restored !== undefined) expect(codeOf(await resume("1"))).toBe("10 JOURNAL_RESTORED");
	}
	expect([existsSync(copy), desk.peer.arrived.length]).toEqual([true, 10]);
});
