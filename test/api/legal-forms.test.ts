import { expect, test } from "vitest";
import { legalFormKeys } from "../../src/api/values.js";
import { legalTypes } from "../../src/sandbox/service/validation.js";

test("the keys of legal forms are those that the sandbox takes, in the order of the specification", () => {
	expect(Object.values(legalFormKeys)).toEqual(legalTypes);
	expect(legalFormKeys).toMatchObject({ AUT: "austriaValue", BIH: "bosniaAndHerzegovinaValue", GBR: "unitedKingdomValue" });
});
