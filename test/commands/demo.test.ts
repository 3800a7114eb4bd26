import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";
import demo, { outcomeOf } from "../../src/commands/demo.js";
import { PurserError } from "../../src/errors.js";
import { program, words } from "../support/built.js";
import { changed, smallContext } from "../support/context.js";

it("the built program runs the whole job against its own sandbox, tells it on one screen, and leaves nothing behind", async () => {
	const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	// Newer versions of Node keep compiled code in the home folder.
	const env = { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: "1" };
	const ran = await execa(program, words(["demo"]), { env, extendEnv: false, reject: false });
	expect([ran.exitCode, ran.stderr]).toEqual([0, expect.not.stringContaining("Error")]);
	const lines = ran.stdout.split("\n");
	expect(lines.slice(1, 12)).toEqual([
		"  1  Terms and conditions 1.0 read",
		"  2  Harbour Lights Catering SAS created with its account owner, terms accepted",
		"  3  Owner's email verified: Ada Example opened the link",
		"  4  Harbour Holding BV, Grace Sample and Linus Placeholder declared",
		"  5  Due-diligence review read",
		"  6  KYB requested",
		"  7  KYC links created, and all three persons identified",
		"  8  Owner's phone verified with a code by SMS",
		"     KYB VALIDATED: the company can pay",
		"     10.10 EUR from Operating account to Reserve: APPROVED",
		"     250.00 EUR to Example Wholesale Ltd: APPROVED",
	]);
	expect(lines.length).toBeLessThanOrEqual(24);
	expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
	expect(await readdir(folder)).toEqual([]);
});

/** A demo whose commands end so; the sandbox behind it is real and unused. */
async function stopped(exit: (noun: string | undefined) => number, { env = {}, interrupt = false } = {}) {
	const small = smallContext();
	const seen = {
		shown: [] as string[],
		removed: [] as true[],
		runs: [] as { argv: readonly string[]; env: Record<string, string>; input?: string }[],
	};
	const context = changed(small.context, {
		settings: { flags: { ...small.context.settings.flags, verbose: true } },
		report: { show: async (text: string) => void seen.shown.push(text) },
		files: { write: async () => {}, temporary: async () => ({ path: "/somewhere", remove: async () => void seen.removed.push(true) }) },
		system: {
			env,
			processes: {
				self: async (argv, options) => {
					seen.runs.push({ argv, ...options } as (typeof seen.runs)[number]);
					return { exit: exit(argv[0]), stdout: "", stderr: "Error: no answer", both: "" };
				},
				program: async () => undefined,
			},
		},
	});
	if (interrupt) small.interrupt();
	const error = await demo.run(context, {}).catch((cause: unknown) => cause);
	expect(error).toBeInstanceOf(PurserError);
	expect(seen.removed).toEqual([true]);
	return { ...seen, error: error as PurserError };
}

describe("the demo", () => {
	it("stops at the first command that does not end with 0, says which, and leaves nothing behind", async () => {
		const { error, runs } = await stopped((noun) => (noun === "terms" ? 6 : 0));
		const message = "The demo stopped at step 3, `purser terms show`: it ended with exit code 6 instead of 0";
		expect([error.exit, runs.length, error.failure]).toMatchObject([1, 3, { message, why: "Error: no answer" }]);
		expect((await stopped(() => 130, { interrupt: true })).error).toMatchObject({ kind: "interrupted", exit: 130 });
	});

	it("gives each command a configuration of its own and none of the person's, and shows it as it would be typed, secrets by standard input", async () => {
		const own = { PURSER_TOKEN: "secret", PURSER_PROFILE: "live", PURSER_BASE_URL: "https://api.example.com" };
		const { runs, shown } = await stopped((noun) => Number(noun === "auth"), { env: { PATH: "/bin", ...own } });
		expect(runs[0]?.env).toEqual({
			...{ PATH: "/bin", COLUMNS: "80", PURSER_CONFIG_DIR: "/somewhere/config", PURSER_STATE_DIR: "/somewhere/state" },
			...{ PURSER_NO_KEYRING: "1", PURSER_NO_INPUT: "1", PURSER_OUTPUT: "text" },
		});
		expect(shown.join("")).toMatch(
			/\n\$ purser profile add demo --base-url http:\/\/127\.0\.0\.1:\d+ --username operator --partner-name example-partner\n[^$]*\n\$ printf %s sandbox-password \| purser auth login --password-stdin\n/,
		);
		expect([runs[1]?.argv.includes("sandbox-password"), runs[1]?.input]).toEqual([false, "sandbox-password"]);
	});

	it("takes an unexpected end for a failure of its own", () => {
		const outcome = (kyb: string, status: string) =>
			outcomeOf({ steps: 27, seconds: 1, corporate: { id: "c", kyb }, payments: [{ kind: "ledger", id: "t", status }] });
		expect(outcome("VALIDATED", "APPROVED")).toBeUndefined();
		expect([outcome("DECLINED", "APPROVED"), outcome("VALIDATED", "DECLINED")]).toEqual(["bug", "bug"]);
	});
});
