import { describe, expect, it } from "vitest";
import { decideRetry } from "../../src/http/retry.js";
import type { WireOutcome } from "../../src/ports/wire.js";
import { answered } from "../support/context.js";

const now = () => new Date("2026-03-01T10:00:00Z");
const notSent: WireOutcome = { kind: "not-sent", reason: "refused", cause: { code: "ECONNREFUSED" } };
const untrusted: WireOutcome = { kind: "not-sent", reason: "untrusted", cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } };
const sent: WireOutcome = { kind: "sent", reason: "reset" };
const tooLarge: WireOutcome = { kind: "sent", reason: "too large", cause: { code: "ANSWER_TOO_LARGE" } };

describe("may it be tried again", () => {
	it.each([
		["read", notSent, true],
		["write", notSent, true],
		["money", notSent, true],
		["read", untrusted, false],
		["money", untrusted, false],
		["read", sent, true],
		["write", sent, false],
		["money", sent, false],
		["read", tooLarge, false],
		...[429, 500, 502, 503, 504].flatMap((status) => [
			["read", answered(status), true] as const,
			["write", answered(status), false] as const,
			["money", answered(status), false] as const,
		]),
		...[200, 201, 202, 301, 307, 400, 401, 403, 404, 408, 409, 501].map((status) => ["read", answered(status), false] as const),
	] as const)("a %s met by %j: %s", (effect, outcome, again) => {
		expect(decideRetry(effect, outcome, 1, 0.5, now).retry).toBe(again);
	});

	it("three tries in all", () => {
		expect([1, 2, 3, 4].map((tried) => decideRetry("read", sent, tried, 0.5, now).retry)).toEqual([true, true, false, false]);
	});
});

describe("when", () => {
	it("full jitter under a bound that doubles", () => {
		expect([0, 0.5, 0.999].map((fraction) => decideRetry("read", sent, 1, fraction, now))).toEqual([
			{ retry: true, after: 0 },
			{ retry: true, after: 200 },
			{ retry: true, after: 400 },
		]);
		expect(decideRetry("read", sent, 2, 0.5, now)).toEqual({ retry: true, after: 400 });
	});

	it.each([
		["3", { retry: true, after: 3_000 }],
		["0", { retry: true, after: 200 }],
		["20", { retry: true, after: 20_000 }],
		["21", { retry: false, wait: 21_000 }],
		["999999999", { retry: false, wait: 999_999_999_000 }],
		["Sun, 01 Mar 2026 10:00:07 GMT", { retry: true, after: 7_000 }],
		["Sun, 01 Mar 2026 09:00:00 GMT", { retry: true, after: 200 }],
		["Sun, 01 Mar 2026 11:00:00 GMT", { retry: false, wait: 3_600_000 }],
		["soon", { retry: true, after: 200 }],
		["-5", { retry: true, after: 200 }],
		["1e9", { retry: true, after: 200 }],
		["", { retry: true, after: 200 }],
	])("Retry-After %j", (value, expected) => {
		expect(decideRetry("read", answered(503, "", { "retry-after": value }), 1, 0.5, now)).toEqual(expected);
	});

	it.each(["read", "write", "money"] as const)("after the last try of a %s the wait is told", (effect) => {
		expect(decideRetry(effect, answered(429, "", { "retry-after": "5" }), 3, 0.5, now)).toEqual({ retry: false, wait: 5_000 });
	});
});
