/**
 * What purser requires and a service has no place for: nobody is asked for it, and whoever gives it is refused.
 */
import { expect, test } from "vitest";
import { createCorporate } from "../../src/api/operations/corporate.js";
import { describe, withOptional } from "../../src/api/schema.js";
import { unplacedIn } from "../../src/cli/run-context.js";
import { caseSchema, unplacedInCase } from "../../src/onboarding/case/case.js";

const fields = {
	corporateName: { place: "body", at: "/name" },
	incorporationCountry: { place: "body", at: "/country" },
	incorporationCode: "none",
	"registeredAddress.city": { place: "body", at: "/town" },
	"accountOwnerInfo.firstName": { place: "body", at: "/owner/first" },
	"accountOwnerInfo.lastName": { place: "body", at: "/owner/last" },
	"accountOwnerInfo.emailAddress": { place: "body", at: "/owner/email" },
} as const;
const mapping = { operations: { [createCorporate.id]: { method: "POST", path: "/c", fields } } } as const;

test("required fields without a place may be left out, of a company and of its case", async () => {
	const unplaced = await unplacedIn(mapping, [createCorporate.id]);
	expect([...unplaced]).toEqual(["incorporationCode", "industry", "expectedMonthlyExpenses", "accountOwnerInfo.position"]);
	expect([...(await unplacedIn(mapping, ["related.create"]))]).toEqual([]);
	const body = {
		corporateName: "Example Trading SAS",
		incorporationCountry: "FRA",
		registeredAddress: { city: "Paris" },
		accountOwnerInfo: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com" },
	};
	expect(createCorporate.body.safeParse(body).success).toBe(false);
	expect(withOptional(createCorporate.body, unplaced).safeParse(body).success).toBe(true);
	// The descriptions stay: flags and questions are made of them.
	const position = describe(withOptional(createCorporate.body, unplaced)).fields?.find(({ name }) => name === "accountOwnerInfo");
	expect(position?.fields?.find(({ name }) => name === "position")).toMatchObject({ required: false, meta: { example: "CEO" } });
	expect(position?.meta.description).toBe("The account owner");

	const names = await unplacedInCase({ settings: { unplaced: async () => unplaced } as never });
	expect([...names].at(-1)).toBe("accountOwner.position");
	const { accountOwnerInfo: accountOwner, ...corporate } = body;
	const ofCase = { corporate: { ...corporate, externalId: "crm-1" }, accountOwner };
	expect([caseSchema, withOptional(caseSchema, names)].map((schema) => schema.safeParse(ofCase).success)).toEqual([false, true]);
	// What the schema checks beside its fields is checked still.
	const owned = { ...ofCase, ownership: [{ owner: "nobody", owned: "crm-1", percentage: "10" }] };
	expect(withOptional(caseSchema, names).safeParse(owned).success).toBe(false);
});
