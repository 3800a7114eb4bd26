import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
	root: path(".."),
	test: {
		include: ["test/**/*.test.ts"],
		exclude: ["test/bench/**", "test/torture/**"],
		// Nothing here is a test of speed: these only end what hangs, also on a machine that does much else beside.
		testTimeout: 1_800_000,
		hookTimeout: 1_800_000,
		pool: "forks",
		// Half of the files wait for processes or for the clock: one worker a core, not one less.
		maxWorkers: "100%",
		reporters: ["default", path("./count-reporter.js")],
	},
});
