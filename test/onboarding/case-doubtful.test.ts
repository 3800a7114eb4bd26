/**
 * Where the service tells less than usual, or something else than was asked: nothing is created twice, nobody else is changed.
 */
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import { despite } from "../support/gates.js";
import { answered, type World } from "../support/purser.js";
import { appliedCase, apply, caseIn, changes, entitiesOf, errorOf, everybody, layers, put, through } from "./case-world.js";

afterAll(removeFolders);

const list = "GET /api/partner/corporates";
const creation = "POST /api/partner/corporates";
const relatedList = /^GET .*\/related$/;
const relatedCreation = /^POST .*\/related$/;
/** Asks for the KYB, whatever its gates say. */
const request = ["--request-kyb", ...despite("review-not-seen", "owner-missing")];
const openDoubts = async (world: World): Promise<string> => (await world.purser(["pay", "doubts", "--json"])).stdout;

describe("a creation in doubt, looked for a second time", () => {
	const cut = (total: number) => `{"content":[],"totalElements":${total}}`;
	it.each<[string, string | RegExp, string | RegExp, string | number]>([
		["the list of corporates is refused", creation, list, 403],
		["the list of corporates ends before its announced total", creation, list, cut(3)],
		["the list of related entities is cut", relatedCreation, relatedList, cut(9)],
	])("%s: nothing follows, nothing is sent, the doubt stays", async (_, lost, looked, later) => {
		const is = (line: string, what: string | RegExp): boolean => (typeof what === "string" ? line === what : what.test(line));
		const world = await caseIn(layers);
		through(world, (line, answer) => (is(line, lost) ? undefined : answer));
		expect((await apply(world)).exit).toBe(7);
		let looks = 0;
		through(world, (line, answer) => (!is(line, looked) ? answer : looks++ === 0 ? cut(0) : later));
		world.requests.length = 0;
		const ran = await apply(world);
		expect([ran.exit, changes(world)]).toEqual([10, []]);
		expect(ran.stderr).toMatch(/Was .* created\?/);
		expect(await openDoubts(world)).toContain(lost === creation ? "corporate.create" : "related.create");
		world.wire = undefined;
		expect((await apply(world)).exit).toBe(0);
		expect(entitiesOf(world, "crm-layers")).toEqual({ corporates: 1, related: everybody });
	});

	it("is waited for from the end of the attempt, which may have taken its whole time limit", async () => {
		const world = await caseIn(layers);
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
});

describe("the account owner, whom the service does not mark", () => {
	const untold = (answer: string): string =>
		answer.replace(/,?"accountOwnerId":"[^"]*"/, "").replaceAll(/"isAccountOwner":(true|false),?/g, "");
	const isUbo = layers.replace("  isDirector: true\n", "  isDirector: true\n  isUbo: true\n");

	it("is left alone where the service marks nobody, and everybody else is declared all the same", async () => {
		const world = await caseIn(isUbo);
		through(world, (_, answer) => untold(answer));
		const [first] = (await apply(world, "--json")).json().cases;
		const corporateId = world.sandbox.state.corporates.at(-1)?.id;
		const why = `the service does not say who the account owner is; compare by hand: purser related list ${corporateId}`;
		expect(first.state).toBe("incomplete");
		expect(first.steps).toContainEqual(expect.objectContaining({ what: "account owner", state: "blocked", why }));
		expect(entitiesOf(world, "crm-layers").related).toEqual(everybody);
		put(world, "case.yaml", layers.replace("percentage: 20", "percentage: 18"));
		world.requests.length = 0;
		const second = await apply(world, "--json");
		const blocked = second.json().cases[0].steps.filter(({ state }: { state: string }) => state === "blocked");
		expect([second.exit, changes(world)]).toEqual([9, []]);
		expect(blocked.map(({ what, why: reason }: { what: string; why: string }) => [what, reason])).toEqual([
			["account owner", why],
			["shares", why],
		]);
	});
});

describe("a record of another corporate in the place of the one asked for", () => {
	it.each([
		["onboard", "apply", ...confirmed, "case.yaml"],
		["onboard", "plan", "case.yaml"],
		["onboard", "bundle", "OWN", "--save", "evidence"],
		["corporate", "show", "OWN"],
	])("%s %s believes nothing of it, and changes nothing", async (...argv) => {
		const world = await appliedCase();
		const own = world.sandbox.state.corporates.at(-1)?.id as string;
		const other = world.sandbox.state.corporates[0]?.id as string;
		through(world, (line, answer) =>
			line === `GET /api/partner/corporates/${own}` ? answer.replace(own, other).replace("Layered SAS", "Other SAS") : answer,
		);
		const ran = await world.purser(argv.map((word) => (word === "OWN" ? own : word)));
		expect([ran.exit, changes(world), [...world.files.keys()].filter((name) => name.startsWith("evidence"))]).toEqual([1, [], []]);
		expect(ran.stderr).toContain(`The service was asked for the corporate ${own} and answered with another one, ${other}`);
	});
});

it("a KYB that was asked for is not asked for again where the service shows no status of it", async () => {
	const world = await caseIn(layers);
	through(world, (_, answer) => answer.replaceAll(/"kybStatus":"[^"]*",?/g, ""));
	expect((await apply(world, request)).exit).toBe(0);
	const again = await world.purser(["onboard", "apply", ...confirmed, "case.yaml", ...request], { columns: 300 });
	expect([again.exit, world.requests.filter(({ line }) => line.endsWith("/kyb")).length]).toEqual([0, 1]);
	const { id } = world.sandbox.state.corporates.at(-1) ?? {};
	expect(again.stdout).toMatch(/left KYB Example Layered SAS [^\n]*\n +requested on /);
	expect(again.stdout).toContain(`to request it again: purser kyb request ${id}\n`);
});

describe("a case that was copied, or a key that was given to somebody else", () => {
	const bakery = layers.replace("Example Layered SAS", "Example Bakery SARL").replace('"100 200 300"', '"999 888 777"');
	const grace = "firstName: Grace, lastName: Sample, emailAddress: grace@";

	it.each([
		["another company under the same externalId", bakery, "give the case another externalId than crm-layers"],
		[
			"another person under the same key",
			layers.replace(grace, "firstName: Hedy, lastName: Muster, emailAddress: hedy@"),
			"give it another key than grace",
		],
		[
			"another account owner",
			layers.replace("firstName: Ada", "firstName: Hedy").replace("lastName: Example", "lastName: Muster").replace("ada@", "hedy@"),
			"the service's customer care says how an account owner is replaced",
		],
		[
			"another related company",
			layers.replace("Example Base GmbH", "Example Other AG").replace("HRB 1", "HRB 2"),
			"give it another key than base",
		],
	])("%s: nothing is written over", async (_, later, fix) => {
		const world = await appliedCase(layers, later);
		for (const ran of [await world.purser(["onboard", "plan", "case.yaml", "--json"]), await apply(world, "--json")]) {
			expect(ran.exit).toBe(10);
			expect(errorOf(ran)).toMatchObject({ code: "ANOTHER_RECORD", fix: expect.stringContaining(fix) });
		}
		expect(changes(world)).toEqual([]);
	});

	it("one of the same family, once a KYC has begun: it is not another's", async () => {
		const world = await appliedCase(layers, layers.replace(grace, "firstName: Hedy, lastName: Sample, emailAddress: hedy@"));
		const record = world.sandbox.state.related.find(({ fields }) => fields.firstName === "Grace");
		if (record !== undefined) record.kyc.status = "VALIDATED";
		const ran = await apply(world, "--json");
		expect([ran.exit, errorOf(ran).code, changes(world)]).toEqual([10, "ANOTHER_RECORD", []]);
		expect((await world.purser(/purser (related update .*? Hedy)/.exec(errorOf(ran).fix)?.[1] ?? "")).exit).toBe(0);
		expect((await apply(world)).exit).toBe(0);
	});

	it("a new name alone, a new code alone, or names corrected beside the same email are changes like any other", async () => {
		const changed = layers
			.replace("Example Layered SAS", "Example Renamed SAS")
			.replace("HRB 1", "HRB 2")
			.replace("firstName: Grace, lastName: Sample", "firstName: Graça, lastName: Sampléová")
			.replace("lastName: Muster, emailAddress: lin@", "lastName: Married, emailAddress: new@");
		const world = await appliedCase(layers, changed);
		expect([(await apply(world)).exit, changes(world).length]).toEqual([0, 4]);
	});
});

it("a sentence in the place of the service's code is told, and is not kept in the journal", async () => {
	const world = await caseIn(layers);
	const update = ["related", "update", String(world.sandbox.state.related[0]?.id), "--email-address", "ada@example.com"];
	world.wire = async () => answered(409, '{"errorCode":"ada@example.com is in use"}');
	const ran = await world.purser(update);
	expect([ran.exit, ran.stderr]).toEqual([5, expect.stringContaining("ada@example.com is in use")]);
	expect((await world.purser(["history", "export"])).stdout).not.toContain("ada@example.com");
});

it("what could not be listed for one case is asked for again by the next", async () => {
	const world = await caseIn(layers);
	for (const name of ["a", "b"]) put(world, `${name}.yaml`, layers.replace("crm-layers", `crm-${name}`));
	let lists = 0;
	through(world, (line, answer) => (line === list && ++lists <= 3 ? 503 : answer));
	expect((await world.purser(["onboard", "apply", ...confirmed, "a.yaml", "b.yaml", "--new"])).exit).toBe(9);
	expect([entitiesOf(world, "crm-a").corporates, entitiesOf(world, "crm-b").corporates]).toEqual([0, 1]);
});

describe("a case run again", () => {
	it("an email that the service writes in small letters is no change: it would have to be verified anew", async () => {
		const world = await caseIn(layers.replaceAll("ada@example.com", "Ada@Example.com"));
		through(world, (_, answer) => answer.replaceAll("Ada@Example.com", "ada@example.com"));
		expect((await apply(world)).exit).toBe(0);
		world.requests.length = 0;
		expect([(await apply(world)).exit, changes(world)]).toEqual([0, []]);
	});

	it("terms that the service denies are not left as accepted, whatever was sent", async () => {
		const world = await appliedCase();
		through(world, (line, answer) =>
			line.endsWith("/terms-and-conditions") ? '{"language":"EN"}' : answer.replaceAll('"termsAccepted":true', '"termsAccepted":false'),
		);
		await apply(world);
		const [{ steps }] = (await world.purser(["onboard", "plan", "case.yaml", "--json"])).json().cases;
		expect(steps.find(({ what }: { what: string }) => what === "terms")).toMatchObject({ action: "update" });
	});
});
