/**
 * The limits of the specification's sections 2 and 8 at, under and over their bounds. Every list stands here as the specification has it.
 */
import { describe, expect, test } from "vitest";
import { corporateBody, makeService } from "./service.js";

/** Where a body with this field is refused; undefined: taken. */
async function faultOf(path: string, value: unknown): Promise<string | undefined> {
	const { ask } = await makeService();
	const body = structuredClone(corporateBody());
	const keys = path.split(".");
	const last = keys.pop() as string;
	let part = body;
	for (const key of keys) {
		part[key] ??= {};
		part = part[key] as Record<string, unknown>;
	}
	if (value === undefined) delete part[last];
	else part[last] = value;
	const { status, data } = await ask("POST", "/api/partner/corporates", body);
	return status === 201 ? undefined : `${status} ${data.details.map(({ field }: { field: string }) => field).join()}`;
}

describe("creation of a corporate (specification 2.1, 8)", () => {
	test.each([
		["externalId", 511],
		["corporateName", 255],
		["tradeName", 255],
		["incorporationCode", 255],
		["website", 511],
	])("%s has 0 to %i characters", async (field, most) => {
		for (const good of ["é".repeat(most), ""]) expect(await faultOf(field, good)).toBeUndefined();
		expect(await faultOf(field, "x".repeat(most + 1))).toBe(`400 ${field}`);
	});

	test.each([
		...["corporateName", "incorporationCountry", "incorporationCode", "industry", "registeredAddress"],
		...["value", "currency"].map((name) => `expectedMonthlyExpenses.${name}`),
		...["firstName", "lastName", "emailAddress", "position"].map((name) => `accountOwnerInfo.${name}`),
	])("%s is required", async (field) => {
		for (const none of [undefined, null]) expect(await faultOf(field, none)).toBe(`400 ${field}`);
	});

	test.each([
		["metadata", [{ a: "x".repeat(2992) }], [{ a: "x".repeat(2993) }, [], "text"]],
		["incorporationDate", ["2024-02-29"], ["2023-02-29", "2023-1-1", 20230101]],
		["incorporationCountry", ["FRA", "XKX"], ["FR", "XXX"]],
		["industry", ["A_NEW_ONE_2"], ["child adoption", ""]],
		["legalType", [{ bosniaAndHerzegovinaValue: "A" }], [{}, "AG", { austriaValue: "A", germanyValue: "A" }, { Moon: "A" }]],
		["registeredAddress.isoCountryCode", ["FRA"], ["FR"]],
		["accountOwnerInfo.emailAddress", ["a@example.com"], ["a@", "a b@example.com"]],
		["accountOwnerInfo.directSharesPercentage", [0, 25.5, 100], [-0.1, 100.01, "50"]],
		[
			"accountOwnerInfo.phone",
			[{ countryCode: "33", number: "12345678901234" }],
			[
				{ countryCode: "33", number: "123456789012345" },
				{ countryCode: "33", number: "12 34" },
			],
		],
		["expectedMonthlyExpenses.currency", ["EUR"], ["eur", "EURO"]],
	])("%s", async (field, good, bad) => {
		for (const value of good) expect([value, await faultOf(field, value)]).toEqual([value, undefined]);
		const named = field.startsWith("registeredAddress.") ? "registeredAddress" : field;
		for (const value of bad) expect([value, await faultOf(field, value)]).toEqual([value, `400 ${named}`]);
	});
});
