/**
 * When the service is asked again, and the place that polls keep.
 */
import { describe, expect, it, test } from "vitest";
import { listedFrom, newsFrom, nextWatermark, nothingSeen, pauseOf, placeOf, placeText, startingPlace } from "../../src/events/polling.js";

const at = (time: string): Date => new Date(`2026-03-01T${time}Z`);

test.each([
	[0, 0, 27_000],
	[0, 0.999999, 33_000],
	[120_000, 0.5, 120_000],
])("with %i ms asked for and chance %d: %i ms until the next round", (asked, fraction, pause) => {
	expect(pauseOf(30_000, asked, fraction)).toBe(pause);
});

describe("the place of polls", () => {
	const place = startingPlace("http://127.0.0.1:4010", at("10:00:00"));

	it("is read from an hour before the watermark, and nothing from before it began is news", () => {
		expect(listedFrom(place)).toBe("2026-03-01T09:00:00.000Z");
		expect(newsFrom(place)).toBe("2026-03-01T10:00:00.000Z");
		expect(newsFrom({ ...place, watermark: "2026-03-01T13:00:00.000Z" })).toBe("2026-03-01T12:00:00.000Z");
	});

	it("the watermark is the newest record's time; a time that the service has not reached moves nothing", () => {
		expect(nextWatermark(place, ["2026-03-01T10:30:00Z", undefined, "2026-03-01T10:10:00Z"], at("11:00:00"))).toBe(
			"2026-03-01T10:30:00.000Z",
		);
		expect(nextWatermark(place, ["9999-03-01T10:30:00Z", "soon"], at("11:00:00"))).toBe("2026-03-01T10:00:00.000Z");
		// Without a zone it may have been fourteen hours before, whatever zone this machine is in.
		expect(nextWatermark(place, ["2026-03-01T10:30:00"], at("11:00:00"))).toBe("2026-03-01T10:00:00.000Z");
		expect(nextWatermark(place, ["2026-03-01T08:00:00Z"], at("11:00:00"))).toBe("2026-03-01T10:00:00.000Z");
	});

	it("is kept as text, for its own service", () => {
		const known = { ...place, records: { ...nothingSeen, transaction: new Map([["a", { status: "PENDING" }]]) } };
		expect(placeOf(placeText(known), "http://127.0.0.1:4010")).toEqual(known);
		expect(placeOf(placeText(known), "http://127.0.0.1:4011")).toBeUndefined();
	});

	test.each([undefined, "", "{}", "null", "[]", '{"service":"http://127.0.0.1:4010","began":"x"}'])("%s is no place", (text) =>
		expect(placeOf(text, "http://127.0.0.1:4010")).toBeUndefined(),
	);
});
