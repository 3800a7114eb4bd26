import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { WireRequest } from "../../src/ports/wire.js";
import { removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import type { World } from "../support/purser.js";
import { caseWorld, put } from "./case-world.js";

afterAll(removeFolders);

const layers = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");

/** Fields that are sent, and that a record read from the service need not show. */
const hidden = /"(position|expectedMonthlyExpenses|incorporationCode|isUbo)":("[^"]*"|\{[^}]*\}|true|false),?/g;

/** The sandbox, with those fields left out of everything that is read. */
function secretive(world: World): void {
	world.wire = async ({ method, url, headers, body }: WireRequest) => {
		const { pathname, search } = new URL(url);
		const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
		const answer = await world.sandbox.handle({ method, target: pathname + search, headers: lower, body: body ?? new Uint8Array() });
		if (method !== "GET" || !pathname.includes("/corporates")) return { kind: "answer", ...answer };
		const shown = new TextDecoder().decode(answer.body).replace(hidden, "").replaceAll(",}", "}");
		return { kind: "answer", ...answer, body: new TextEncoder().encode(shown) };
	};
}

let world: World;
beforeEach(async () => {
	world = await caseWorld();
	secretive(world);
});

/** Applies the case and gives the bodies of what it sent. */
async function changesOf(text: string): Promise<unknown[]> {
	put(world, "case.yaml", text);
	world.requests.length = 0;
	const ran = await world.purser(["onboard", "apply", ...confirmed, "case.yaml"]);
	expect(ran.exit, ran.stderr).toBe(0);
	return world.requests.filter(({ method }) => method !== "GET").map(({ body }) => JSON.parse(body));
}

describe("fields that the service does not show", () => {
	it("sent with the creation, they are not sent again; what was not sent with it is, once", async () => {
		const text = layers.replace("  isDirector: true\n", "  isDirector: true\n  isUbo: true\n");
		expect(await changesOf(text)).toHaveLength(7);
		const second = await changesOf(text);
		expect(second).toEqual([{ position: "CEO", isUbo: true }]);
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
