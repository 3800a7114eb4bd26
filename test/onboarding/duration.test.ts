import { describe, expect, it } from "vitest";
import { durationWords, endOf, millisecondsOf } from "../../src/api/text/duration.js";

describe("durations of links and codes", () => {
	it.each([
		["PT48H", 172_800_000, "48 hours"],
		["PT10M", 600_000, "10 minutes"],
		["PT720H", 2_592_000_000, "30 days"],
		["P30D", 2_592_000_000, "30 days"],
		["PT1H", 3_600_000, "1 hour"],
		["PT90M", 5_400_000, "90 minutes"],
		["PT1M30S", 90_000, "90 seconds"],
		["P1DT1H", 90_000_000, "25 hours"],
	])("%s", (text, milliseconds, words) => {
		expect(millisecondsOf(text)).toBe(milliseconds);
		expect(durationWords(text)).toBe(words);
	});

	it.each(["P1M", "P", "PT", "48H", "", "PT-5M", "PT1.5H", "PT48H\n", "soon"])("leaves %j alone", (text) => {
		expect(millisecondsOf(text)).toBeUndefined();
		expect(durationWords(text)).toBe(text);
		expect(endOf(text, new Date("2026-03-01T10:00:00Z"))).toBeUndefined();
	});

	it("ends where the clock says", () => {
		expect(endOf("PT48H", new Date("2026-03-01T10:00:00Z"))).toBe("2026-03-03T10:00:00.000Z");
		expect(endOf(undefined, new Date("2026-03-01T10:00:00Z"))).toBeUndefined();
	});
});
