import { describe, expect, it } from "vitest";
import { idOfDigit, idPatternFault, isIdOf } from "../../../src/api/text/ids.js";

describe("the form of ids", () => {
	it.each(["pay_[0-9a-z]{16}", "[A-Z]{2}[0-9]{10}", "acc-[0-9]{4,20}", "[0-9A-Za-z_-]{8,64}"])("%s can be used", (pattern) => {
		expect(idPatternFault(pattern)).toBeUndefined();
	});

	it.each([
		["", "must be a row of letters"],
		["(a+)+", "must be a row of letters"],
		["[0-9]+", "must be a row of letters"],
		[".{12}", "must be a row of letters"],
		["a|b", "must be a row of letters"],
		["[9-0]{8}", "has a class that is none"],
		["[0-9]{129}", "allows 129 characters; at most 128 are allowed"],
		["[0-9]{1,8}", "allows ids of less than 4 characters"],
		["[0-9]{9,8}", "has a count whose first number is above the second"],
		["[a-z]{2,3}[0-9]{2,3}[a-z]{2,3}[0-9]{2,3}", "has more than 3 counts that vary"],
	])("%s cannot", (pattern, message) => {
		expect(idPatternFault(pattern)).toContain(message);
	});

	it.each(["pay_[0-9a-z]{16}", "[A-Z]{2}[0-9]{10}", "acc-[0-9]{4,20}", "[0-9A-Za-z_-]{8,64}", "X{4}", "[a-cx]{128}"])(
		"an id made for %s has its form",
		(pattern) => {
			for (const digit of "0123456789") expect(isIdOf("ledger", idOfDigit(pattern, digit), { ledger: pattern }), digit).toBe(true);
		},
	);

	it("a UUID unless the profile says otherwise", () => {
		const id = "11111111-1111-4111-8111-111111111111";
		const ids = { ledger: "acc_[0-9]{6}" };
		expect([isIdOf("ledger", id, {}), isIdOf("ledger", id, ids), isIdOf("transaction", id, ids)]).toEqual([true, false, true]);
		expect([isIdOf("ledger", "acc_123456", ids), isIdOf("ledger", "acc_123456 ", ids), isIdOf("ledger", "xacc_123456", ids)]).toEqual([
			true,
			false,
			false,
		]);
	});

	it("a long text is compared in no time", () => {
		const ids = { ledger: "[a-z]{1,40}[a-z0-9]{2,40}[a-z]{1,40}_x" };
		expect(isIdOf("ledger", "a".repeat(128), ids)).toBe(false);
		expect(isIdOf("ledger", "a".repeat(1_000_000), ids)).toBe(false);
	});
});
