import { describe, expect, it } from "vitest";
import { endOf, millisecondsOf } from "../../src/api/text/duration.js";

describe("durations of links and codes", () => {
	it.each([
		["PT48H", 172_800_000],
		["PT10M", 600_000],
		["P30D", 2_592_000_000],
		["PT1M30S", 90_000],
		["P1DT1H", 90_000_000],
	])("%s", (text, milliseconds) => {
		expect(millisecondsOf(text)).toBe(milliseconds);
	});

	it.each(["P1M", "P", "PT", "48H", "", "PT-5M", "PT1.5H", "PT48H\n", "soon"])("leaves %j alone", (text) => {
		expect(millisecondsOf(text)).toBeUndefined();
		expect(endOf(text, new Date("2026-03-01T10:00:00Z"))).toBeUndefined();
	});

	it("ends where the clock says", () => {
		expect(endOf("PT48H", new Date("2026-03-01T10:00:00Z"))).toBe("2026-03-03T10:00:00.000Z");
		expect(endOf(undefined, new Date("2026-03-01T10:00:00Z"))).toBeUndefined();
	});
});
