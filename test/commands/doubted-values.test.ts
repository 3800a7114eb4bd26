/**
 * Values that are valid and hardly meant: warned of in a script, and asked about once more.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { caseWorld } from "../onboarding/case-world.js";
import type { RunOptions, World } from "../support/purser.js";

afterAll(removeFolders);

const _layers = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");

let world: World;
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
});
