import { expect, test } from "vitest";
import { legalFormKeys } from "../../src/api/values.js";

test("the keys of legal forms are those of the specification's 35 countries", () => {
	expect(Object.keys(legalFormKeys)).toHaveLength(35);
	expect(legalFormKeys).toMatchObject({ AUT: "austriaValue", BIH: "bosniaAndHerzegovinaValue", GBR: "unitedKingdomValue" });
});
