import { readFileSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A file system in memory with room enough: most of a journal's time is the disk's. Undefined where there is none, or where it runs nothing. */
function memory() {
	try {
		const { bavail, bsize } = statfsSync("/dev/shm");
		const [, options = "noexec"] = /^\S+ \/dev\/shm \S+ (\S+)/m.exec(readFileSync("/proc/mounts", "utf8")) ?? [];
		return bavail * bsize > 4e9 && !options.split(",").includes("noexec") ? "/dev/shm" : undefined;
	} catch {
		return undefined;
	}
}

/** Where the tests have their files; TMPDIR names another place. */
const TMPDIR = process.env.TMPDIR ?? memory();

/**
 * Files that have a process to themselves: they measure its memory, or change something of it. All others share one process for each worker,
 * which loads the sources once and not once a file; test/layers holds them to it.
 */
export const alone = [
	"api/deadline",
	"commands/endless",
	"faults/bounds",
	"faults/input-bounds",
	"faults/wire-tls",
	"payments/list-memory",
	"system/disk/lock",
	"system/disk/replace-file",
].map((file) => `test/${file}.test.ts`);

export default defineConfig({
	root: path(".."),
	test: {
		exclude: ["test/bench/**"],
		// Nothing here is a test of speed: these only end what hangs, also on a machine that does much else beside.
		testTimeout: 1_800_000,
		hookTimeout: 1_800_000,
		env: TMPDIR === undefined ? {} : { TMPDIR },
		pool: "forks",
		// Many files wait for processes or for the clock: one worker more than there are cores.
		maxWorkers: availableParallelism() + 1,
		projects: [
			{ extends: true, test: { name: "alone", include: alone, sequence: { groupOrder: 0 } } },
			// After the others, for a worker keeps its process only while the next file may share it.
			{
				extends: true,
				test: { name: "shared", include: ["test/**/*.test.ts"], exclude: alone, isolate: false, sequence: { groupOrder: 1 } },
			},
		],
		reporters: ["default", path("./count-reporter.js")],
	},
});
