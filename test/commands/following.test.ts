/**
 * Since when people who follow many companies wait, in words.
 */
import { expect, test } from "vitest";
import { wallTime } from "../../src/cli/output/times.js";
import { sinceWords } from "../../src/onboarding/checklist/text.js";

test.each([
	["2026-02-10T08:00:00.000Z", "10 Feb, 19 days"],
	["2025-12-31T23:59:00.000Z", "31 Dec 2025, 59 days"],
	["2026-03-01T07:59:00.000Z", "1 Mar, 2 hours"],
	["2026-03-01T09:58:30.000Z", "1 Mar, 1 minute"],
	["2026-03-01T09:59:30.000Z", "1 Mar, just now"],
	["2026-02-28T11:00:00.000Z", "28 Feb, 23 hours"],
	["2026-02-28T10:00:00.000Z", "28 Feb, 1 day"],
	["2026-03-02T10:00:00.000Z", "2 Mar"],
	["soon", "soon"],
	[undefined, undefined],
])("%s: %s", (since, words) => {
	const now = new Date("2026-03-01T10:00:00Z");
	const moment = (at: string | undefined) => (at === undefined || Number.isNaN(Date.parse(at)) ? at : wallTime(new Date(at), true));
	expect(sinceWords(since, { now, moment })).toBe(words);
});
