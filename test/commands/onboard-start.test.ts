import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, entitiesOf, through } from "../onboarding/case-world.js";
import { answered, type World } from "../support/purser.js";
import { delivered, sandboxAnswer } from "../support/world-wire.js";

afterAll(removeFolders);

/** The paths of the drafts. */
const draftsOf = (world: World): string[] => [...world.files.keys()].filter((path) => path.startsWith("/state/onboarding-draft"));

/** Answers from the first question to the last one before the review. */
const answers = [
	...["yes", "Ada Example", "crm-wizard", "Example Wizard SAS", "FRA", "123 456 789", "2019-04-01", "FOOD_RESTAURANT_CATERING", "FRA"],
	...["Paris", "75001", "", "", "LESS_THAN_10_000", "EUR", "Ada", "Example", "ada@example.com", "CEO", "both", "+33 6 39 98 00 01", "20"],
	...["Example Holding BV", "corporate", "80", "", "Grace", "Sample", "grace@example.com", "", "owner", "example-holding-bv", "100", ""],
	"yes",
];
/** Once it is created, nothing more. */
const onlyCreated = [...answers.slice(0, -1), "no"];
const after = ["send", true];

const messages = (world: World): string[] => world.asked.map(({ message }) => message);
const textOf = (world: World, path: string): string => new TextDecoder().decode(world.files.get(path));

describe("onboard start", () => {
	it("asks, declares everything, goes through KYB and KYC, writes the case and removes the draft", async () => {
		const world = await caseWorld();
		const ran = await world.purser("onboard start", { answers: [...answers, ...after] });
		expect(ran.stderr).not.toMatch(/rror|Warning/);
		expect(ran.exit).toBe(0);
		expect(entitiesOf(world, "crm-wizard")).toEqual({ corporates: 1, related: ["Ada Example", "Example Holding BV", "Grace Sample"] });
		const corporate = world.sandbox.state.corporates.at(-1);
		expect(corporate?.kyb.status).toBe("PENDING_VERIFICATION");
		expect(corporate?.accepted).toBe("1.0");
		expect(draftsOf(world)).toEqual([]);
		expect(ran.stdout).toContain("sent verification email to ada@example.com");
		// Beside the review, these three alone are a Yes or a No.
		expect(messages(world).filter((message) => message.endsWith("?"))).toEqual([
			"Has the account owner seen and accepted version 1.0?",
			"Once it is created: send the verification email, request the KYB and create the KYC links?",
			expect.stringContaining("Have you read this due-diligence review"),
		]);
		// Alone on the screen after a resume, each says whose shares of what.
		expect(messages(world)).toEqual(
			expect.arrayContaining([
				"Percent of the company that Example Holding BV holds",
				"Percent of Example Holding BV that Grace Sample holds",
			]),
		);
		expect(ran.stdout).toMatch(/created KYC link for Grace Sample .*\n +http/);
		expect(ran.stdout).toContain("purser onboard apply case-crm-wizard.yaml --send-email-link --request-kyb --kyc-links");
		const written = textOf(world, "case-crm-wizard.yaml");
		expect(written).toContain('percentage: "80"');
		// In the order of the questions, which is that of a case.
		expect(written).toContain("corporate:\n  externalId: crm-wizard\n  corporateName: Example Wizard SAS\n");
		// The case file says the same: nothing is left to do.
		const planned = await world.purser("onboard plan case-crm-wizard.yaml");
		expect(planned.stdout).toContain("0 to create, 0 to update");
	});

	it("what an answer no longer asks for is in the case no more: an owner of nobody, a phone", async () => {
		const world = await caseWorld();
		const changes = ["companies.0.corporateName", "-", "", "accountOwner.phone", "-", "persons.0.owned", "corporate", "20"];
		const ran = await world.purser("onboard start", { answers: [...answers, ...changes, "file"], columns: 200 });
		expect(ran.exit, ran.stderr).toBe(0);
		const written = textOf(world, "case-crm-wizard.yaml");
		for (const gone of ["companies:", "phone"]) expect(written).not.toContain(gone);
		expect(written).toContain('- owner: grace-sample\n    owned: corporate\n    percentage: "20"');
	});

	it("on a live profile the review is the question; a run that goes on after it asks once for itself", async () => {
		const world = await caseWorld({ profile: { baseUrl: "https://api.example.com" } });
		Object.assign(world.profiles.get("sandbox") ?? {}, { environment: "live" });
		const changed = () => world.requests.filter(({ method }) => method !== "GET").length;
		const seen = await world.purser("onboard start", { answers: [...answers, "^C"] });
		const review = world.asked.at(-1);
		expect([seen.exit, changed(), review?.choices?.[0]?.label]).toEqual([
			130,
			0,
			"Send it now, LIVE: Ada Example, the account owner, has seen and accepted version 1.0",
		]);
		expect(seen.stderr).toContain("Profile sandbox  LIVE  api.example.com\n\nOnboard Example Wizard SAS\n");
		const sent = await world.purser("onboard resume", { answers: ["send", "^C"] });
		expect([sent.exit, world.asked.map(({ kind }) => kind)]).toEqual([130, ["choose", "confirm"]]);
		expect(await world.json("history show 1")).toMatchObject({
			operation: "corporate.create",
			confirmedBy: "operator",
		});
		const before = changed();
		expect(before).toBeGreaterThan(3);
		const declined = await world.purser("onboard resume", { answers: [false] });
		expect([declined.exit, changed(), messages(world)]).toEqual([10, before, ["Onboard Example Wizard SAS?"]]);
	});

	it("on a sandbox profile too a run that goes on after the review asks who accepted the terms, until they are accepted", async () => {
		const world = await caseWorld();
		through(world, (_, answer) => answer);
		const pass = world.wire;
		world.wire = async (request, ...more) =>
			request.method === "POST" && request.url.endsWith("/corporates")
				? { kind: "not-sent", reason: "the connection was refused" }
				: (pass as NonNullable<typeof pass>)(request, ...more);
		const seen = await world.purser("onboard start", { answers: [...answers, "send"] });
		expect(world.asked.at(-1)?.choices?.[0]?.label).toBe("Send it now: Ada Example, the account owner, has seen and accepted version 1.0");
		expect([seen.exit, world.sandbox.state.corporates.filter(({ fields }) => fields.externalId === "crm-wizard")]).toEqual([6, []]);
		world.wire = undefined;
		const resumed = await world.purser("onboard resume", { answers: [false] });
		expect([resumed.exit, messages(world)]).toEqual([
			10,
			["Has Ada Example, the account owner, seen and accepted version 1.0? If so, onboard Example Wizard SAS?"],
		]);
	});

	it("stopped at any question and resumed, nothing is asked twice and nothing is made twice", async () => {
		const whole = await caseWorld();
		const all = [...answers, ...after];
		await whole.purser("onboard start", { answers: all });
		const expected = messages(whole);
		expect(expected).toHaveLength(all.length);
		// One answer a run, and Ctrl-C at the next question: each question is stopped at once.
		const world = await caseWorld();
		for (const [at, answer] of all.entries()) {
			const last = at === all.length - 1;
			const ran = await world.purser(["onboard", at === 0 ? "start" : "resume"], { answers: last ? [answer] : [answer, "^C"] });
			expect(messages(world)).toEqual(expected.slice(at, at + 2));
			expect(ran.exit, `after question ${at + 1}: ${ran.stderr}`).toBe(last ? 0 : 130);
			expect(draftsOf(world)).toHaveLength(last ? 0 : 1);
			if (last) continue;
			expect(ran.stderr).toContain("purser onboard resume");
		}
		expect(entitiesOf(world, "crm-wizard")).toEqual(entitiesOf(whole, "crm-wizard"));
	});

	it("goes back with <, offers what was answered, and takes wrong answers as they are: not", async () => {
		const world = await caseWorld();
		const reference = ["yes", "<", "yes", "Ada Example", "crm-back", "<", "crm-wizard"];
		const all = [...reference, "Example SAS", "FRA", "<", "FRA", "1", "2023-02-30", "2023-02-28", "^C"];
		const ran = await world.purser("onboard start", { answers: all });
		expect(ran.exit).toBe(130);
		expect(ran.stderr).toContain("is not a valid date: 2023-02-30");
		const kept = JSON.parse(textOf(world, draftsOf(world)[0] as string)).case;
		expect(kept.corporate).toMatchObject({ externalId: "crm-wizard", incorporationDate: "2023-02-28" });
		expect(messages(world).filter((message) => message.startsWith("Has the account owner"))).toHaveLength(2);
	});

	it("any line can be changed in the review", async () => {
		const world = await caseWorld();
		const ran = await world.purser("onboard start", {
			answers: [...onlyCreated, "corporate.corporateName", "Example Renamed SAS", "persons.0.firstName", "-", "send"],
		});
		expect(ran.exit).toBe(0);
		expect(ran.stdout.replace(/\s+/g, " ")).toContain("The company: Example Renamed SAS · France · 123 456 789");
		expect(entitiesOf(world, "crm-wizard").related).toEqual(["Ada Example", "Example Holding BV"]);
		expect(world.sandbox.state.corporates.at(-1)?.kyb.status).toBe("NOT_STARTED");
	});

	it("what the service refused can be corrected: resume shows the answers again, and what is there is made no second time", async () => {
		const world = await caseWorld();
		let refused = "Grace";
		world.wire = async (request) =>
			request.method === "POST" && new TextDecoder().decode(request.body).includes(`"firstName":"${refused}"`)
				? answered(400, "{}")
				: delivered(await sandboxAnswer(world, request));
		const first = await world.purser("onboard start", { answers: [...onlyCreated, "send"] });
		expect(first.exit).toBe(9);
		expect(entitiesOf(world, "crm-wizard").related).toEqual(["Ada Example", "Example Holding BV"]);
		const resumed = await world.purser("onboard resume", {
			answers: ["persons.0.firstName", "Hedy", "companies.0.corporateName", "Example Holding NV", "send"],
		});
		expect(resumed.exit, resumed.stderr).toBe(0);
		expect(entitiesOf(world, "crm-wizard")).toEqual({ corporates: 1, related: ["Ada Example", "Example Holding NV", "Hedy Sample"] });
		expect(resumed.stdout).toContain("purser onboard apply case-crm-wizard-2.yaml");
		expect(textOf(world, "case-crm-wizard-2.yaml")).toContain("firstName: Hedy");
		expect(textOf(world, "case-crm-wizard-2.yaml")).toContain("purser onboard apply case-crm-wizard-2.yaml\n");
		refused = "nobody";
		expect((await world.purser("onboard plan case-crm-wizard-2.yaml")).stdout).toContain("0 to create, 0 to update");
	});

	it("a second start begins beside the first; each is listed, resumed and discarded by its name", async () => {
		const world = await caseWorld();
		const begin = (name: string, more: string[] = []) =>
			world.purser("onboard start", { answers: ["yes", "Ada Example", `crm-${name.length}`, name, ...more, "^C"] });
		await begin("Example Bäckerei & Söhne GmbH");
		world.clock.advance(60_000);
		const second = await begin("Example Florist", ["FRA"]);
		expect(second.stderr).toContain("purser onboard resume example-florist");
		world.clock.advance(60_000);
		await begin("Example Florist");
		const listed = await world.json("onboard list");
		expect(
			listed.map(({ name, company, answers, nextQuestion }: Record<string, unknown>) => [name, company, answers, nextQuestion]),
		).toEqual([
			["example-florist", "Example Florist", 4, expect.stringContaining("ountry")],
			["example-florist", "Example Florist", 5, expect.any(String)],
			["example-backerei-sohne-gmbh", "Example Bäckerei & Söhne GmbH", 4, expect.stringContaining("ountry")],
		]);
		expect(listed[1]).toMatchObject({ startedAt: "2026-03-01T10:01:00.000Z", savedAt: "2026-03-01T10:01:00.000Z" });
		expect((await world.purser("onboard list")).stdout).toContain("example-backerei-sohne-gmbh");

		const resumed = await world.purser("onboard resume example-backerei-sohne-gmbh", { answers: ["^C"] });
		expect(resumed.stdout).toContain("Resuming Example Bäckerei & Söhne GmbH (4 answers saved)");
		expect((await world.purser('onboard resume "example bäckerei & söhne gmbh"', { answers: ["^C"] })).exit).toBe(130);
		expect((await world.purser("onboard resume nobody", { answers: [] })).stderr).toContain('that was stopped has the name "nobody"');
		expect((await world.purser("onboard resume")).exit).toBe(2);

		// Of several a person chooses.
		await world.purser("onboard resume example-florist", { answers: [listed[1].path, "^C"] });
		expect([world.asked[0]?.message, world.asked[0]?.choices?.length]).toEqual(["Which onboarding", 2]);
		const several = await world.purser("onboard discard example-florist --yes", { columns: 300 });
		expect([several.exit, several.stderr]).toEqual([10, expect.stringContaining("example-florist, example-florist")]);

		expect((await world.purser("onboard discard --yes")).stderr).toContain("Missing: NAME");
		expect((await world.purser("onboard discard example-florist", { answers: [listed[1].path, false] })).exit).toBe(10);
		expect(draftsOf(world)).toHaveLength(3);
		expect((await world.purser("onboard discard example-florist", { answers: [listed[1].path, true] })).exit).toBe(0);
		expect(world.asked.at(-1)?.message).toBe("Remove the draft example-florist of Example Florist with its answers?");
		const left = await world.json("onboard list");
		expect(left.map(({ path }: { path: string }) => path)).toEqual([listed[0].path, listed[2].path]);
		for (const { name } of left) expect((await world.purser(`onboard discard ${name} --yes`)).exit).toBe(0);
		expect(draftsOf(world)).toEqual([]);
		expect((await world.purser("onboard list")).stdout).toBe("No onboarding is unfinished.\n");
		expect((await world.purser("onboard resume", { answers: [] })).stderr).toContain("purser onboard start");
	});

	it("stopped before the first answer, nothing is kept", async () => {
		const world = await caseWorld();
		const ran = await world.purser("onboard start", { answers: ["^C"] });
		expect([ran.exit, draftsOf(world)]).toEqual([130, []]);
		expect(ran.stderr).toContain("Stopped before the first answer; nothing is kept. Nothing was sent");
	});

	it("a draft that cannot be read is listed and can be discarded", async () => {
		const world = await caseWorld();
		const single = "/state/onboarding-drafts/sandbox/broken.json";
		const earlier = { version: "4", profile: "sandbox", answers: {}, done: [] };
		for (const text of [JSON.stringify(earlier), "{"]) {
			world.files.set(single, new TextEncoder().encode(text));
			expect((await world.json("onboard list"))[0]).toMatchObject({ trouble: "it cannot be read" });
		}
		const [broken] = await world.json("onboard list");
		expect(broken).toMatchObject({ name: "broken", path: single, trouble: "it cannot be read" });
		expect((await world.purser("onboard resume", { answers: [] })).exit).toBe(2);
		world.files.set(single, new Uint8Array(4_194_305));
		expect((await world.purser("onboard resume", { answers: [] })).stderr.replace(/\s+/g, " ")).toContain(
			"It has 4,194,305 bytes, and at most 4,194,304 bytes (4 MB) are read",
		);
		expect(world.files.has(single)).toBe(true);
		expect((await world.purser("onboard discard broken --yes")).exit).toBe(0);
		expect(world.files.has(single)).toBe(false);
	});

	it("the answers of one service are not shown to, nor sent to, another: a profile alike in name, or another address", async () => {
		const world = await caseWorld();
		const one = { baseUrl: "http://127.0.0.1:4010", environment: "sandbox" as const, auth: { kind: "login" as const }, settings: {} };
		for (const name of ["acme.live", "acme_live"]) world.profiles.set(name, { ...one, name });
		const stopped = await world.purser("onboard start --profile acme.live", { answers: [] });
		// Nobody is logged in with it, and nothing was answered.
		expect(stopped.exit).toBe(4);
		expect(draftsOf(world)).toEqual([]);
		world.files.set("/state/onboarding-drafts/acme.live/one.json", draftOf("http://127.0.0.1:4010"));
		const other = await world.purser("onboard resume --profile acme_live", { answers: [] });
		expect(other.exit).toBe(10);
		expect(other.stderr).toContain("No onboarding was stopped with this profile");
		const elsewhere = await world.purser("onboard resume --profile acme.live --base-url https://api.example.com", {
			columns: 200,
			answers: [],
		});
		expect(elsewhere.exit).toBe(10);
		expect(elsewhere.stderr).toContain("is for http://127.0.0.1:4010, which is not the service in use. Nothing was sent");
		expect(elsewhere.stderr).toContain("purser onboard resume --profile acme.live --base-url http://127.0.0.1:4010.");
		expect(elsewhere.stdout + elsewhere.stderr).not.toContain("Ada Example");
	});
});

const draftOf = (origin: string): Uint8Array =>
	new TextEncoder().encode(
		JSON.stringify({
			version: "5",
			origin,
			startedAt: "2026-03-01T10:00:00Z",
			case: { corporate: {}, accountOwner: {}, companies: [], persons: [], ownership: [], terms: { acceptedBy: "Ada Example" } },
			answers: { "terms.accepted": true },
		}),
	);
