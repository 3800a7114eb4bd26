import { expect, test } from "vitest";
import { adviceText } from "../../src/api/advice.js";
import type { Advice } from "../../src/errors.js";
import { cutOffLine, unwrittenLine, warningLine } from "../../src/shell/output/cut-off.js";

const text = { json: false, shown: (advice: Advice) => adviceText(advice) };
const json = { ...text, json: true };
const payment = { intent: "12", money: true };
const write = { intent: "13", money: false };

test.each([
	[[payment], 0, "intent 12 was", "purser pay doubts", true],
	[[write], 0, "intent 13 was", "purser history list", false],
	[[payment, write], 0, "intents 12, 13 were", "purser pay doubts", true],
	[[], 1, "a row of a batch was", "purser pay doubts", true],
	[[], 32, "32 rows of a batch were", "purser pay doubts", true],
	[[write], 2, "intent 13 was and 2 rows of a batch were", "purser pay doubts", true],
] as const)("%j and %i rows", (underWay, rows, what, look, money) => {
	const message = `Stopped while ${what} on the way, and so in doubt`;
	expect(cutOffLine(underWay, rows, text)).toBe(`\nError: ${message}\n  Next: ${look}\n`);
	const line = cutOffLine(underWay, rows, json);
	expect(line).toMatch(/^[^\n]*\n$/);
	expect(JSON.parse(line).error).toMatchObject({ kind: "unknown", exit: 7, message, moneyMayHaveMoved: money });
});

test("an answer that could not be written", () => {
	const message = "the answer could not be written (ENOSPC); what was done is in purser history list";
	expect(unwrittenLine("ENOSPC", 0, false, text)).toBe(`Error: ${message}\n`);
	const line = unwrittenLine("ENOSPC", 0, false, json);
	expect(line).toMatch(/^[^\n]*\n$/);
	expect(JSON.parse(line).error).toMatchObject({ code: "ANSWER_UNWRITTEN", kind: "bug", exit: 1, message, moneyMayHaveMoved: false });
	expect(JSON.parse(unwrittenLine("ENOSPC", 0, true, json)).error.moneyMayHaveMoved).toBe(true);
	expect(unwrittenLine("ENOSPC", 8, false, text)).toBe(`Warning: ${message}\n`);
	expect(JSON.parse(unwrittenLine("ENOSPC", 8, true, json))).toEqual({ warning: { message } });
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
