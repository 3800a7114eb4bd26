import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, it } from "vitest";
import { program, words } from "../support/built.js";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const environment = () => ({ PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder });

it("tells the eight steps and both payments on one screen", async () => {
	const ran = await execa(program, words(["demo"]), { env: environment(), extendEnv: false, reject: false });
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
		"     10.10 EUR from Main account to Savings: APPROVED",
		"     250.00 EUR to Example Supplies Ltd: APPROVED",
	]);
	expect(lines.length).toBeLessThanOrEqual(24);
	expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
	expect(await readdir(folder)).toEqual([]);
});

it("the built program runs the whole job against its own sandbox and leaves nothing behind", async () => {
	const ran = await execa(program, words(["demo", "--verbose"]), { env: environment(), extendEnv: false, reject: false });
	expect(ran.stderr).not.toContain("Error");
	expect(ran.exitCode).toBe(0);
	const commands = ran.stdout.split("\n").filter((line) => /^\$ .*purser /.test(line));
	expect(commands).toHaveLength(29);
	for (const line of [
		/^Logged in$/m,
		/^Company created$/m,
		/^Terms accepted$/m,
		/^\$ purser sandbox simulate email /m,
		/^Phone verified$/m,
		/^KYB +VALIDATED$/m,
		/^\$ purser pay ledger .*--amount 10\.10 --reference 'To savings' --yes$/m,
		/^\$ purser pay beneficiary .*--amount 250\.00 --reference 'Invoice 2041' --yes$/m,
		/^Amount +250\.00 EUR$/m,
		/^Done: 29 commands in [\d.]+ s, nothing left behind$/m,
		/^Company +[0-9a-f-]{36} {2}KYB VALIDATED$/m,
		/^Paid to ledger +[0-9a-f-]{36} {2}APPROVED$/m,
		/^Paid to beneficiary +[0-9a-f-]{36} {2}APPROVED$/m,
	])
		expect(ran.stdout).toMatch(line);
	expect(await readdir(folder)).toEqual([]);
});
