/**
 * Ids at Tab in a real shell (the others are in completion.test.ts): the first Tab knows nothing and has the lists read in the background, the next ones complete from them.
 */

import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { programLine } from "../support/built.js";
import { hasShell } from "../support/shells.js";
import { type Session, terminal } from "../support/terminal.js";
import { until } from "../support/time.js";
import { type Service, seeded, startService } from "./service.js";

const script = (name: string): string => fileURLToPath(new URL(`../../completions/${name}`, import.meta.url));
let service: Service;
let env: Record<string, string>;

beforeAll(async () => {
	service = await startService();
	const bin = join(service.folder, "bin");
	mkdirSync(bin);
	// What the shells call: this very program.
	writeFileSync(join(bin, "purser"), `#!/bin/sh\nexec ${programLine} "$@"\n`, { mode: 0o755 });
	symlinkSync(process.execPath, join(bin, "node"));
	env = { ...service.env, PATH: `${bin}:${process.env.PATH}`, HOME: service.folder, TERM: "xterm", PS1: "$ " };
});
afterAll(() => service.stop());

const folder = (): string => join(service.env.PURSER_STATE_DIR as string, "seen");
const lists = (): string[] => readdirSync(folder()).filter((name) => name.endsWith(".json"));

test("the first Tab answers at once with nothing, and has the lists read by one process", async () => {
	const tab = () => service.purser(["complete", "--", "ledger", "show", ""]);
	const answers = await Promise.all([tab(), tab()]);
	expect(answers.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual([
		{ exit: 0, stderr: "" },
		{ exit: 0, stderr: "" },
	]);
	// The other one may have come after the lists were read.
	expect(answers.map(({ stdout }) => stdout)).toContain("");
	expect(readdirSync(folder()).filter((name) => name.endsWith(".lock"))).toHaveLength(1);
	await until(() => lists().length > 0);
	expect(lists()).toHaveLength(1);
	const kept = join(folder(), lists()[0] as string);
	expect(statSync(kept).mode & 0o777).toBe(0o600);
	expect((await tab()).stdout).toContain(`${seeded.main}\tMain account\n`);
	// The account owner is a natural person: kind and status, and nothing else of hers.
	expect(readFileSync(kept, "utf8")).toContain("natural person");
	expect(readFileSync(kept, "utf8")).not.toMatch(/Lovelace|Ada|@example|\+33/);
});

/** Types a line up to Tab, and sees how the shell completes it. */
async function completes(session: Session, line: string, sees: string): Promise<void> {
	session.type(`${line}\t`);
	await session.sees(sees);
	session.type("\u0015");
}

describe.runIf(hasShell("bash"))("bash in a terminal", () => {
	test("completes ids", async () => {
		const session = terminal("bash", ["--norc", "--noprofile", "-i"], env);
		session.answer(`source ${script("purser.bash")}; echo re""ady`);
		await session.sees("ready");
		await completes(session, `purser pay ledger --ledger-from-id ${seeded.main.slice(0, 13)}`, seeded.main);
		await completes(session, `purser ledger show ${seeded.savings.slice(0, 13)}`, seeded.savings);
		await completes(session, "purser ledger show Main", seeded.main);
		session.kill();
	});
});
