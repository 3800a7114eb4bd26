import { expect, test } from "vitest";
import { isInDuplicateWindow } from "../../src/payments/rules/duplicates.js";

const days = 86_400_000;
const time = (text?: string) => (text === undefined ? undefined : new Date(text));

/** All are held against seven days; the true time is 1 March 2026, 10:00, wherever it is known. */
test.each<[string, { begun: string; skew?: number }, { now: string; service?: string; seen?: string }, boolean]>([
	[
		"by right clocks, six days ago",
		{ begun: "2026-02-23T10:00:00Z", skew: 0 },
		{ now: "2026-03-01T10:00:00Z", service: "2026-03-01T10:00:00Z" },
		true,
	],
	[
		"by right clocks, eight days ago",
		{ begun: "2026-02-21T10:00:00Z", skew: 0 },
		{ now: "2026-03-01T10:00:00Z", service: "2026-03-01T10:00:00Z" },
		false,
	],
	[
		"the clock is 8 days ahead now, and known",
		{ begun: "2026-03-01T09:00:00Z", skew: 0 },
		{ now: "2026-03-09T10:00:00Z", service: "2026-03-01T10:00:00Z" },
		true,
	],
	[
		"the clock is 8 days behind now, and known: ten days ago is long ago",
		{ begun: "2026-02-19T10:00:00Z", skew: 0 },
		{ now: "2026-02-21T10:00:00Z", service: "2026-03-01T10:00:00Z" },
		false,
	],
	[
		"it was 8 days behind then, and known",
		{ begun: "2026-02-21T09:00:00Z", skew: 8 * days },
		{ now: "2026-03-01T10:00:00Z", service: "2026-03-01T10:00:00Z" },
		true,
	],
	[
		"it was 8 days behind then, and nothing is known now",
		{ begun: "2026-02-21T09:00:00Z", skew: 8 * days },
		{ now: "2026-03-01T10:00:00Z" },
		true,
	],
	[
		"it was 8 days ahead then, and known: that was ten days ago",
		{ begun: "2026-02-27T10:00:00Z", skew: -8 * days },
		{ now: "2026-03-01T10:00:00Z", service: "2026-03-01T10:00:00Z" },
		false,
	],
	["begun in the future by this clock", { begun: "2026-03-09T09:00:00Z" }, { now: "2026-03-01T10:00:00Z" }, true],
	[
		"nothing known then, the clock 8 days ahead now and known",
		{ begun: "2026-03-01T09:00:00Z" },
		{ now: "2026-03-09T10:00:00Z", service: "2026-03-01T10:00:00Z" },
		true,
	],
	[
		"nothing known then, the clock behind then and now",
		{ begun: "2026-02-21T09:00:00Z" },
		{ now: "2026-02-21T10:00:00Z", service: "2026-03-01T10:00:00Z" },
		true,
	],
	[
		"what time it is is not known, and no later one was ever seen",
		{ begun: "2026-03-01T09:00:00Z", skew: 0 },
		{ now: "2026-03-09T10:00:00Z", seen: "2026-03-01T09:30:00Z" },
		true,
	],
	[
		"a mark ahead of the clock is no reason to forget",
		{ begun: "2026-03-01T09:00:00Z", skew: 0 },
		{ now: "2026-03-01T10:00:00Z", seen: "2027-03-01T10:00:00Z" },
		true,
	],
	["nothing but this clock is known", { begun: "2026-02-21T10:00:00Z" }, { now: "2026-03-01T10:00:00Z" }, false],
])("%s", (_, attempt, { now, service, seen }, lately) => {
	expect(isInDuplicateWindow(attempt, { now: new Date(now), service: time(service), highest: time(seen) }, 7 * days)).toBe(lately);
});
