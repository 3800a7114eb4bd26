/**
 * An error about a flag names the flag as it was typed, not the field of the request behind it.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, describe, expect, test } from "vitest";
import { check } from "../../src/api/check/check.js";
import { commands } from "../../src/commands/index.js";
import { type Flag, flagsOf } from "../../src/shell/input/flags.js";

const program = fileURLToPath(new URL("../../bin/purser.js", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "purser-flags-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Nothing listens there: a value that is taken by mistake fails in another way. */
const nowhere = ["--base-url", "http://127.0.0.1:9"];
const environment = {
	PATH: process.env.PATH,
	HOME: home,
	PURSER_STATE_DIR: home,
	PURSER_CONFIG_DIR: home,
	PURSER_NO_KEYRING: "1",
	CI: "1",
};

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
	test.each(table)(
		"%s",
		async (path, flags) => {
			for (const flag of flags) {
				const typed = [...new Set([`--${flag.name}`, `--${flag.field.meta.alias ?? flag.name}`])];
				for (const name of typed) {
					const argv = [...path.split(" "), `${name}=${badValue(flag)}`, ...nowhere, "--no-input"];
					const ran = await execa("node", [program, ...argv], { env: environment, extendEnv: false, reject: false, input: "" });
					const [first = ""] = ran.stderr.split("\n").filter((line) => line.startsWith("Error: "));
					expect([argv, first]).toEqual([argv, expect.stringContaining(name)]);
					const camel = flag.path.filter((part) => /[A-Z]/.test(part)).find((part) => first.includes(part));
					expect([argv, camel]).toEqual([argv, undefined]);
				}
			}
		},
		600_000,
	);
});

test("the table is as long as it was promised", () => {
	expect(table.flatMap(([, flags]) => flags).length).toBeGreaterThanOrEqual(100);
});

test("a value from a file is named as it stands there", async () => {
	const argv = ["pay", "ledger", "--file", "-", ...nowhere, "--no-input"];
	const input = JSON.stringify({ ledgerFromId: "\u0007", waitTimeout: "soon" });
	const ran = await execa("node", [program, ...argv], { env: environment, extendEnv: false, reject: false, input });
	expect(ran.stderr).not.toContain("--wait-timeout must be");
});
