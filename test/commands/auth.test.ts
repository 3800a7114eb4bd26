import { beforeEach, describe, expect, it } from "vitest";
import { operatorNames } from "../support/log-in.js";
import { makeWorld, type World } from "../support/purser.js";

let world: World;

describe("the first login", () => {
	const first = ["auth", "login"];
	/** Nobody is logged in to its one profile. */
	const added = async (...flags: string[]): Promise<void> => {
		world = await makeWorld({ loggedIn: false });
		await world.purser(["profile", "add", "sandbox", "--base-url", "http://127.0.0.1:4010", ...flags]);
	};
	beforeEach(() => added(...operatorNames));

	it("asks the service and says who, where and until when", async () => {
		const ran = await world.purser([...first, "--password-stdin", "--json"], { input: "sandbox-password\n" });
		expect(ran.stderr).toBe("");
		expect(ran.exit).toBe(0);
		expect(ran.json()).toMatchObject({
			profile: "sandbox",
			environment: "sandbox",
			baseUrl: "http://127.0.0.1:4010",
			auth: "login",
			username: "operator",
			partnerName: "example-partner",
			stored: "the test",
			checked: true,
			expiresAt: expect.stringMatching(/^2026-03-01T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
		});
		expect(world.requests.map((request) => request.line)).toEqual(["POST /api/partner/login"]);
		expect(world.requests[0]?.body).toBe('{"username":"operator","partnerName":"example-partner","password":"sandbox-password"}');
		expect(JSON.stringify([...world.profiles.values()])).not.toContain("sandbox-password");
	});

	it("asks a person for names, which the profile keeps, and, hidden, for the password", async () => {
		await added();
		const ran = await world.purser(first, { answers: ["operator", "example-partner", "sandbox-password"] });
		expect(world.asked.map(({ kind, message }) => [kind, message])).toEqual([
			["text", "User name"],
			["text", "Partner name (leave empty if you have none)"],
			["secret", "Password"],
		]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toContain("Logged in");
		expect(ran.stdout).toContain("(not verified)");
		expect(ran.stdout + ran.stderr).not.toContain("sandbox-password");
		expect(world.profiles.get("sandbox")?.auth).toEqual({ kind: "login", username: "operator", partnerName: "example-partner" });
	});

	it("stores nothing when the service refuses", async () => {
		const ran = await world.purser([...first, "--password-stdin"], { input: "wrong" });
		expect(ran.exit).toBe(4);
		expect(ran.stdout).toBe("");
		expect(ran.stderr).toContain("Check user name, partner and password, and run the command again; nothing was stored.");
		expect((await world.purser("auth status")).exit).toBe(4);
	});

	it("a script reads what is missing: the flag, or the name that the profile lacks", async () => {
		const ran = await world.purser(first);
		expect([ran.exit, ran.stdout, ran.stderr.split("\n")[0]]).toEqual([2, "", "Error: Missing: --password-stdin"]);
		await added();
		const unnamed = await world.purser([...first, "--password-stdin"], { input: "sandbox-password" });
		expect([unnamed.exit, world.requests]).toEqual([2, []]);
		expect(unnamed.stderr).toContain("purser profile set sandbox --username NAME --partner-name NAME");
	});

	it.each([
		["", "The password on standard input is empty"],
		["two\nlines", "The password on standard input has a line break or a control character in it"],
	])("refuses the password %j without repeating it", async (input, message) => {
		const ran = await world.purser([...first, "--password-stdin"], { input });
		expect(ran.exit).toBe(2);
		expect(ran.stderr).toContain(message);
		if (input) expect(ran.stderr).not.toContain("lines");
	});

	it("keeps a header's value as given and says that nobody checked it", async () => {
		await added("--auth", "header", "--auth-header", "X-Api-Key");
		const ran = await world.purser([...first, "--token-stdin", "--json"], { input: "key-1" });
		expect(ran.json()).toMatchObject({ auth: "header", checked: false });
		expect(world.requests).toEqual([]);
	});

	it("has nothing to do for a profile without a credential", async () => {
		await added("--auth", "none");
		const ran = await world.purser(first);
		expect(ran.exit).toBe(2);
		expect(ran.stderr).toContain("sends no credential");
	});
});

describe("once logged in", () => {
	beforeEach(async () => {
		world = await makeWorld();
	});

	it("status tells the profile, the origin and where the credential is from, and asks nobody", async () => {
		const ran = await world.purser("auth status --json");
		expect(ran.exit).toBe(0);
		expect(ran.json()).toMatchObject({
			profile: "sandbox",
			environment: "sandbox",
			auth: "login",
			credential: "tokens",
			from: "the test",
			expired: false,
			renewable: true,
		});
		expect(world.requests).toEqual([]);
	});

	it("logout removes it, and status then ends with 4", async () => {
		expect((await world.purser("auth logout")).stdout).toContain("Logged out of http://127.0.0.1:4010");
		const status = await world.purser("auth status --json");
		expect(status.exit).toBe(4);
		expect(status.json()).toMatchObject({ credential: null });
		const again = await world.purser("auth logout");
		expect([again.exit, again.stdout]).toEqual([0, expect.stringContaining("Nothing was removed")]);
	});

	it.each([
		[["--base-url", "https://other.example.com"], "is for http://127.0.0.1:4010"],
		[["--base-url", "http://127.0.0.1:4010/live"], "is for http://127.0.0.1:4010"],
	])("a login does not move the profile: %j", async (flags, message) => {
		const ran = await world.purser(["auth", "login", ...flags, "--password-stdin"], { input: "sandbox-password" });
		expect(ran.exit).toBe(2);
		expect(ran.stderr).toContain(message);
	});
});
