/**
 * A list that is looked at before a creation and cannot be read, as where nobody has told purser yet how a deployment writes it: the
 * creation goes on as where there is no list, and says what was not looked at. What another try may read still stops it.
 */
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { MappedOperation } from "../../src/ports/mapping.js";
import type { Profile } from "../../src/ports/profiles.js";
import { removeFolders } from "../journal/journals.js";
import type { World } from "../support/purser.js";
import { answered } from "../support/purser.js";
import { apply, caseIn, entitiesOf, layers, through } from "./case-world.js";

afterAll(removeFolders);

const listed = (path: string, fields?: MappedOperation["fields"]): MappedOperation => ({ method: "GET", path, fields });
const isList = (line: string): boolean => line === "GET /api/partner/corporates" || /^GET .*\/related$/.test(line);
const count = (): number => entitiesOf(world, "crm-layers").corporates;

let world: World;
beforeEach(async () => {
	world = await caseIn(layers);
});

/** How the deployment lists companies. */
function map(entry: MappedOperation | "none"): void {
	const profile = world.profiles.get("sandbox") as Profile;
	world.profiles.set("sandbox", { ...profile, mapping: { operations: { "corporate.list": entry } } });
}

describe("a list that cannot be read", () => {
	it.each([
		["makes no sense", '{"firms":{"first":1}}', "A list could not be read (List corporates: the answer makes no sense: it has no list)"],
		["refuses the query", 400, "A list could not be read ("],
		["is not there", 404, "The service did not answer a lookup (HTTP 404)"],
	])("does not stop a new case where it %s", async (_, answer, told) => {
		through(world, (line, given) => (isList(line) ? answer : given));
		const unsure = await apply(world);
		expect([unsure.exit, count()]).toEqual([10, 0]);
		expect(unsure.stderr).toContain("Does the company Example Layered SAS exist already? The service has no list to check");
		const ran = await apply(world, "--new");
		for (const text of [told, "companies were looked for in the journal only"]) expect(ran.stderr).toContain(text);
		expect(count()).toBe(1);
		// What the journal knows is not made again.
		await apply(world, "--new");
		expect(count()).toBe(1);
	});

	it.each<[string, MappedOperation | "none", string]>([
		["that nobody confirmed, as it is no GET", { method: "POST", path: "/v2/search" }, "A list could not be read (Nobody has confirmed"],
		["that the service does not have", "none", "The service did not answer a lookup (the mapping says that it is none)"],
	])("%s does not stop it either", async (_, entry, told) => {
		map(entry);
		expect((await apply(world, "--new")).stderr).toContain(told);
		expect(count()).toBe(1);
	});

	it.each([
		["is unavailable", 503],
		["refuses the credential", 401],
	])("stops it where another try may read it: it %s", async (_, answer) => {
		through(world, (line, given) => (isList(line) ? answer : given));
		expect((await apply(world, "--new")).exit).not.toBe(0);
		expect(count()).toBe(0);
	});
});

it("a list of companies that takes no filter is read without one: a case is applied, and the overview leaves out what is decided", async () => {
	map(listed("/api/partner/corporates", {}));
	expect([(await apply(world)).exit, count()]).toEqual([0, 1]);
	const overview = await world.purser(["overview", "--json"]);
	expect(overview.json().rows.map(({ name }: { name: string }) => name)).toEqual(["Example Layered SAS"]);
	expect(world.requests.filter(({ url }) => /kybStatus|registeredName/.test(url))).toEqual([]);
	// The control: a filter that a person gives is not left out silently.
	expect((await world.purser(["corporate", "list", "--kyb-status", "NOT_STARTED"])).exit).toBe(3);
});

it("a creation in doubt that the list of another mapping does not show is not created again; one that it shows is found", async () => {
	through(world, (line, given) => (line === "POST /api/partner/corporates" ? undefined : given));
	expect((await apply(world)).exit).toBe(7);
	// Another list of the same service, without the company.
	map(listed("/v2/corporates"));
	const { wire } = world;
	world.wire = async (request) =>
		request.url.includes("/v2/corporates") ? answered(200, '{"content":[],"totalElements":0}') : (wire?.(request) as never);
	world.clock.advance(48 * 3_600_000);
	const ran = await apply(world);
	expect([ran.exit, count()]).toEqual([10, 1]);
	expect(ran.stdout + ran.stderr).toContain("the mapping changed since it was sent, so that it is not listed proves nothing");
	// A third mapping, whose list shows it.
	map(listed("/v3/corporates"));
	world.wire = async (request) => wire?.({ ...request, url: request.url.replace("/v3/", "/api/partner/") }) as never;
	expect([(await apply(world)).exit, count()]).toEqual([0, 1]);
});
