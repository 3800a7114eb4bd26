import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ada = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const holding = "1d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f";
const corporate = { id, corporateName: "Example Trading SAS" };

async function worldOf(...content: object[]): Promise<World> {
	const world = await makeWorld();
	world.wire = answering({
		[`GET /api/partner/corporates/${id}`]: { body: corporate },
		[`GET /api/partner/corporates/${id}/related`]: { body: { content, totalElements: content.length } },
	});
	return world;
}

const person = (more: object) => ({ id: ada, firstName: "Ada", lastName: "Example", isDirector: true, isAccountOwner: true, ...more });

describe("related tree", () => {
	test("layers, effective shares, warnings and the next command", async () => {
		const world = await worldOf(person({ shares: [{ ownedCorporate: holding, directSharesPercentage: 50, layer: 2 }] }), {
			id: holding,
			corporateName: "Example Holding BV",
			directSharesPercentage: 100,
		});
		const ran = await world.purser(["related", "tree", id], { columns: 140 });
		expect(ran.exit).toBe(0);
		expect(ran.stdout.split("\n")).toEqual([
			"Example Trading SAS",
			"`- 100 %  Example Holding BV  company",
			"   `- 50 %  Ada Example  account owner, director, UBO not marked",
			"",
			"Warnings",
			"  ! Ada Example holds an effective 50 % and is not marked as a beneficial owner (UBO)",
			"  ! Who holds 50 % of Example Holding BV (50 % of the company) is not declared: there may be a beneficial owner among them",
			"",
		]);
		expect(ran.stderr).toBe(`Next: purser related update ${ada} --is-ubo\n      purser related add ${id}\n      purser kyc plan ${id}\n`);
		expect(world.requests).toHaveLength(2);
	});

	test("--json: nodes, edges, effective shares as text, warnings", async () => {
		const world = await worldOf(person({ directSharesPercentage: 33.3, isUbo: true }));
		const found = (await world.purser(["related", "tree", id, "--json"])).json();
		expect(found).toEqual({
			corporateId: id,
			threshold: "25",
			nodes: [
				expect.objectContaining({ id, kind: "corporate", effectiveSharesPercentage: "0" }),
				{
					id: ada,
					name: "Ada Example",
					kind: "person",
					isDirector: true,
					isAccountOwner: true,
					isUbo: true,
					directSharesPercentage: "33.3",
					effectiveSharesPercentage: "33.3",
					isOwner: true,
				},
			],
			edges: [{ owner: ada, owned: id, percentage: "33.3" }],
			warnings: [expect.objectContaining({ code: "OWNER_NOT_DECLARED", parties: [id] })],
		});
	});

	test("the threshold of the profile counts", async () => {
		const records = [person({ directSharesPercentage: 10 }), { id: holding, firstName: "Grace", directSharesPercentage: 90, isUbo: true }];
		const world = await worldOf(...records);
		expect((await world.purser(["related", "tree", id])).stdout).not.toContain("Warnings");
		world.profiles.set("sandbox", { ...(world.profiles.get("sandbox") as never as object), settings: { "ubo-threshold": "10" } } as never);
		expect((await world.purser(["related", "tree", id])).stdout).toContain("Ada Example holds an effective 10 % and is not marked");
	});

	test("hostile names reach neither the cursor nor the lines", async () => {
		const world = await worldOf(person({ firstName: "\u001b[2J\nMal\u202e", directSharesPercentage: 100, isUbo: true }));
		const { stdout } = await world.purser(["related", "tree", id], { columns: 40 });
		expect(stdout).not.toContain("\u001b");
		expect(stdout).not.toContain("\u202e");
		expect(stdout).toContain("`- 100 %  ␛[2J␊Mal<U+202E> Example");
	});

	test("warnings are broken between words where the terminal ends", async () => {
		const world = await worldOf(person({ directSharesPercentage: 30 }));
		const { stdout } = await world.purser(["related", "tree", id], { columns: 44 });
		expect(stdout).toContain("  ! Ada Example holds an effective 30 % and\n    is not marked as a beneficial owner\n    (UBO)\n");
		expect(stdout.split("\n").every((line) => line.length <= 44)).toBe(true);
	});

	test("nobody declared", async () => {
		const world = await worldOf();
		const ran = await world.purser(["related", "tree", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toContain("! Nobody is the account owner");
	});

	test("the list is what the tree is made of: without it exit 5, and the corporate's name is no must", async () => {
		const world = await makeWorld();
		world.wire = answering({});
		expect((await world.purser(["related", "tree", id])).exit).toBe(5);
		world.wire = answering({ [`GET /api/partner/corporates/${id}/related`]: { body: [] } });
		const ran = await world.purser(["related", "tree", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout.split("\n")[0]).toBe(id);
	});

	test("a company that nobody knows is refused once the list was read, none at all before", async () => {
		const world = await worldOf();
		expect((await world.purser(["related", "tree"])).exit).toBe(2);
		expect(world.requests).toEqual([]);
		expect((await world.purser(["related", "tree", "acme"])).exit).toBe(3);
		expect(world.requests).toHaveLength(1);
	});
});

describe("related tree as a picture", () => {
	const records = [
		person({ shares: [{ ownedCorporate: holding, directSharesPercentage: 50 }] }),
		{ id: holding, corporateName: "Example Holding BV", directSharesPercentage: 100 },
	];
	const textOf = (world: World, path: string): string => new TextDecoder().decode(world.files.get(path));

	test("--svg: a file readable by its owner, people numbered; --json names it, and nothing else changes", async () => {
		const world = await worldOf(...records);
		const plain = (await world.purser(["related", "tree", id, "--json"])).json() as object;
		const ran = await world.purser(["related", "tree", id, "--svg", "owners.svg", "--json"]);
		const svg = textOf(world, "owners.svg");
		expect(ran.json()).toEqual({
			...plain,
			svg: { path: "owners.svg", bytes: new TextEncoder().encode(svg).length, sha256: createHash("sha256").update(svg).digest("hex") },
		});
		expect(svg).toContain("Person 1 holds 50 % of Example Holding BV, at or above 25 %");
		expect(svg).toContain("Personal data is masked: people are numbered");
		expect(svg).not.toContain("Ada");
		const again = await world.purser(["related", "tree", id, "--svg", "owners.svg", "--unmasked"]);
		expect(again.stdout).toContain("Picture  owners.svg");
		expect(textOf(world, "owners.svg")).toContain("Ada Example holds 50 %");
		expect(textOf(world, "owners.svg")).toContain("This picture names people: keep it private");
	});

	test("--svg leaves a file alone that purser did not write, and replaces it with --force", async () => {
		const world = await worldOf(...records);
		world.files.set("owners.svg", new TextEncoder().encode("<svg/>"));
		const ran = await world.purser(["related", "tree", id, "--svg", "owners.svg"]);
		expect(ran.exit).toBe(10);
		expect(textOf(world, "owners.svg")).toBe("<svg/>");
		expect((await world.purser(["related", "tree", id, "--svg", "owners.svg", "--force"])).exit).toBe(0);
		expect(textOf(world, "owners.svg")).toContain("Ownership of Example Trading SAS");
	});

	test("--open: a page is shown in the browser from memory; where there is none, the flag that saves it is named", async () => {
		const world = await worldOf(...records);
		const ran = await world.purser(["related", "tree", id, "--open", "--unmasked"]);
		expect(ran.stdout).toContain("in the browser");
		expect(world.opened).toHaveLength(1);
		expect(world.opened[0]).toMatch(/^text\/html; charset=utf-8: <!doctype html>/);
		expect(world.opened[0]).toContain("<title>Ownership of Example Trading SAS</title>");
		expect(world.opened[0]).toContain("Ada Example holds 50 %");
		world.browser = "none";
		expect((await world.purser(["related", "tree", id, "--open"])).stderr).toContain("keep the document with --svg FILE");
	});

	test("a flag without the one that it goes with is refused before anything is read", async () => {
		const world = await worldOf(...records);
		for (const [flags, told] of [
			[["--unmasked"], "goes with --svg or --open"],
			[["--force", "--open"], "goes with --svg"],
			[["--svg", "-"], "is the name of a file, like owners.svg"],
		] as const) {
			const ran = await world.purser(["related", "tree", id, ...flags]);
			expect(ran.exit).toBe(3);
			expect(ran.stderr).toContain(told);
		}
		expect(world.requests).toEqual([]);
	});
});
