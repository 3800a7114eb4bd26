/**
 * Where the service shows late, never or unreadably what it has: nobody is left out in silence, nothing is sent twice, what the journal knows
 * is no question, and a list that cannot be read stops a creation only where another try may read it.
 */
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { MappedOperation } from "../../src/ports/mapping.js";
import type { Profile } from "../../src/ports/profiles.js";
import { removeFolders } from "../journal/journals.js";
import type { World } from "../support/purser.js";
import { apply, caseIn, changes, entitiesOf, everybody, layers, put, through } from "./case-world.js";

afterAll(removeFolders);

let world: World;
beforeEach(async () => {
	world = await caseIn(layers);
});

const one = { corporates: 1, related: everybody };
const relatedList = /^GET .*\/corporates\/[^/]+\/related$/;

/** The list has the account owner only, as one that lags behind. */
function ownerOnly(answer: string): string {
	const { content } = JSON.parse(answer) as { content: object[] };
	return JSON.stringify({ content: content.slice(0, 1), totalElements: 1 });
}

const steps = (ran: { json(): { cases: { steps: { what: string; name: string; state: string }[] }[] } }) =>
	ran.json().cases[0]?.steps.flatMap(({ what, name, state }) => (/KYB|KYC link/.test(what) ? [`${what} ${name} ${state}`] : []));

it("persons whom the list does not show yet hold back the KYB and their links, exit 9, and the next run has them", async () => {
	through(world, (line, answer) => (relatedList.test(line) ? ownerOnly(answer) : answer));
	const ran = await apply(world, "--request-kyb --kyc-links --json");
	expect(steps(ran)).toEqual([
		"KYB Example Layered SAS blocked",
		"KYC link Ada Example asked for",
		"KYC link Grace Sample blocked",
		"KYC link Lin Muster blocked",
	]);
	expect([ran.exit, ran.json().cases[0].state]).toEqual([9, "incomplete"]);
	through(world, (line, answer) => (relatedList.test(line) ? 404 : answer));
	const unlisted = await apply(world, "--kyc-links --json");
	expect([unlisted.exit, steps(unlisted)?.[2]]).toEqual([9, "KYC link Lin Muster blocked"]);
	world.wire = undefined;
	const again = await apply(world, "--kyc-links --json");
	expect(steps(again)).toEqual(["KYC link Ada Example left", "KYC link Grace Sample asked for", "KYC link Lin Muster asked for"]);
});

describe("a deployment that shows no externalId of corporates", () => {
	const hidden = (line: string, answer: string): string =>
		line.startsWith("GET") ? answer.replaceAll('"externalId":"crm-layers",', "") : answer;

	it("what this tool created is known by the id that the journal has", async () => {
		through(world, hidden);
		expect((await apply(world)).exit).toBe(0);
		world.clock.advance(3_600_000);
		const again = await apply(world);
		expect([again.exit, again.stderr.includes("Is Example Layered SAS")]).toEqual([0, false]);
		expect(entitiesOf(world, "crm-layers")).toEqual(one);
	});
});

it("a corporate that the service made and shows in no way, hours later, is made a second time only where somebody says so", async () => {
	expect((await apply(world)).exit).toBe(0);
	world.requests.length = 0;
	world.clock.advance(3 * 3_600_000);
	through(world, (line, answer) => {
		if (line === "GET /api/partner/corporates") return '{"content":[],"totalElements":0}';
		return /^GET \/api\/partner\/corporates\/[^/]+$/.test(line) ? 404 : answer;
	});
	const creations = () => world.requests.filter(({ line }) => line === "POST /api/partner/corporates").length;
	const again = await apply(world);
	expect([again.exit, again.stderr.includes("but no longer shows it; it was not created again"), creations()]).toEqual([10, true, 0]);
	await apply(world, "--new");
	expect(creations()).toBe(1);
});

describe("fields that the service does not show", () => {
	const hidden = /"(position|expectedMonthlyExpenses|incorporationCode|isUbo)":("[^"]*"|\{[^}]*\}|true|false),?/g;
	beforeEach(() => {
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

	it("are sent once more after the creation, and then no more", async () => {
		expect(await changesOf(layers)).toHaveLength(6);
		expect(await changesOf(layers)).toContainEqual({ position: "CEO" });
		expect(await changesOf(layers)).toEqual([]);
		const planned = await world.purser(["onboard", "plan", "case.yaml", "--json"]);
		expect(planned.json().cases[0].summary).toMatchObject({ create: 0, update: 0 });
	});

	it("changed in the case they are sent, and back again too; so they are after a change by hand", async () => {
		await changesOf(layers);
		await changesOf(layers);
		const changed = layers.replace("position: CEO", "position: CFO");
		expect(await changesOf(changed)).toEqual([{ position: "CFO" }]);
		expect(await changesOf(layers)).toEqual([{ position: "CEO" }]);
		expect(await changesOf(layers)).toEqual([]);
		const owner = world.sandbox.state.related.findLast(({ fields }) => fields.firstName === "Ada" && fields.position === "CEO");
		expect((await world.purser(["related", "update", String(owner?.id), "--position", "CFO"])).exit).toBe(0);
		expect(await changesOf(layers)).toEqual([{ position: "CEO" }]);
	});
});

const listed = (path: string, fields?: MappedOperation["fields"]): MappedOperation => ({ method: "GET", path, fields });
const isList = (line: string): boolean => line === "GET /api/partner/corporates" || /^GET .*\/related$/.test(line);
const count = (): number => entitiesOf(world, "crm-layers").corporates;

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
