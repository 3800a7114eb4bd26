import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, entitiesOf } from "../onboarding/case-world.js";
import { answered, type RunOptions, type World } from "../support/purser.js";
import { delivered, sandboxAnswer } from "../support/world-wire.js";

type Answer = NonNullable<RunOptions["answers"]>[number];

afterAll(removeFolders);

let world: World;
beforeEach(async () => {
	world = await caseWorld();
});
/** The paths of the drafts. */
const drafts = (): string[] => [...world.files.keys()].filter((path) => path.startsWith("/state/onboarding-draft"));
const messages = (): string[] => world.asked.map(({ message }) => message);
const start = (...answers: Answer[]) => world.purser("onboard start", { answers, columns: 200 });
const resume = (name: string, ...answers: Answer[]) => world.purser(`onboard resume ${name}`, { answers });

/** Answers from the first question to the last one before the review. */
const answers: readonly Answer[] = [
	...["yes", "Ada Example", "crm-wizard", "Example Wizard SAS", "FRA", "123 456 789", "2019-04-01", "FOOD_RESTAURANT_CATERING", "FRA"],
	...["Paris", "75001", "", "", "LESS_THAN_10_000", "EUR", "Ada", "Example", "ada@example.com", "CEO", "both", "+33 6 39 98 00 01", "20"],
	...["Example Holding BV", "corporate", "80", "", "Grace", "Sample", "grace@example.com", "", "owner", "example-holding-bv", "100", ""],
	"yes",
];
/** Once it is created, nothing more. */
const onlyCreated = [...answers.slice(0, -1), "no"];

describe("onboard start", () => {
	it("asks, declares everything, goes through KYB and KYC, writes the case and removes the draft", async () => {
		const ran = await start(...answers, "send", true);
		expect([ran.exit, ran.stderr]).toEqual([0, expect.not.stringMatching(/rror|Warning/)]);
		expect(entitiesOf(world, "crm-wizard")).toEqual({ corporates: 1, related: ["Ada Example", "Example Holding BV", "Grace Sample"] });
		const corporate = world.sandbox.state.corporates.at(-1);
		expect([corporate?.kyb.status, corporate?.accepted, drafts()]).toEqual(["PENDING_VERIFICATION", "1.0", []]);
		expect(ran.stdout).toContain("sent verification email to ada@example.com");
		// Beside the review, these three alone are a Yes or a No.
		expect(messages().filter((message) => message.endsWith("?"))).toEqual([
			"Has the account owner seen and accepted version 1.0?",
			"Once it is created: send the verification email, request the KYB and create the KYC links?",
			expect.stringContaining("Have you read this due-diligence review"),
		]);
		// Alone on the screen after a resume, each says whose shares of what.
		const shares = ["Percent of the company that Example Holding BV holds", "Percent of Example Holding BV that Grace Sample holds"];
		expect(messages()).toEqual(expect.arrayContaining(shares));
		expect(ran.stdout).toMatch(/created KYC link for Grace Sample .*(\n +)?http/);
		expect(ran.stdout).toContain("purser onboard apply case-crm-wizard.yaml --send-email-link --request-kyb --kyc-links");
		const written = world.text("case-crm-wizard.yaml");
		expect(written).toContain('percentage: "80"');
		// In the order of the questions, which is that of a case.
		expect(written).toContain("corporate:\n  externalId: crm-wizard\n  corporateName: Example Wizard SAS\n");
		// The case file says the same: nothing is left to do.
		expect((await world.purser("onboard plan case-crm-wizard.yaml")).stdout).toContain("0 to create, 0 to update");
	});

	it("what an answer no longer asks for is in the case no more: an owner of nobody, a phone", async () => {
		const changes = ["companies.0.corporateName", "-", "", "accountOwner.phone", "-", "persons.0.owned", "corporate", "20"];
		expect((await start(...answers, ...changes, "file")).exit).toBe(0);
		const written = world.text("case-crm-wizard.yaml");
		for (const gone of ["companies:", "phone"]) expect(written).not.toContain(gone);
		expect(written).toContain('- owner: grace-sample\n    owned: corporate\n    percentage: "20"');
	});

	it("on a live profile the review is the question; a run that goes on after it asks once for itself", async () => {
		world = await caseWorld({ profile: { baseUrl: "https://api.example.com" } });
		Object.assign(world.profiles.get("sandbox") ?? {}, { environment: "live" });
		const seen = await start(...answers, "^C");
		const label = "Send it now, LIVE: Ada Example, the account owner, has seen and accepted version 1.0";
		expect([seen.exit, world.changes(), world.asked.at(-1)?.choices?.[0]?.label]).toEqual([130, [], label]);
		expect(seen.stderr).toContain("Profile sandbox  LIVE  api.example.com\n\nOnboard Example Wizard SAS\n");
		const sent = await resume("", "send", "^C");
		expect([sent.exit, world.asked.map(({ kind }) => kind)]).toEqual([130, ["choose", "confirm"]]);
		expect(await world.json("history show 1")).toMatchObject({ operation: "corporate.create", confirmedBy: "operator" });
		const before = world.changes().length;
		expect(before).toBeGreaterThan(3);
		const declined = await resume("", false);
		expect([declined.exit, world.changes().length, messages()]).toEqual([10, before, ["Onboard Example Wizard SAS?"]]);
	});

	it("on a sandbox profile too a run that goes on after the review asks who accepted the terms, until they are accepted", async () => {
		world.wire = async (request) =>
			request.method === "POST" && request.url.endsWith("/corporates")
				? { kind: "not-sent", reason: "the connection was refused" }
				: delivered(await sandboxAnswer(world, request));
		const seen = await start(...answers, "send");
		const label = "Send it now: Ada Example, the account owner, has seen and accepted version 1.0";
		expect([seen.exit, world.asked.at(-1)?.choices?.[0]?.label, entitiesOf(world, "crm-wizard").corporates]).toEqual([6, label, 0]);
		world.wire = undefined;
		const question = "Has Ada Example, the account owner, seen and accepted version 1.0? If so, onboard Example Wizard SAS?";
		expect([(await resume("", false)).exit, messages()]).toEqual([10, [question]]);
	});

	it("stopped at any question and resumed, nothing is asked twice and nothing is made twice", async () => {
		const all = [...answers, "send", true];
		await start(...all);
		const [expected, entities] = [messages(), entitiesOf(world, "crm-wizard")];
		expect(expected).toHaveLength(all.length);
		// One answer a run, and Ctrl-C at the next question: each question is stopped at once.
		world = await caseWorld();
		for (const [at, answer] of all.entries()) {
			const last = at === all.length - 1;
			const ran = await world.purser(`onboard ${at === 0 ? "start" : "resume"}`, { answers: last ? [answer] : [answer, "^C"] });
			expect(messages()).toEqual(expected.slice(at, at + 2));
			expect([ran.exit, drafts().length], `after question ${at + 1}: ${ran.stderr}`).toEqual(last ? [0, 0] : [130, 1]);
			if (!last) expect(ran.stderr).toContain("purser onboard resume");
		}
		expect(entitiesOf(world, "crm-wizard")).toEqual(entities);
	});

	it("any line can be changed in the review", async () => {
		const changes = ["corporate.corporateName", "Example Renamed SAS", "persons.0.firstName", "-"];
		const ran = await start(...onlyCreated, ...changes, "send");
		expect(ran.exit).toBe(0);
		expect(ran.stdout.replace(/\s+/g, " ")).toContain("The company: Example Renamed SAS · France · 123 456 789");
		expect(entitiesOf(world, "crm-wizard").related).toEqual(["Ada Example", "Example Holding BV"]);
		expect(world.sandbox.state.corporates.at(-1)?.kyb.status).toBe("NOT_STARTED");
	});

	it("what the service refused can be corrected: resume shows the answers again, and what is there is made no second time", async () => {
		world.wire = async (request) =>
			request.method === "POST" && new TextDecoder().decode(request.body).includes('"firstName":"Grace"')
				? answered(400, "{}")
				: delivered(await sandboxAnswer(world, request));
		expect((await start(...onlyCreated, "send")).exit).toBe(9);
		expect(entitiesOf(world, "crm-wizard").related).toEqual(["Ada Example", "Example Holding BV"]);
		const resumed = await resume("", "persons.0.firstName", "Hedy", "companies.0.corporateName", "Example Holding NV", "send");
		expect(resumed.exit, resumed.stderr).toBe(0);
		expect(entitiesOf(world, "crm-wizard")).toEqual({ corporates: 1, related: ["Ada Example", "Example Holding NV", "Hedy Sample"] });
		expect(resumed.stdout).toContain("purser onboard apply case-crm-wizard-2.yaml");
		const written = world.text("case-crm-wizard-2.yaml");
		for (const text of ["firstName: Hedy", "purser onboard apply case-crm-wizard-2.yaml\n"]) expect(written).toContain(text);
		expect((await world.purser("onboard plan case-crm-wizard-2.yaml")).stdout).toContain("0 to create, 0 to update");
	});

	it("a second start begins beside the first; each is listed, resumed and discarded by its name", async () => {
		const begin = (name: string, ...more: string[]) => start("yes", "Ada Example", `crm-${name.length}`, name, ...more, "^C");
		await begin("Example Bäckerei & Söhne GmbH");
		world.clock.advance(60_000);
		expect((await begin("Example Florist", "FRA")).stderr).toContain("purser onboard resume example-florist");
		world.clock.advance(60_000);
		await begin("Example Florist");
		const listed = await world.json("onboard list");
		const rows = listed.map(({ name, company, answers, nextQuestion }: Record<string, unknown>) => [name, company, answers, nextQuestion]);
		expect(rows).toEqual([
			["example-florist", "Example Florist", 4, expect.stringContaining("ountry")],
			["example-florist", "Example Florist", 5, expect.any(String)],
			["example-backerei-sohne-gmbh", "Example Bäckerei & Söhne GmbH", 4, expect.stringContaining("ountry")],
		]);
		expect(listed[1]).toMatchObject({ startedAt: "2026-03-01T10:01:00.000Z", savedAt: "2026-03-01T10:01:00.000Z" });
		expect((await world.purser("onboard list")).stdout).toContain("example-backerei-sohne-gmbh");

		const resumed = await resume("example-backerei-sohne-gmbh", "^C");
		expect(resumed.stdout).toContain("Resuming Example Bäckerei & Söhne GmbH (4 answers saved)");
		expect((await resume('"example bäckerei & söhne gmbh"', "^C")).exit).toBe(130);
		expect((await resume("nobody")).stderr).toContain('that was stopped has the name "nobody"');
		expect((await world.purser("onboard resume")).exit).toBe(2);
		// Of several a person chooses.
		await resume("example-florist", listed[1].path, "^C");
		expect([world.asked[0]?.message, world.asked[0]?.choices?.length]).toEqual(["Which onboarding", 2]);

		const discard = (words: string, options = {}) => world.purser(`onboard discard ${words}`, { columns: 300, ...options });
		const several = await discard("example-florist --yes");
		expect([several.exit, several.stderr]).toEqual([10, expect.stringContaining("example-florist, example-florist")]);
		expect((await discard("--yes")).stderr).toContain("Missing: NAME");
		expect([(await discard("example-florist", { answers: [listed[1].path, false] })).exit, drafts().length]).toEqual([10, 3]);
		const dry = await discard("example-florist --dry-run", { answers: [listed[1].path] });
		expect([dry.exit, dry.stderr, drafts().length]).toEqual([0, expect.stringContaining("Dry run: nothing was"), 3]);
		expect((await discard("example-florist", { answers: [listed[1].path, true] })).exit).toBe(0);
		expect(world.asked.at(-1)?.message).toBe("Remove the draft example-florist of Example Florist with its answers?");
		const left = (await world.json("onboard list")) as { path: string; name: string }[];
		expect(left.map(({ path }) => path)).toEqual([listed[0].path, listed[2].path]);
		for (const { name } of left) expect((await discard(`${name} --yes`)).exit).toBe(0);
		expect([drafts(), (await world.purser("onboard list")).stdout]).toEqual([[], "No onboarding is unfinished.\n"]);
		expect((await resume("")).stderr).toContain("purser onboard start");
	});

	it("stopped before the first answer, nothing is kept", async () => {
		const ran = await start("^C");
		expect([ran.exit, drafts()]).toEqual([130, []]);
		expect(ran.stderr).toContain("Stopped before the first answer; nothing is kept. Nothing was sent");
	});

	it("a draft that cannot be read is listed and can be discarded", async () => {
		const path = "/state/onboarding-drafts/sandbox/broken.json";
		for (const text of [JSON.stringify({ version: "4", profile: "sandbox", answers: {}, done: [] }), "{"]) {
			world.put(path, text);
			expect(await world.json("onboard list")).toMatchObject([{ name: "broken", path, trouble: "it cannot be read" }]);
		}
		expect((await resume("")).exit).toBe(2);
		world.files.set(path, new Uint8Array(4_194_305));
		expect((await resume("")).stderr.replace(/\s+/g, " ")).toContain("It has 4,194,305 bytes, and at most 4,194,304 bytes (4 MB) are read");
		expect(world.files.has(path)).toBe(true);
		expect([(await world.purser("onboard discard broken --yes")).exit, world.files.has(path)]).toEqual([0, false]);
	});

	it("the answers of one service are not shown to, nor sent to, another: a profile alike in name, or another address", async () => {
		const origin = "http://127.0.0.1:4010";
		const one = { baseUrl: origin, environment: "sandbox" as const, auth: { kind: "login" as const }, settings: {} };
		for (const name of ["acme.live", "acme_live"]) world.profiles.set(name, { ...one, name });
		// Nobody is logged in with it, and nothing was answered.
		const stopped = await world.purser("onboard start --profile acme.live", { answers: [] });
		expect([stopped.exit, drafts()]).toEqual([4, []]);
		const draft = {
			...{ version: "5", origin, startedAt: "2026-03-01T10:00:00Z", answers: { "terms.accepted": true } },
			case: { corporate: {}, accountOwner: {}, companies: [], persons: [], ownership: [], terms: { acceptedBy: "Ada Example" } },
		};
		world.put("/state/onboarding-drafts/acme.live/one.json", JSON.stringify(draft));
		const other = await resume("--profile acme_live");
		expect([other.exit, other.stderr]).toEqual([10, expect.stringContaining("No onboarding was stopped with this profile")]);
		const options = { columns: 200, answers: [] };
		const elsewhere = await world.purser("onboard resume --profile acme.live --base-url https://api.example.com", options);
		expect(elsewhere.exit).toBe(10);
		expect(elsewhere.stderr).toContain(`is for ${origin}, which is not the service in use. Nothing was sent`);
		expect(elsewhere.stderr).toContain(`purser onboard resume --profile acme.live --base-url ${origin}.`);
		expect(elsewhere.stdout + elsewhere.stderr).not.toContain("Ada Example");
	});
});
