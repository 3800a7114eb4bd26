import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
	root: path(".."),
	test: {
		include: ["test/**/*.test.ts"],
		exclude: ["test/bench/**", "test/torture/**"],
		// For machines that do much else beside: nothing here is a test of speed.
		testTimeout: 120_000,
		pool: "forks",
		// Half of the files wait for processes or for the clock: one worker a core, not one less.
		maxWorkers: "100%",
		reporters: ["default", path("./count-reporter.js")],
	},
});
