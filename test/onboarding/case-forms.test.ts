/**
 * Text whose difference nobody sees: its form, invisible characters, letters of another script.
 */
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { apply, caseIn, changes, layers, machines, put } from "./case-world.js";

afterAll(removeFolders);

/** With an accent in the externalId, the names and an address; composed. */
const accented = layers
	.replaceAll("crm-layers", "crm-caf\u00e9")
	.replace("Example Layered SAS", "Caf\u00e9 \u00c9lys\u00e9e SAS")
	.replace("firstName: Grace", "firstName: Zo\u00e9")
	.replace("Example Middle BV", "Exampl\u00e9 Middle BV")
	.replace("city: Paris", "city: Besan\u00e7on");
const decomposed = <T>(value: T): T => JSON.parse(JSON.stringify(value).normalize("NFD"));

describe("text that differs in its form alone", () => {
	it("is sent composed, from a decomposed case file", async () => {
		const world = await caseIn(accented.normalize("NFD"));
		expect((await apply(world)).exit).toBe(0);
		const sent = changes(world).join("\n");
		for (const text of [
			'"externalId":"crm-caf\u00e9"',
			'"corporateName":"Caf\u00e9 \u00c9lys\u00e9e SAS"',
			'"city":"Besan\u00e7on"',
			'"firstName":"Zo\u00e9"',
		])
			expect(sent).toContain(text);
		expect(sent).toBe(sent.normalize("NFC"));
	});

	it.each([
		["a composed case", "the same home", accented],
		["a composed case", "another home", accented],
		["a decomposed case", "the same home", accented.normalize("NFD")],
		["a decomposed case", "another home", accented.normalize("NFD")],
	])("is no change: %s where the service shows everything decomposed, in %s", async (_, home, later) => {
		const { world, other } = await machines();
		put(world, "case.yaml", accented);
		expect((await apply(world)).exit).toBe(0);
		const { corporates, related } = world.sandbox.state;
		for (const one of [...corporates, ...related]) one.fields = decomposed(one.fields);
		put(world, "case.yaml", later);
		world.requests.length = 0;
		if (home === "another home") other();
		const again = await apply(world, "--json");
		expect([again.exit, again.stderr.includes("error"), changes(world)]).toEqual([0, false, []]);
		expect(again.json().cases[0].steps.map(({ state }: { state: string }) => state)).toEqual(Array(13).fill("left"));
	});
});
