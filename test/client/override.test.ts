import { describe, expect, it } from "vitest";
import { createCorporate, listCorporates } from "../../src/api/operations/corporate.js";
import { getLedger } from "../../src/api/operations/ledger.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../src/api/operations/transaction.js";
import { extraFields } from "../../src/api/own-fields.js";
import { fromWire, pathFromWire, toWire } from "../../src/binding/names.js";
import { draftRequest } from "../../src/client/request/request.js";
import type { OperationBinding } from "../../src/ports/binding.js";
import type { Profile } from "../../src/ports/profiles.js";
import { failure } from "../support/failure.js";

const a = "11111111-1111-4111-8111-111111111111";
const b = "22222222-2222-4222-8222-222222222222";

function profile(more: Partial<Profile> = {}): Profile {
	return {
		name: "test",
		baseUrl: "https://api.example.com",
		environment: "sandbox",
		auth: { kind: "login" },
		overrides: {},
		settings: {},
		...more,
	};
}
const withOverride = (id: string, override: OperationBinding, more: Partial<Profile> = {}) =>
	profile({ overrides: { [id]: override }, ...more });
const textOf = (body: Uint8Array | undefined) => (body === undefined ? undefined : new TextDecoder().decode(body));
describe("a request as described", () => {
	it("a transfer: defaults explicit, the description's order, the digits typed", () => {
		const input = { body: { reference: "Invoice 2041", amount: "10.10", beneficiaryId: b, ledgerFromId: a } };
		const request = draftRequest(profile(), createBeneficiaryTransaction, input, "1.2.3");
		expect(request.method).toBe("POST");
		expect(request.url).toBe("https://api.example.com/api/partner/transactions/beneficiary");
		expect(request.headers).toEqual({
			accept: "application/json",
			"accept-encoding": "identity",
			"user-agent": "purser/1.2.3",
			"content-type": "application/json",
		});
		expect(textOf(request.body)).toBe(
			`{"ledgerFromId":"${a}","beneficiaryId":"${b}","amount":10.10,"reference":"Invoice 2041","allowFastPayment":true,"allowInterLedger":true}`,
		);
	});

	it("fields of --set stand last, and what is neither theirs nor the operation's own is not sent", () => {
		const input = { body: { [extraFields]: { zone: "x", amount: "9" }, local: "y", ledgerToId: b, amount: "1", ledgerFromId: a } };
		expect(textOf(draftRequest(profile(), createInterLedger, input, "0").body)).toBe(
			`{"ledgerFromId":"${a}","ledgerToId":"${b}","amount":1,"zone":"x"}`,
		);
	});

	it("no body, no content type; arrays repeated; what is undefined left out; space and & escaped", () => {
		const query = { kybStatus: ["VALIDATED", "DECLINED"], registeredName: "A & B", emailAddress: undefined, page: "0" };
		const request = draftRequest(profile(), listCorporates, { query }, "0");
		expect(request.url).toBe(
			"https://api.example.com/api/partner/corporates?kybStatus=VALIDATED&kybStatus=DECLINED&registeredName=A%20%26%20B&page=0",
		);
		expect(request.body).toBeUndefined();
		expect(request.headers).not.toHaveProperty("content-type");
	});

	it.each([
		["https://api.example.com", "https://api.example.com/api/partner/ledgers/"],
		["https://api.example.com/", "https://api.example.com/api/partner/ledgers/"],
		["https://api.example.com/bank/v2/", "https://api.example.com/bank/v2/api/partner/ledgers/"],
		["https://api.example.com:8443/x", "https://api.example.com:8443/x/api/partner/ledgers/"],
		["http://127.0.0.1:3000", "http://127.0.0.1:3000/api/partner/ledgers/"],
	])("base address %s", (baseUrl, before) => {
		expect(draftRequest(profile({ baseUrl }), getLedger, { params: { ledgerId: a } }, "0").url).toBe(before + a);
	});

	it("a path parameter is encoded, and never becomes a path of its own", () => {
		const url = (ledgerId: string) => draftRequest(profile(), getLedger, { params: { ledgerId } }, "0").url;
		expect(url("../../login?x=1#y")).toBe("https://api.example.com/api/partner/ledgers/..%2F..%2Flogin%3Fx%3D1%23y");
		expect(url("é/%2f")).toBe("https://api.example.com/api/partner/ledgers/%C3%A9%2F%252f");
		for (const bad of ["..", ".", ""]) expect(failure(() => url(bad)).kind).toBe("validation");
	});
});

describe("an address that is refused", () => {
	it.each([
		["not an address", "nonsense"],
		["plain http for a live profile", "http://api.example.com"],
		["a user in it", "https://user@api.example.com"],
		["a password in it", "https://user:secret@api.example.com"],
		["a query", "https://api.example.com/?a=b"],
		["a fragment", "https://api.example.com/#a"],
		["another scheme", "ftp://api.example.com"],
	])("%s", (_name, baseUrl) => {
		const error = failure(() => draftRequest(profile({ baseUrl, environment: "live" }), getLedger, { params: { ledgerId: a } }, "0"));
		expect(error.kind).toBe("usage");
		expect(error.failure.code).toBe("BASE_URL_INVALID");
		expect(error.message).not.toContain("secret");
	});
});

describe("an override", () => {
	it("of method, path and header, and of nothing else", () => {
		const override: OperationBinding = { method: "PUT", path: "/v3/pay/{x}", headers: { "X-Channel": "treasury" } };
		const error = failure(() =>
			draftRequest(withOverride("transaction.interLedger", override), createInterLedger, { body: {} as never }, "0"),
		);
		expect(error.failure.details).toEqual([{ field: "x", message: "is required" }]);
		const fixed = { ...override, path: "/v3/pay" };
		const request = draftRequest(
			withOverride("transaction.interLedger", fixed),
			createInterLedger,
			{ body: { amount: "1" } as never },
			"0",
		);
		expect([request.method, request.url, request.headers["x-channel"]]).toEqual(["PUT", "https://api.example.com/v3/pay", "treasury"]);
		const other = draftRequest(withOverride("transaction.beneficiary", fixed), createInterLedger, { body: { amount: "1" } as never }, "0");
		expect([other.method, other.url]).toEqual(["POST", "https://api.example.com/api/partner/transactions/inter-ledger"]);
	});

	it("never sends one ledger under the name of the other, whatever a profile's file says", () => {
		const body = { ledgerFromId: a, ledgerToId: b, amount: "1" };
		const swapped = { ledgerFromId: "ledgerToId", ledgerToId: "ledgerFromId" };
		const one = withOverride("transaction.interLedger", { fields: { ledgerFromId: "ledgerToId" } });
		expect(failure(() => draftRequest(one, createInterLedger, { body }, "0")).failure).toMatchObject({
			code: "OVERRIDE_INVALID",
			message: expect.stringContaining("two fields would both be sent as ledgerToId"),
		});
		const both = draftRequest(withOverride("transaction.interLedger", { fields: swapped }), createInterLedger, { body }, "0");
		expect(new TextDecoder().decode(both.body)).toBe(`{"ledgerToId":"${a}","ledgerFromId":"${b}","amount":1}`);
	});

	it.each(["Authorization", "Cookie", "Host", "Content-Length", "Transfer-Encoding", "Connection", "Proxy-Authorization", "Content-Type"])(
		"cannot set the header %s",
		(name) => {
			const error = failure(() =>
				draftRequest(withOverride("ledger.get", { headers: { [name]: "x" } }), getLedger, { params: { ledgerId: a } }, "0"),
			);
			expect(error.failure.code).toBe("OVERRIDE_INVALID");
		},
	);

	it.each<Record<string, string>>([{ "x-a": "1\r\nb: c" }, { "x a": "1" }, { "x-a": "é" }, { "": "1" }])(
		"refuses the header %j",
		(headers) => {
			const error = failure(() => draftRequest(withOverride("ledger.get", { headers }), getLedger, { params: { ledgerId: a } }, "0"));
			expect(error.kind).toBe("usage");
		},
	);

	it.each(["ledgers", "https://evil.example/x", "/a?b=c", "/a b", "/a/../b", "/a\\b", "/a/./b"])("refuses the path %s", (path) => {
		const error = failure(() => draftRequest(withOverride("ledger.get", { path }), getLedger, { params: { ledgerId: a } }, "0"));
		expect(error.kind).toBe("usage");
	});

	it("never leaves the profile's origin", () => {
		const { url } = draftRequest(withOverride("ledger.get", { path: "//evil.example/x" }), getLedger, { params: { ledgerId: a } }, "0");
		expect(new URL(url).origin).toBe("https://api.example.com");
	});

	it("of field names reaches query, body and nested fields", () => {
		const listed = draftRequest(
			withOverride("corporate.list", { fields: { kybStatus: "kybStatus[]" } }),
			listCorporates,
			{ query: { kybStatus: ["VALIDATED"] } },
			"0",
		);
		expect(listed.url).toBe("https://api.example.com/api/partner/corporates?kybStatus%5B%5D=VALIDATED");
		const fields = { "accountOwnerInfo.position": "jobTitle", accountOwnerInfo: "owner", "accountOwnerInfo.phone.number": "digits" };
		const body = { accountOwnerInfo: { position: "CEO", phone: { number: "639980001", countryCode: "33" } }, corporateName: "Example" };
		const request = draftRequest(withOverride("corporate.create", { fields }), createCorporate, { body: body as never }, "0");
		expect(textOf(request.body)).toBe(
			'{"corporateName":"Example","owner":{"jobTitle":"CEO","phone":{"countryCode":"33","digits":"639980001"}}}',
		);
	});
});

describe("names both ways", () => {
	const override: OperationBinding = {
		fields: { id: "transactionId", "information.reference": "label", information: "info", "content.name": "title" },
	};

	it("there and back is the same", () => {
		const ours = { id: "1", information: { reference: "x", other: 1 }, content: [{ name: "n" }, { name: "m" }] };
		const theirs = { transactionId: "1", info: { label: "x", other: 1 }, content: [{ title: "n" }, { title: "m" }] };
		expect(toWire(ours, override)).toEqual(theirs);
		expect(fromWire(theirs, override)).toEqual(ours);
	});

	it("two names can change places", () => {
		const swap: OperationBinding = { fields: { a: "b", b: "a" } };
		expect(toWire({ a: 1, b: 2 }, swap)).toEqual({ b: 1, a: 2 });
		expect(fromWire({ a: 1, b: 2 }, swap)).toEqual({ b: 1, a: 2 });
	});

	it("a field that happens to have our name gives way to the one the profile names", () => {
		expect(fromWire({ id: "wrong", transactionId: "right" }, override)).toEqual({ id: "right" });
		expect(fromWire({ transactionId: "right", id: "wrong" }, override)).toEqual({ id: "right" });
	});

	it("what is not a record passes", () => {
		for (const value of [null, "text", 4, [1, [2]], undefined]) expect(fromWire(value, override)).toEqual(value);
	});

	it("an error's field is named as described", () => {
		expect(pathFromWire("info.label", override)).toBe("information.reference");
		expect(pathFromWire("content.3.title", override)).toBe("content.3.name");
		expect(pathFromWire("other.label", override)).toBe("other.label");
		expect(pathFromWire("", undefined)).toBe("");
	});

	it("of a body, a field of --set goes last, also where it is called __proto__", () => {
		const body = { [extraFields]: JSON.parse('{"__proto__":{"x":"1"},"later":true}'), amount: "1.10", ledgerToId: b, ledgerFromId: a };
		const request = draftRequest(profile(), createInterLedger, { body }, "0");
		expect(textOf(request.body)).toBe(`{"ledgerFromId":"${a}","ledgerToId":"${b}","amount":1.10,"__proto__":{"x":"1"},"later":true}`);
	});

	it("a field called __proto__ stays data", () => {
		const value = JSON.parse('{"__proto__":{"x":1}}');
		expect(Object.getPrototypeOf(fromWire(value, override))).toBe(Object.prototype);
		expect(JSON.stringify(fromWire(value, override))).toBe('{"__proto__":{"x":1}}');
	});
});

describe("strong authentication", () => {
	const body = { ledgerFromId: a, ledgerToId: b, amount: "1" };
	const strategy = (settings: Record<string, string>, more: Partial<Profile> = {}) =>
		draftRequest(profile({ settings, ...more }), createInterLedger, { body }, "0").headers["linkcy-sca-strategy"];

	it("is asked for as the profile says, with transfers only", () => {
		expect(strategy({ "sca-strategy": "DATA_SIGNING" }, { environment: "live" })).toBe("DATA_SIGNING");
		expect(strategy({})).toBeUndefined();
		const read = draftRequest(profile({ settings: { "sca-strategy": "DATA_SIGNING" } }), getLedger, { params: { ledgerId: a } }, "0");
		expect(read.headers).not.toHaveProperty("linkcy-sca-strategy");
	});

	it("is skipped in a sandbox only, wherever the profile says so", () => {
		expect(strategy({ "sca-strategy": "BY_PASS" })).toBe("BY_PASS");
		expect(failure(() => strategy({ "sca-strategy": "BY_PASS" }, { environment: "live" })).kind).toBe("usage");
		const overrides = { "transaction.interLedger": { headers: { "Linkcy-SCA-Strategy": "BY_PASS" } } };
		expect(failure(() => strategy({}, { environment: "live", overrides })).kind).toBe("usage");
		expect(failure(() => strategy({ "sca-strategy": "NONE" })).kind).toBe("usage");
	});
});
