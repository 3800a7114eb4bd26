/**
 * A list that is looked at before a creation and cannot be read, as where nobody has told purser yet how a deployment writes it: the
 * creation goes on as where there is no list, and says what was not looked at. What another try may read still stops it.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { MappedOperation } from "../../src/ports/mapping.js";
import type { Profile } from "../../src/ports/profiles.js";
import { removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import type { World } from "../support/purser.js";
import { caseWorld, entitiesOf, put, through } from "./case-world.js";

afterAll(removeFolders);

const layers = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
const list = "GET /api/partner/corporates";
const relatedList = /^GET .*\/related$/;
const listed = (path: string, fields?: MappedOperation["fields"]): MappedOperation => ({ method: "GET", path, fields });
const isList = (line: string): boolean => line === list || relatedList.test(line);
const nonsense = '{"firms":{"first":1}}';

let world: World;
beforeEach(async () => {
	world = await caseWorld();
	put(world, "case.yaml", layers);
});
const apply = (...more: string[]) => world.purser(["onboard", "apply", ...confirmed, ...more, "case.yaml"]);

describe("a list that cannot be read", () => {
	it.each([
		["makes no sense", nonsense, "A list could not be read (List corporates: the answer makes no sense: it has no list)"],
		["refuses the query", 400, "A list could not be read ("],
		["is not there", 404, "The service did not answer a lookup (HTTP 404)"],
	])("does not stop a new case where it %s", async (_, answer, told) => {
		through(world, (line, given) => (isList(line) ? answer : given));
		const unsure = await apply();
		expect(unsure.exit).toBe(10);
		expect(unsure.stderr).toContain("Does the company Example Layered SAS exist already? The service has no list to check");
		expect(entitiesOf(world, "crm-layers").corporates).toBe(0);
		const ran = await apply("--new");
		expect(ran.stderr).toContain(`${told}`);
		expect(ran.stderr).toContain("companies were looked for in the journal only");
		expect(entitiesOf(world, "crm-layers").corporates).toBe(1);
		// What the journal knows is not made again.
		await apply("--new");
		expect(entitiesOf(world, "crm-layers").corporates).toBe(1);
	});

	it.each<[string, MappedOperation | "none", string]>([
		[
			"that nobody confirmed, as it is no GET",
			{ method: "POST", path: "/v2/corporates/search" },
			"A list could not be read (Nobody has confirmed",
		],
		["that the service does not have", "none", "The service did not answer a lookup (the mapping says that it is none)"],
	])("%s does not stop it either", async (_, entry, told) => {
		const profile = world.profiles.get("sandbox") as Profile;
		world.profiles.set("sandbox", { ...profile, mapping: { operations: { "corporate.list": entry } } });
		const ran = await apply("--new");
		expect(ran.stderr).toContain(told);
		expect(entitiesOf(world, "crm-layers").corporates).toBe(1);
	});

	it.each([
		["is unavailable", 503],
		["refuses the credential", 401],
	])("stops it where another try may read it: it %s", async (_, answer) => {
		through(world, (line, given) => (isList(line) ? answer : given));
		const ran = await apply("--new");
		expect(ran.exit).not.toBe(0);
		expect(entitiesOf(world, "crm-layers").corporates).toBe(0);
	});
});

describe("a list of companies that takes no filter", () => {
	it("is read without one: a case is applied, and the overview leaves out what is decided", async () => {
		const profile = world.profiles.get("sandbox");
		if (profile === undefined) throw new Error("there is no profile");
		world.profiles.set("sandbox", { ...profile, mapping: { operations: { "corporate.list": listed("/api/partner/corporates", {}) } } });
		world.requests.length = 0;
		expect((await apply()).exit).toBe(0);
		expect(entitiesOf(world, "crm-layers").corporates).toBe(1);
		const overview = await world.purser(["overview", "--json"]);
		expect(overview.exit).toBe(0);
		expect(overview.json().rows.map(({ name }: { name: string }) => name)).toEqual(["Example Layered SAS"]);
		expect(world.requests.filter(({ url }) => /kybStatus|registeredName/.test(url))).toEqual([]);
		// The control: a filter that a person gives is not left out silently.
		expect((await world.purser(["corporate", "list", "--kyb-status", "NOT_STARTED"])).exit).toBe(3);
	});
});

describe("a creation in doubt", () => {
	const creation = "POST /api/partner/corporates";
	const map = (path: string): void => {
		const profile = world.profiles.get("sandbox");
		if (profile) world.profiles.set("sandbox", { ...profile, mapping: { operations: { "corporate.list": listed(path) } } });
	};

	it("that the list of another mapping does not show is not created again; one that it shows is found", async () => {
		through(world, (line, given) => (line === creation ? undefined : given));
		expect((await apply()).exit).toBe(7);
		// Another list of the same service, without the company.
		map("/v2/corporates");
		const { wire } = world;
		world.wire = async (request) =>
			request.url.includes("/v2/corporates")
				? {
						kind: "answer",
						status: 200,
						headers: { "content-type": "application/json" },
						body: new TextEncoder().encode('{"content":[],"totalElements":0}'),
					}
				: (wire?.(request) as never);
		world.clock.advance(48 * 3_600_000);
		const ran = await apply();
		expect(ran.exit).toBe(10);
		expect(ran.stdout + ran.stderr).toContain("the mapping changed since it was sent, so that it is not listed proves nothing");
		expect(entitiesOf(world, "crm-layers").corporates).toBe(1);
		// A third mapping, whose list shows it.
		map("/v3/corporates");
		world.wire = async (request) => wire?.({ ...request, url: request.url.replace("/v3/", "/api/partner/") }) as never;
		expect((await apply()).exit).toBe(0);
		expect(entitiesOf(world, "crm-layers").corporates).toBe(1);
	});
});
