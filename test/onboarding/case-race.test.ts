/**
 * Two runs of one case whose steps fall between each other as they rarely do by themselves: test/e2e/onboard-race.test.ts has the
 * real processes.
 */

import { afterAll, expect, test } from "vitest";
import type { Journal } from "../../src/ports/journal.js";
import { newFolder, open, removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import { makeWorld } from "../support/purser.js";
import { entitiesOf, put } from "./case-world.js";

afterAll(removeFolders);

const one = {
	corporate: {
		externalId: "crm-race",
		corporateName: "Example Race SAS",
		incorporationCountry: "FRA",
		incorporationCode: "78",
		industry: "FOOD_RESTAURANT_CATERING",
		registeredAddress: {},
		expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	},
	accountOwner: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "CEO", isDirector: true },
	persons: [{ key: "grace", firstName: "Grace", lastName: "Sample" }],
};

/** A world in which, once, another whole run comes between a person's last look and its entry in the journal. */
async function raced(folders: readonly [string, string]) {
	let other: (() => Promise<void>) | undefined;
	let place = 0;
	const world = await makeWorld({
		openJournal: async (clock, profile) => {
			const of = { clock: clock as never, profile: { name: profile.name, environment: profile.environment } };
			const journal = await open(folders[place] as string, of);
			const begin: Journal["begin"] = async (intent) => {
				const first = intent.operation === "related.create" ? other : undefined;
				if (first !== undefined) other = undefined;
				await first?.();
				return journal.begin(intent);
			};
			return { ...journal, begin };
		},
	});
	put(world, "case.json", JSON.stringify(one));
	let exit: number | undefined;
	other = async () => {
		place = 1;
		exit = (await world.purser(["onboard", "apply", ...confirmed, "case.json"])).exit;
		place = 0;
	};
	const ran = await world.purser(["onboard", "apply", ...confirmed, "case.json", "--json"]);
	return { world, ran, exit };
}

test("what another run created a moment ago is not created again, and the first intent is named", async () => {
	const folder = newFolder();
	const { world, ran, exit } = await raced([folder, folder]);
	expect(exit).toBe(0);
	expect(entitiesOf(world, "crm-race").related).toEqual(["Ada Example", "Grace Sample"]);
	expect(ran.stdout + ran.stderr).toContain("CREATED_JUST_NOW");
	expect(ran.stdout + ran.stderr).toMatch(/The same creation was accepted less than a minute ago \(intent 2, /);
	expect((await world.purser(["onboard", "apply", ...confirmed, "case.json"])).exit).toBe(0);
	expect(entitiesOf(world, "crm-race").related).toEqual(["Ada Example", "Grace Sample"]);
});

test("with a journal each, it is made twice, and the later run tells it with both ids", async () => {
	const { world, ran } = await raced([newFolder(), newFolder()]);
	const ids = world.sandbox.state.related.filter(({ fields }) => fields.firstName === "Grace").map(({ id }) => id);
	expect(ran.exit).toBe(7);
	const [told] = ran.json().cases;
	expect(told).toMatchObject({ state: "in doubt", error: { code: "CREATED_TWICE" } });
	expect(told.twins).toEqual([{ what: "related entity", name: "Grace Sample", ids: [...ids].sort(), created: [null, null] }]);
	expect(entitiesOf(world, "crm-race").related).toEqual(["Ada Example", "Grace Sample", "Grace Sample"]);
});
