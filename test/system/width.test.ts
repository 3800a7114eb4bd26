/** The width of an output, whatever its terminal reports. */
import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { writable } from "../../src/system/streams.js";

/** A terminal's stream of so many columns, as the libraries that draw on it get it. */
function drawnOn(columns: unknown, env: Record<string, string> = {}) {
	const stream = Object.assign(new EventEmitter(), { isTTY: true, columns });
	const output = writable(1, () => stream as unknown as NodeJS.WriteStream, env);
	return output.stream as unknown as typeof stream;
}

describe("a terminal's width", () => {
	test.each([
		[120, 120],
		[1, 1],
		[0, 80],
		[undefined, 80],
		[Number.NaN, 80],
		["abc", 80],
		[Number.POSITIVE_INFINITY, 80],
	])("of %s columns counts as %i", (reported, counted) => {
		expect(drawnOn(reported).columns).toBe(counted);
	});

	test("that it does not report is taken from COLUMNS, where that is a number", () => {
		for (const [given, counted] of [
			["132", 132],
			["0", 80],
			["wide", 80],
			["1e999", 80],
		] as const)
			expect(drawnOn(0, { COLUMNS: given }).columns).toBe(counted);
		expect(drawnOn(100, { COLUMNS: "132" }).columns).toBe(100);
	});
});
