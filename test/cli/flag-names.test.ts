/**
 * An error about a flag names the flag as it was typed, not the field of the request behind it.
 */

import { describe, expect, test } from "vitest";
import { check } from "../../src/api/check/check.js";
import { type Flag, flagsOf } from "../../src/cli/input/flags.js";
import { commands } from "../../src/commands/index.js";
import { makeWorld } from "../support/purser.js";

/** A value that is taken by mistake is seen: nothing is asked of the service for it. */
const world = await makeWorld();

const candidates = ["\u0007", "%", "-7", "x".repeat(10_000)];

/** A value that the contract refuses for this flag; undefined where it takes every text. */
function badValue({ field, repeated }: Flag): string | undefined {
	if (field.kind === "boolean") return undefined;
	const faultsOf = (text: string) => check(field.schema, repeated && field.kind === "list" ? [text] : text).faults;
	// In place of an id a name may be given, so that no text is wrong before the service was asked.
	return candidates.find(
		(text) => faultsOf(text).length > 0 && !faultsOf(text).some(({ message }) => message.startsWith("must be a UUID")),
	);
}

const table: [string, Flag[]][] = [];
for (const [path, load] of Object.entries(commands)) {
	const { default: command } = await load();
	const flags = flagsOf(command.input).filter((flag) => !flag.positional && badValue(flag) !== undefined);
	if (flags.length > 0) table.push([path, flags]);
}

describe("the first line of the error names the flag that was typed", () => {
	test.each(table)("%s", async (path, flags) => {
		for (const flag of flags) {
			const typed = [...new Set([`--${flag.name}`, `--${flag.field.meta.alias ?? flag.name}`])];
			for (const name of typed) {
				const argv = [...path.split(" "), `${name}=${badValue(flag)}`, "--no-input"];
				const { stderr } = await world.purser(argv, { input: "" });
				const [first = ""] = stderr.split("\n").filter((line) => line.startsWith("Error: "));
				expect([argv, first, world.requests]).toEqual([argv, expect.stringContaining(name), []]);
				const camel = flag.path.filter((part) => /[A-Z]/.test(part)).find((part) => first.includes(part));
				expect([argv, camel]).toEqual([argv, undefined]);
			}
		}
	});
});

test("the table is as long as it was promised", () => {
	expect(table.flatMap(([, flags]) => flags).length).toBeGreaterThanOrEqual(100);
});

test("a value from a file is named as it stands there", async () => {
	const input = JSON.stringify({ ledgerFromId: "\u0007", waitTimeout: "soon" });
	const { exit, stderr } = await world.purser("pay ledger --file - --no-input", { input });
	expect([exit, stderr]).toEqual([3, expect.stringContaining("waitTimeout")]);
	expect(stderr).not.toContain("--wait-timeout must be");
});

test("an empty name is missing, and so is the flag beside it, by the name that people type", async () => {
	const { exit, stderr } = await world.purser(["pay", "ledger", "--from", "", "--amount", "1", "--no-input"]);
	expect([exit, stderr]).toEqual([3, expect.stringContaining("Error: --from, --to are missing; nothing was sent\n  --from is required\n")]);
});
