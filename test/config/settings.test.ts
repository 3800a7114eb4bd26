import { describe, expect, it } from "vitest";
import { directories } from "../../src/config/directories.js";
import { settingFault } from "../../src/config/keys.js";
import { resolve } from "../../src/config/settings.js";
import type { Flags } from "../../src/context.js";
import type { Profile } from "../../src/ports/profiles.js";
import { advised } from "../support/advice.js";

const noFlags: Flags = { dryRun: false, yes: false, live: false, debug: false, interactive: false };
const sandbox: Profile = {
	name: "box",
	baseUrl: "https://api.sandbox.example.com",
	environment: "sandbox",
	auth: { kind: "login" },
	settings: { timeout: "12", "sca-strategy": "DATA_SIGNING" },
};

const live: Profile = { ...sandbox, name: "bank", environment: "live", baseUrl: "https://api.example.com" };

/** What comes of flags and variables, where these profiles are stored; the first is the current one. */
const resolved = (flags: Partial<Flags>, env: Record<string, string>, ...stored: Profile[]) =>
	resolve({ ...noFlags, ...flags }, env, {
		list: async () => stored,
		get: async (name) => stored.find((one) => name === undefined || one.name === name),
	});

describe("flag > environment > profile > default", () => {
	const timeout = async (flags: Partial<Flags>, env: Record<string, string>, profile: Profile = sandbox) => {
		const { settings, explained } = await resolved(flags, env, profile);
		const { value, from, source } = explained.find((entry) => entry.key === "timeout") ?? {};
		return [settings.timeout, value, from, source];
	};

	it("each in turn; an empty variable counts as absent", async () => {
		expect(await timeout({ timeout: 3_500 }, { PURSER_TIMEOUT: "7" })).toEqual([3_500, "3.5", "flag", "--timeout"]);
		expect(await timeout({}, { PURSER_TIMEOUT: "7" })).toEqual([7_000, "7", "environment", "PURSER_TIMEOUT"]);
		expect(await timeout({}, { PURSER_TIMEOUT: "" })).toEqual([12_000, "12", "profile", "box"]);
		expect(await timeout({}, {}, { ...sandbox, settings: {} })).toEqual([30_000, "30", "default", undefined]);
	});

	it.each(["0", "-1", "soon", "1e3", "99999999"])("a timeout of %j is refused, and where it comes from is named", async (value) => {
		await expect(timeout({}, { PURSER_TIMEOUT: value })).rejects.toMatchObject({
			kind: "usage",
			failure: { code: "SETTING_INVALID", message: expect.stringContaining("PURSER_TIMEOUT") },
		});
	});

	it("every setting is explained, and no secret among them", async () => {
		const { explained } = await resolved({}, { PURSER_TOKEN: "very-secret" }, sandbox);
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
	it.each([
		["the profile's", undefined, {}, sandbox, "box https://api.sandbox.example.com sandbox"],
		["a flag over a variable", "http://localhost:1", { PURSER_BASE_URL: "http://localhost:2" }, sandbox, "box http://localhost:1 sandbox"],
		["on loopback a sandbox", undefined, { PURSER_BASE_URL: "http://127.0.0.1:4" }, sandbox, "box http://127.0.0.1:4 sandbox"],
		["so is IPv6", "http://[::1]:4000", {}, sandbox, "box http://[::1]:4000 sandbox"],
		["looks like loopback: live", "http://127.0.0.1.example.com", {}, sandbox, "box http://127.0.0.1.example.com live"],
		["a sandbox profile pointed elsewhere: live", "https://api.example.com", {}, sandbox, "box https://api.example.com live"],
		[
			"another path, which one gateway may serve too",
			"https://api.sandbox.example.com/v2",
			{},
			sandbox,
			"box https://api.sandbox.example.com/v2 live",
		],
		["a live profile stays live, on loopback too", "http://127.0.0.1:1", {}, live, "bank http://127.0.0.1:1 live"],
	] as const)("%s", async (_name, baseUrl, env, stored, expected) => {
		const { name, baseUrl: used, environment } = (await resolved({ baseUrl }, env, stored)).settings.profile;
		expect(`${name} ${used} ${environment}`).toBe(expected);
	});

	it("nonsense is refused; nothing configured says how to start, in two lines", async () => {
		await expect(resolved({ baseUrl: "nonsense" }, {}, sandbox)).rejects.toMatchObject({ failure: { code: "BASE_URL_INVALID" } });
		await expect(resolved({}, {})).rejects.toMatchObject({
			kind: "usage",
			failure: { code: "NO_PROFILE", fix: advised(expect.stringMatching(/^.*purser demo.*\n.*purser profile add.*$/)) },
		});
	});
});

describe("which profile", () => {
	it("flag, then variable, then the one in use", async () => {
		const name = async (flags: Partial<Flags>, env: Record<string, string>) => {
			const { settings, explained } = await resolved(flags, env, sandbox, live);
			return [settings.profile.name, explained[0]?.from, explained[0]?.source];
		};
		expect(await name({ profile: "bank" }, { PURSER_PROFILE: "box" })).toEqual(["bank", "flag", "--profile"]);
		expect(await name({}, { PURSER_PROFILE: "bank" })).toEqual(["bank", "environment", "PURSER_PROFILE"]);
		expect(await name({}, {})).toEqual(["box", "profile", "purser profile use"]);
	});

	it("an address alone is no profile: caps and approval are a profile's; one that is not there is an error that names those that are", async () => {
		await expect(resolved({ baseUrl: "https://api.example.com" }, {})).rejects.toMatchObject({
			kind: "usage",
			failure: { code: "NO_PROFILE", fix: advised(expect.stringContaining("purser profile add NAME --base-url https://api.example.com")) },
		});
		await expect(resolved({ profile: "prod" }, {}, sandbox)).rejects.toMatchObject({
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
