/**
 * Values that are valid and hardly meant: they are warned of.
 */
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { caseWorld } from "../onboarding/case-world.js";
import type { World } from "../support/purser.js";

afterAll(removeFolders);

let world: World;
const create = (more: string[]) =>
	world.purser(["corporate", "create", ...creation.filter((_, at) => !more.includes(creation[at - (at % 2)] as string)), ...more]);
const creation = [
	...["--corporate-name", "Example SAS", "--incorporation-country", "FRA", "--incorporation-code", "123"],
	...["--industry", "FOOD_RESTAURANT_CATERING", "--registered-address.city", "Paris"],
	...["--expected-monthly-expenses.value", "LESS_THAN_10_000", "--expected-monthly-expenses.currency", "EUR"],
	...["--account-owner-info.first-name", "Ada", "--account-owner-info.last-name", "Example"],
	...["--account-owner-info.email-address", "ada@example.com", "--account-owner-info.position", "CEO"],
];

beforeEach(async () => {
	world = await caseWorld();
});

describe("what is valid and hardly meant", () => {
	it.each([["a website", ["--website", "not yet"], "is not the address of a website, like https://www.example.com"]])(
		"%s is warned of",
		async (_, more, message) => {
			const script = await create([...more, "--dry-run"]);
			expect([script.exit, script.stderr.includes(message)]).toEqual([0, true]);
		},
	);

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
