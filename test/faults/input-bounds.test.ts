/**
 * What large or endless input costs the real program: memory and processor time of the whole process. Without bounds each took several times
 * what is allowed here, or never ended.
 */
import { closeSync, ftruncateSync, openSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { longestRun } from "../support/built.js";
import { jsonOf, measured, type Start } from "../support/measured.js";

/** Megabytes; a run that refuses an unknown flag takes some eighty. */
const mostMemory = 300;
/** Seconds of the processor. */
const mostTime = 20;

/** A file of this size that takes no room on the disk. */
const hollow = (bytes: number) => (path: string) => {
	const file = openSync(path, "w", 0o600);
	ftruncateSync(file, bytes);
	closeSync(file);
};
const written = (text: () => string) => (path: string) => writeFileSync(path, text(), { mode: 0o600 });

const list = `a: &a [${"x,".repeat(200_000)}x]\n`;
const id = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const plan = ["onboard", "plan"];
const send = ["pay", "batch", "send"];

/** The words of a command, what makes its last word a file, why it is refused, and what it reads beside. */
type Row = [name: string, argv: string[], make: ((path: string) => void) | undefined, why: string, start?: Start];

describe.runIf(process.platform === "linux")("exit 2, and cheap", () => {
	test.each<Row>([
		[
			"a case file with ninety-five aliases of a list of 200,000",
			plan,
			written(() => list + Array.from({ length: 95 }, (_, at) => `b${at}: *a\n`).join("")),
			"more than 100,000 values and keys",
		],
		["a case file of half a million items in a row", plan, written(() => "- ".repeat(500_000)), "It nests more than 100 levels"],
		[
			"a case file of sixty megabytes",
			plan,
			written(() => `a: ${"x".repeat(60_000_000)}\n`),
			"It has 60,000,004 bytes, and at most 1,048,576 bytes (1 MB) are read",
		],
		["a case file of five gigabytes", plan, hollow(5 * 1024 ** 3), "at most 1,048,576 bytes (1 MB) are read"],
		[
			"a case file from a pipe without an end",
			[...plan, "-"],
			undefined,
			"at most 1,048,576 bytes (1 MB) are read",
			{ stdin: "/dev/zero" },
		],
		[
			"an input document without an end",
			["related", "add", id, "--file", "/dev/zero"],
			undefined,
			"at most 1,048,576 bytes (1 MB) are read",
		],
		[
			"the state of a sandbox of a gigabyte",
			["sandbox", "serve", "--port", "0", "--state"],
			hollow(1024 ** 3),
			"at most 536,870,912 bytes (512 MB) are read",
		],
		["a plan of eight million numbers", send, written(() => `[${"1,".repeat(8_000_000)}1]`), "it is too large for a plan"],
		["a plan of sixteen million brackets", send, written(() => "[".repeat(16_000_000)), "it is too large for a plan"],
		[
			"a token without an end",
			["ledger", "list"],
			undefined,
			"at most 65,536 bytes (64 KB) are read",
			{ env: { PURSER_TOKEN: "", PURSER_TOKEN_FILE: "/dev/zero" } },
		],
		[
			"a secret on standard input without an end",
			["auth", "login", "--token-stdin"],
			undefined,
			"The token on standard input is too long: at most 64 KB are read",
			{ stdin: "/dev/zero" },
		],
		["a statement of five gigabytes", ["pay", "settle", "--statement"], hollow(5 * 1024 ** 3), "at most 67,108,864 bytes (64 MB) are read"],
	])("%s", async (_, argv, make, why, start) => {
		await expectRefused([...argv, ...(make === undefined ? [] : ["file"])], why, {
			...start,
			fill: (folder) => make?.(join(folder, "file")),
		});
	});

	test.each([
		[
			"secrets",
			["ledger", "list"],
			"secrets/credentials-own.json",
			"It has 500,000,000 bytes, and at most 1,048,576 bytes (1 MB) are read",
		],
		["profiles", ["profile", "list"], "profiles.json", "It has 500,000,000 bytes, and at most 4,194,304 bytes (4 MB) are read"],
	])("%s of half a gigabyte", async (_, argv, file, why) => {
		const fill = async (folder: string) => {
			await mkdir(join(folder, "secrets"), { mode: 0o700 });
			hollow(500_000_000)(join(folder, file));
		};
		await expectRefused(argv, why, { env: { PURSER_TOKEN: "" }, fill });
	});
});

async function expectRefused(argv: readonly string[], why: string, start?: Start): Promise<void> {
	const ran = await measured(argv, jsonOf("{}"), longestRun / 1_000, start);
	const { exit, stderr, megabytes: memory, seconds: time } = ran;
	expect({ memory: memory < mostMemory || memory, time: time < mostTime || time }).toEqual({ memory: true, time: true });
	expect([exit, stderr.replace(/\s+/g, " ")]).toEqual([2, expect.stringContaining(why)]);
}
