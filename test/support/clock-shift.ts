/**
 * Real processes with a wrong clock: a library in C, compiled where there is a compiler and preloaded, moves the clock that they see.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface ClockShift {
	/** What is added to a program's environment so that its clock is so many seconds ahead (behind: negative). */
	env(seconds: number): Record<string, string>;
	remove(): void;
}

const source = fileURLToPath(new URL("./clock-shift.c", import.meta.url));

/** Compiles it into a folder of its own. @returns why there is none, in words, where it cannot be had here */
export function clockShift(): ClockShift | string {
	if (process.platform !== "linux") return `no clock is moved on ${process.platform}: LD_PRELOAD is Linux's`;
	const folder = mkdtempSync(join(tmpdir(), "purser-clock-"));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	const library = join(folder, "clock-shift.so");
	const made = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], { encoding: "utf8" });
	if (made.status === 0) return { env: (seconds) => ({ LD_PRELOAD: library, PURSER_TEST_CLOCK_SHIFT: String(seconds) }), remove };
	remove();
	return `no clock is moved: ${made.error === undefined ? `cc failed: ${made.stderr.trim().split("\n")[0]}` : "there is no C compiler (cc)"}`;
}
