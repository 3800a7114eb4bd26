/** Fields that are sent, and that a record read from the service need not show. */
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import type { World } from "../support/purser.js";
import { apply, caseWorld, changes, layers, put, through } from "./case-world.js";

afterAll(removeFolders);

const hidden = /"(position|expectedMonthlyExpenses|incorporationCode|isUbo)":("[^"]*"|\{[^}]*\}|true|false),?/g;

let world: World;
beforeEach(async () => {
	world = await caseWorld();
	through(world, (line, answer) => (/^GET .*\/corporates/.test(line) ? answer.replace(hidden, "").replaceAll(",}", "}") : answer));
});

/** Applies the case and gives the bodies of what it sent. */
async function changesOf(text: string): Promise<unknown[]> {
	put(world, "case.yaml", text);
	world.requests.length = 0;
	const ran = await apply(world);
	expect(ran.exit, ran.stderr).toBe(0);
	return changes(world).map((line) => JSON.parse(line.replace(/^.*? \{/, "{")));
}

describe("fields that the service does not show", () => {
	it("sent with the creation, they are not sent again; what was not sent with it is, once", async () => {
		const text = layers.replace("  isDirector: true\n", "  isDirector: true\n  isUbo: true\n");
		expect(await changesOf(text)).toHaveLength(7);
		expect(await changesOf(text)).toEqual([{ position: "CEO", isUbo: true }]);
		expect(await changesOf(text)).toEqual([]);
	});

	it("a second run of the same case sends nothing at all", async () => {
		expect(await changesOf(layers)).toHaveLength(6);
		expect(await changesOf(layers)).toEqual([]);
		const planned = await world.purser(["onboard", "plan", "case.yaml", "--json"]);
		expect(planned.json().cases[0].summary).toMatchObject({ create: 0, update: 0 });
	});

	it("changed in the case they are sent, and back again too", async () => {
		await changesOf(layers);
		const changed = layers.replace("position: CEO", "position: CFO");
		// The creation held all of it in one body, so what else it held is not known to be the same and is sent once more.
		expect(await changesOf(changed)).toEqual([expect.objectContaining({ incorporationCode: "100 200 300" }), { position: "CFO" }]);
		expect(await changesOf(changed)).toEqual([]);
		expect(await changesOf(layers)).toEqual([{ position: "CEO" }]);
		expect(await changesOf(changed)).toEqual([{ position: "CFO" }]);
	});

	it("changed by hand meanwhile they are sent again", async () => {
		await changesOf(layers);
		const owner = world.sandbox.state.related.findLast(({ fields }) => fields.firstName === "Ada" && fields.position === "CEO");
		expect((await world.purser(["related", "update", String(owner?.id), "--position", "CFO"])).exit).toBe(0);
		expect(await changesOf(layers)).toEqual([{ position: "CEO" }]);
	});
});
