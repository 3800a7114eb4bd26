import { describe, expect, test } from "vitest";
import { adviceText } from "../../src/api/advice.js";
import { cutOffLine, unwritten, warningLine } from "../../src/cli/output/cut-off.js";
import { type RunChange, UnderWay } from "../../src/cli/under-way.js";
import type { Advice } from "../../src/errors.js";

const text = { json: false, shown: (advice: Advice) => adviceText(advice) };
const json = { ...text, json: true };
const payment = { intent: "12", money: true };
const write = { intent: "13", money: false };

test.each([
	[[write], 0, "intent 13 was", "purser history list", false],
	[[payment, write], 0, "intents 12, 13 were", "purser pay doubts", true],
	[[], 32, "32 rows of a batch were", "purser pay doubts", true],
	[[write], 2, "intent 13 was and 2 rows of a batch were", "purser pay doubts", true],
] as const)("%j and %i rows", (underWay, rows, what, look, money) => {
	const message = `Stopped while ${what} on the way, and so in doubt`;
	expect(cutOffLine(underWay, rows, text)).toBe(`\nError: ${message}\n  Next: ${look}\n`);
	const line = cutOffLine(underWay, rows, json);
	expect(line).toMatch(/^[^\n]*\n$/);
	expect(JSON.parse(line).error).toMatchObject({ kind: "unknown", exit: 7, message, moneyMayHaveMoved: money });
});

describe("an answer that could not be written", () => {
	const message = "the answer could not be written (ENOSPC); no change was sent to the service";
	/** A run after these changes, and so many rows of a batch. */
	const runOf = (made: readonly Partial<RunChange>[], accepted = 0): UnderWay => {
		const run = new UnderWay();
		Object.defineProperty(run, "changes", { value: made });
		run.ended.accepted = accepted;
		return run;
	};
	const paid = { intent: "12", money: true, state: "accepted", id: "t-1" } as const;

	test("of a run that changed nothing: exit 6 where the disk is full, so that it is run again, and otherwise 1", () => {
		expect(unwritten("ENOSPC", 0, runOf([]), text)).toEqual({ line: `Error: ${message}\n`, exit: 6 });
		expect(unwritten("EIO", 0, runOf([]), text).exit).toBe(1);
		const { line } = unwritten("ENOSPC", 0, runOf([]), json);
		expect(line).toMatch(/^[^\n]*\n$/);
		const told = { code: "ANSWER_UNWRITTEN", kind: "unavailable", exit: 6, message, moneyMayHaveMoved: false };
		expect(JSON.parse(line).error).toMatchObject(told);
	});

	test("of a run that failed: a warning, and its own exit code", () => {
		expect(unwritten("ENOSPC", 5, runOf([]), text)).toEqual({ line: `Warning: ${message}\n`, exit: 5 });
		expect(JSON.parse(unwritten("ENOSPC", 5, runOf([]), json).line)).toEqual({ warning: { message } });
	});

	test.each([
		["a payment", runOf([paid]), "the payment t-1 (intent 12) was accepted", { intent: "12" }],
		[
			"a payment beside one in doubt",
			runOf([paid, { intent: "13", money: true, state: "in-doubt" }]),
			"the payment t-1 (intent 12) was accepted",
			{ intent: "13" },
		],
		["rows of a batch", runOf([], 3), "3 rows of a batch were accepted", {}],
	])("after %s was accepted: exit 7, whatever the run's own code is", (_, run, what, named) => {
		for (const code of [0, 8]) {
			const told = `the answer could not be written (ENOSPC); ${what}; what was done is in purser history list`;
			expect(unwritten("ENOSPC", code, run, text)).toEqual({ line: `Error: ${told}\n`, exit: 7 });
			const { line, exit } = unwritten("ENOSPC", code, run, json);
			expect([exit, JSON.parse(line).error]).toMatchObject([
				7,
				{ kind: "unknown", exit: 7, message: told, moneyMayHaveMoved: true, ...named },
			]);
		}
	});

	test("after a change in doubt, such as a link that nobody saw: exit 7", () => {
		expect(unwritten("ENOSPC", 0, runOf([{ money: false, state: "in-doubt" }]), text).exit).toBe(7);
		expect(unwritten("ENOSPC", 0, runOf([{ money: false, state: "accepted" }]), text).exit).toBe(1);
	});
});

test("a warning of Node's", () => {
	expect(warningLine("it is old", false)).toBe("Warning: it is old\n");
	expect(warningLine("it is old", true)).toBe('{"warning":{"message":"it is old"}}\n');
	expect(warningLine("Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to '0' makes …", false)).toBe(
		"Warning: NODE_TLS_REJECT_UNAUTHORIZED=0 is not followed: every certificate is checked\n",
	);
});

test("what is to be typed names the profile that the run was given", () => {
	const shown = (advice: Advice) => adviceText(advice, { name: "beta", paths: new Set(["pay doubts"]) });
	expect(cutOffLine([payment], 0, { json: false, shown })).toContain("\n  Next: purser pay doubts --profile beta\n");
	expect(JSON.parse(cutOffLine([payment], 0, { json: true, shown })).error.fix).toContain("`purser pay doubts --profile beta`");
});
