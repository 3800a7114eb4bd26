/**
 * Text whose difference nobody sees: its form, invisible characters, letters of another script.
 */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { newFolder, open, removeFolders } from "../journal/journals.js";
import { makeWorld, type World } from "../support/purser.js";
import { caseWorld, put } from "./case-world.js";

afterAll(removeFolders);

const layers = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
/** With an accent in the externalId, the names and an address; composed. */
const accented = layers
	.replaceAll("crm-layers", "crm-caf\u00e9")
	.replace("Example Layered SAS", "Caf\u00e9 \u00c9lys\u00e9e SAS")
	.replace("firstName: Grace", "firstName: Zo\u00e9")
	.replace("Example Middle BV", "Exampl\u00e9 Middle BV")
	.replace("city: Paris", "city: Besan\u00e7on");
const apply = (world: World, ...more: string[]) =>
	world.purser(["onboard", "apply", "case.yaml", "--yes", "--confirmed-by", "operator", ...more]);
const bodies = (world: World) => world.requests.filter(({ method }) => method !== "GET");

const decomposed = <T>(value: T): T => JSON.parse(JSON.stringify(value).normalize("NFD"));

describe("text that differs in its form alone", () => {
	it("is sent composed, from a decomposed case file", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", accented.normalize("NFD"));
		expect((await apply(world)).exit).toBe(0);
		const sent = bodies(world)
			.map(({ body }) => String(body))
			.join("\n");
		expect(sent).toContain('"externalId":"crm-caf\u00e9"');
		expect(sent).toContain('"corporateName":"Caf\u00e9 \u00c9lys\u00e9e SAS"');
		expect(sent).toContain('"city":"Besan\u00e7on"');
		expect(sent).toContain('"firstName":"Zo\u00e9"');
		expect(sent).toBe(sent.normalize("NFC"));
	});

	for (const [what, change] of [
		["a composed case", (text: string) => text],
		["a decomposed case", (text: string) => text.normalize("NFD")],
	] as const)
		for (const home of ["the same home", "another home"] as const)
			it(`is no change: ${what} where the service shows everything decomposed, in ${home}`, async () => {
				let folder = newFolder();
				const world = await makeWorld({
					openJournal: async (clock, profile) =>
						open(folder, { clock: clock as never, profile: { name: profile.name, environment: profile.environment } }),
				});
				put(world, "case.yaml", accented);
				expect((await apply(world)).exit).toBe(0);
				const { corporates, related } = world.sandbox.state;
				for (const one of corporates) one.fields = decomposed(one.fields);
				for (const one of related) one.fields = decomposed(one.fields);
				put(world, "case.yaml", change(accented));
				world.requests.length = 0;
				if (home === "another home") folder = newFolder();
				const again = await apply(world, "--json");
				expect(again.stderr).not.toContain("error");
				expect(again.exit).toBe(0);
				expect(bodies(world)).toEqual([]);
				expect(again.json().cases[0].steps.map(({ state }: { state: string }) => state)).toEqual(Array(13).fill("left"));
			});

	it("is found by the resolver", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", accented);
		expect((await apply(world)).exit).toBe(0);
		for (const one of world.sandbox.state.corporates) one.fields = decomposed(one.fields);
		const shown = await world.purser(["corporate", "show", "crm-caf\u00e9", "--json"]);
		expect([shown.exit, shown.json().id]).toEqual([0, world.sandbox.state.corporates.at(-1)?.id]);
		const twin = await world.purser(["corporate", "create", "--external-id", "crm-caf\u00e9", ...creation]);
		expect([twin.exit, twin.stderr.includes("already exists")]).toEqual([10, true]);
	});

	it("is sent composed by flags and files", async () => {
		const world = await caseWorld();
		const created = await world.purser(["corporate", "create", "--external-id", "x-e\u0301", ...creation]);
		expect(created.exit).toBe(0);
		expect(bodies(world)[0]?.body).toContain('"externalId":"x-\u00e9"');
		put(world, "related.yaml", "firstName: Zoe\u0301\nlastName: Sample\n");
		const id = created.stdout.match(/[0-9a-f-]{36}/)?.[0] as string;
		expect((await world.purser(["related", "add", id, "--file", "related.yaml"])).exit).toBe(0);
		expect(bodies(world)[1]?.body).toContain('"firstName":"Zo\u00e9"');
	});
});

const creation = [
	...["--corporate-name", "Example SAS", "--incorporation-country", "FRA", "--incorporation-code", "123"],
	...["--industry", "FOOD_RESTAURANT_CATERING", "--registered-address.city", "Paris"],
	...["--expected-monthly-expenses.value", "LESS_THAN_10_000", "--expected-monthly-expenses.currency", "EUR"],
	...["--account-owner-info.first-name", "Ada", "--account-owner-info.last-name", "Example"],
	...["--account-owner-info.email-address", "ada@example.com", "--account-owner-info.position", "CEO"],
];

describe("an externalId that looks alike and is another", () => {
	/** A Latin `c`, `a` or `e` in the service's record; another character in the case. */
	const alike: readonly [what: string, inCase: string, ours: string, theirs: string][] = [
		["a Cyrillic letter", "\u0441rm-layers", "U+0441", "U+0063"],
		["a wide letter", "crm-layer\uff53", "U+FF53", "U+0073"],
		["another hyphen", "crm\u2011layers", "U+2011", "U+002D"],
	];
	for (const [what, inCase, ours, theirs] of alike)
		it(`is told with its code points: ${what}`, async () => {
			const world = await caseWorld();
			put(world, "case.yaml", layers);
			expect((await apply(world)).exit).toBe(0);
			// Another name, so that nothing but the externalId looks the same.
			put(world, "case.yaml", layers.replaceAll("crm-layers", inCase).replace("100 200 300", "400 500 600"));
			world.requests.length = 0;
			const again = await apply(world);
			expect(again.exit).toBe(10);
			expect(again.stderr).toContain(`looks the same and is not: it has ${theirs} where the case has ${ours}`);
			expect(bodies(world)).toEqual([]);
			expect((await apply(world, "--new")).exit).toBe(0);
		});

	it("is told where the name and the code are the same too", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		expect((await apply(world)).exit).toBe(0);
		put(world, "case.yaml", layers.replaceAll("crm-layers", "\u0441rm-layers"));
		expect((await apply(world)).stderr).toContain("it has U+0063 where the case has U+0441");
	});

	it("of a person is told; one that is only similar is not", async () => {
		const world = await caseWorld();
		const named = (id: string) => layers.replace("key: grace,", `key: grace, externalId: ${id},`);
		put(world, "case.yaml", named("p-A1"));
		expect((await apply(world)).exit).toBe(0);
		const other = (id: string) =>
			named(id).replace("firstName: Grace, lastName: Sample, emailAddress: grace", "firstName: Kim, lastName: Other, emailAddress: kim");
		put(world, "case.yaml", other("p-\u04101"));
		const alike = await apply(world);
		expect([alike.exit, alike.stderr.includes("it has U+0041 where the case has U+0410")]).toEqual([10, true]);
		put(world, "case.yaml", other("p-Al"));
		expect((await apply(world)).exit).toBe(0);
	});

	it("is among what the resolver calls similar", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		expect((await apply(world)).exit).toBe(0);
		const shown = await world.purser(["corporate", "show", "\u0441rm-layers"]);
		expect([shown.exit, shown.stderr.includes("crm-layers (an externalId with U+0063 where yours has U+0441)")]).toEqual([3, true]);
	});
});
