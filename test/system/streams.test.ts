/**
 * What a program writes to a pipe that takes nothing for a while: the built program, since its first bytes go past the stream.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { program, words } from "../support/built.js";

const folder = mkdtempSync(join(tmpdir(), "purser-pipe-"));

/** Reads what lies in a pipe that does not block. */
function readAvailable(descriptor: number): string {
	const part = Buffer.alloc(1 << 16);
	let text = "";
	try {
		for (let length = -1; length !== 0; ) {
			length = readSync(descriptor, part);
			text += part.toString("latin1", 0, length);
		}
	} catch (cause) {
		expect((cause as NodeJS.ErrnoException).code).toBe("EAGAIN");
	}
	return text;
}

test.skipIf(process.platform === "win32")("a pipe that does not block and is full gets the rest once it is read", async () => {
	const path = join(folder, "pipe");
	execFileSync("mkfifo", [path]);
	const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	const writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
	// Node makes the standard streams of its children block; what a shell passes on it leaves as it is.
	const child = spawn("sh", ["-c", 'exec "$0" "$@" >&3', program, ...words(["--help", "--json"])], {
		stdio: ["ignore", "ignore", "inherit", writing],
		env: { HOME: folder },
	});
	const ended = once(child, "exit");
	let text = "";
	while (child.exitCode === null) {
		await new Promise((resolve) => setTimeout(resolve, 50));
		text += readAvailable(reading);
	}
	expect(await ended).toEqual([0, null]);
	text += readAvailable(reading);
	for (const descriptor of [reading, writing]) closeSync(descriptor);
	rmSync(folder, { recursive: true });
	// More than a pipe holds, and whole.
	expect(text.length).toBeGreaterThan(65_536);
	expect(JSON.parse(text)).toMatchObject({ version: "0.1.0" });
});
