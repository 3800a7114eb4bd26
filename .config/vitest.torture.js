import { mergeConfig } from "vitest/config";
import usual from "./vitest.js";

// The long versions: started by hand with `npm run torture`, never by `npm test`. Each number can be set from outside.
const { PURSER_TEST_KILLS = "2000", PURSER_TEST_SIGNALS = "1000", PURSER_SIMULATION_SEEDS = "1000000" } = process.env;
const { PURSER_TEST_TEAM_KILLS = "1000", PURSER_TEST_FAILOVERS = "20" } = process.env;
const longest = 24 * 3_600_000;

export default mergeConfig(
	// On the disk, not in memory.
	{ ...usual, test: { ...usual.test, projects: undefined, exclude: [], env: {} } },
	{
		test: {
			include: [
				"test/e2e/onboard-kill.test.ts",
				"test/commands/{next-walk,team-at-once}.test.ts",
				"test/journal/team-{kill,recover,failover}.test.ts",
				"test/{mapping/both-ways,nodes/newer}.test.ts",
				"test/faults/{events-kill,kill,batch-kill,power-cut,power-disk,signals,two-processes}.test.ts",
				"test/payments/simulation/**/*.test.ts",
				"test/payments/{matching/simulation,wire-literal}.test.ts",
			],
			env: {
				PURSER_TORTURE: "1",
				PURSER_TEST_KILLS,
				PURSER_TEST_SIGNALS,
				PURSER_TEST_TEAM_KILLS,
				PURSER_TEST_FAILOVERS,
				PURSER_SIMULATION_SEEDS,
			},
			testTimeout: longest,
			hookTimeout: longest,
		},
	},
);
