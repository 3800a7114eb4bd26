import { describe, expect, it } from "vitest";
import { adviceText, purser } from "../../src/api/advice.js";
import { typed } from "../../src/api/answer.js";
import { Decimal } from "../../src/api/json.js";
import { sinceWords } from "../../src/onboarding/checklist/text.js";
import { otherRows } from "../../src/onboarding/records/record.js";
import { duplicateOf } from "../../src/onboarding/records/twins.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ada = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";

describe("rows of a record", () => {
	it("shows fields nobody described, nested ones too", () => {
		const address = { registeredAddress: { city: "Lyon", lines: ["1", "Example Street"] } };
		const record = { id, ...address, riskScore: new Decimal("10.10"), frozen: false, nothing: null, empty: "" };
		expect(otherRows(record, ["id"])).toEqual([
			["Registered address city", "Lyon"],
			["Registered address lines", "1, Example Street"],
			["Risk score", "10.10"],
			["Frozen", "no"],
		]);
	});

	it("leaves out what is shown already, with all that is inside it", () => {
		expect(otherRows({ kycInfo: { status: "CREATED" }, phone: { number: "1", verified: true } }, ["kycInfo", "phone.number"])).toEqual([
			["Phone verified", "yes"],
		]);
	});

	it("bounds a huge record", () => {
		const rows = otherRows(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, "x"])), []);
		expect(rows).toHaveLength(81);
		expect(rows.at(-1)).toEqual(["…", "420 more fields; see them with --json"]);
	});

	it("puts only an id of the profile's form into a command to type, a UUID without one", () => {
		const shown = (given: string | undefined, ids = {}) =>
			adviceText(purser`corporate show ${typed(given, "CORPORATE")}`, undefined, ids).replace("purser corporate show ", "");
		expect(shown(id)).toBe(id);
		for (const odd of [undefined, "", "x; rm -rf ~", `${id}\n`, `${id} --yes`, "acc_123456"]) expect(shown(odd)).toBe("CORPORATE");
		const ids = { corporate: "[a-z_-]{4}[0-9]{6}" };
		expect(shown("acc_123456", ids)).toBe("acc_123456");
		for (const odd of [id, "acc_12345", "acc_123456 ", "-cc_123456"]) expect(shown(odd, ids)).toBe("CORPORATE");
	});
});

describe("entities declared already", () => {
	const listed = [
		{ id: ada, firstName: "Ada", lastName: "Example", email: { address: "ada@example.com" }, externalId: "p-1" },
		{ id, corporateName: "Example Holding BV" },
	];

	it.each([
		["the same externalId", { firstName: "Other", lastName: "Name", externalId: "p-1" }, "with the same externalId"],
		["name and email", { firstName: "ADA", lastName: " Example", emailAddress: "Ada@Example.com" }, "with the same name and email"],
		["the same company without an email", { type: "COMPANY", corporateName: "Example  Holding BV" }, "with the same name"],
		["another email", { firstName: "Ada", lastName: "Example", emailAddress: "other@example.com" }, undefined],
		["another name", { firstName: "Grace", lastName: "Sample", emailAddress: "ada@example.com" }, undefined],
		["an entity without a name", { externalId: "p-2" }, undefined],
	])("%s", (_, body, reason) => {
		expect(duplicateOf(body, listed)).toEqual(reason === undefined ? undefined : expect.stringContaining(reason));
	});
});

it.each([
	["2026-02-10T08:00:00.000Z", "2026-02-10, 19 days"],
	["2026-02-28T10:00:00.000Z", "2026-02-28, 1 day"],
	["2026-03-02T10:00:00.000Z", "2026-03-02"],
	["soon", "soon"],
	[undefined, undefined],
])("since when somebody waits, %s: %s", (since, words) => {
	expect(sinceWords(since, new Date("2026-03-01T10:00:00Z"))).toBe(words);
});
