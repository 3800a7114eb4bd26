import { describe, expect, test } from "vitest";
import { addCompanies, uuid } from "../support/companies.js";
import { makeWorld, type RunOptions, type World } from "../support/purser.js";
import { lostAnswer } from "../support/world-wire.js";
import { answering, page } from "./answers.js";
import { batchWorld } from "./batch-world.js";

/** A sandbox with so many open companies whose KYB is not requested; the first is the oldest. */
async function worldOf(count: number, options: Parameters<typeof makeWorld>[0] = {}): Promise<World> {
	const world = await makeWorld(options);
	addCompanies(world, count, {
		kyb: () => ({ status: "NOT_STARTED" }),
		owner: { isDirector: true, isUbo: true, directSharesPercentage: "100" },
		kyc: { status: "VALIDATED", type: "FULL_KYC" },
	});
	world.requests.length = 0;
	return world;
}

describe("purser alone", () => {
	test("in a script it is help, byte for byte, and asks the service nothing", async () => {
		const world = await worldOf(1);
		const help = (await world.purser("--help")).stdout;
		const scripts: RunOptions[] = [
			{},
			{ terminal: true },
			{ answers: [], env: { CI: "1" } },
			{ answers: [], env: { PURSER_NO_INPUT: "1" } },
		];
		for (const options of scripts) expect((await world.purser("", options)).stdout).toBe(help);
		expect((await world.purser("--no-input", { answers: [] })).stdout).toBe(help);
		expect((await world.purser("", { answers: [], terminal: false })).stdout).toBe(help);
		expect((await world.json("", { answers: [] })).commands.length).toBeGreaterThan(50);
		expect(world.requests).toEqual([]);
	});

	test("at a terminal: profile, drafts and companies with their next command; nothing is asked", async () => {
		const world = await worldOf(2);
		await world.purser("onboard start", { answers: ["yes", "Ada Example", "crm-1", "Example Bakery", "^C"] });
		const ran = await world.purser("", { answers: [], columns: 200 });
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toMatch(/^Profile sandbox {2}sandbox {2}127\.0\.0\.1:4010\n/);
		expect(ran.stdout).toContain("Example Bakery: next: Country of registration\n    purser onboard resume example-bakery\n");
		expect(ran.stdout).toMatch(
			/Companies that wait for you\n {2}Example 0 SAS: KYB validated: KYB not requested yet; since 2026-01-01, 59 days\n {4}purser corporate review 'Example 0 SAS'\n/,
		);
		expect(world.asked).toEqual([]);
	});

	test("a validated company that cannot pay comes before the others, one that lacks something last, and one that lacks nothing is left out", async () => {
		const company = (number: number, kybStatus: string, termsAccepted = true) => ({
			...{ id: uuid(number), corporateName: `Example ${number} SAS`, kybStatus, termsAccepted, updateDate: "2026-02-20T10:00:00Z" },
		});
		const ada = (more: object) =>
			page({
				...{
					id: uuid(900),
					firstName: "Ada",
					lastName: "Example",
					isDirector: true,
					isAccountOwner: true,
					directSharesPercentage: 100,
					isUbo: true,
				},
				...{ email: { verified: true }, kycInfo: { status: "VALIDATED" }, ...more },
			});
		const world = await makeWorld();
		world.wire = answering({
			"GET /api/partner/corporates": page(
				...[company(1, "NOT_STARTED"), company(2, "VALIDATED", false), company(3, "VALIDATED"), company(4, "VALIDATED")],
				...[company(5, "VALIDATED"), company(6, "DECLINED", false), company(7, "VALIDATED")],
			),
			...Object.fromEntries([1, 2, 4, 6].map((number) => [`GET /api/partner/corporates/${uuid(number)}/related`, ada({})])),
			[`GET /api/partner/corporates/${uuid(3)}/related`]: ada({ phone: { countryCode: "33", number: "639980001" }, phoneVerified: false }),
			[`GET /api/partner/corporates/${uuid(5)}/related`]: ada({ email: { verified: false } }),
			[`GET /api/partner/corporates/${uuid(7)}/related`]: ada({ kycInfo: { status: "DECLINED" } }),
		});
		const ran = await world.purser("home", { columns: 200 });
		const lines = ran.stdout.split("\n").flatMap((line) => /^ {2}(Example \d SAS: .*)$/.exec(line)?.[1]?.replace(/; since.*/, "") ?? []);
		expect(lines).toEqual([
			"Example 2 SAS: terms not accepted, no payments until then",
			"Example 1 SAS: KYB validated: KYB not requested yet",
			"Example 5 SAS: Email of Ada Example verified",
			"Example 7 SAS: KYC of Ada Example (in full): declined",
			"Example 3 SAS: optional, Phone of Ada Example verified",
		]);
		const { rows, counts } = await world.json("overview");
		expect(rows.map(({ name }: { name: string }) => name)).toEqual([2, 1, 5, 7, 3].map((number) => `Example ${number} SAS`));
		expect(counts).toMatchObject({ "to do": 3, declined: 1, optional: 1, complete: 0 });
		expect((await world.purser("overview", { columns: 200 })).stdout).toContain("terms not accepted, no payments until then");
	});

	test("fourteen requests at most, whatever is open, and what was not looked at is told", async () => {
		const world = await worldOf(60);
		const ran = await world.purser("", { answers: [], columns: 200 });
		expect(world.requests.length).toBeLessThanOrEqual(14);
		expect(ran.stdout).toContain("12 of 61 companies were checked, those that cannot pay first: purser overview");
		expect(ran.stdout.match(/purser corporate review/g)).toHaveLength(5);
	});

	test("the service is down: what this machine knows is there, and what was not looked at is told", async () => {
		const world = await worldOf(1);
		await world.purser("onboard start", { answers: ["yes", "Ada Example", "crm-1", "Example Bakery", "^C"] });
		world.wire = async () => ({ kind: "not-sent", reason: "the connection was refused" });
		const ran = await world.purser("", { answers: [] });
		expect(ran.exit).toBe(0);
		expect(ran.stdout.indexOf("purser onboard resume example-bakery")).toBeLessThan(ran.stdout.indexOf("Not checked:"));
		expect(ran.stdout).toContain("Not checked: companies that wait for you\n  List corporates: could not connect to");
	});

	test("a live profile says LIVE, and a doubt is listed with what settles it", async () => {
		const world = await batchWorld();
		world.wire = async () => lostAnswer;
		expect((await world.purser(`pay ledger --from ${world.from} --to ${world.to} --amount 11 --yes`)).exit).toBe(7);
		expect((await world.purser("home")).stdout).toMatch(/In doubt\n {2}Intent 1: 11\.00 .*\n {4}purser pay settle 1\n/);
		expect(await world.json("home")).toMatchObject({
			profile: { environment: "sandbox" },
			doubts: [{ intent: "1" }],
		});
		await world.end();
		const live = await makeWorld({ profile: { environment: "live", baseUrl: "https://api.example.com" } });
		expect((await live.purser("home")).stdout).toMatch(/^Profile sandbox {2}LIVE {2}api\.example\.com\n/);
	});

	test("without a profile: the ways to begin, and an error in a script", async () => {
		const world = await makeWorld({ loggedIn: false });
		world.profiles.clear();
		const ran = await world.purser("", { answers: [] });
		expect([ran.exit, ran.stdout]).toEqual([0, "No profile is set up yet, so there is no service to talk to.\n"]);
		for (const command of ["purser demo", "purser sandbox serve --save-profile sandbox", "purser profile add NAME --base-url https://…"])
			expect(ran.stderr).toContain(`${command}\n`);
		expect((await world.purser("home")).stderr).toContain("purser sandbox serve --save-profile sandbox");
	});
});
