/**
 * Shells that completion is driven in. PURSER_TEST_REQUIRE names those that must be here (`bash zsh fish`); another that is missing is
 * skipped, and the run says so.
 */
import { spawnSync } from "node:child_process";

const required = (process.env.PURSER_TEST_REQUIRE ?? "").split(/[\s,]+/);

/** Whether a shell is installed. @throws Error where it is not and must be */
export function hasShell(name: "bash" | "zsh" | "fish"): boolean {
	if (spawnSync(name, ["--version"]).status === 0) return true;
	if (required.includes(name)) throw new Error(`${name} is not installed here, and PURSER_TEST_REQUIRE demands it`);
	process.stderr.write(`skipped: completion in ${name}, which is not installed here\n`);
	return false;
}
