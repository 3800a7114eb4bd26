import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { faultyProgram, type Program } from "../support/driver.js";
import { type Campaign, campaign } from "../support/driver-campaign.js";
import { programsOfFile } from "../support/programs.js";
import { seedOfRun } from "../support/seed.js";

const kills = Number(process.env.PURSER_TEST_KILLS ?? 24);
const seed = seedOfRun("kill");
const programs = programsOfFile();

const killed = (program: Program, payments: number): Promise<Campaign> =>
	campaign({
		program,
		payments,
		random: new Random(seed),
		lanes: 4,
		disturb: (run) => {
			run.kill();
			return "SIGKILL";
		},
	});

describe("SIGKILL at any moment of a payment, four at once on one journal", () => {
	let run: Campaign;
	beforeAll(async () => {
		run = await killed(programs.built, kills);
	});
	afterAll(() => run?.remove());

	test(`${kills} payments: the invariants hold and every doubt is named`, async () => {
		const { found, record, rows } = await run.check();
		const count = (state: string): number => rows.filter((row) => row.state === state).length;
		const dead = run.paid.filter(({ ended }) => ended.code === "killed").length;
		process.stdout.write(
			`kill: ${run.paid.length} payments, ${dead} killed, ${run.peer.arrived.length} arrived; ${count("accepted")} accepted, ${count("in-doubt")} in doubt, ${count("planned")} never began\n`,
		);
		expect(found).toEqual([]);
		// The moments are only worth something if they hit: before the record, after it, and while the answer was on its way.
		const paid = run.paid.length;
		expect(paid).toBe(kills);
		expect(dead).toBeGreaterThan(paid / 3);
		expect(record.doubts.filter(({ why }) => why?.includes("killed")).length).toBeGreaterThan(paid / 40);
		expect(count("planned")).toBeGreaterThan(paid / 40);
	});

	test("paid again after the kill: only what was never sent is sent", async () => {
		const { rows } = await run.check();
		const states = new Map(rows.map(({ key, state }) => [key, state]));
		const sample = run.paid.filter(({ ended }) => ended.code === "killed").slice(0, 6);
		const codes = await withLock(sample, async (one) => [states.get(one.key), (await run.payAgain(one)).code]);
		const wanted = (state: string | undefined): number[] =>
			["planned", "refused", "not-sent"].includes(state ?? "") ? [0, 5, 7, 8] : [10];
		expect(codes.filter(([state, code]) => !wanted(state as string).includes(code as number))).toEqual([]);
		const { found } = await run.check();
		// What was planned has been paid by another process than the one that was killed, so only its own exit is not told here.
		expect(found.filter((one) => !one.startsWith("5:") && !one.startsWith("6:"))).toEqual([]);
	});
});

test("control: a program that does not write before it sends is caught", async () => {
	const faulty = await faultyProgram(
		"src/http/record.ts",
		"return await journal.begin(recorded, { ...asked, warn: context.report.warn });",
		'return "1";',
	);
	programs.keep(faulty);
	const run = await killed(faulty, 12);
	const { found } = await run.check();
	await run.remove();
	expect(found.some((one) => one.includes("was made and is on no record") || one.startsWith("4:"))).toBe(true);
});

/** Two at a time, in order. */
async function withLock<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (let index = 0; index < all.length; index += 2) results.push(...(await Promise.all(all.slice(index, index + 2).map(act))));
	return results;
}
