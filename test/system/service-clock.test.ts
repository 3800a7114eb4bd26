import { describe, expect, test } from "vitest";
import { createServiceClock } from "../../src/system/clock.js";

const here = "https://api.example.com";

/** A machine whose two clocks are in the test's hands. */
function machine(start = "2026-03-01T10:00:00.000Z") {
	let [wall, monotonic] = [Date.parse(start), 5_000];
	const clock = createServiceClock({ now: () => new Date(wall), monotonic: () => monotonic, sleep: async () => {} });
	return {
		...clock,
		monotonic: () => monotonic,
		pass: (milliseconds: number) => {
			wall += milliseconds;
			monotonic += milliseconds;
		},
		/** The machine's clock is set; no time passes. */
		set: (time: string) => {
			wall = Date.parse(time);
		},
	};
}

describe("the clock of a service", () => {
	test("is not known before an answer, and then is this machine's", () => {
		const { skew, now } = machine();
		expect(skew(here)).toBeUndefined();
		expect(now(here).toISOString()).toBe("2026-03-01T10:00:00.000Z");
	});

	test("is the middle of what an answer can have meant: its second, and the time between asking and hearing", () => {
		const { noteDate, skew, pass, monotonic } = machine();
		const asked = monotonic();
		pass(400);
		noteDate(here, Date.parse("2026-03-01T12:00:00Z"), asked);
		// 12:00:00 to 12:00:01.400 at 10:00:00.400: two hours, and 300 ms in the middle.
		expect(skew(here)).toBe(7_200_300);
	});

	test("goes on by the monotonic clock: a machine's clock that is set after the answer is seen", () => {
		const { noteDate, skew, now, pass, set, monotonic } = machine();
		noteDate(here, Date.parse("2026-03-01T10:00:00Z"), monotonic());
		pass(60_000);
		expect(skew(here)).toBe(500);
		set("2026-03-09T10:01:00Z");
		expect(skew(here)).toBe(500 - 8 * 86_400_000);
		expect(now(here).toISOString()).toBe("2026-03-01T10:01:00.500Z");
	});

	test("is not taken from an answer that took more than a minute", () => {
		const { noteDate, skew, pass, monotonic } = machine();
		const asked = monotonic();
		pass(60_001);
		noteDate(here, Date.parse("2026-03-01T12:00:00Z"), asked);
		expect(skew(here)).toBeUndefined();
	});
});
