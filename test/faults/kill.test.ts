import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { faultyProgram } from "../support/driver.js";
import { type Campaign, campaign, payment } from "../support/driver-campaign.js";
import { seedOfRun } from "../support/seed.js";

const kills = Number(process.env.PURSER_TEST_KILLS ?? 24);
const seed = seedOfRun("kill");

/** Payments, four at once on one journal, each killed at a moment of its own. */
const killed = (payments: number, program?: string): Promise<Campaign> =>
	campaign({
		program,
		payments,
		random: new Random(seed),
		disturb: (run) => {
			run.kill();
			return "SIGKILL";
		},
	});

test(`SIGKILL at any moment of ${kills} payments: the invariants hold, every doubt is named, and again only what was never sent is sent`, async () => {
	const run = await killed(kills);
	const { found, record, rows } = await run.check();
	const count = (state: string): number => rows.filter((row) => row.state === state).length;
	const dead = run.paid.filter(({ ended }) => ended.code === "killed");
	process.stdout.write(
		`kill: ${run.paid.length} payments, ${dead.length} killed, ${run.peer.arrived.length} arrived; ${count("accepted")} accepted, ${count("in-doubt")} in doubt, ${count("planned")} never began\n`,
	);
	expect(found).toEqual([]);
	// The moments are only worth something if they hit: before the record, after it, and while the answer was on its way.
	expect(run.paid.length).toBe(kills);
	expect(dead.length).toBeGreaterThan(kills / 3);
	expect(record.doubts.filter(({ why }) => why?.includes("killed")).length).toBeGreaterThan(kills / 40);
	expect(count("planned")).toBeGreaterThan(kills / 40);

	const states = new Map(rows.map(({ key, state }) => [key, state]));
	for (const { reference, amount, kind, key } of dead.slice(0, 6)) {
		const { code } = await run.desk.start(payment(reference, amount, kind).argv).ended;
		const state = states.get(key) as string;
		expect([state, ["planned", "refused", "not-sent"].includes(state) ? [0, 5, 7, 8] : [10]]).toEqual([
			state,
			expect.arrayContaining([code]),
		]);
	}
	// What was planned has been paid by another process than the one that was killed, so only its own exit is not told here.
	expect((await run.check()).found.filter((one) => !one.startsWith("5:") && !one.startsWith("6:"))).toEqual([]);
});

test("control: a program that does not write before it sends is caught", async () => {
	const faulty = await faultyProgram(
		"src/http/record.ts",
		"return await journal.begin(recorded, { ...asked, warn: context.report.warn });",
		'return "1";',
	);
	const { found } = await (await killed(12, faulty)).check();
	expect(found.some((one) => one.includes("was made and is on no record") || one.startsWith("4:"))).toBe(true);
});
