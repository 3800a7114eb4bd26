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

it("the built program runs the whole job against its own sandbox and leaves nothing behind", async () => {
	const ran = await execa(program, words(["demo"]), { env: environment(), extendEnv: false, reject: false });
	expect(ran.stderr).not.toContain("Error");
	expect(ran.exitCode).toBe(0);
	const commands = ran.stdout.split("\n").filter((line) => /^\$ .*purser /.test(line));
	expect(commands).toHaveLength(27);
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
		/^Done: 27 commands in [\d.]+ s, nothing left behind$/m,
		/^Corporate +[0-9a-f-]{36} {2}KYB VALIDATED$/m,
		/^Paid to ledger +[0-9a-f-]{36} {2}APPROVED$/m,
		/^Paid to beneficiary +[0-9a-f-]{36} {2}APPROVED$/m,
	])
		expect(ran.stdout).toMatch(line);
	expect(await readdir(folder)).toEqual([]);
});
