/**
 * Every command with nothing given, in a script: it does its work or says in words what is missing, and never asks or breaks.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../src/commands/index.js";
import type { Ran } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

// These need nothing and go on for long: tests of their own run them. A login is ended last.
const paths = Object.keys(commands).filter((path) => !["demo", "sandbox serve", "events follow", "events listen"].includes(path));
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a script
const trace = /\n\s+at |node:internal|fault of its own|bug in purser|undefined|\[object|\u001b/;

let world: BatchWorld;
const ran = new Map<string, { json: Ran; text?: Ran }>();
beforeAll(async () => {
	world = await batchWorld();
	const run = (path: string, ...more: string[]) => world.purser([...path.split(" "), ...more], { piped: true, env: { CI: "1" } });
	for (const path of [...paths.filter((path) => path !== "auth logout"), "auth logout"]) {
		const json = await run(path, "--json");
		ran.set(path, json.exit === 0 ? { json } : { json, text: await run(path) });
	}
});
afterAll(() => world.end());

test.each(paths)("%s", (path) => {
	const { json, text = json } = ran.get(path) as { json: Ran; text?: Ran };
	for (const one of [json, text]) {
		expect([0, 2, 3, 4, 5, 6, 7, 8, 9, 10], one.stderr).toContain(one.exit);
		expect(one.stdout + one.stderr).not.toMatch(trace);
	}
	if (text === json) {
		expect(() => json.json()).not.toThrow();
		return;
	}
	expect([json.exit, json.stdout, text.stdout]).toEqual([text.exit, "", ""]);
	expect(text.stderr.match(/^Error: /gm)).toHaveLength(1);
	expect(text.stderr).toMatch(/^ {2}Next: \S/m);
	expect(json.stderr.split("\n")).toHaveLength(2);
	const { error } = JSON.parse(json.stderr);
	expect(error).toMatchObject({ kind: expect.any(String), exit: text.exit, fix: expect.stringMatching(/\S/) });
	expect(text.stderr).toContain(error.message);
});

describe("all that is missing is named in one message", () => {
	test.each([
		["pay ledger", "Missing: --from, --to, --amount"],
		["pay beneficiary", "Missing: --from, --to, --amount"],
		["phone verify", "Missing: RELATED, --code"],
		["kyb request", "Missing: CORPORATE"],
		["related remove", "Missing: RELATED"],
		[
			"corporate create",
			"Missing: --corporate-name, --incorporation-country, --incorporation-code, --industry, --registered-address.*, " +
				"--expected-monthly-expenses.value, --expected-monthly-expenses.currency, --account-owner-info.first-name, " +
				"--account-owner-info.last-name, --account-owner-info.email-address, --account-owner-info.position",
		],
	])("%s", (path, message) => {
		const text = ran.get(path)?.text;
		expect([text?.exit, text?.stderr.split("\n")[0]]).toEqual([2, `Error: ${message}`]);
	});
});
