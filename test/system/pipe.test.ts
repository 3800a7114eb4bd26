/**
 * Input from pipes that nobody writes to: a run that is stopped does not wait for it.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFiles } from "../../src/system/files.js";
import { program, words } from "../support/built.js";

const folder = mkdtempSync(join(tmpdir(), "purser-pipe-"));

function pipe(name: string): string {
	const path = join(folder, name);
	execFileSync("mkfifo", [path]);
	return path;
}

async function stopped(reading: (files: ReturnType<typeof createFiles>) => Promise<unknown>): Promise<unknown> {
	const stop = new AbortController();
	const read = reading(createFiles(stop.signal)).catch((cause) => cause.kind);
	setTimeout(() => stop.abort("SIGINT"), 50);
	return read;
}

describe.skipIf(process.platform === "win32")("a pipe", () => {
	test("that nobody writes to is waited for until the run is stopped", async () => {
		const path = pipe("nobody");
		expect(await stopped((files) => files.read(path, 1000))).toBe("interrupted");
		expect(
			await stopped(async (files) => {
				for await (const _ of files.stream(path));
			}),
		).toBe("interrupted");
		const before = new AbortController();
		before.abort("SIGTERM");
		await expect(createFiles(before.signal).read(path, 1000)).rejects.toMatchObject({ kind: "interrupted" });
	});

	test("that nobody writes to ends with the program on Ctrl-C", async () => {
		// The shell ignores what comes before the program listens.
		const command = `trap "" INT; exec "$0" "$@"`;
		const given = ["-c", command, program, ...words(["api", "check", pipe("program")])];
		const child = spawn("sh", given, { stdio: ["ignore", "pipe", "pipe"], env: { HOME: folder } });
		const ended = once(child, "exit");
		const pressing = setInterval(() => child.kill("SIGINT"), 300);
		expect(await ended).toEqual([130, null]);
		clearInterval(pressing);
		expect(child.stdout.read()).toBeNull();
	});
});
