import { beforeEach, describe, expect, it } from "vitest";
import { makeWorld, type World } from "../support/purser.js";

let world: World;

describe("the first login", () => {
	/** Nobody is logged in to its one profile. */
	const added = async (flags = ""): Promise<void> => {
		world = await makeWorld({ loggedIn: false });
		await world.purser(`profile add sandbox --base-url http://127.0.0.1:4010 ${flags}`);
	};
	const withPassword = (input: string, more = "") => world.purser(`auth login --password-stdin ${more}`, { input });
	beforeEach(() => added("--username operator --partner-name example-partner"));

	it("asks the service and says who, where and until when", async () => {
		const ran = await withPassword("sandbox-password\n", "--json");
		expect([ran.exit, ran.stderr, ran.json()]).toMatchObject([
			...[0, ""],
			{
				...{ profile: "sandbox", environment: "sandbox", baseUrl: "http://127.0.0.1:4010", auth: "login", username: "operator" },
				...{ partnerName: "example-partner", stored: "the test", checked: true },
				expiresAt: expect.stringMatching(/^2026-03-01T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
			},
		]);
		const body = '{"username":"operator","partnerName":"example-partner","password":"sandbox-password"}';
		expect(world.requests).toMatchObject([{ line: "POST /api/partner/login", body }]);
		expect(JSON.stringify([...world.profiles.values()])).not.toContain("sandbox-password");
	});

	it("asks a person for names, which the profile keeps, and, hidden, for the password", async () => {
		await added();
		const ran = await world.purser("auth login", { answers: ["operator", "example-partner", "sandbox-password"] });
		expect(world.asked.map(({ kind, message }) => [kind, message])).toEqual([
			["text", "User name"],
			["text", "Partner name (leave empty if you have none)"],
			["secret", "Password"],
		]);
		expect([ran.exit, ran.stdout]).toEqual([0, expect.stringMatching(/Logged in[\s\S]*\(not verified\)/)]);
		expect(ran.stdout + ran.stderr).not.toContain("sandbox-password");
		expect(world.profiles.get("sandbox")?.auth).toEqual({ kind: "login", username: "operator", partnerName: "example-partner" });
	});

	it("stores nothing when the service refuses", async () => {
		const fix = "Check user name, partner and password, and run the command again; nothing was stored.";
		expect(await withPassword("wrong")).toMatchObject({ exit: 4, stdout: "", stderr: expect.stringContaining(fix) });
		expect((await world.purser("auth status")).exit).toBe(4);
	});

	it("a script reads what is missing: the flag, or the name that the profile lacks", async () => {
		expect(await world.purser("auth login")).toMatchObject({
			exit: 2,
			stdout: "",
			stderr: expect.stringContaining("--password-stdin\n"),
		});
		await added();
		const unnamed = await withPassword("sandbox-password");
		expect([unnamed.exit, world.requests]).toEqual([2, []]);
		expect(unnamed.stderr).toContain("purser profile set sandbox --username NAME --partner-name NAME");
	});

	it.each([
		["", "The password on standard input is empty"],
		["two\nlines", "The password on standard input has a line break or a control character in it"],
	])("refuses the password %j without repeating it", async (input, message) => {
		const ran = await withPassword(input);
		expect([ran.exit, ran.stderr.includes(message), ran.stderr.includes("lines")]).toEqual([2, true, false]);
	});

	it("keeps a header's value as given and says that nobody checked it; a profile without a credential has nothing to do", async () => {
		await added("--auth header --auth-header X-Api-Key");
		expect(await world.json("auth login --token-stdin", { input: "key-1" })).toMatchObject({ auth: "header", checked: false });
		expect(world.requests).toEqual([]);
		await added("--auth none");
		const ran = await world.purser("auth login");
		expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining("sends no credential")]);
	});
});

describe("once logged in", () => {
	beforeEach(async () => {
		world = await makeWorld();
	});

	it("status tells the profile, the origin and where the credential is from, and asks nobody; logout removes it", async () => {
		expect(await world.json("auth status")).toMatchObject({
			...{ profile: "sandbox", environment: "sandbox", auth: "login", credential: "tokens", from: "the test" },
			...{ expired: false, renewable: true },
		});
		expect(world.requests).toEqual([]);
		expect((await world.purser("auth logout")).stdout).toContain("Logged out of http://127.0.0.1:4010");
		const status = await world.purser("auth status --json");
		expect([status.exit, status.json()]).toMatchObject([4, { credential: null }]);
		const again = await world.purser("auth logout");
		expect([again.exit, again.stdout]).toEqual([0, expect.stringContaining("Nothing was removed")]);
	});

	it.each(["https://other.example.com", "http://127.0.0.1:4010/live"])("a login does not move the profile to %s", async (address) => {
		const ran = await world.purser(`auth login --base-url ${address} --password-stdin`, { input: "sandbox-password" });
		expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining("is for http://127.0.0.1:4010")]);
	});
});
