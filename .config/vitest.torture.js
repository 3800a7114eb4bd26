import { defineConfig, mergeConfig } from "vitest/config";
import usual from "./vitest.js";

// The long versions: started by hand with `npm run torture`, never by `npm test`.
export default mergeConfig(
	{ ...usual, test: { ...usual.test, include: [], exclude: [] } },
	defineConfig({ test: { include: ["test/torture/**/*.test.ts"], testTimeout: 3_600_000, hookTimeout: 3_600_000 } }),
);
