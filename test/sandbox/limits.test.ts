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

const _diallingCodes =
	"1, 1242, 1246, 1264, 1268, 1284, 1340, 1345, 1441, 1473, 1649, 1664, 1670, 1671, 1684, 1721, 1758, 1767, 1784, 1787, 1809, 1829, 1849, 1868, 1869, 1876, 1939, 20, 211, 212, 213, 216, 218, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269, 27, 290, 291, 297, 298, 299, 30, 31, 32, 33, 34, 350, 351, 352, 353, 354, 355, 356, 357, 358, 359, 36, 370, 371, 372, 373, 374, 375, 376, 377, 378, 379, 380, 381, 382, 383, 385, 386, 387, 389, 39, 40, 41, 420, 421, 423, 43, 44, 441481, 441534, 441624, 45, 46, 47, 48, 49, 500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 51, 52, 53, 54, 55, 56, 57, 58, 590, 591, 592, 593, 595, 597, 598, 599, 60, 61, 62, 63, 64, 65, 66, 670, 672, 673, 674, 675, 676, 677, 678, 679, 680, 681, 682, 683, 685, 686, 687, 688, 689, 690, 691, 692, 7, 81, 82, 84, 850, 852, 853, 855, 856, 86, 880, 886, 90, 91, 92, 93, 94, 95, 960, 961, 962, 963, 964, 965, 966, 967, 968, 970, 971, 972, 973, 974, 975, 976, 977, 98, 992, 993, 994, 995, 996, 998".split(
		", ",
	);
