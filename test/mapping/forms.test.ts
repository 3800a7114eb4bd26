import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/api/json.js";
import { CurrencyUnknown, inZone, isZone, read, Unwritable, widened, written } from "../../src/mapping/request/forms.js";
import type { Form } from "../../src/ports/mapping.js";

const wire = (value: unknown): unknown => (value instanceof Decimal ? { number: value.text } : value);

describe("a value in the deployment's form, and back", () => {
	it.each<[Form, unknown, string | undefined, unknown]>([
		["number", "10.10", undefined, { number: "10.10" }],
		["text", "10.10", undefined, "10.10"],
		["minor-units", "10.10", "EUR", { number: "1010" }],
		["minor-units", "500", "JPY", { number: "500" }],
		["minor-units", "1.234", "BHD", { number: "1234" }],
		["alpha-2", "FRA", undefined, "FR"],
		["e164", { countryCode: "+33", number: "639980001" }, undefined, "+33639980001"],
		["YYYYMMDD", "2026-03-01", undefined, "20260301"],
		["DD/MM/YYYY", "2026-03-01", undefined, "01/03/2026"],
		["epoch-seconds", "2026-03-01T00:00:00Z", undefined, { number: "1772323200" }],
		["epoch-milliseconds", "2026-03-01T00:00:00.250Z", undefined, { number: "1772323200250" }],
	])("%s: %s %s", (form, ours, currency, theirs) => {
		expect(wire(written(ours, { form }, currency))).toEqual(theirs);
	});

	it.each<[Form, unknown, string | undefined, unknown]>([
		["number", new Decimal("10.10"), undefined, { number: "10.10" }],
		["text", "10.10", undefined, { number: "10.10" }],
		["text", "ten", undefined, "ten"],
		["minor-units", new Decimal("1010"), "EUR", { number: "10.10" }],
		["minor-units", new Decimal("10.5"), "EUR", undefined],
		["minor-units", new Decimal("1010"), undefined, undefined],
		["alpha-2", "DE", undefined, "DEU"],
		["alpha-2", "ZZ", undefined, undefined],
		["e164", "+33639980001", undefined, { countryCode: "33", number: "639980001" }],
		["e164", "0639980001", undefined, undefined],
		["DD/MM/YYYY", "01/03/2026", undefined, "2026-03-01"],
		["epoch-seconds", new Decimal("1772323200"), undefined, "2026-03-01T00:00:00.000Z"],
	])("%s read: %s %s", (form, theirs, currency, ours) => {
		expect(wire(read(theirs, { form }, currency))).toEqual(ours);
	});

	it.each<[string, Form, unknown, string | undefined]>([
		["more decimals than the currency has", "minor-units", "10.105", "EUR"],
		["no decimal number", "number", "1e3", undefined],
		["no date", "YYYYMMDD", "1.3.2026", undefined],
		["no whole second", "epoch-seconds", "2026-03-01T00:00:00.250Z", undefined],
		["no country with two letters", "alpha-2", "XKX", undefined],
		// +1242 is the Bahamas: with the code 1 it would be read with another one.
		["a phone that would be read with another dialling code", "e164", { countryCode: "1", number: "2425550100" }, undefined],
	])("%s is not written", (_name, form, ours, currency) => {
		expect(() => written(ours, { form }, currency)).toThrow(Unwritable);
	});

	it.each([undefined, "ZZZ"])("minor units of the currency %s are not written", (currency) => {
		expect(() => written("10.10", { form: "minor-units" }, currency)).toThrow(CurrencyUnknown);
	});

	// A hundred yen as minor units of the euro would be ten thousand.
	it.each(["JPY", "USD", "ZZZ"])("minor units of EUR are neither written nor read for an amount in %s", (currency) => {
		const mapped = { form: "minor-units", currency: "EUR" } as const;
		expect(() => written("100", mapped, currency)).toThrow(`the deployment takes minor units of EUR, and this amount is in ${currency}`);
		expect(read(new Decimal("10000"), mapped, currency)).toBeUndefined();
		for (const told of ["EUR", undefined]) {
			expect(wire(written("100", mapped, told))).toEqual({ number: "10000" });
			expect(wire(read(new Decimal("10000"), mapped, told))).toEqual({ number: "100.00" });
		}
	});

	it.each<[Form, "start" | "end", string]>([
		["YYYY-MM-DD", "start", "2026-02-28"],
		["YYYY-MM-DD", "end", "2026-03-03"],
		["epoch-seconds", "start", "2026-03-01T10:30:00.000Z"],
		["epoch-seconds", "end", "2026-03-01T10:30:01.000Z"],
	])("a border of a period as %s shows no less than was asked for: %s", (form, border, expected) => {
		expect(widened("2026-03-01T10:30:00.250Z", { form }, border)).toBe(expected);
	});
});

describe("values of a list", () => {
	const values = { APPROVED: ["settled", "booked"], PENDING: "APPROVED" };

	it("are translated both ways; of several the first is sent, and all are read", () => {
		expect(written(["APPROVED", "PENDING"], { values }, undefined)).toEqual(["settled", "APPROVED"]);
		expect(["settled", "booked", "APPROVED"].map((one) => read(one, { values }, undefined))).toEqual(["APPROVED", "APPROVED", "PENDING"]);
	});

	it("one that means something else to us is never taken for ours, and one that is not listed is not sent", () => {
		expect(read("PENDING", { values }, undefined)).toBe("OTHER_PENDING");
		expect(read("open", { values }, undefined)).toBe("open");
		expect(() => written("DECLINED", { values }, undefined)).toThrow(
			"DECLINED is none of the values that this deployment takes: APPROVED, PENDING",
		);
	});

	it("what is yes or no with us may be a word with them", () => {
		expect(["confirmed", "pending", new Decimal("1")].map((one) => read(one, { values: { true: ["confirmed", "1"] } }, undefined))).toEqual(
			[true, false, true],
		);
		expect(read("unknown", { values: { true: "yes", false: "no" } }, undefined)).toBeUndefined();
		expect(written(false, { values: { true: "1", false: "0" } }, undefined)).toBe("0");
	});
});

describe("times without a zone", () => {
	it.each<[string, string, unknown]>([
		["2026-03-01 10:00:00", "UTC", "2026-03-01T10:00:00+00:00"],
		["2026-07-01T10:00:00", "Europe/Paris", "2026-07-01T10:00:00+02:00"],
		["2026-01-01T10:00", "-03:30", "2026-01-01T10:00-03:30"],
		// The hour that comes twice: which one was meant is not known.
		["2026-10-25T02:30:00", "Europe/Paris", "2026-10-25T02:30:00"],
		["2026-03-01T10:00:00Z", "Europe/Paris", "2026-03-01T10:00:00Z"],
		["yesterday", "UTC", "yesterday"],
	])("%s in %s", (time, zone, expected) => {
		expect(inZone(time, zone)).toBe(expected);
	});

	it("a zone is known or is none", () => {
		expect(["UTC", "+02:00", "Europe/Paris", "Atlantis/Ys", "2 hours"].map(isZone)).toEqual([true, true, true, false, false]);
	});
});
