import { beforeEach, describe, expect, it } from "vitest";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld({ loggedIn: false });
});
const add = (name: string, flags = "") => world.purser(`profile add ${name} --base-url https://api.example.com ${flags}`);
const set = (words: string, options = {}) => world.purser(`profile set ${words}`, options);

describe("profile add", () => {
	it("adds the first one, which is then in use; it does not replace one that is there", async () => {
		const ran = await add("live", "--environment live --set timeout=60 --json");
		expect([ran.exit, ran.json()]).toEqual([
			0,
			{
				...{ name: "live", baseUrl: "https://api.example.com", environment: "live", auth: { kind: "login" } },
				...{ settings: { timeout: "60" }, current: true, file: "/config/purser.json" },
			},
		]);
		const again = await add("live", "--environment sandbox");
		expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining("purser profile set live")]);
		expect(world.profiles.get("live")?.environment).toBe("live");
	});

	it("warns where another pays through the same service from a journal of its own, and of nothing else", async () => {
		expect((await add("first", "--environment live")).stderr).not.toContain("journal");
		expect((await add("second", "--environment live")).stderr).toContain("Profile first uses https://api.example.com too");
		expect((await add("third", "--environment live")).stderr).toContain("Profiles first, second use https://api.example.com too");
		await world.purser("profile remove third --yes");
		expect((await set("second --base-url https://other.example.com")).stderr).not.toContain("journal");
		expect((await set("second --base-url https://api.example.com/v2")).stderr).toContain("so pay from one of them only");
	});
});

describe("the others", () => {
	beforeEach(async () => {
		await add("live");
		await add("staging", "--environment sandbox --username operator");
	});

	it("list marks the one in use with a word, the one added last first; use chooses, by name or from a list", async () => {
		expect((await world.purser("profile list")).stdout.split("\n")).toEqual([
			"name     environment  service                  auth",
			"staging  sandbox      https://api.example.com  login",
			"live     live         https://api.example.com  login  in use",
			"",
		]);
		expect((await world.purser("profile use staging")).stdout).toContain("In use: staging");
		expect(await world.json("profile show")).toMatchObject({ name: "staging", current: true });
		await world.purser("profile use", { answers: ["live"] });
		expect(world.asked[0]?.choices?.map((choice) => choice.value)).toEqual(["live", "staging"]);
		expect(await world.json("profile show")).toMatchObject({ name: "live" });
	});

	it("none that is live skips strong authentication", async () => {
		for (const ran of [await add("other", "--set sca-strategy=BY_PASS"), await set("live --set sca-strategy=BY_PASS --yes")])
			expect(ran).toMatchObject({ exit: 2, stderr: expect.stringContaining("BY_PASS, is for a sandbox only; this profile is live") });
	});

	it("remove asks first, default No, and takes the credential along", async () => {
		await world.purser("auth login --profile staging --token-stdin", { input: "token-1" });
		expect((await world.purser("profile remove staging", { answers: [false] })).exit).toBe(10);
		expect((await world.purser("profile remove staging")).exit).toBe(2);
		expect((await world.purser("profile remove staging --dry-run")).stdout).toContain("would be removed");
		expect(world.profiles.has("staging")).toBe(true);
		const removed = { name: "staging", removed: true, credential: true, current: "live" };
		expect(await world.json("profile remove staging --yes")).toEqual(removed);
		expect(world.profiles.has("staging")).toBe(false);
	});
});

it.each(["--set cap-per-day=50000", "--unset cap-per-day"])("a cap given twice is refused, whichever was meant: %s", async (more) => {
	await add("live");
	const ran = await set(`live --set cap-per-day=50 ${more}`);
	expect([ran.exit, ran.stderr]).toEqual([3, expect.stringContaining("cap-per-day is given twice")]);
	expect(world.profiles.get("live")?.settings).toEqual({});
});

describe("config explain", () => {
	it("takes no address with a password, and does not repeat it", async () => {
		await add("live");
		const ran = await world.purser("config explain", { env: { PURSER_BASE_URL: "https://someone:opensesame@api.example.com/base" } });
		expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining("must not contain a user name or password")]);
		expect(ran.stdout + ran.stderr).not.toMatch(/opensesame|someone/);
	});

	it("explains one, and refuses one that there is not", async () => {
		await add("live");
		expect((await world.purser("config explain settle-after")).stdout).toContain("Value    24");
		const ran = await world.purser("config explain nope");
		expect([ran.exit, ran.stderr]).toEqual([3, expect.stringContaining("settle-after")]);
	});
});

describe("a live profile that becomes a sandbox one", () => {
	const environment = () => world.profiles.get("bank")?.environment;

	it.each([
		["nobody is asked", "", undefined, 2, "live"],
		["a person says No", "", [false], 10, "live"],
		["a person says Yes", "", [true], 0, "sandbox"],
		["a script says --yes", "--yes", undefined, 0, "sandbox"],
	] as const)("loses its guards only with leave: %s", async (_, flags, answers, exit, after) => {
		await add("bank");
		const ran = await set(`bank --environment sandbox ${flags}`, answers && { answers });
		expect([ran.exit, environment()]).toEqual([exit, after]);
		if (answers) expect(world.asked[0]?.message).toMatch(/^Make the live profile bank \(api\.example\.com\) a sandbox profile\?/);
	});

	it("is asked where a sandbox profile of this machine is turned to another one; the other way nobody is", async () => {
		await world.purser("profile add bank --base-url http://127.0.0.1:4010");
		const address = () => world.profiles.get("bank")?.baseUrl;
		expect([(await set("bank --base-url https://api.example.com")).exit, address()]).toEqual([2, "http://127.0.0.1:4010"]);
		expect((await set("bank --base-url https://api.example.com --environment live")).exit).toBe(0);
		expect([(await set("bank --environment live --set timeout=60")).exit, environment()]).toEqual([0, "live"]);
	});
});
