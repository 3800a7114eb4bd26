/**
 * What large or endless input costs the real program: memory and processor time of the whole process. Without bounds each took several times
 * what is allowed here, or never ended.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
const aliases = Array.from({ length: 95 }, (_, at) => `b${at}: *a\n`).join("");
const plan = ["onboard", "plan", "f"];
const send = ["pay", "batch", "send", "f"];
const serve = ["sandbox", "serve", "--port", "0", "--state"];

const profiled = "and at most 4,194,304 bytes (4 MB) are read";
const megabyte = "at most 1,048,576 bytes (1 MB) are read";
const noToken = { PURSER_TOKEN: "" };

/** The words of a command, a file that is made, why it is refused, and what it reads beside. */
type Row = [name: string, argv: string[], make: [file: string, make: (path: string) => void] | undefined, why: string, start?: Start];

const files: Row[] = [
	["ninety-five aliases of a list of 200,000", plan, ["f", written(() => list + aliases)], "more than 100,000 values and keys"],
	["half a million items in a row", plan, ["f", written(() => "- ".repeat(500_000))], "It nests more than 100 levels"],
	[
		"a case file of sixty megabytes",
		plan,
		["f", written(() => `a: ${"x".repeat(60_000_000)}\n`)],
		`It has 60,000,004 bytes, and ${megabyte}`,
	],
	["a case file of five gigabytes", plan, ["f", hollow(5 * 1024 ** 3)], megabyte],
	["a case file from a pipe without an end", ["onboard", "plan", "-"], undefined, megabyte, { stdin: "/dev/zero" }],
	["an input document without an end", ["related", "add", id, "--file", "/dev/zero"], undefined, megabyte],
	["a sandbox's state of a gigabyte", [...serve, "f"], ["f", hollow(1024 ** 3)], "at most 536,870,912 bytes (512 MB) are read"],
	["a plan of eight million numbers", send, ["f", written(() => `[${"1,".repeat(8_000_000)}1]`)], "it is too large for a plan"],
	["a plan of sixteen million brackets", send, ["f", written(() => "[".repeat(16_000_000))], "it is too large for a plan"],
	[
		"a token without an end",
		["ledger", "list"],
		undefined,
		"at most 65,536 bytes (64 KB) are read",
		{ env: { ...noToken, PURSER_TOKEN_FILE: "/dev/zero" } },
	],
	[
		"a secret on standard input without an end",
		["auth", "login", "--token-stdin"],
		undefined,
		"The token on standard input is too long: at most 64 KB are read",
		{ stdin: "/dev/zero" },
	],
	[
		"a statement of five gigabytes",
		["pay", "settle", "--statement", "f"],
		["f", hollow(5 * 1024 ** 3)],
		"at most 67,108,864 bytes (64 MB) are read",
	],
	[
		"secrets of half a gigabyte",
		["ledger", "list"],
		["config/secrets/credentials-own.json", hollow(500_000_000)],
		`It has 500,000,000 bytes, and ${megabyte}`,
		{ env: noToken },
	],
	["profiles of half a gigabyte", ["profile", "list"], ["config/profiles.json", hollow(500_000_000)], profiled, { env: noToken }],
];

test.runIf(process.platform === "linux").each(files)("%s: exit 2, and cheap", async (_, argv, file, why, start) => {
	const fill = (folder: string): void => {
		mkdirSync(join(folder, "config", "secrets"), { mode: 0o700 });
		file?.[1](join(folder, file[0]));
	};
	const { exit, stderr, megabytes: memory, seconds: time } = await measured(argv, jsonOf("{}"), { ...start, fill });
	expect({ memory: memory < mostMemory || memory, time: time < mostTime || time }).toEqual({ memory: true, time: true });
	expect([exit, stderr.replace(/\s+/g, " ")]).toEqual([2, expect.stringContaining(why)]);
});
