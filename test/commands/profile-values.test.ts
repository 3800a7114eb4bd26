/**
 * Lists of values that a profile completes: stored, shown, offered, warned of and refused beyond.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { parseProfile } from "../../src/config/profile-file.js";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, put } from "../onboarding/case-world.js";
import type { RunOptions, World } from "../support/purser.js";

afterAll(removeFolders);

const layers = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
const industries = "# of the service\nBAKERY\n\nFOOD_RESTAURANT_CATERING\r\nBAKERY\n";

let world: World;
const set = (...more: string[]) => world.purser(["profile", "set", "sandbox", ...more]);
const create = (more: string[], options: RunOptions = {}) =>
	world.purser(["corporate", "create", ...creation.filter((_, at) => !more.includes(creation[at - (at % 2)] as string)), ...more], options);
const creation = [
	...["--corporate-name", "Example SAS", "--incorporation-country", "FRA", "--incorporation-code", "123"],
	...["--industry", "FOOD_RESTAURANT_CATERING", "--registered-address.city", "Paris"],
	...["--expected-monthly-expenses.value", "LESS_THAN_10_000", "--expected-monthly-expenses.currency", "EUR"],
	...["--account-owner-info.first-name", "Ada", "--account-owner-info.last-name", "Example"],
	...["--account-owner-info.email-address", "ada@example.com", "--account-owner-info.position", "CEO"],
];
const posts = () => world.requests.filter(({ method }) => method === "POST");

beforeEach(async () => {
	world = await caseWorld();
	put(world, "industries.txt", industries);
});

describe("profile set --values", () => {
	it("keeps the values of lines or of a JSON list with the profile, shows them, and removes them again", async () => {
		expect((await set("--values", "industry=@industries.txt", "--complete")).exit).toBe(0);
		put(world, "ranges.json", '["FROM_10_TO_20"]');
		expect((await set("--values", "employees-range=@ranges.json")).exit).toBe(0);
		expect(world.profiles.get("sandbox")?.values).toEqual({
			industry: { values: ["BAKERY", "FOOD_RESTAURANT_CATERING"], complete: true },
			"employees-range": { values: ["FROM_10_TO_20"] },
		});
		const shown = (await world.purser(["profile", "show", "sandbox"])).stdout;
		expect(shown).toMatch(/Values industry +2, complete/);
		expect(shown).toMatch(/Values employees-range +1, beside those that purser knows/);
		expect((await set("--remove-values", "industry", "--remove-values", "employees-range")).exit).toBe(0);
		expect(world.profiles.get("sandbox")?.values).toBeUndefined();
		expect((await set("--remove-values", "industry")).stderr).toContain('there are no values of "industry"');
	});

	it.each([
		["another list", ["colours=@industries.txt"], 3, 'there is no list "colours"; there are industry, expected-monthly-expenses'],
		["no file", ["industry"], 3, "must be a list and a file, like industry=@FILE"],
		["a file that is not there", ["industry=@none.txt"], 2, "There is no such file or folder"],
		["a value of another form", ["industry=@odd.txt"], 3, 'odd.txt has "Bakery shop", which is no value of industry'],
		["no values", ["industry=@empty.txt"], 3, "empty.txt has no values"],
		["too many", ["industry=@many.txt"], 3, "has 5,001 values; at most 5,000 are allowed"],
		["no JSON", ["industry=@broken.json"], 3, "is not a JSON list: an entry or a closing ] is missing at its end"],
		["one list twice", ["industry=@industries.txt", "--values", "industry=@industries.txt"], 3, "industry is given twice"],
	])("refuses %s", async (_, more, exit, message) => {
		put(world, "odd.txt", "Bakery shop\n");
		put(world, "empty.txt", "# nothing\n");
		put(world, "many.txt", Array.from({ length: 5001 }, (_, at) => `VALUE_${at}`).join("\n"));
		put(world, "broken.json", '["A"');
		const ran = await set("--values", ...more);
		expect([ran.exit, ran.stderr.includes(message)]).toEqual([exit, true]);
		expect(world.profiles.get("sandbox")?.values).toBeUndefined();
	});

	it("says what --complete belongs to", async () => {
		expect((await set("--complete")).stderr).toContain("only works with --values");
	});

	it("a profile of an earlier version stays as it is, and lists of a newer one are kept", () => {
		const earlier = { baseUrl: "https://api.example.com", environment: "live", auth: { kind: "none" }, settings: {} };
		expect(Object.keys(parseProfile(earlier))).toEqual(Object.keys(earlier));
		const newer = { ...earlier, values: { colours: { values: ["RED"], since: "2030" } } };
		expect(parseProfile(newer).values).toEqual({ colours: { values: ["RED"], since: "2030" } });
		expect(() => parseProfile({ ...earlier, values: { industry: { values: "A" } } })).toThrow("values.industry.values: must be a list");
	});
});

describe("a list that a profile completes", () => {
	it("is warned of beyond, and refused beyond where it is complete", async () => {
		expect((await create(["--industry", "BAKERY", "--dry-run"])).stderr).toContain("is not among the values known so far");
		await set("--values", "industry=@industries.txt");
		const listed = await create(["--industry", "BAKERY", "--dry-run"]);
		expect([listed.exit, listed.stderr.includes("Warning")]).toEqual([0, false]);
		const known = await create(["--industry", "CHARITY_RECOGNIZED", "--dry-run"]);
		expect([known.exit, known.stderr.includes("Warning")]).toEqual([0, false]);
		await set("--values", "industry=@industries.txt", "--complete");
		world.requests.length = 0;
		const beyond = await create(["--industry", "BAKERYS"]);
		expect(beyond.exit).toBe(3);
		expect(beyond.stderr).toContain("is not among the values of this profile, whose list is complete (did you mean BAKERY?)");
		expect(posts()).toEqual([]);
	});

	it("holds for cases", async () => {
		await set("--values", "industry=@industries.txt", "--complete");
		put(world, "case.yaml", layers);
		expect((await world.purser(["onboard", "plan", "case.yaml"])).exit).toBe(0);
		put(world, "case.yaml", layers.replace("FOOD_RESTAURANT_CATERING", "CHARITY_RECOGNIZED"));
		const ran = await world.purser(["onboard", "apply", "case.yaml"]);
		expect([ran.exit, ran.stderr.includes("corporate.industry is not among the values of this profile")]).toEqual([3, true]);
	});

	it("is offered at prompts and completion", async () => {
		await set("--values", "industry=@industries.txt", "--complete");
		const without = creation.filter((_, at) => creation[at - (at % 2)] !== "--industry");
		await world.purser(["corporate", "create", ...without], { answers: ["", "", "BAKERY", "^C"] });
		const asked = world.asked.find(({ message }) => message.startsWith("Industry"));
		expect(asked?.message).toBe("Industry");
		expect(asked?.choices?.map(({ value }) => value)).toEqual(["BAKERY", "FOOD_RESTAURANT_CATERING"]);
		const tab = await world.purser(["complete", "--", "corporate", "create", "--industry", "B"]);
		expect(tab.stdout).toBe("BAKERY\t\n");
	});

	it("has legal types and their forms", async () => {
		put(world, "types.txt", "franceValue=FR_SAS\nfranceValue=FR_SARL\ngermanyValue\n");
		await set("--values", "legal-type=@types.txt", "--complete");
		const form = (value: string) => create(["--legal-type", value, "--dry-run"]);
		expect((await form('{"franceValue":"FR_SAS"}')).stderr).not.toContain("Warning");
		expect((await form('{"germanyValue":"DE_GMBH"}')).stderr).toContain(
			"has germanyValue, the legal type of DEU, and the country of registration is FRA",
		);
		const other = await form('{"franceValue":"FR_SA"}');
		expect([
			other.exit,
			other.stderr.includes("is not among the legal forms of franceValue of this profile, whose list is complete"),
		]).toEqual([3, true]);
		const mars = await form('{"marsValue":"MARS_AG"}');
		expect([mars.exit, mars.stderr.includes("has marsValue, which is not among the legal types of this profile")]).toEqual([3, true]);
	});
});

describe("what is valid and hardly meant", () => {
	it.each([
		["a website", ["--website", "not yet"], "is not the address of a website, like https://www.example.com"],
		["a legal type", ["--legal-type", '{"marsValue":"MARS_AG"}'], "has marsValue, which is not among the legal types known so far"],
		["a legal form", ["--legal-type", '{"franceValue":"FR_X"}'], "is not among the legal forms of franceValue known so far"],
	])("%s is warned of in a script, and a person is asked once more", async (_, more, message) => {
		const script = await create([...more, "--dry-run"]);
		expect([script.exit, script.stderr.includes(message)]).toEqual([0, true]);
		world.requests.length = 0;
		const no = await create(more, { answers: [false] });
		expect([no.exit, world.asked.at(-1)?.message.includes(`${message.slice(0, 30)}`), posts()]).toEqual([10, true, []]);
		expect(world.asked.at(-1)?.message).toContain("Send it as it is?");
	});

	it.each([
		"https://www.example.com",
		"http://example.com/a?b=c",
		"www.example.com",
		"example.com",
		"example.com:8080/shop",
		"https://b\u00fccher.example",
	])("%s is an address", async (website) => {
		expect((await create(["--website", website, "--dry-run"])).stderr).not.toContain("address of a website");
	});

	it.each(["none", "n/a", "http//example.com", "ftp://example.com", "www.example .com", "https://"])("%s is none", async (website) => {
		expect((await create(["--website", website, "--dry-run"])).stderr).toContain("is not the address of a website");
	});

	it("in a case is asked about once, before anything is sent", async () => {
		put(world, "case.yaml", layers.replace(/\nterms:.*$/s, "\n").replace("  industry:", "  website: soon\n  industry:"));
		const no = await world.purser(["onboard", "apply", "case.yaml"], { answers: [false] });
		expect([no.exit, posts()]).toEqual([10, []]);
		expect(world.asked.map(({ message }) => message)).toEqual(["Send what was warned about as it is (case.yaml: corporate.website)?"]);
		const script = await world.purser(["onboard", "apply", "case.yaml", "--no-input"]);
		expect([script.exit, script.stderr.includes("corporate.website is not the address of a website")]).toEqual([0, true]);
	});
});
