/**
 * What large or endless input costs the real program: memory and processor time of the whole process. Without bounds each took several times
 * what is allowed here, or never ended.
 */
import { execFile } from "node:child_process";
import { closeSync, createReadStream, ftruncateSync, openSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longestRun, program, words } from "../support/built.js";
import { writeProfile } from "../support/profile-file.js";

/** Megabytes; a run that refuses an unknown flag takes some eighty. */
const mostMemory = 300;
/** Seconds of the processor. */
const mostTime = 20;

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const cost = `process.on("exit", () => {
		const { user, system } = process.cpuUsage();
		require("node:fs").writeFileSync(process.env.COST, JSON.stringify({ memory: process.resourceUsage().maxRSS / 1024, time: (user + system) / 1e6 }));
	});`;
	await writeFile(join(folder, "cost.cjs"), cost);
	await writeProfile(join(folder, "config"), "http://127.0.0.1:9");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ran {
	exit: number;
	stderr: string;
	memory: number;
	time: number;
}

async function run(argv: readonly string[], { stdin, env = {} }: { stdin?: string; env?: Record<string, string> } = {}): Promise<Ran> {
	const cost = join(folder, "cost.json");
	const own = {
		PATH: process.env.PATH ?? "",
		HOME: folder,
		PURSER_CONFIG_DIR: join(folder, "config"),
		PURSER_STATE_DIR: join(folder, "state"),
		PURSER_NO_KEYRING: "1",
		NODE_OPTIONS: `--require ${join(folder, "cost.cjs")}`,
		COST: cost,
		...env,
	};
	const ended = await new Promise<{ exit: number; stderr: string }>((resolve) => {
		const child = execFile(program, words(argv), { env: own, timeout: longestRun }, (error, _, stderr) =>
			resolve({ exit: error === null ? 0 : Number(error.code ?? -1), stderr }),
		);
		child.stdin?.on("error", () => {});
		if (stdin === undefined) child.stdin?.end();
		else createReadStream(stdin).pipe(child.stdin as NodeJS.WritableStream);
	});
	return { ...ended, ...(JSON.parse(await readFile(cost, "utf8")) as { memory: number; time: number }) };
}

/** A file of this size that takes no room on the disk. */
function hollow(name: string, bytes: number): string {
	const path = join(folder, name);
	const file = openSync(path, "w", 0o600);
	ftruncateSync(file, bytes);
	closeSync(file);
	return path;
}

async function written(name: string, text: string): Promise<string> {
	const path = join(folder, name);
	await writeFile(path, text, { mode: 0o600 });
	return path;
}

const list = `a: &a [${"x,".repeat(200_000)}x]\n`;
const id = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const plan = ["onboard", "plan"];
const send = ["pay", "batch", "send"];

/** The words of a command, what makes its last word a file, why it is refused, and what it reads beside. */
type Row = [
	name: string,
	argv: string[],
	file: (() => string | Promise<string>) | undefined,
	why: string,
	given?: { stdin?: string; env?: Record<string, string> },
];

describe.runIf(process.platform === "linux")("exit 2, and cheap", () => {
	test.each<Row>([
		[
			"a case file with ninety-five aliases of a list of 200,000",
			plan,
			() => written("case.yaml", list + Array.from({ length: 95 }, (_, at) => `b${at}: *a\n`).join("")),
			"more than 100,000 values and keys",
		],
		[
			"a case file of half a million items in a row",
			plan,
			() => written("case.yaml", "- ".repeat(500_000)),
			"It nests more than 100 levels",
		],
		[
			"a case file of sixty megabytes of one document",
			plan,
			() => written("case.yaml", `a: ${"x".repeat(60_000_000)}\n`),
			"has 60,000,004 bytes, and a document may have at most 1,048,576 bytes (1 MB)",
		],
		["a case file of five gigabytes", plan, () => hollow("huge.yaml", 5 * 1024 ** 3), "at most 67,108,864 bytes (64 MB) are read"],
		[
			"a case file from a pipe without an end",
			[...plan, "-"],
			undefined,
			"at most 67,108,864 bytes (64 MB) are read",
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
			() => hollow("state.json", 1024 ** 3),
			"at most 536,870,912 bytes (512 MB) are read",
		],
		["a plan of eight million numbers", send, () => written("plan.json", `[${"1,".repeat(8_000_000)}1]`), "it is too large for a plan"],
		["a plan of sixteen million brackets", send, () => written("plan.json", "[".repeat(16_000_000)), "it is too large for a plan"],
		[
			"a token without an end",
			["ledger", "list"],
			undefined,
			"at most 65,536 bytes (64 KB) are read",
			{ env: { PURSER_TOKEN_FILE: "/dev/zero" } },
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
			["pay", "settle", "--ledger-id", id, "--statement"],
			() => hollow("huge.json", 5 * 1024 ** 3),
			"at most 67,108,864 bytes (64 MB) are read",
		],
	])("%s", async (_, argv, file, why, given) => {
		await expectRefused([...argv, ...(file === undefined ? [] : [await file()])], why, given);
	});

	test("profiles and secrets of half a gigabyte", async () => {
		await mkdir(join(folder, "large", "secrets"), { recursive: true, mode: 0o700 });
		const env = { PURSER_CONFIG_DIR: join(folder, "large") };
		await writeProfile(join(folder, "large"), "http://127.0.0.1:9");
		const secret = hollow("large/secrets/credentials-own.json", 500_000_000);
		await expectRefused(["ledger", "list"], "It has 500,000,000 bytes, and at most 1,048,576 bytes (1 MB) are read", { env });
		await rm(secret);
		hollow("large/profiles.json", 500_000_000);
		await expectRefused(["profile", "list"], "It has 500,000,000 bytes, and at most 4,194,304 bytes (4 MB) are read", { env });
	});
});

async function expectRefused(argv: readonly string[], why: string, given?: Row[4]): Promise<void> {
	const { exit, stderr, memory, time } = await run(argv, given);
	expect({ memory: memory < mostMemory || memory, time: time < mostTime || time }).toEqual({ memory: true, time: true });
	expect([exit, stderr.replace(/\s+/g, " ")]).toEqual([2, expect.stringContaining(why)]);
}
