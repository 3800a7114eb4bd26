import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/api/json.js";
import { CurrencyUnknown, read, Unwritable, written } from "../../src/binding/codecs.js";
import type { Codec } from "../../src/ports/binding.js";

const wire = (value: unknown): unknown => (value instanceof Decimal ? { number: value.text } : value);

describe("a value in the deployment's form, and back", () => {
	it.each<[Codec, unknown, string | undefined, unknown]>([
		["number", "10.10", undefined, { number: "10.10" }],
		["number", new Decimal("10.10"), undefined, { number: "10.10" }],
		["decimal-text", "10.10", undefined, "10.10"],
		["minor-units", "10.10", "EUR", { number: "1010" }],
		["minor-units", "10.1", "EUR", { number: "1010" }],
		["minor-units", "10", "EUR", { number: "1000" }],
		["minor-units", "500", "JPY", { number: "500" }],
		["minor-units", "1.234", "BHD", { number: "1234" }],
		["minor-units", "999999999999999", "JPY", { number: "999999999999999" }],
		["boolean-text", true, undefined, "true"],
		["date:YYYYMMDD", "2026-03-01", undefined, "20260301"],
		["date:DD/MM/YYYY", "2026-03-01", undefined, "01/03/2026"],
		["date:DD.MM.YYYY", "2026-03-01", undefined, "01.03.2026"],
		["date:MM/DD/YYYY", "2026-03-01", undefined, "03/01/2026"],
		["epoch-seconds", "2026-03-01T00:00:00Z", undefined, { number: "1772323200" }],
		["epoch-milliseconds", "2026-03-01T00:00:00.250Z", undefined, { number: "1772323200250" }],
	])("%s: %s %s", (codec, ours, currency, theirs) => {
		expect(wire(written(ours, { codec }, currency))).toEqual(theirs);
	});

	it.each<[Codec, unknown, string | undefined, unknown]>([
		["number", new Decimal("10.10"), undefined, { number: "10.10" }],
		["decimal-text", "10.10", undefined, { number: "10.10" }],
		["decimal-text", "ten", undefined, undefined],
		["minor-units", new Decimal("1010"), "EUR", { number: "10.10" }],
		["minor-units", "1010", "EUR", { number: "10.10" }],
		["minor-units", new Decimal("5"), "EUR", { number: "0.05" }],
		["minor-units", new Decimal("10.5"), "EUR", undefined],
		["minor-units", new Decimal("1010"), undefined, undefined],
		["minor-units", new Decimal("1010"), "ZZZ", undefined],
		["boolean-text", "true", undefined, true],
		["boolean-text", "false", undefined, false],
		["boolean-text", "maybe", undefined, undefined],
		["date:DD/MM/YYYY", "01/03/2026", undefined, "2026-03-01"],
		["date:MM/DD/YYYY", "03/01/2026", undefined, "2026-03-01"],
		["date:YYYYMMDD", "2026-03-01", undefined, undefined],
		["epoch-seconds", new Decimal("1772323200"), undefined, "2026-03-01T00:00:00.000Z"],
	])("%s read: %s %s", (codec, theirs, currency, ours) => {
		expect(wire(read(theirs, { codec }, currency))).toEqual(ours);
	});

	it.each<[string, Codec, string, string | undefined]>([
		["more decimals than the currency has", "minor-units", "10.105", "EUR"],
		["no decimal number", "number", "1e3", undefined],
		["no date", "date:YYYYMMDD", "1.3.2026", undefined],
		["no whole second", "epoch-seconds", "2026-03-01T00:00:00.250Z", undefined],
	])("%s is not written", (_name, codec, ours, currency) => {
		expect(() => written(ours, { codec }, currency)).toThrow(Unwritable);
	});

	it.each([undefined, "ZZZ"])("minor units of the currency %s are not written", (currency) => {
		expect(() => written("10.10", { codec: "minor-units" }, currency)).toThrow(CurrencyUnknown);
	});

	// A hundred yen as minor units of the euro would be ten thousand.
	it.each(["JPY", "USD", "ZZZ"])("minor units of EUR are neither written nor read for an amount in %s", (currency) => {
		const bound = { codec: "minor-units", currency: "EUR" } as const;
		expect(() => written("100", bound, currency)).toThrow(`the deployment takes minor units of EUR, and this amount is in ${currency}`);
		expect(read(new Decimal("10000"), bound, currency)).toBeUndefined();
		for (const told of ["EUR", undefined]) {
			expect(wire(written("100", bound, told))).toEqual({ number: "10000" });
			expect(wire(read(new Decimal("10000"), bound, told))).toEqual({ number: "100.00" });
		}
	});
});

describe("values of a list", () => {
	const values = { APPROVED: "settled", PENDING: "APPROVED" };

	it("are translated both ways", () => {
		expect(written("APPROVED", { values }, undefined)).toBe("settled");
		expect(written(["APPROVED", "PENDING"], { values }, undefined)).toEqual(["settled", "APPROVED"]);
		expect(read("settled", { values }, undefined)).toBe("APPROVED");
		expect(read("APPROVED", { values }, undefined)).toBe("PENDING");
	});

	it("one that means something else to us is never taken for ours", () => {
		expect(read("PENDING", { values }, undefined)).toBe("OTHER_PENDING");
		expect(read("booked", { values }, undefined)).toBe("booked");
		expect(() => written("settled", { values }, undefined)).toThrow("means something else");
	});
});
