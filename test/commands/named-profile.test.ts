/**
 * Who works with two profiles copies what is shown: it goes to the profile that the run was given, by a flag or a variable.
 */
import { beforeEach, expect, test } from "vitest";
import { adviceText, purser } from "../../src/api/advice.js";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

const flag = ["--profile", "sandbox"];
const byVariable = { env: { PURSER_PROFILE: "sandbox" } };
const nobody = "33333333-3333-4333-8333-333333333333";
const fixOf = (stderr: string): string => JSON.parse(stderr.trim().split("\n").at(-1) as string).error.fix;

test("an error's way out, for people and for programs", async () => {
	const words = ["corporate", "show", nobody];
	const wanted = "at another path: purser api list --profile sandbox";
	expect((await world.purser([...words, ...flag])).stderr).toContain(wanted);
	expect(fixOf((await world.purser([...words, ...flag, "--json"])).stderr)).toContain(wanted);
	expect(fixOf((await world.purser([...words, "--json"], byVariable)).stderr)).toContain(wanted);
	const unnamed = await world.purser([...words, "--json"]);
	expect(unnamed.exit).toBe(5);
	expect(fixOf(unnamed.stderr)).toContain("at another path: purser api list,");
	expect(unnamed.stderr).not.toContain("--profile");
});

test("the next step, in one way with the errors", async () => {
	expect((await world.purser(["terms", "show", ...flag])).stderr).toContain("Next: purser corporate create --profile sandbox\n");
	expect((await world.purser("terms show", byVariable)).stderr).toContain("Next: purser corporate create --profile sandbox\n");
	expect((await world.purser("terms show")).stderr).toContain("Next: purser corporate create\n");
});

test("a command that uses no profile gets none, and no sentence is taken for a command", async () => {
	const profile = { name: "sandbox", paths: new Set(["demo", "sandbox serve", "pay ledger", "ledger list"]) };
	expect(adviceText(purser`sandbox serve --save-profile sandbox`, profile)).toBe("purser sandbox serve --save-profile sandbox");
	expect(adviceText(purser`demo`, profile)).toBe("purser demo");
	expect(adviceText(purser`ledger list`, profile)).toBe("purser ledger list --profile sandbox");
	const pay = ["pay", "ledger", "--ledger-from-id", nobody, "--ledger-to-id", nobody.replaceAll("3", "4"), "--amount", "10"];
	expect((await world.purser([...pay, ...flag])).stderr).toContain("To confirm, add --yes, or look first with --dry-run.");
});
