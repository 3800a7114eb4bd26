import { describe, expect, it } from "vitest";
import { extraFields } from "../../src/api/operation.js";
import { listCorporates } from "../../src/api/operations/corporate.js";
import { getLedger } from "../../src/api/operations/ledger.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { draftRequest } from "../../src/http/request/request.js";
import type { MappedOperation } from "../../src/ports/mapping.js";
import type { Profile } from "../../src/ports/profiles.js";
import { failure } from "../support/failure.js";

const a = "11111111-1111-4111-8111-111111111111";
const b = "22222222-2222-4222-8222-222222222222";

function profile(more: Partial<Profile> = {}): Profile {
	return { name: "test", baseUrl: "https://api.example.com", environment: "sandbox", auth: { kind: "login" }, settings: {}, ...more };
}
const textOf = (body: Uint8Array | undefined) => (body === undefined ? undefined : new TextDecoder().decode(body));
describe("a request as described", () => {
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
		...["nonsense", "http://api.example.com", "https://user@api.example.com", "https://user:secret@api.example.com"],
		...["https://api.example.com/?a=b", "https://api.example.com/#a", "ftp://api.example.com"],
	])("for a live profile: %s", (baseUrl) => {
		const error = failure(() => draftRequest(profile({ baseUrl, environment: "live" }), getLedger, { params: { ledgerId: a } }, "0"));
		expect(error.kind).toBe("usage");
		expect(error.failure.code).toBe("BASE_URL_INVALID");
		expect(error.message).not.toContain("secret");
	});
});

describe("a mapping of a profile's file that nobody checked", () => {
	const draft = (entry: Partial<MappedOperation>) => {
		const mapping = { operations: { "ledger.get": { method: "GET", path: "/l/{ledgerId}", ...entry } } } as const;
		return draftRequest(profile({ mapping }), getLedger, { params: { ledgerId: a } }, "0");
	};

	it.each(["ledgers", "@evil.example/x", "https://evil.example/x", "/a?b=c", "/a#b", "/a b", "/a/../b", "/a\\b", "/a/./b"])(
		"cannot use the path %s",
		(path) => expect(failure(() => draft({ path })).failure.code).toBe("PATH_INVALID"),
	);

	it("never leaves the profile's origin", () => {
		expect(new URL(draft({ path: "//evil.example/x" }).url).origin).toBe("https://api.example.com");
	});

	it.each(["1\r\nb: c", "\u00e9", " 1"])("cannot have the header value %j", (value) => {
		const error = failure(() => draft({ constants: [{ place: "header", at: "x-a", value }] }));
		expect([error.kind, error.failure.code]).toEqual(["validation", "INPUT_INVALID"]);
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
		const bypass = { place: "header", at: "Linkcy-SCA-Strategy", value: "BY_PASS" } as const;
		const entry = { method: "POST", path: "/pay", constants: [bypass] } as const;
		const mapping = { operations: { "transaction.interLedger": entry } };
		expect(strategy({}, { mapping })).toBe("BY_PASS");
		expect(failure(() => strategy({}, { environment: "live", mapping })).kind).toBe("usage");
	});
});
