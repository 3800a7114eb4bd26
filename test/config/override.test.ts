import { describe, expect, it } from "vitest";
import { createCorporate, getCorporate, listCorporates, requestKyb } from "../../src/api/operations/corporate.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { changedOverride } from "../../src/config/override.js";

const faults = (...given: Parameters<typeof changedOverride>) =>
	changedOverride(...given).faults.map(({ field, message }) => `${field}: ${message}`);

describe("a replacement that fits", () => {
	it("adds to what is replaced already", () => {
		const before = { path: "/v2/corporates", fields: { corporateName: "registeredName" } };
		const text = { method: "PUT" as const, field: ["accountOwnerInfo.position=jobTitle"], header: ["X-Partner: example"] };
		expect(changedOverride(createCorporate, before, text)).toEqual({
			override: {
				method: "PUT",
				path: "/v2/corporates",
				fields: { corporateName: "registeredName", "accountOwnerInfo.position": "jobTitle" },
				headers: { "X-Partner": "example" },
			},
			faults: [],
		});
	});

	it("replaces a header whatever its capitals, and keeps colons of its value", () => {
		const { override, faults } = changedOverride(getCorporate, { headers: { "x-one": "a" } }, { header: ["X-One: b:c"] });
		expect(override.headers).toEqual({ "X-One": "b:c" });
		expect(faults).toEqual([]);
	});

	it("may name a field inside what the description leaves open", () => {
		expect(faults(listCorporates, {}, { field: ["content.id=identifier"] })).toEqual([]);
		expect(faults(getCorporate, {}, { field: ["registeredAddress.city=town"] })).toEqual([]);
	});
});

describe("a replacement that does not fit names why", () => {
	it.each([
		["/x", ["path: must contain {corporateId} exactly once"]],
		["/x/{corporateId}/{corporateId}", ["path: must contain {corporateId} exactly once"]],
		["/x/{corporateId}/{other}", ["path: has {other}, which kyb.request does not know; it takes {corporateId}"]],
		["x/{corporateId}", ["path: must start with / and hold only characters of a path (no ?, # or space)"]],
		["/x/{corporateId}?a=b", ["path: must start with / and hold only characters of a path (no ?, # or space)"]],
		["//evil.example.com/{corporateId}", ["path: must stay below the base address: no //, /./ or /../"]],
		["/x/../{corporateId}", ["path: must stay below the base address: no //, /./ or /../"]],
		["/x/{corporateId}/}", ["path: has an unmatched brace"]],
	])("path %s", (path, expected) => {
		expect(faults(requestKyb, {}, { path })).toEqual(expected);
	});

	it.each([
		["nope=x", 'field: "nope=x" names no field of kyb.request; it has none'],
		["nope", 'field: "nope" names no field of kyb.request; it has none'],
	])("field %s of an operation without any", (given, expected) => {
		expect(faults(requestKyb, {}, { field: [given] })).toEqual([expected]);
	});

	it.each(["corporateName=", "corporateName=a b", "corporateName=a.b", "__proto__=x", "corporateName.x=y", "metadata.*=y"])(
		"field %s",
		(given) => {
			expect(faults(createCorporate, {}, { field: [given] })).toHaveLength(1);
		},
	);

	it("two fields under one name", () => {
		expect(faults(createCorporate, {}, { field: ["corporateName=label", "tradeName=label"] })).toEqual([
			"field: two fields would both be sent as label",
		]);
	});

	it("a field under the name of another that keeps its own, but not two that change names", () => {
		expect(faults(createInterLedger, {}, { field: ["ledgerFromId=ledgerToId"] })).toEqual([
			"field: two fields would both be sent as ledgerToId",
		]);
		expect(faults(createCorporate, {}, { field: ["accountOwnerInfo.position=lastName"] })).toEqual([
			"field: two fields would both be sent as accountOwnerInfo.lastName",
		]);
		expect(faults(createInterLedger, {}, { field: ["ledgerFromId=ledgerToId", "ledgerToId=ledgerFromId"] })).toEqual([]);
	});

	it.each([
		["Authorization: Bearer x", 'header: "Authorization" is set by purser itself and cannot be replaced'],
		["Content-Length: 5", 'header: "Content-Length" is set by purser itself and cannot be replaced'],
		["Keep-Alive: timeout=5", 'header: "Keep-Alive" is set by purser itself and cannot be replaced'],
		["X-Tab: a\tb", 'header: "X-Tab" has a character in its value that no header may carry'],
		["X-No-Value:", "header: \"X-No-Value\" must be 'Name: value'"],
		["no colon", "header: \"no colon\" must be 'Name: value'"],
		["X-Line: a\nb", 'header: "X-Line" has a character in its value that no header may carry'],
	])("header %s", (given, expected) => {
		expect(faults(requestKyb, {}, { header: [given] })).toEqual([expected]);
	});

	it("a header that looks like a secret, without repeating its value", () => {
		const [message] = faults(requestKyb, {}, { header: ["X-Api-Key: abcdef"] });
		expect(message).toContain('header: "X-Api-Key" looks like a secret; no flag takes one');
		expect(message).not.toContain("abcdef");
	});

	it("GET for an operation that sends a body", () => {
		expect(faults(createCorporate, {}, { method: "GET" })).toEqual(["method: GET carries no body, and corporate.create sends one"]);
	});
});
