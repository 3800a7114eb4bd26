/**
 * Times by the wall's clock, in processes whose zone is set: a zone with summer time, one with half an hour, and UTC.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMoment } from "../../src/api/typed.js";
import { localizedTimes } from "../../src/cli/output/times.js";
import { longestRun } from "../support/built.js";
import { makeWorld } from "../support/purser.js";

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-times-"));
	const bundle = await rolldown({
		input: { times: "src/cli/output/times.ts", moment: "src/api/typed.ts" },
		platform: "node",
		logLevel: "silent",
	});
	await bundle.write({ format: "cjs", dir: folder, entryFileNames: "[name].cjs" });
}, longestRun);
afterAll(async () => {
	await rm(folder, { recursive: true, force: true });
});

/** What an expression is in a process of this zone. */
async function inZone(zone: string, expression: string): Promise<unknown> {
	const script = `const times = require("./times.cjs"), { readMoment } = require("./moment.cjs"); console.log(JSON.stringify(${expression}))`;
	const { stdout } = await run(process.execPath, ["-e", script], { cwd: folder, env: { TZ: zone } });
	return JSON.parse(stdout);
}

test.each([
	["Europe/Berlin", "2026-03-29T01:01:00Z", "2026-03-29 03:01 +02:00"],
	["Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25 02:30 +02:00"],
	["Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25 02:30 +01:00"],
	["Asia/Kolkata", "2026-03-01T20:00:00Z", "2026-03-02 01:30 +05:30"],
	["America/St_Johns", "2026-01-15T12:00:00Z", "2026-01-15 08:30 -03:30"],
	["UTC", "2026-03-01T10:00:00.000Z", "2026-03-01 10:00 +00:00"],
])("a time by the wall's clock has the offset of its moment: %s %s", async (zone, time, shown) => {
	expect(await inZone(zone, `times.shortTime("${time}", false)`)).toBe(shown);
	// --utc is the same everywhere.
	expect(await inZone(zone, 'times.wallTime(new Date("2026-03-29T01:01:00Z"), true)')).toBe("2026-03-29 01:01 UTC");
});

// Wednesday, 2026-04-01 00:30 in Berlin, and still Tuesday in UTC. Clocks changed on Sunday the 29th.
const now = "2026-03-31T22:30:00Z";
test.each([
	["7d", "Europe/Berlin", false, "2026-03-24T22:30:00.000Z"],
	["12h", "Europe/Berlin", false, "2026-03-31T10:30:00.000Z"],
	["today", "Europe/Berlin", false, "2026-03-31T22:00:00.000Z"],
	["yesterday", "Europe/Berlin", true, "2026-03-31T21:59:59.999Z"],
	["2026-03-29", "Europe/Berlin", false, "2026-03-29T00:00:00Z"],
	["2026-03-29", "Europe/Berlin", true, "2026-03-29T23:59:59.999Z"],
	["2026-03-29 10:00 +02:00", "Europe/Berlin", false, "2026-03-29T10:00:00+02:00"],
	["2026-03-29 10:00 UTC", "Europe/Berlin", true, "2026-03-29T10:00:00Z"],
	["today", "Asia/Kolkata", false, "2026-03-31T18:30:00.000Z"],
])("a moment typed as a word: %s in %s, as an end: %s", async (text, zone, end, expected) => {
	expect(await inZone(zone, `readMoment("${text}", { now: new Date("${now}"), utc: false, end: ${end} })`)).toBe(expected);
});

test("today with --utc", () => {
	expect(readMoment("today", { now: new Date(now), utc: true, end: false })).toBe("2026-03-31T00:00:00.000Z");
});

test.each([
	["paid on 2026-03-01T10:00:00.000Z (intent 2)", "paid on 2026-03-01 10:00 UTC (intent 2)"],
	["good until 2026-03-01T10:00:00Z; nothing was sent", "good until 2026-03-01 10:00 UTC; nothing was sent"],
	// Somebody's text, a flag's value and an address stay as they are.
	['"2026-03-01T10:00:00Z"', '"2026-03-01T10:00:00Z"'],
	['reference "due 2026-03-01T10:00:00Z now"', 'reference "due 2026-03-01T10:00:00Z now"'],
	["--since=2026-03-01T10:00:00Z", "--since=2026-03-01T10:00:00Z"],
	["http://example.com/2026-03-01T10:00:00Z", "http://example.com/2026-03-01T10:00:00Z"],
	["2026-13-01T10:00:00Z", "2026-13-01T10:00:00Z"],
])("of a sentence: %s", (text, shown) => {
	expect(localizedTimes(text, true)).toBe(shown);
});

test("two names of one flag, and what is no moment, are refused", async () => {
	const world = await makeWorld();
	const both = await world.purser("pay list --since 7d --start-date 2026-03-01");
	expect([both.exit, both.stderr.includes("--since and --start-date are the same field")]).toEqual([2, true]);
	const wrong = await world.purser("pay list --since someday");
	expect(wrong.exit).toBe(3);
	expect(wrong.stderr).toContain("7d, 12h, today, yesterday");
});
