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

function expectCheap({ memory, time }: Ran): void {
	expect({ memory: memory < mostMemory || memory, time: time < mostTime || time }).toEqual({ memory: true, time: true });
}

const list = `a: &a [${"x,".repeat(200_000)}x]\n`;

describe.runIf(process.platform === "linux")("a case file", () => {
	test.each([
		[
			"ninety-five aliases of a list of 200,000",
			list + Array.from({ length: 95 }, (_, at) => `b${at}: *a\n`).join(""),
			"more than 100,000 values and keys",
		],
		["half a million items in a row", "- ".repeat(500_000), "It nests more than 100 levels"],
		[
			"sixty megabytes of one document",
			`a: ${"x".repeat(60_000_000)}\n`,
			"has 60,000,004 bytes, and a document may have at most 1,048,576 bytes (1 MB)",
		],
	])("of %s: exit 2", async (_, text, why) => {
		const ran = await run(["onboard", "plan", await written("case.yaml", text)]);
		expectCheap(ran);
		expect([ran.exit, ran.stderr.replace(/\s+/g, " ")]).toEqual([2, expect.stringContaining(why)]);
	});

	test("of five gigabytes, or of a pipe without an end: exit 2", async () => {
		for (const [argv, stdin] of [
			[["onboard", "plan", hollow("huge.yaml", 5 * 1024 ** 3)], undefined],
			[["onboard", "plan", "-"], "/dev/zero"],
		] as const) {
			const ran = await run(argv, { stdin });
			expectCheap(ran);
			expect([ran.exit, ran.stderr.replace(/\s+/g, " ")]).toEqual([
				2,
				expect.stringContaining("at most 67,108,864 bytes (64 MB) are read"),
			]);
		}
	});
});

describe.runIf(process.platform === "linux")("other files", () => {
	const create = ["related", "add", "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", "--file"];

	test("an input document of five gigabytes, or of a pipe without an end", async () => {
		for (const [source, stdin] of [["/dev/zero", undefined]] as const) {
			const ran = await run([...create, source], { stdin });
			expectCheap(ran);
			expect([ran.exit, ran.stderr.replace(/\s+/g, " ")]).toEqual([2, expect.stringContaining("at most 1,048,576 bytes (1 MB) are read")]);
		}
	});

	test("the state of a sandbox of a gigabyte", async () => {
		const ran = await run(["sandbox", "serve", "--port", "0", "--state", hollow("state.json", 1024 ** 3)]);
		expectCheap(ran);
		expect([ran.exit, ran.stderr.replace(/\s+/g, " ")]).toEqual([
			2,
			expect.stringContaining("at most 536,870,912 bytes (512 MB) are read"),
		]);
	});

	test("a plan of eight million numbers, or of sixteen million brackets", async () => {
		for (const text of [`[${"1,".repeat(8_000_000)}1]`, "[".repeat(16_000_000)]) {
			const ran = await run(["pay", "batch", "send", await written("plan.json", text)]);
			expectCheap(ran);
			expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining("it is too large for a plan")]);
		}
	});

	test("a token without an end", async () => {
		const ran = await run(["ledger", "list"], { env: { PURSER_TOKEN_FILE: "/dev/zero" } });
		expectCheap(ran);
		expect([ran.exit, ran.stderr.replace(/\s+/g, " ")]).toEqual([2, expect.stringContaining("at most 65,536 bytes (64 KB) are read")]);
	});

	test("a secret on standard input without an end", async () => {
		const ran = await run(["auth", "login", "--token-stdin"], { stdin: "/dev/zero" });
		expectCheap(ran);
		expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining("The token on standard input is too long: at most 64 KB are read")]);
	});

	test("profiles and secrets of half a gigabyte", async () => {
		await mkdir(join(folder, "large", "secrets"), { recursive: true, mode: 0o700 });
		const env = { PURSER_CONFIG_DIR: join(folder, "large") };
		await writeProfile(join(folder, "large"), "http://127.0.0.1:9");
		const secret = hollow("large/secrets/credentials-own.json", 500_000_000);
		const login = await run(["ledger", "list"], { env });
		expect([login.exit, login.stderr.replace(/\s+/g, " ")]).toEqual([
			2,
			expect.stringContaining("It has 500,000,000 bytes, and at most 1,048,576 bytes (1 MB) are read"),
		]);
		expectCheap(login);
		await rm(secret);
		hollow("large/profiles.json", 500_000_000);
		const profiles = await run(["profile", "list"], { env });
		expect([profiles.exit, profiles.stderr.replace(/\s+/g, " ")]).toEqual([
			2,
			expect.stringContaining("It has 500,000,000 bytes, and at most 4,194,304 bytes (4 MB) are read"),
		]);
		expectCheap(profiles);
	});

	test.each([
		[
			"a statement",
			["pay", "settle", "--statement", "FILE", "--ledger-id", "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80"],
			"at most 67,108,864 bytes (64 MB) are read",
		],
	])("%s of five gigabytes", async (_, argv, why) => {
		const file = hollow("huge.json", 5 * 1024 ** 3);
		const ran = await run(argv.map((word) => (word === "FILE" ? file : word)));
		expectCheap(ran);
		expect([ran.exit, ran.stderr.replace(/\s+/g, " ")]).toEqual([2, expect.stringContaining(why)]);
	});
});
