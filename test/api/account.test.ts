import { expect, it } from "vitest";
import { maskedAccount } from "../../src/api/operations/beneficiary.js";

it.each([
	["FR7630006000011234567890189", "FR76••••0189"],
	["FR76 3000 6000 0112 3456 7890 189", "FR76••••0189"],
	["12345678901", "12••••8901"],
	["12345678", "••••78"],
	["123456", "••••"],
	["", undefined],
	[undefined, undefined],
])("masks %s as %s", (account, shown) => {
	expect(maskedAccount(account)).toBe(shown);
});
