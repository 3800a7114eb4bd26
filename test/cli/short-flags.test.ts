/**
 * Short flags, and names of flags beside a field's own.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

test("-o json answers as --json does, before, between and after the command's words", async () => {
	for (const line of ["-o json ledger list", "ledger -o json list", "ledger list -qo json", "ledger list -ojson"])
		expect((await world.purser(line.split(" "))).json(), line).toHaveLength(3);
});

test.each([
	["ledger list -x", "-x"],
	["ledger list -f a.yaml", "-f"],
])("%s: the error names %s", async (line, flag) => {
	const ran = await world.purser(line.split(" "));
	expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining(`Unknown option '${flag}'`)]);
});

test("-y in the place of a forgotten value is not taken for it", async () => {
	const ran = await world.purser("pay ledger --reference -y");
	expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining("--reference needs a value, but -y follows")]);
	expect(world.requests).toEqual([]);
});

test("a slip of the hand is not led to --live", async () => {
	expect((await world.purser("pay show --liv")).stderr).not.toContain("Did you mean");
});

describe("the input file", () => {
	const company = "corporateName: Example Bakery SAS\n";

	test.each([["--file"], ["-f"]])("%s is read, without a warning", async (flag) => {
		world.files.set("company.yaml", new TextEncoder().encode(company));
		const ran = await world.purser(`corporate create ${flag} company.yaml`);
		expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining("Missing: --incorporation-country")]);
		expect(ran.stderr).not.toContain("--from");
	});
});

test("--wait takes no value from the next word", async () => {
	const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
	expect((await world.purser(`kyb status --wait ${id}`)).exit).toBe(5);
});

test.each([
	["30", true],
	["5m", true],
	["0", false],
	["5w", false],
	["12d", false],
])("a time to wait of %s: %s", async (time, valid) => {
	const ran = await world.purser(`pay show 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --wait-timeout ${time}`);
	expect([ran.exit, ran.stderr.includes("must be seconds, like 120, or a time like 30s, 5m or 2h")]).toEqual([valid ? 5 : 3, !valid]);
});

test.each([
	["ledger list --status active", "status=ACTIVE"],
	["pay list --sort-direction desc", "sortDirection=DESC"],
	["corporate list --kyb-status pending_verification --kyb-status Declined", "kybStatus=PENDING_VERIFICATION&kybStatus=DECLINED"],
])("%s: a value of a list may be written in any case", async (line, query) => {
	const ran = await world.purser(line.split(" "));
	expect([ran.exit, ran.stderr.includes("known so far")]).toEqual([0, false]);
	expect(world.requests[0]?.url).toContain(query);
});
