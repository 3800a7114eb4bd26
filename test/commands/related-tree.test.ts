import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
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
const held = { id: holding, corporateName: "Example Holding BV", directSharesPercentage: 100 };
const tree = (world: World, more = "", columns?: number) => world.purser(`related tree ${id} ${more}`, { columns });

describe("related tree", () => {
	test("layers, effective shares, warnings and the next command", async () => {
		const world = await worldOf(person({ shares: [{ ownedCorporate: holding, directSharesPercentage: 50, layer: 2 }] }), held);
		const ran = await tree(world, "", 140);
		expect([ran.exit, world.requests.length]).toEqual([0, 2]);
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
		expect(ran.stderr).toBe(
			`Next: purser related update ${ada} --is-ubo\n      purser related add ${id}\n      purser corporate status ${id}\n`,
		);
	});

	test("the threshold of the profile counts", async () => {
		const records = [person({ directSharesPercentage: 10 }), { id: holding, firstName: "Grace", directSharesPercentage: 90, isUbo: true }];
		const world = await worldOf(...records);
		expect((await tree(world)).stdout).not.toContain("Warnings");
		Object.assign(world.profiles.get("sandbox") ?? {}, { settings: { "ubo-threshold": "10" } });
		expect((await tree(world)).stdout).toContain("Ada Example holds an effective 10 % and is not marked");
	});

	test("hostile names reach neither the cursor nor the lines, and warnings are broken between words where the terminal ends", async () => {
		const hostile = await worldOf(person({ firstName: "\u001b[2J\nMal\u202e", directSharesPercentage: 100, isUbo: true }));
		const { stdout } = await tree(hostile, "", 40);
		expect([stdout.includes("\u001b"), stdout.includes("\u202e")]).toEqual([false, false]);
		expect(stdout).toContain("`- 100 %  ␛[2J␊Mal<U+202E> Example");
		const narrow = (await tree(await worldOf(person({ directSharesPercentage: 30 })), "", 44)).stdout;
		expect(narrow).toContain("  ! Ada Example holds an effective 30 % and\n    is not marked as a beneficial owner\n    (UBO)\n");
		expect(narrow.split("\n").every((line) => line.length <= 44)).toBe(true);
	});

	test("the list is what the tree is made of: without it exit 5; the corporate's name is no must, nor is anybody declared", async () => {
		const world = await worldOf();
		expect((await tree(world)).stdout).toContain("! Nobody is the account owner");
		world.wire = answering({});
		expect((await tree(world)).exit).toBe(5);
		world.wire = answering({ [`GET /api/partner/corporates/${id}/related`]: { body: [] } });
		const ran = await tree(world);
		expect([ran.exit, ran.stdout.split("\n")[0]]).toEqual([0, id]);
	});
});

describe("related tree as a picture", () => {
	let world: World;
	beforeEach(async () => {
		world = await worldOf(person({ shares: [{ ownedCorporate: holding, directSharesPercentage: 50 }] }), held);
	});

	test("--svg: a file readable by its owner, people numbered; --json names it, and nothing else changes", async () => {
		const plain = (await tree(world, "--json")).json() as object;
		const ran = await tree(world, "--svg owners.svg --json");
		const svg = world.text("owners.svg");
		const sha256 = createHash("sha256").update(svg).digest("hex");
		expect(ran.json()).toEqual({ ...plain, svg: { path: "owners.svg", bytes: new TextEncoder().encode(svg).length, sha256 } });
		expect(svg).toContain("Person 1 holds 50 % of Example Holding BV, at or above 25 %");
		expect(svg).toContain("Personal data is masked: people are numbered");
		expect(svg).not.toContain("Ada");
		expect((await tree(world, "--svg owners.svg --unmasked")).stdout).toContain("Picture  owners.svg");
		for (const text of ["Ada Example holds 50 %", "This picture names people: keep it private"])
			expect(world.text("owners.svg")).toContain(text);
	});

	test("--svg leaves a file alone that purser did not write, and replaces it with --force", async () => {
		world.put("owners.svg", "<svg/>");
		expect([(await tree(world, "--svg owners.svg")).exit, world.text("owners.svg")]).toEqual([10, "<svg/>"]);
		expect((await tree(world, "--svg owners.svg --force")).exit).toBe(0);
		expect(world.text("owners.svg")).toContain("Ownership of Example Trading SAS");
	});

	test("--open: a page is shown in the browser from memory; where there is none, the flag that saves it is named", async () => {
		expect((await tree(world, "--open --unmasked")).stdout).toContain("in the browser");
		expect(world.opened).toHaveLength(1);
		expect(world.opened[0]).toMatch(/^text\/html; charset=utf-8: <!doctype html>/);
		for (const text of ["<title>Ownership of Example Trading SAS</title>", "Ada Example holds 50 %"])
			expect(world.opened[0]).toContain(text);
		world.browser = "none";
		expect((await tree(world, "--open")).stderr).toContain("keep the page with --svg FILE");
	});

	test.each([
		["--unmasked", "goes with --svg or --open"],
		["--force --open", "goes with --svg"],
		["--svg -", "is the name of a file, like owners.svg"],
	])("%s is refused before anything is read", async (flags, told) => {
		const ran = await tree(world, flags);
		expect([ran.exit, ran.stderr.includes(told), world.requests]).toEqual([3, true, []]);
	});
});
