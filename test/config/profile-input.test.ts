import { describe, expect, it } from "vitest";
import { changedSettings } from "../../src/config/keys.js";
import { changedProfile, risksOf } from "../../src/config/profile-input.js";

const faultsOf = (...given: Parameters<typeof changedProfile>) =>
	changedProfile(...given).faults.map(({ field, message }) => `${field}: ${message}`);

describe("a new profile", () => {
	it("is live anywhere but on this machine, and has no slash at the end", () => {
		expect(changedProfile("one", undefined, { baseUrl: "https://api.example.com/" })).toEqual({
			profile: {
				name: "one",
				baseUrl: "https://api.example.com",
				environment: "live",
				auth: { kind: "login", username: undefined, partnerName: undefined },
				settings: {},
			},
			faults: [],
		});
	});

	it.each(["http://127.0.0.1:4010", "http://localhost:1", "http://[::1]:4010", "https://127.8.8.8"])("is a sandbox at %s", (baseUrl) => {
		const { profile, faults } = changedProfile("one", undefined, { baseUrl });
		expect(profile.environment).toBe("sandbox");
		expect(faults).toEqual([]);
	});

	it.each([
		["", "baseUrl: is required, like https://api.example.com"],
		["api.example.com", "baseUrl: must be an address, like https://api.example.com"],
		["api.example.com:8443/v1", "baseUrl: must be an address, like https://api.example.com:8443/v1"],
		["localhost:4010", "baseUrl: must be an address, like http://localhost:4010"],
		["nowhere", "baseUrl: must be an address, like https://api.example.com"],
		["ftp://api.example.com", "baseUrl: must start with https://, not ftp://"],
		["https://user:pass@api.example.com", "baseUrl: must not contain a user name or password; `purser auth login` keeps them"],
		["https://api.example.com/?a=1", 'baseUrl: must not contain "?" or "#"'],
		["http://api.example.com", "baseUrl: must start with https:// for a live profile; plain http is for a sandbox only"],
		["http://127.0.0.1.example.com", "baseUrl: must start with https:// for a live profile; plain http is for a sandbox only"],
	])("refuses the address %s", (baseUrl, expected) => {
		expect(faultsOf("one", undefined, { baseUrl })).toEqual([expected]);
	});

	it("names what does not go with the kind of auth, all at once", () => {
		expect(faultsOf("One Two", undefined, { baseUrl: "https://api.example.com", auth: "header", username: "x", partnerName: "y" })).toEqual(
			[
				'name: must be 1 to 64 of a-z, 0-9, ".", "_" and "-", starting with a letter or a digit',
				"username: only works with --auth login, not header",
				"partnerName: only works with --auth login, not header",
				"authHeader: is required for --auth header, like X-Api-Key",
			],
		);
	});

	it("is called risky on plain http to another machine only", () => {
		const sandbox = changedProfile("one", undefined, { baseUrl: "http://10.0.0.1", environment: "sandbox" }).profile;
		expect(risksOf(sandbox, [sandbox])).toEqual([expect.stringContaining("Plain http to another machine")]);
		expect(risksOf(changedProfile("one", undefined, { baseUrl: "http://127.0.0.1:1" }).profile, [sandbox])).toEqual([]);
	});
});

describe("settings", () => {
	it("are set and unset, each checked", () => {
		expect(changedSettings({ timeout: "60", "duplicate-days": "3" }, ["timeout=5"], ["duplicate-days"])).toEqual({
			settings: { timeout: "5" },
			faults: [],
		});
		expect(changedSettings({}, ["timeout=soon", "colour=red", "timeout"], ["nope"]).faults.map((fault) => fault.field)).toEqual([
			"unset",
			"set",
			"set",
			"set",
		]);
		expect(changedSettings({}, ["foo", "foo"], []).faults.map(({ message }) => message)).toEqual([
			'"foo" is not key=value',
			'"foo" is not key=value',
		]);
	});
});
