import { expect, test } from "vitest";
import { isInDuplicateWindow } from "../../src/payments/rules/duplicates.js";

const day = 86_400_000;
const hour = 1 / 24;
/** A time so many days after the true one, wherever that is known. */
const at = (days: number): Date => new Date(Date.parse("2026-03-01T10:00:00Z") + days * day);
const atOrNever = (days?: number): Date | undefined => (days === undefined ? undefined : at(days));

/** Days from the true time: what this machine's clock said when it began and says now, by how much it was wrong, and what else is known. */
interface Known {
	begun: number;
	skew?: number;
	now: number;
	service?: number;
	seen?: number;
}

test.each<[string, Known, boolean]>([
	["by right clocks, six days ago", { begun: -6, skew: 0, now: 0, service: 0 }, true],
	["by right clocks, eight days ago", { begun: -8, skew: 0, now: 0, service: 0 }, false],
	["the clock is 8 days ahead now, and known", { begun: -hour, skew: 0, now: 8, service: 0 }, true],
	["the clock is 8 days behind now, and known: one of both was set", { begun: -10, skew: 0, now: -8, service: 0 }, true],
	["the service says that it is 8 days later", { begun: -hour, skew: 0, now: 0, service: 8 }, true],
	["it was 8 days behind then, and known", { begun: -8 - hour, skew: 8, now: 0, service: 0 }, true],
	["it was 8 days behind then, and nothing is known now", { begun: -8 - hour, skew: 8, now: 0 }, true],
	["it was 8 days ahead then, and known: one of both was set", { begun: -2, skew: -8, now: 0, service: 0 }, true],
	["begun in the future by this clock", { begun: 8 - hour, now: 0 }, true],
	["nothing known then, the clock 8 days ahead now and known", { begun: -hour, now: 8, service: 0 }, true],
	["nothing known then, the clock behind then and now", { begun: -8 - hour, now: -8, service: 0 }, true],
	["what time it is is not known, and no later one was ever seen", { begun: -hour, skew: 0, now: 8, seen: -hour / 2 }, true],
	["a mark ahead of the clock is no reason to forget", { begun: -hour, skew: 0, now: 0, seen: 365 }, true],
	["nothing but this clock is known", { begun: -8, now: 0 }, false],
])("within seven days: %s", (_, { begun, skew, now, service, seen }, lately) => {
	const attempt = { begun: at(begun).toISOString(), skew: skew === undefined ? undefined : skew * day };
	expect(isInDuplicateWindow(attempt, { now: at(now), service: atOrNever(service), highest: atOrNever(seen) }, 7 * day)).toBe(lately);
});
