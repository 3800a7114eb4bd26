import { execFileSync } from "node:child_process";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readBoundedSync } from "../../../src/system/disk/bounded.js";
import { createFiles } from "../../../src/system/files.js";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const files = createFiles(new AbortController().signal);
const readers = [
	["at once", async (path: string, limit: number) => readBoundedSync(path, limit)],
	["by a command", async (path: string, limit: number) => Buffer.from(await files.read(path, limit))],
] as const;

describe.each(readers)("a file that is read %s", (_, read) => {
	test.each([0, 1, 65_535, 65_536, 65_537, 200_000])("%i bytes, as many as are allowed", async (size) => {
		const path = join(folder, "file");
		const bytes = Buffer.alloc(size, 7);
		await writeFile(path, bytes);
		expect((await read(path, size)).equals(bytes)).toBe(true);
		expect((await read(path, size + 100_000)).equals(bytes)).toBe(true);
	});

	test("a byte more is told with both sizes", async () => {
		const path = join(folder, "file");
		await writeFile(path, Buffer.alloc(1_048_577));
		await expect(async () => read(path, 1_048_576)).rejects.toThrow(
			new RangeError("It has 1,048,577 bytes, and at most 1,048,576 bytes (1 MB) are read"),
		);
	});

	test("one that is not there, or is a folder", async () => {
		await expect(async () => read(join(folder, "none"), 10)).rejects.toMatchObject({ code: "ENOENT" });
		await expect(async () => read(folder, 10)).rejects.toMatchObject({ code: "EISDIR" });
	});

	test.runIf(process.platform === "linux")("a device that never ends, whose size is 0", async () => {
		await expect(async () => read("/dev/zero", 65_536)).rejects.toThrow(
			new RangeError("It is larger, and at most 65,536 bytes (64 KB) are read"),
		);
	});
});

test.runIf(process.platform === "linux")("what comes by a pipe is read to its end", async () => {
	const path = join(folder, "pipe");
	execFileSync("mkfifo", [path]);
	const text = "x".repeat(300_000);
	const [read] = await Promise.all([files.read(path, 300_000), appendFile(path, text)]);
	expect(Buffer.from(read).toString()).toBe(text);
	await expect(Promise.all([files.read(path, 299_999), appendFile(path, text).catch(() => {})])).rejects.toBeInstanceOf(RangeError);
});
