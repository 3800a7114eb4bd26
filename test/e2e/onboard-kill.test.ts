import { it } from "vitest";
import { killApplies } from "./onboard-kill.js";

const kills = Number(process.env.PURSER_TEST_KILLS ?? 6);
const seed = Number(process.env.PURSER_TEST_SEED ?? Date.now() % 100_000);

it(`apply killed at ${kills} random moments and run again: exactly one corporate and one of each entity (seed ${seed})`, async () => {
	for (let round = 0; !(await killApplies(kills, seed + round)); round++);
});
