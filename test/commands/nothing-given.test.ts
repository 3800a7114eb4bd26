/**
 * Every command with nothing given, in a script: it does its work or says in words what is missing, and never asks or breaks.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands } from "../../src/commands/index.js";
import type { Ran } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

// These need nothing and go on for long: tests of their own run them. A login is ended last.
const later = ["demo", "sandbox serve", "events follow", "events listen", "auth logout"];
const paths = [...Object.keys(commands).filter((path) => !later.includes(path)), "auth logout"];
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a script
const trace = /\n\s+at |node:internal|fault of its own|bug in purser|undefined|\[object|\u001b/;

let world: BatchWorld;
beforeAll(async () => {
	world = await batchWorld();
});
afterAll(() => world.end());

/** What the first line of an error says, where all that is missing is named in it. */
const missing: Readonly<Record<string, string>> = {
	"pay ledger": "--from, --to, --amount",
	"phone verify": "RELATED, --code",
	"kyb request": "CORPORATE",
	"corporate create":
		"--corporate-name, --incorporation-country, --incorporation-code, --industry, --registered-address.*, " +
		"--expected-monthly-expenses.value, --expected-monthly-expenses.currency, --account-owner-info.first-name, " +
		"--account-owner-info.last-name, --account-owner-info.email-address, --account-owner-info.position",
};

test.each(paths)("%s", async (path) => {
	const run = (line: string): Promise<Ran> => world.purser(line, { piped: true, env: { CI: "1" } });
	const json = await run(`${path} --json`);
	const text = json.exit === 0 ? json : await run(path);
	for (const one of [json, text]) {
		expect([0, 2, 3, 4, 5, 6, 7, 8, 9, 10], one.stderr).toContain(one.exit);
		expect(one.stdout + one.stderr).not.toMatch(trace);
	}
	if (json.exit === 0) return expect(() => json.json()).not.toThrow();
	expect([json.exit, json.stdout, text.stdout]).toEqual([text.exit, "", ""]);
	expect(text.stderr.match(/^Error: /gm)).toHaveLength(1);
	expect(text.stderr).toMatch(/^ {2}Next: \S/m);
	expect(json.stderr.split("\n")).toHaveLength(2);
	expect(json.error()).toMatchObject({ kind: expect.any(String), exit: text.exit, fix: expect.stringMatching(/\S/) });
	expect(text.stderr).toContain(json.error().message);
	if (path in missing) expect([text.exit, text.stderr.split("\n")[0]]).toEqual([2, `Error: Missing: ${missing[path]}`]);
});
