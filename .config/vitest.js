import { defineConfig } from "vitest/config";

export default defineConfig({
	root: new URL("..", import.meta.url).pathname,
	test: {
		include: ["test/**/*.test.ts"],
		exclude: ["test/bench/**"],
		testTimeout: 30_000,
		pool: "forks",
	},
});
