import { describe, expect, it } from "vitest";
import { adviceText } from "../../src/api/advice.js";
import { directories } from "../../src/config/directories.js";
import { settingFault } from "../../src/config/keys.js";
import { resolve, resolveSettings } from "../../src/config/settings.js";
import type { Flags } from "../../src/context.js";
import type { Profile, Profiles } from "../../src/ports/profiles.js";
import { advised } from "../support/advice.js";
import { failure } from "../support/failure.js";

const noFlags: Flags = { dryRun: false, yes: false, live: false, debug: false, interactive: false };
const sandbox: Profile = {
	name: "box",
	baseUrl: "https://api.sandbox.example.com",
	environment: "sandbox",
	auth: { kind: "login" },
	settings: { timeout: "12", "sca-strategy": "DATA_SIGNING" },
};

describe("flag > environment > profile > default", () => {
	const timeout = (flags: Partial<Flags>, env: Record<string, string>, profile: Profile = sandbox) => {
		const { settings, explained } = resolveSettings({ flags: { ...noFlags, ...flags }, env, profile });
		const { value, from, source } = explained.find((entry) => entry.key === "timeout") ?? {};
		return [settings.timeout, value, from, source];
	};

	it("each in turn", () => {
		expect(timeout({ timeout: 3_500 }, { PURSER_TIMEOUT: "7" })).toEqual([3_500, "3.5", "flag", "--timeout"]);
		expect(timeout({}, { PURSER_TIMEOUT: "7" })).toEqual([7_000, "7", "environment", "PURSER_TIMEOUT"]);
		expect(timeout({}, {})).toEqual([12_000, "12", "profile", "box"]);
		expect(timeout({}, {}, { ...sandbox, settings: {} })).toEqual([30_000, "30", "default", undefined]);
	});

	it("an empty variable counts as absent", () => {
		expect(timeout({}, { PURSER_TIMEOUT: "" })).toEqual([12_000, "12", "profile", "box"]);
	});

	it.each(["0", "-1", "soon", "1e3", "99999999"])("a timeout of %j is refused, and where it comes from is named", (value) => {
		const error = failure(() => timeout({}, { PURSER_TIMEOUT: value }));
		expect([error.kind, error.failure.code]).toEqual(["usage", "SETTING_INVALID"]);
		expect(error.message).toContain("PURSER_TIMEOUT");
	});

	it("every setting is explained, and no secret among them", () => {
		const { explained } = resolveSettings({ flags: noFlags, env: { PURSER_TOKEN: "very-secret" }, profile: sandbox });
		expect(explained.map((entry) => entry.key)).toEqual([
			...["profile", "base-url", "environment", "auth", "token", "timeout", "sca-strategy", "refusing-statuses"],
			...["settle-after", "duplicate-days", "cap-per-transfer", "cap-per-day", "approval", "approvers", "planners"],
			...["ubo-threshold"],
		]);
		expect(JSON.stringify(explained)).not.toContain("very-secret");
		expect(explained.find((entry) => entry.key === "sca-strategy")).toMatchObject({ value: "DATA_SIGNING", from: "profile" });
	});
});

describe("the address", () => {
	const used = (flags: Partial<Flags>, env: Record<string, string>, profile?: Profile) => {
		const { settings } = resolveSettings({ flags: { ...noFlags, ...flags }, env, profile });
		return [settings.profile.name, settings.profile.baseUrl, settings.profile.environment];
	};
	const live: Profile = { ...sandbox, name: "bank", environment: "live", baseUrl: "https://api.example.com" };

	it.each([
		["the profile's", {}, {}, sandbox, ["box", "https://api.sandbox.example.com", "sandbox"]],
		[
			"a flag over a variable",
			{ baseUrl: "http://localhost:1" },
			{ PURSER_BASE_URL: "http://localhost:2" },
			sandbox,
			["box", "http://localhost:1", "sandbox"],
		],
		[
			"a loopback address is a sandbox",
			{},
			{ PURSER_BASE_URL: "http://127.0.0.1:4000" },
			sandbox,
			["box", "http://127.0.0.1:4000", "sandbox"],
		],
		["so is IPv6", { baseUrl: "http://[::1]:4000" }, {}, sandbox, ["box", "http://[::1]:4000", "sandbox"]],
		[
			"a name that only looks like loopback is live",
			{ baseUrl: "http://127.0.0.1.example.com" },
			{},
			sandbox,
			["box", "http://127.0.0.1.example.com", "live"],
		],
		[
			"a sandbox profile pointed elsewhere becomes live",
			{ baseUrl: "https://api.example.com" },
			{},
			sandbox,
			["box", "https://api.example.com", "live"],
		],
		[
			"a sandbox profile with another path is live: one gateway may serve both",
			{ baseUrl: "https://api.sandbox.example.com/v2" },
			{},
			sandbox,
			["box", "https://api.sandbox.example.com/v2", "live"],
		],
		["a live profile stays live, on loopback too", { baseUrl: "http://127.0.0.1:1" }, {}, live, ["bank", "http://127.0.0.1:1", "live"]],
	] as const)("%s", (_name, flags, env, profile, expected) => {
		expect(used(flags, env, profile)).toEqual(expected);
	});

	it("nonsense is refused; nothing configured says how to start, in two lines", () => {
		expect(failure(() => used({ baseUrl: "nonsense" }, {}, sandbox)).failure.code).toBe("BASE_URL_INVALID");
		const error = failure(() => used({}, {}));
		expect([error.kind, error.failure.code, adviceText(adviceText(error.failure.fix)).split("\n").length]).toEqual([
			"usage",
			"NO_PROFILE",
			2,
		]);
		expect(adviceText(error.failure.fix)).toMatch(/purser demo[\s\S]*purser profile add/);
	});
});

describe("which profile", () => {
	const kept: Profiles = {
		file: "/f",
		distrust: async () => undefined,
		liveAt: async () => undefined,
		list: async () => [sandbox],
		get: async (name = "box") => (name === "box" ? sandbox : undefined),
		save: async () => {},
		change: async () => {},
		remove: async () => {},
		current: async () => "box",
		use: async () => {},
	};
	const other: Profile = { ...sandbox, name: "other" };
	const both = { ...kept, get: async (name = "box") => ({ box: sandbox, other })[name] };

	it("flag, then variable, then the one in use", async () => {
		const name = async (flags: Partial<Flags>, env: Record<string, string>) => {
			const { settings, explained } = await resolve({ ...noFlags, ...flags }, env, both);
			return [settings.profile.name, explained[0]?.from, explained[0]?.source];
		};
		expect(await name({ profile: "other" }, { PURSER_PROFILE: "box" })).toEqual(["other", "flag", "--profile"]);
		expect(await name({}, { PURSER_PROFILE: "other" })).toEqual(["other", "environment", "PURSER_PROFILE"]);
		expect(await name({}, {})).toEqual(["box", "profile", "purser profile use"]);
	});

	it("an address alone is no profile: caps and approval are a profile's", async () => {
		const none = { ...kept, get: async () => undefined };
		await expect(resolve({ ...noFlags, baseUrl: "https://api.example.com" }, {}, none)).rejects.toMatchObject({
			kind: "usage",
			failure: { code: "NO_PROFILE", fix: advised(expect.stringContaining("purser profile add NAME --base-url https://api.example.com")) },
		});
	});

	it("one that is not there is an error that names those that are", async () => {
		await expect(resolve({ ...noFlags, profile: "prod" }, {}, kept)).rejects.toMatchObject({
			kind: "usage",
			failure: { code: "PROFILE_UNKNOWN", why: "There are: box" },
		});
	});
});

describe("directories", () => {
	it.each([
		["linux", {}, "/home/u/.config/purser", "/home/u/.local/state/purser"],
		["linux", { XDG_CONFIG_HOME: "/x", XDG_STATE_HOME: "/y" }, "/x/purser", "/y/purser"],
		["linux", { XDG_CONFIG_HOME: "relative" }, "/home/u/.config/purser", "/home/u/.local/state/purser"],
		["darwin", { XDG_CONFIG_HOME: "/x" }, "/home/u/Library/Preferences/purser", "/home/u/Library/Application Support/purser"],
		["linux", { PURSER_CONFIG_DIR: "/c", PURSER_STATE_DIR: "/s", XDG_CONFIG_HOME: "/x" }, "/c", "/s"],
	])("%s %j", (platform, env, config, state) => {
		expect(directories(env, platform, "/home/u")).toEqual({ config, state });
	});

	it("refuses a relative folder for the journal, which would be another one in each working directory", () => {
		expect(() => directories({ PURSER_STATE_DIR: "state" }, "linux", "/home/u")).toThrow(
			"PURSER_STATE_DIR is state, which means a different folder in each working directory; nothing was sent",
		);
		for (const home of ["", ".", "rel/u"])
			for (const platform of ["linux", "darwin"])
				expect(() => directories({}, platform, home)).toThrow(
					`The home directory is ${JSON.stringify(home)}, which means a different folder`,
				);
		expect(() => directories({ LOCALAPPDATA: "rel" }, "win32", "C:\\Users\\u")).toThrow("a different folder in each working directory");
		expect(directories({ XDG_STATE_HOME: "/s" }, "linux", "").state).toBe("/s/purser");
		expect(directories({ PURSER_STATE_DIR: "D:\\state" }, "win32", "C:\\Users\\u").state).toBe("D:\\state");
		expect(() => directories({ PURSER_STATE_DIR: "D:\\state" }, "linux", "/home/u")).toThrow("PURSER_STATE_DIR is D:");
	});

	it("Windows", () => {
		const env = { APPDATA: "C:\\Users\\u\\AppData\\Roaming", LOCALAPPDATA: "C:\\Users\\u\\AppData\\Local" };
		const expected = { config: "C:\\Users\\u\\AppData\\Roaming\\purser\\Config", state: "C:\\Users\\u\\AppData\\Local\\purser\\State" };
		expect(directories(env, "win32", "C:\\Users\\u")).toEqual(expected);
		expect(directories({}, "win32", "C:\\Users\\u")).toEqual(expected);
	});
});

describe("what a setting may be", () => {
	it.each([
		["refusing-statuses", "400,404 409", true],
		["refusing-statuses", "500", false],
		["refusing-statuses", "400;404", false],
		["sca-strategy", "push", false],
		["cap-per-transfer", "5000.50 EUR", true],
		["cap-per-transfer", "5,000 EUR", false],
		["cap-per-day", "0", false],
		["approval", "always", true],
		["approval", "above 10000 EUR", true],
		["approval", "above 10.000 EUR EUR", false],
		["approval", "above 100 EUR a day", true],
		["approval", "above 100 EUR a month", false],
		["planners", `ci=${"A".repeat(43)}`, true],
		["approval", "never", false],
		["approvers", `anna=${"A".repeat(43)},ben=${"B".repeat(43)}`, true],
		["approvers", `anna=${"A".repeat(43)},ben=${"A".repeat(43)}`, false],
		["approvers", `anna=${"A".repeat(43)},ben=${"A".repeat(42)}B`, false],
		["approvers", `anna=${"A".repeat(42)}`, false],
		["approvers", `${"A".repeat(43)}`, false],
		["settle-after", "24", true],
		["settle-after", "0", false],
		["ubo-threshold", "10", true],
		["ubo-threshold", "101", false],
		["nonsense", "1", false],
	])("%s = %j: %s", (key, value, fine) => {
		expect(settingFault(key, value) === undefined).toBe(fine);
	});
});
