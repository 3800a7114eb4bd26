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

/** Newer versions of Node keep compiled code in the home folder. */
const environment = () => ({ PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: "1" });

it("the built program runs the whole job against its own sandbox, tells it on one screen, and leaves nothing behind", async () => {
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
		"     10.10 EUR from Operating account to Reserve: APPROVED",
		"     250.00 EUR to Example Wholesale Ltd: APPROVED",
	]);
	expect(lines.length).toBeLessThanOrEqual(24);
	expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
	expect(await readdir(folder)).toEqual([]);
});
