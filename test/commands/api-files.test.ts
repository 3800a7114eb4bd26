import { beforeEach, describe, expect, it } from "vitest";
import { snake } from "../openapi/documents.js";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld({ loggedIn: false });
	await world.purser(["profile", "add", "box", "--base-url", "https://api.example.com"]);
});

const paged = JSON.stringify(snake).replaceAll(
	'"name":"page","in":"query","schema":{',
	'"name":"page","in":"query","schema":{"minimum":1,',
);
const importing = () => world.purser(["api", "import", "-", "--accept", "sure", "--json"], { input: paged });
const using = (document: unknown, ...argv: string[]) =>
	world.purser(["api", "use", "-", "--json", ...argv], { input: typeof document === "string" ? document : JSON.stringify(document) });
const errorOf = ({ stderr }: { stderr: string }) => JSON.parse(stderr).error;
const fileText = (path: string) => new TextDecoder().decode(world.files.get(path));

describe("api export and api use", () => {
	it("one file carries the bindings to another profile, byte for byte", async () => {
		await importing();
		const exported = await world.purser(["api", "export"]);
		expect([exported.exit, exported.json().purser, exported.json().operations["corporate.get"].source.document]).toEqual([
			0,
			"binding",
			"Harbour Banking",
		]);
		expect((await world.purser(["api", "export", "--json"])).json()).toEqual(exported.json());
		await world.purser(["profile", "add", "other", "--base-url", "https://api.example.com"]);
		const used = await using(exported.stdout, "--profile", "other");
		expect([used.exit, used.json().service, new Set(used.json().operations.map(({ change }: { change: string }) => change))]).toEqual([
			0,
			"new",
			new Set(["new"]),
		]);
		const { overrides, service } = world.profiles.get("other") ?? {};
		expect({ overrides, service }).toEqual({ overrides: exported.json().operations, service: exported.json().service });
		const again = (await using(exported.stdout, "--profile", "other")).json();
		expect(new Set(again.operations.map(({ change }: { change: string }) => change))).toEqual(new Set(["same"]));
	});

	it("--save writes YAML that is read back, and replaces no file unasked", async () => {
		await importing();
		expect((await world.purser(["api", "export", "--save", "binding.yaml", "--json"])).json().operations).toContain("corporate.get");
		expect(fileText("binding.yaml")).toContain("purser: binding\n");
		expect((await world.purser(["api", "export", "--save", "binding.yaml"])).exit).toBe(10);
		const used = await world.purser(["api", "use", "binding.yaml", "--dry-run", "--json"]);
		expect([used.exit, used.json().dryRun, used.json().service]).toEqual([0, true, "same"]);
	});

	it("what the file does not bind is taken away after a Yes alone", async () => {
		await importing();
		const before = structuredClone(world.profiles.get("box"));
		world.files.set("empty.json", new TextEncoder().encode('{"purser": "binding", "version": 1, "operations": {}}'));
		const no = await world.purser(["api", "use", "empty.json"], { answers: [false], terminal: true });
		expect([no.exit, no.stderr]).toMatchObject([10, expect.stringContaining("Cancelled. Nothing was changed")]);
		expect(world.profiles.get("box")).toEqual(before);
	});

	it("a file with any fault stores nothing, and every fault is told with its place", async () => {
		const before = structuredClone(world.profiles.get("box"));
		const ran = await using({
			purser: "binding",
			version: 1,
			service: { ids: { ledger: "(a+)+" } },
			operations: {
				"corporate.get": {
					path: "/companies/{id}/{other}",
					request: { fields: { corporateId: { place: "path", at: "id" } }, others: "refused" },
				},
				"no.such": { path: "/x" },
				"kyc.link": { server: "https://elsewhere.example.com" },
			},
		});
		expect([ran.exit, ran.stdout, errorOf(ran).code]).toEqual([3, "", "BINDING_INVALID"]);
		expect(errorOf(ran).details).toEqual([
			expect.objectContaining({ field: "service.ids.ledger" }),
			{ field: "operations.corporate.get.request", message: "the path has {other}, and nothing says what it is" },
			{ field: "operations.no.such", message: "is not an operation; see `purser api list`" },
			expect.objectContaining({ field: "operations.kyc.link.server" }),
		]);
		expect((await using("- just\n- a list\n")).exit).toBe(3);
		expect(world.profiles.get("box")).toEqual(before);
	});

	it("what the file does not bind is removed after a Yes, and not without", async () => {
		await importing();
		const empty = JSON.stringify({ purser: "binding", version: 1, operations: {} });
		world.files.set("empty.json", new TextEncoder().encode(empty));
		const before = structuredClone(world.profiles.get("box"));
		const refused = await world.purser(["api", "use", "empty.json"]);
		expect([refused.exit, world.profiles.get("box")]).toEqual([2, before]);
		const declined = await world.purser(["api", "use", "empty.json"], { answers: [false] });
		expect([declined.exit, world.profiles.get("box")]).toEqual([10, before]);
		expect(world.asked[0]?.message).toContain("corporate.get");
		expect((await world.purser(["api", "use", "empty.json", "--yes"])).exit).toBe(0);
		expect(world.profiles.get("box")?.overrides).toEqual({});
		expect(world.profiles.get("box")?.service).toBeUndefined();
	});
});
