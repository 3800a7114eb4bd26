import { describe, expect, it } from "vitest";
import { adviceText, purser } from "../../src/api/advice.js";
import { typed } from "../../src/api/answer.js";
import { Decimal } from "../../src/api/json.js";
import { openPreconditions } from "../../src/onboarding/kyb/check.js";
import { labelOf, otherRows } from "../../src/onboarding/records/record.js";
import { duplicateOf } from "../../src/onboarding/records/related-entity.js";
import { companyStep } from "../../src/onboarding/records/related-steps.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ada = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";

describe("rows of a record", () => {
	it("shows fields nobody described, nested ones too", () => {
		const record = {
			id,
			registeredAddress: { city: "Lyon", lines: ["1", "Example Street"] },
			riskScore: new Decimal("10.10"),
			frozen: false,
			nothing: null,
			empty: "",
		};
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

	it("labels by the field's words", () => {
		expect(labelOf("phone.countryCode")).toBe("Phone country code");
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

	it("shows another command where a company is not named by its id", () => {
		const step = (record: object, ids = {}) => adviceText(companyStep(record as never), undefined, ids);
		expect(step({ corporateId: id })).toBe(`purser corporate status ${id}`);
		expect(step({ corporateId: "corp_1234" })).toBe("purser overview");
		expect(step({ corporateId: "corp_1234" }, { corporate: "corp_[0-9]{4}" })).toBe("purser corporate status corp_1234");
		expect(step({ shares: [{ layer: "1", ownedCorporate: "Example Florist" }] }, { corporate: "corp_[0-9]{4}" })).toBe("purser overview");
	});
});

describe("entities declared already", () => {
	const listed = [
		{ id: ada, firstName: "Ada", lastName: "Example", email: { address: "ada@example.com" }, externalId: "p-1" },
		{ id, corporateName: "Example Holding BV" },
	];

	it.each([
		["the same externalId", { firstName: "Other", lastName: "Name", externalId: "p-1" }, "with the same externalId"],
		[
			"the same name and email",
			{ firstName: "ADA", lastName: " Example", emailAddress: "Ada@Example.com" },
			"with the same name and email",
		],
		[
			"the same name, one without an email",
			{ firstName: "Ada", lastName: "Example" },
			"with the same name, and only one of them with an email",
		],
		["the same company without an email", { type: "COMPANY", corporateName: "Example  Holding BV" }, "with the same name and no email"],
	])("finds %s", (_, body, reason) => {
		expect(duplicateOf(body, listed)).toContain(reason);
	});

	it.each([
		["another email", { firstName: "Ada", lastName: "Example", emailAddress: "other@example.com" }],
		["the same name with an identifier of its own", { firstName: "Ada", lastName: "Example", externalId: "p-3" }],
		["another name", { firstName: "Grace", lastName: "Sample", emailAddress: "ada@example.com" }],
		["an entity without a name", { externalId: "p-2" }],
	])("lets %s pass", (_, body) => {
		expect(duplicateOf(body, listed)).toBeUndefined();
	});
});

describe("what keeps a KYB from being validated", () => {
	const person = (fields: object) => ({ id: ada, firstName: "Ada", lastName: "Example", ...fields });

	it("names the terms, each open KYC and the request, with their commands", () => {
		const found = openPreconditions(
			id,
			{ id, termsAccepted: false, kybStatus: "NOT_STARTED" },
			[
				person({ isDirector: true, kycInfo: { status: "NOT_STARTED" } }),
				person({ isUbo: true, kycInfo: { status: "PROCESSING" } }),
				person({ isDirector: true, kycInfo: { status: "DECLINED", statusReason: "Document unreadable" } }),
				person({ isDirector: true, kycInfo: { status: "VALIDATED" } }),
				person({ isDirector: true, kycInfo: { type: "NOT_REQUIRED" } }),
				person({ isAccountOwner: true }),
				{ id, corporateName: "Example Holding BV" },
			],
			"25",
		);
		expect(found.map(({ message, command }) => [message, adviceText(command)])).toEqual([
			["The latest terms are not accepted", `purser terms accept ${id}`],
			["KYC of Ada Example is not started", `purser kyc link ${ada}`],
			["KYC of Ada Example is processing", `purser kyc status ${ada} --wait`],
			["KYC of Ada Example is declined (Document unreadable)", `purser kyc link ${ada}`],
			["KYB not requested yet", `purser corporate review ${id}`],
		]);
	});

	it("says what more is wanted", () => {
		const record = { status: { kyb: { value: "NEED_ADDITIONAL_INFORMATION", reason: "Proof of address" } }, termsAccepted: true };
		expect(openPreconditions(id, record, [], "25")).toEqual([
			{
				what: "information",
				message: "The compliance team asks for more: Proof of address",
				command: purser`corporate update ${typed(id, "CORPORATE")} --set FIELD=VALUE`,
			},
			{ what: "request", message: "The KYB must be requested again", command: purser`corporate review ${typed(id, "CORPORATE")}` },
		]);
	});

	it("finds nothing once it is validated, or where nothing is known", () => {
		expect(openPreconditions(id, { kybStatus: "VALIDATED", termsAccepted: true }, undefined, "25")).toEqual([]);
		expect(openPreconditions(id, {}, undefined, "25")).toEqual([]);
	});

	it("still names new terms after the KYB was validated", () => {
		expect(openPreconditions(id, { kybStatus: "VALIDATED", termsAccepted: false }, undefined, "25").map(({ what }) => what)).toEqual([
			"terms",
		]);
	});
});
