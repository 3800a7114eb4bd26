import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { clockShift } from "../support/clock-shift.js";
import { confirmed } from "../support/companies.js";
import { seedOfRun } from "../support/seed.js";
import { everybody, startCases } from "./onboard-cases.js";

const random = new Random(seedOfRun("onboard-kill"));
const shift = clockShift();
afterAll(() => {
	if (typeof shift !== "string") shift.remove();
});

/** Processes that run at once. */
const atOnce = 4;

/**
 * Kills the real process of `onboard apply` at random moments, each in a case of its own, then applies all of them again.
 * @param kills how many
 * @returns whether the moments were spread: some before anything was made, some between a request and its answer
 */
async function killApplies(kills: number): Promise<boolean> {
	const cases = await startCases(kills + atOnce, ["corporate.create=delay:250ms", "related.create=delay:60ms"]);
	const { run, files, sandbox } = cases;
	try {
		// How long a run takes beside as many others as there will be.
		const started = performance.now();
		const whole = await Promise.all(files.slice(kills).map((file) => run(["onboard", "apply", ...confirmed, file])));
		const took = performance.now() - started;
		for (const { exitCode, stderr } of whole) expect(exitCode, String(stderr)).toBe(0);

		const moments = Array.from({ length: kills }, () => random.fraction() * took * 1.2);
		let next = 0;
		const work = async (): Promise<void> => {
			for (let place = next++; place < kills; place = next++) {
				const going = run(["onboard", "apply", ...confirmed, files[place] as string]);
				await pause(moments[place]);
				going.kill("SIGKILL");
				await going;
			}
		};
		await Promise.all(Array.from({ length: atOnce }, work));

		const begun = sandbox.state.corporates.length - atOnce;
		// A minute later, so that a creation without an answer is not waited for.
		const again = await run(["onboard", "apply", ...confirmed, ...files, "--json"], typeof shift === "string" ? {} : shift.env(60));
		expect(again.exitCode, String(again.stderr).slice(0, 2000)).toBe(0);
		for (const place of files.keys()) {
			const { corporates, names } = cases.made(place);
			expect(corporates, `crm-${place}, killed after ${moments[place]} ms`).toHaveLength(1);
			expect(names, `crm-${place}, killed after ${moments[place]} ms`).toEqual(everybody);
		}
		expect(begun).toBeLessThanOrEqual(kills);
		expect(JSON.parse(String((await run(["history", "verify", "--json"])).stdout)).faults).toEqual([]);
		const history = await run(["history", "list", "--json", "--limit", "99999"]);
		return begun > kills / 10 && String(history.stdout).includes('"evidence"');
	} finally {
		await cases.stop();
	}
}

const kills = Number(process.env.PURSER_TEST_KILLS ?? 6);

it(`apply killed at ${kills} random moments and run again: exactly one corporate and one of each entity`, async () => {
	while (!(await killApplies(kills)));
});
