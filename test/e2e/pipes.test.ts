/**
 * The built program before `cut`, `awk` and `grep`, and on a terminal of its own.
 */
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { programLine, programTerminal } from "../support/built.js";
import { type Service, seeded, startService } from "./service.js";

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.stop());

const shell = (line: string): string =>
	execFileSync("bash", ["-o", "pipefail", "-c", line.replaceAll("purser", programLine)], {
		env: service.env,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "ignore"],
	});

it.each([
	["purser ledger list | cut -f1", `aaaaaaaa-0003-4000-8000-000000000003\n${seeded.savings}\n${seeded.main}\n`],
	["purser ledger list | awk -F'\\t' '$2 == \"Savings\" { print $1 }'", `${seeded.savings}\n`],
	["purser ledger list | awk -F'\\t' '/EUR/ { sum += $4 } END { print sum }'", "10000\n"],
	["purser ledger list --columns status,name | grep -c '^ACTIVE\t'", "3\n"],
	["purser ledger list -o tsv --columns id | tail -n +2 | head -1", "aaaaaaaa-0003-4000-8000-000000000003\n"],
	["purser pay list | wc -l | tr -d ' '", "0\n"],
])("%s", (line, expected) => {
	expect(shell(line)).toBe(expected);
});

it("a terminal has a table with a header", async () => {
	const screen = programTerminal(["ledger", "list"], service.env, 120);
	expect(await screen.exit).toBe(0);
	expect(screen.screen).toMatch(/id +name +status +available/);
	expect(screen.screen).toContain("10 000.00 EUR");
});
