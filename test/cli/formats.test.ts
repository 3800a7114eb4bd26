import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeWorld } from "../support/purser.js";

const source = join(import.meta.dirname, "../../src");

test("an output format is named in one file, which everything else reads", () => {
	const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const naming = files.filter((name) => /"ndjson"|\bndjson:|text, json, ndjson/.test(readFileSync(join(source, name), "utf8")));
	expect(naming).toEqual([join("api", "formats.ts")]);
});

test.each([
	[["--output", "xml"], 'There is no output format "xml"', "Choose text, json, ndjson, csv or tsv."],
	[["--json", "--output", "text"], "--json and --output text contradict each other", "Give one of them."],
])("%j is refused", async (flags, message, fix) => {
	const world = await makeWorld();
	const { exit, stderr } = await world.purser(["ledger", "list", ...flags]);
	expect(exit).toBe(2);
	expect(stderr).toContain(message);
	expect(stderr).toContain(fix);
});
