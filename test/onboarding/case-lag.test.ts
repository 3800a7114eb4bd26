/**
 * Where the service shows late, or never, what it has: nobody is left out in silence, and what the journal knows is no question.
 */
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { appliedCase, apply, caseIn, entitiesOf, everybody, layers, through } from "./case-world.js";

afterAll(removeFolders);

const one = { corporates: 1, related: everybody };
const relatedList = /^GET .*\/corporates\/[^/]+\/related$/;
const oneRelated = /^GET .*\/corporates\/related\//;

/** The list has the account owner only, as one that lags behind. */
function ownerOnly(answer: string): string {
	const { content } = JSON.parse(answer) as { content: object[] };
	return JSON.stringify({ content: content.slice(0, 1), totalElements: 1 });
}

const links = (ran: { json(): { cases: { steps: { what: string; name: string; state: string }[] }[] } }) =>
	ran.json().cases[0]?.steps.flatMap(({ what, name, state }) => (what === "KYC link" ? [`${name} ${state}`] : []));

describe("persons who were declared a moment ago and are not in the list yet", () => {
	it("get their KYC links all the same, once; that nobody else declared them too is not known, and said", async () => {
		const world = await caseIn(layers);
		through(world, (line, answer) => (relatedList.test(line) ? ownerOnly(answer) : answer));
		const ran = await apply(world, "--kyc-links --json");
		expect(links(ran)).toEqual(["Ada Example asked for", "Grace Sample asked for", "Lin Muster asked for"]);
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain(
			"The service does not list Example Base GmbH, Example Middle BV, Example Top Ltd, Grace Sample, Lin Muster yet, so whether another run created the same is not known",
		);
		world.wire = undefined;
		expect(links(await apply(world, "--kyc-links --json"))).toEqual(["Ada Example left", "Grace Sample left", "Lin Muster left"]);
	});

	it("who is not to be had by the id either is told, exit 9, and the next run has the link", async () => {
		const world = await caseIn(layers);
		through(world, (line, answer) => (oneRelated.test(line) ? 404 : relatedList.test(line) ? ownerOnly(answer) : answer));
		const ran = await apply(world, "--kyc-links --json");
		expect(links(ran)).toEqual(["Ada Example asked for", "Grace Sample blocked", "Lin Muster blocked"]);
		expect([ran.exit, ran.json().cases[0].state]).toEqual([9, "incomplete"]);
		world.wire = undefined;
		const again = await apply(world, "--kyc-links --json");
		expect(links(again)).toEqual(["Ada Example left", "Grace Sample asked for", "Lin Muster asked for"]);
	});
});

describe("a deployment that shows no externalId of corporates", () => {
	const hidden = (line: string, answer: string): string =>
		line.startsWith("GET") ? answer.replaceAll('"externalId":"crm-layers",', "") : answer;

	it("what this tool created is known by the id that the journal has", async () => {
		const world = await caseIn(layers);
		through(world, hidden);
		expect((await apply(world)).exit).toBe(0);
		world.clock.advance(3_600_000);
		const again = await apply(world);
		expect([again.exit, again.stderr.includes("Is Example Layered SAS")]).toEqual([0, false]);
		expect(entitiesOf(world, "crm-layers")).toEqual(one);
	});

	it("a creation without an answer is settled by a word, and the case goes on with that corporate", async () => {
		const world = await caseIn(layers);
		through(world, (line, answer) => (line === "POST /api/partner/corporates" ? undefined : hidden(line, answer)));
		expect((await apply(world)).exit).toBe(7);
		const asked = await apply(world);
		const id = world.sandbox.state.corporates.at(-1)?.id as string;
		expect(asked.exit).toBe(10);
		expect(asked.stderr).toContain(`purser pay settle 1 --created --id ${id} --reason TEXT`);
		const settle = ["pay", "settle", "1", "--created", "--id", id, "--reason", "seen in the list", "--yes"];
		expect([(await world.purser(settle)).exit, (await apply(world)).exit]).toEqual([0, 0]);
		expect(entitiesOf(world, "crm-layers")).toEqual(one);
	});
});

it("a corporate that the service made and shows in no way, hours later, is made a second time only where somebody says so", async () => {
	const world = await appliedCase();
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
