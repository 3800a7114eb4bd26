/**
 * Where the service tells less than usual, or something else than was asked: nothing is created twice, nobody else is changed.
 */

import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import { despite } from "../support/gates.js";
import { answered, type World } from "../support/purser.js";
import { caseWorld, entitiesOf, put, through } from "./case-world.js";

afterAll(removeFolders);

const layers = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
const everybody = ["Ada Example", "Example Base GmbH", "Example Middle BV", "Example Top Ltd", "Grace Sample", "Lin Muster"];

const list = "GET /api/partner/corporates";
const creation = "POST /api/partner/corporates";
const relatedList = /^GET .*\/related$/;
const relatedCreation = /^POST .*\/related$/;
const changes = (world: World) => world.requests.filter(({ method }) => method !== "GET").map(({ line, body }) => `${line} ${body}`);
const apply = (world: World) => world.purser(["onboard", "apply", ...confirmed, "case.yaml"]);
const openDoubts = async (world: World): Promise<string> => (await world.purser(["pay", "doubts", "--json"])).stdout;

describe("a creation in doubt, looked for a second time", () => {
	it("is said to be run again, which makes nothing twice", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		through(world, (line, answer) => (line === creation ? undefined : answer));
		const ran = await apply(world);
		expect(ran.exit).toBe(7);
		expect(ran.stdout).toContain("Run this again: it checks first whether this was created, and creates nothing twice.");
		expect(ran.stdout + ran.stderr).not.toContain("Do not run it again");
	});

	it.each([
		["is refused", 403],
		["ends before its announced total", '{"content":[],"totalElements":3}'],
	])("the list of corporates %s: nothing follows, nothing is sent, the doubt stays", async (_, later) => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		through(world, (line, answer) => (line === creation ? undefined : answer));
		expect((await apply(world)).exit).toBe(7);
		let looks = 0;
		through(world, (line, answer) => (line !== list ? answer : looks++ === 0 ? '{"content":[],"totalElements":0}' : later));
		world.requests.length = 0;
		const ran = await apply(world);
		expect(ran.exit).toBe(10);
		expect(ran.stderr).toContain("Was the company Example Layered SAS created?");
		expect(changes(world)).toEqual([]);
		expect(await openDoubts(world)).toContain("corporate.create");
		world.wire = undefined;
		expect((await apply(world)).exit).toBe(0);
		expect(entitiesOf(world, "crm-layers")).toEqual({ corporates: 1, related: everybody });
	});

	it("the list of related entities is cut: nothing follows, nothing is sent, the doubt stays", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		through(world, (line, answer) => (relatedCreation.test(line) ? undefined : answer));
		expect((await apply(world)).exit).toBe(7);
		let looks = 0;
		through(world, (line, answer) => {
			if (!relatedList.test(line)) return answer;
			return `{"content":[],"totalElements":${looks++ === 0 ? 0 : 9}}`;
		});
		world.requests.length = 0;
		const ran = await apply(world);
		expect(ran.exit).toBe(10);
		expect(changes(world)).toEqual([]);
		expect(await openDoubts(world)).toContain("related.create");
	});

	it("is waited for from the end of the attempt, which may have taken its whole time limit", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		let reached: (() => Promise<void>) | undefined;
		through(world, (_, answer) => answer);
		const { wire } = world;
		world.wire = async (request) => {
			if (request.method !== "POST" || !request.url.endsWith("/corporates") || reached !== undefined) return wire?.(request) as never;
			// The service takes it up a minute after the sender has given up.
			reached = async () => void (await wire?.(request));
			world.clock.advance(60_000);
			return { kind: "sent", reason: "no whole answer in time" };
		};
		expect((await apply(world)).exit).toBe(7);
		const before = world.clock.now().getTime();
		const { sleep } = world.clock;
		world.clock.sleep = async (milliseconds, ...more) => {
			if (milliseconds > 10_000) await reached?.();
			await sleep(milliseconds, ...more);
		};
		expect((await apply(world)).exit).toBe(0);
		expect(world.clock.now().getTime() - before).toBeGreaterThanOrEqual(20_000);
		expect(entitiesOf(world, "crm-layers")).toEqual({ corporates: 1, related: everybody });
		expect(world.requests.filter(({ line }) => line === creation)).toHaveLength(1);
	});

	it("is waited for no longer than that where the clock was set back", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		through(world, (_, answer) => answer);
		const { wire } = world;
		world.wire = async (request) =>
			request.method === "POST" ? { kind: "sent", reason: "the connection was reset" } : (wire?.(request) as never);
		expect((await apply(world)).exit).toBe(7);
		world.wire = undefined;
		world.clock.advance(-86_400_000);
		const before = world.clock.now().getTime();
		expect((await apply(world)).exit).toBe(0);
		expect(world.clock.now().getTime() - before).toBeLessThan(60_000);
	});
});

describe("the account owner, whom the service does not mark", () => {
	const untold = (answer: string): string =>
		answer.replace(/,?"accountOwnerId":"[^"]*"/, "").replaceAll(/"isAccountOwner":(true|false),?/g, "");
	const junior = "persons:\n  - {key: junior, firstName: Ada, lastName: Example, emailAddress: junior@example.com}";
	/** The newest first. */
	const reversed = (line: string, answer: string): string => {
		if (!relatedList.test(line)) return answer;
		const { content, ...page } = JSON.parse(answer);
		return JSON.stringify({ ...page, content: content.reverse() });
	};
	const ownerId = (world: World) => world.sandbox.state.related.filter(({ accountOwner }) => accountOwner).at(-1)?.id;

	it.each([
		["with the externalId of each", (answer: string) => answer],
		["without externalIds", (answer: string) => answer.replaceAll(/"externalId":"crm-layers\/[^"]*",/g, "")],
	])("is never taken for somebody of the same name, %s", async (_, hidden) => {
		const world = await caseWorld();
		put(world, "case.yaml", layers.replace("persons:", junior));
		expect((await apply(world)).exit).toBe(0);
		through(world, (line, answer) => reversed(line, hidden(untold(answer))));
		put(world, "case.yaml", layers.replace("persons:", junior).replace("639980001", "639980009"));
		world.requests.length = 0;
		expect((await apply(world)).exit).toBe(0);
		expect(changes(world)).toEqual([
			`PATCH /api/partner/corporates/related/${ownerId(world)} {"phone":{"countryCode":"33","number":"639980009"}}`,
		]);
		expect(entitiesOf(world, "crm-layers").related).toEqual(["Ada Example", ...everybody]);
	});

	it.each([
		["marked in the list only", (answer: string) => answer.replace(/,?"accountOwnerId":"[^"]*"/, "")],
		["marked nowhere, by a name that nobody else has, written otherwise", (answer: string) => untold(answer).replaceAll('"Ada"', '"ADA "')],
	])("is known at once, %s: nothing of the case waits for another run", async (_, told) => {
		const world = await caseWorld();
		put(world, "case.yaml", layers.replace("  isDirector: true\n", "  isDirector: true\n  isUbo: true\n"));
		through(world, (_line, answer) => told(answer));
		const ran = await world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--send-email-link", "--json"]);
		expect(ran.exit, ran.stderr).toBe(0);
		expect(ran.json().cases[0]).toMatchObject({ state: "applied", accountOwnerId: ownerId(world) });
		expect(changes(world)).toContainEqual(`PATCH /api/partner/corporates/related/${ownerId(world)} {"isUbo":true}`);
		expect(ran.json().cases[0].steps.at(-1)).toMatchObject({ what: "email link", state: "asked for", id: ownerId(world) });
	});

	it.each([
		[
			"a new last name beside the same email is the account owner's",
			(text: string) => text.replace("lastName: Example", "lastName: Married"),
			1,
		],
		[
			"whoever has the email and no part of the name is not",
			(text: string) => text.replace("firstName: Ada", "firstName: Hedy").replace("lastName: Example", "lastName: Married"),
			0,
		],
		[
			"nor is anybody where another person of the case has that email too",
			(text: string) => text.replace("lastName: Example", "lastName: Married").replace("grace@example.com", "ada@example.com"),
			0,
		],
	])("%s", async (_, change, count) => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		expect((await apply(world)).exit).toBe(0);
		through(world, (_line, answer) => untold(answer));
		put(world, "case.yaml", change(layers));
		world.requests.length = 0;
		expect((await apply(world)).exit).toBe(count === 1 ? 0 : 9);
		const own = changes(world).filter((line) => line.includes(String(ownerId(world))));
		expect(own).toEqual(count === 1 ? [`PATCH /api/partner/corporates/related/${ownerId(world)} {"lastName":"Married"}`] : []);
	});

	it("is left alone where it is not certain, and everybody else is declared all the same", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers.replace("  isDirector: true\n", "  isDirector: true\n  isUbo: true\n"));
		through(world, (_, answer) => untold(answer).replaceAll(/"(firstName|lastName)":"(Ada|Example)"/g, '"$1":"Other $2"'));
		const first = await world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--json"]);
		expect(first.exit).toBe(9);
		const corporateId = world.sandbox.state.corporates.at(-1)?.id;
		const why = `the service does not say who the account owner is; compare by hand: purser related list ${corporateId}`;
		expect(first.json().cases[0]).toMatchObject({ state: "incomplete" });
		expect(first.json().cases[0].steps).toContainEqual(expect.objectContaining({ what: "account owner", state: "blocked", why }));
		expect(entitiesOf(world, "crm-layers").related).toEqual(everybody);
		put(world, "case.yaml", layers.replace("percentage: 20", "percentage: 18"));
		world.requests.length = 0;
		const second = await world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--json"]);
		expect(second.exit).toBe(9);
		const blocked = second.json().cases[0].steps.filter(({ state }: { state: string }) => state === "blocked");
		expect(blocked.map(({ what, why: reason }: { what: string; why: string }) => [what, reason])).toEqual([
			["account owner", why],
			["shares", why],
		]);
		expect(changes(world)).toEqual([]);
	});
});

describe("a record of another corporate in the place of the one asked for", () => {
	it.each([
		["onboard apply", ["onboard", "apply", ...confirmed, "case.yaml"]],
		["onboard plan", ["onboard", "plan", "case.yaml"]],
		["onboard bundle", ["onboard", "bundle", "OWN", "--save", "evidence"]],
		["corporate show", ["corporate", "show", "OWN"]],
	])("%s believes nothing of it, and changes nothing", async (_, argv) => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		expect((await apply(world)).exit).toBe(0);
		const own = world.sandbox.state.corporates.at(-1)?.id as string;
		const other = world.sandbox.state.corporates[0]?.id as string;
		through(world, (line, answer) =>
			line === `GET /api/partner/corporates/${own}` ? answer.replace(own, other).replace("Layered SAS", "Other SAS") : answer,
		);
		world.requests.length = 0;
		const ran = await world.purser(argv.map((word) => (word === "OWN" ? own : word)));
		expect(ran.exit).toBe(1);
		expect(ran.stderr).toContain(`The service was asked for the corporate ${own} and answered with another one, ${other}`);
		expect(changes(world)).toEqual([]);
		expect([...world.files.keys()].filter((name) => name.startsWith("evidence"))).toEqual([]);
	});
});

it("a KYB that was asked for is not asked for again where the service shows no status of it", async () => {
	const world = await caseWorld();
	put(world, "case.yaml", layers);
	through(world, (_, answer) => answer.replaceAll(/"kybStatus":"[^"]*",?/g, ""));
	const request = ["onboard", "apply", ...confirmed, "case.yaml", "--request-kyb", ...despite("review-not-seen", "owner-missing")];
	expect((await world.purser(request)).exit).toBe(0);
	const again = await world.purser(request, { columns: 300 });
	expect(again.exit).toBe(0);
	expect(world.requests.filter(({ line }) => line.endsWith("/kyb"))).toHaveLength(1);
	const { id } = world.sandbox.state.corporates.at(-1) ?? {};
	expect(again.stdout).toMatch(/left KYB Example Layered SAS [^\n]*\n +requested on /);
	expect(again.stdout).toContain(`to request it again: purser kyb request ${id}\n`);
});

it("KYC links of a list that was cut are not all: the case is incomplete", async () => {
	const world = await caseWorld();
	put(world, "case.yaml", layers);
	expect((await apply(world)).exit).toBe(0);
	let lists = 0;
	through(world, (line, answer) => {
		if (!relatedList.test(line) || ++lists === 1) return answer;
		const { content } = JSON.parse(answer);
		return JSON.stringify({ content: lists === 2 ? content.slice(0, 1) : [], totalElements: 6 });
	});
	const ran = await world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--kyc-links", "--json"]);
	expect(ran.exit).toBe(9);
	expect(ran.json().cases[0].state).toBe("incomplete");
	expect(ran.json().cases[0].steps.at(-1)).toMatchObject({ what: "KYC link", state: "blocked" });
});

describe("a case that was copied, or a key that was given to somebody else", () => {
	it.each<[string, (text: string) => string, string]>([
		[
			"another company under the same externalId",
			(text) => text.replace("Example Layered SAS", "Example Bakery SARL").replace('"100 200 300"', '"999 888 777"'),
			"give the case another externalId than crm-layers",
		],
		[
			"another person under the same key",
			(text) =>
				text.replace("firstName: Grace, lastName: Sample, emailAddress: grace@", "firstName: Hedy, lastName: Muster, emailAddress: hedy@"),
			"give it another key than grace",
		],
		[
			"another account owner",
			(text) => text.replace("firstName: Ada", "firstName: Hedy").replace("lastName: Example", "lastName: Muster").replace("ada@", "hedy@"),
			"the service's customer care says how an account owner is replaced",
		],
		[
			"another related company",
			(text) => text.replace("Example Base GmbH", "Example Other AG").replace("HRB 1", "HRB 2"),
			"give it another key than base",
		],
	])("%s: nothing is written over", async (_, change, fix) => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		expect((await apply(world)).exit).toBe(0);
		put(world, "case.yaml", change(layers));
		world.requests.length = 0;
		for (const verb of ["plan", "apply"]) {
			const ran = await world.purser(["onboard", verb, "case.yaml", ...(verb === "apply" ? confirmed : []), "--json"]);
			expect(ran.exit).toBe(10);
			expect(JSON.parse(ran.stderr.trim().split("\n").at(-1) as string).error).toMatchObject({
				code: "ANOTHER_RECORD",
				fix: expect.stringContaining(fix),
			});
		}
		expect(changes(world)).toEqual([]);
	});

	it.each([
		[
			"a corporate whose name and code were both corrected",
			(text: string) => text.replace("Example Layered SAS", "Example Bakery SARL").replace('"100 200 300"', '"999 888 777"'),
			/purser corporate update [0-9a-f-]{36} --corporate-name 'Example Bakery SARL'/,
		],
		[
			"a person whose names and email were corrected",
			(text: string) =>
				text.replace("firstName: Grace, lastName: Sample, emailAddress: grace@", "firstName: Hedy, lastName: D'Arc, emailAddress: hedy@"),
			/purser related update [0-9a-f-]{36} --last-name 'D'\\''Arc'/,
		],
	])("%s: the command that is shown says so, and the case is applied", async (_, change, shown) => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		expect((await apply(world)).exit).toBe(0);
		put(world, "case.yaml", change(layers));
		const refused = await world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--json"]);
		const { fix } = JSON.parse(refused.stderr.trim().split("\n").at(-1) as string).error;
		const [command = ""] = shown.exec(fix) ?? [];
		const [, noun = "", verb = "", id = "", flag = "", value = ""] = /^purser (\S+) (\S+) (\S+) (\S+) (.*)$/.exec(command) ?? [];
		const typed = value.slice(1, -1).replace("'\\''", "'");
		expect((await world.purser([noun, verb, id, flag, typed])).exit).toBe(0);
		expect((await apply(world)).exit).toBe(0);
		expect((await world.purser(["onboard", "plan", "case.yaml"])).stdout).toContain("0 to create, 0 to update");
	});

	it("a new name alone, a new code alone, or names corrected beside the same email are changes like any other", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", layers);
		expect((await apply(world)).exit).toBe(0);
		const changed = layers
			.replace("Example Layered SAS", "Example Renamed SAS")
			.replace("HRB 1", "HRB 2")
			.replace("firstName: Grace, lastName: Sample", "firstName: Graça, lastName: Sampléová")
			.replace("lastName: Muster, emailAddress: lin@", "lastName: Married, emailAddress: new@");
		put(world, "case.yaml", changed);
		world.requests.length = 0;
		expect((await apply(world)).exit).toBe(0);
		expect(changes(world)).toHaveLength(4);
	});
});

it("a sentence in the place of the service's code is told, and is not kept in the journal", async () => {
	const world = await caseWorld();
	const person = world.sandbox.state.related[0]?.id as string;
	const update = ["related", "update", person, "--email-address", "ada@example.com"];
	world.wire = async () => answered(409, '{"errorCode":"ada@example.com is in use"}');
	const ran = await world.purser(update);
	expect([ran.exit, ran.stderr]).toEqual([5, expect.stringContaining("ada@example.com is in use")]);
	world.wire = async () => answered(409, '{"errorCode":"EMAIL_IN_USE"}');
	expect((await world.purser(update)).exit).toBe(5);
	const { stdout } = await world.purser(["history", "export"]);
	expect(stdout).not.toContain("ada@example.com");
	expect(stdout).toContain("EMAIL_IN_USE");
});

it("what could not be listed for one case is asked for again by the next", async () => {
	const world = await caseWorld();
	put(world, "a.yaml", layers.replace("crm-layers", "crm-a"));
	put(world, "b.yaml", layers.replace("crm-layers", "crm-b"));
	let lists = 0;
	through(world, (line, answer) => (line === list && ++lists <= 3 ? 503 : answer));
	expect((await world.purser(["onboard", "apply", ...confirmed, "a.yaml", "b.yaml", "--new"])).exit).toBe(9);
	expect([entitiesOf(world, "crm-a").corporates, entitiesOf(world, "crm-b").corporates]).toEqual([0, 1]);
});
