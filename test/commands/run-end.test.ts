/**
 * What is told at the end of a run is what it recorded: nothing is called unsent that was sent, and exit 7 names what is in doubt.
 */
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { AnyCommand } from "../../src/cli/command.js";
import { commands } from "../../src/commands/index.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, layers } from "../onboarding/case-world.js";
import { harbourLights } from "../support/companies.js";
import { gatesLine } from "../support/gates.js";
import { answered, type Ran, type RunOptions, type World } from "../support/purser.js";
import { delivered, sandboxAnswer } from "../support/world-wire.js";

afterAll(removeFolders);

let world: World;
let ids: { corporate: string; owner: string; grace: string };
beforeEach(async () => {
	world = await caseWorld({ profile: { baseUrl: "https://api.example.com" } });
	world.put("corporate.json", JSON.stringify(harbourLights));
	world.put("new.json", JSON.stringify({ ...harbourLights, externalId: "crm-2042" }));
	world.put("case.yaml", layers);
	world.put("wrong.yaml", "corporate: {externalId: crm-9}");
	const { corporateId: corporate, accountOwnerId: owner } = await world.json("corporate create --file corporate.json");
	const { id: grace } = await world.json(`related add ${corporate} --first-name Grace --last-name Sample --is-director`);
	ids = { corporate, owner, grace };
	await world.json(`phone send-code ${owner}`);
});

const confirmed = "--yes --confirmed-by operator";
/** Each command that changes something, and how many changes it makes. */
const changing: Readonly<Record<string, [words: () => string, changes: number]>> = {
	"corporate create": [() => "--file new.json", 1],
	"corporate update": [() => `${ids.corporate} --website https://www.example.com`, 1],
	"terms accept": [() => `${ids.corporate} --yes --confirmed-by account-owner`, 1],
	"email send-link": [() => ids.owner, 1],
	"related add": [() => `${ids.corporate} --first-name Lin --last-name Muster --is-ubo`, 1],
	"related update": [() => `${ids.grace} --email-address grace@example.com`, 1],
	"related remove": [() => `${ids.grace} --yes`, 1],
	"phone send-code": [() => ids.owner, 1],
	"phone verify": [() => `${ids.owner} --code 123456`, 1],
	"kyc link": [() => `--all --corporate-id ${ids.corporate}`, 2],
	"kyb request": [() => `${ids.corporate} ${gatesLine}`, 1],
	"onboard apply": [() => `case.yaml --send-email-link --request-kyb --kyc-links ${confirmed} ${gatesLine}`, 11],
};

const own = async (request: WireRequest): Promise<WireOutcome> => delivered(await sandboxAnswer(world, request));
const refused = { kind: "not-sent", reason: "the connection was refused" } as const;
const hows = ["refused", "not sent", "in doubt", "Ctrl-C", "read fails"] as const;
type How = (typeof hows)[number];

/**
 * Lets the sandbox answer so many changes, and fails from then on.
 * @returns how many it has worked on, and the signal that Ctrl-C aborts
 */
function failingAfter(count: number, how: How): { signal: AbortSignal; made(): number } {
	const stop = new AbortController();
	const ways: Readonly<Record<How, () => WireOutcome>> = {
		refused: () => answered(422, '{"errorCode":"INVALID"}'),
		"not sent": () => refused,
		"in doubt": () => ({ kind: "sent", reason: "the connection was reset" }),
		"Ctrl-C": () => {
			stop.abort("SIGINT");
			return refused;
		},
		"read fails": () => refused,
	};
	let made = 0;
	world.wire = async (request) => {
		const isRead = request.method === "GET";
		if (isRead === (how === "read fails") && made >= count) return ways[how]();
		if (!isRead) made += 1;
		return own(request);
	};
	return { signal: stop.signal, made: () => made };
}

const unsent = /nothing (?:was|can have|of it was) /i;
const told = ({ stdout, stderr }: Ran): string => `${stdout}\n${stderr}`.replace(/\s+/g, " ");

it("every command that changes something at the service is walked here; the wizard has tests of its own", async () => {
	const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default as AnyCommand));
	const walked = loaded.filter(({ path, effect }) => effect === "write" && !/^sandbox |^onboard (start|resume)$/.test(path));
	expect(Object.keys(changing).sort()).toEqual(walked.map(({ path }) => path).sort());
});

describe.each(Object.entries(changing))("%s", (path, [words, changes]) => {
	const run = (form: string, signal: AbortSignal) => world.purser(`${path} ${words()} ${form}`, { signal });

	it.each(
		hows.flatMap((how, at) =>
			[0, 1, 2].filter((count) => count <= changes).map((count) => [how, count, (at + count) % 2 === 0 ? "" : "--json"] as const),
		),
	)("%s after %i changes, %s: nothing is called unsent that was sent", async (how, count, form) => {
		const { signal, made } = failingAfter(count, how);
		const ran = await run(form, signal);
		if (made() > 0) expect(told(ran)).not.toMatch(unsent);
		if (how === "in doubt" && count < changes) expect(ran.exit).toBe(7);
		if (how === "Ctrl-C" && count < changes) expect(ran.exit).toBe(130);
		if (made() === changes && how !== "read fails") expect(ran.exit).toBe(0);
		if (made() > 0 && made() < changes) expect(ran.exit).toBeGreaterThan(0);
	});

	it("where no change was made it says so", async () => {
		const off = await run("", failingAfter(0, "not sent").signal);
		expect([off.exit, told(off)]).toEqual([6, expect.stringContaining("the connection was refused. Nothing was sent")]);
		const stopped = await run("", failingAfter(0, "Ctrl-C").signal);
		expect([stopped.exit, told(stopped)]).toEqual([130, expect.stringContaining("Stopped. Nothing was sent")]);
	});
});

describe("the wizard", () => {
	const answers = [
		...["yes", "Ada Example", "crm-wizard", "Example Wizard SAS", "FRA", "123 456 789", "2019-04-01", "FOOD_RESTAURANT_CATERING", "FRA"],
		...["Paris", "75001", "", "", "LESS_THAN_10_000", "EUR", "Ada", "Example", "ada@example.com", "CEO", "director", "+33 639980001"],
		...["20", "Example Holding BV", "corporate", "80", "", "Grace", "Sample", "grace@example.com", "", "owner"],
		...["example-holding-bv", "100", "", "yes"],
	];
	const start = (...more: string[]): Promise<Ran> => world.purser("onboard start", { answers: [...answers, ...more], columns: 400 });
	const resume = (answer: string | boolean): Promise<Ran> => world.purser("onboard resume", { answers: [answer], columns: 400 });

	it("Ctrl-C before anything was sent, and after the declaration: what was done and what was not is named", async () => {
		const before = await start("^C");
		expect([before.exit, before.stderr]).toEqual([130, expect.stringContaining("every answer so far is saved. Nothing was sent\n")]);
		const ran = await world.purser("onboard resume", { answers: ["send", "^C"], columns: 400 });
		const done = "Done: company created, 2 owners or directors added, verification email sent. Not done: KYB, KYC links\n";
		expect([ran.exit, ran.stderr]).toEqual([130, expect.stringContaining(`Stopped; every answer so far is saved. ${done}`)]);
		expect(ran.stderr).toContain("Next: Continue with `purser onboard resume example-wizard-sas`");
		// Of a later run, only what it did itself is told.
		const resumed = await resume("^C");
		expect([resumed.exit, resumed.stderr]).toEqual([130, expect.stringContaining("every answer so far is saved. Nothing was sent\n")]);
		const next = await resume(true);
		expect([next.exit, next.stdout]).toEqual([0, expect.stringMatching(/requested +KYB/)]);
	});

	it.each([
		["the first answer", /onboarding-draft/, []],
		["the case file, after the review", /^case-/, [...answers, "send"]],
	])("a full disk at %s: exit 6, with words of its own, and nothing is sent", async (_, path, given) => {
		const set = world.files.set.bind(world.files);
		world.files.set = (name, content) => {
			if (path.test(name)) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
			return set(name, content);
		};
		world.requests.length = 0;
		const ran = await world.purser("onboard start", { answers: given, columns: 400 });
		expect([ran.exit, ran.stderr]).toEqual([6, expect.stringMatching(/ cannot be written: the disk is full\. Nothing was sent\n/)]);
		expect(world.changes()).toEqual([]);
	});

	it("a read that fails after the declaration: exit 9, since something was changed", async () => {
		world.wire = async (request) => (request.url.endsWith("/diligence-review") ? refused : own(request));
		const ran = await start("send");
		expect([ran.exit, ran.stdout]).toEqual([9, expect.stringMatching(/failed KYB[\s\S]*ould not connect to \S+ \(3 tries\)/)]);
	});
});

describe("onboard that fails with --json writes one error line, beside the report where something was done", () => {
	const errorsOf = ({ stderr }: Ran) => stderr.split("\n").flatMap((line) => (line.startsWith('{"error"') ? [JSON.parse(line).error] : []));

	it.each([
		["refused", 0, 5, "rejected", "REFUSED", 0],
		["refused", 2, 9, "partial", "REFUSED", 1],
		["in doubt", 2, 7, "unknown", "CHANGE_IN_DOUBT", 1],
		["Ctrl-C", 2, 130, "interrupted", "INTERRUPTED", 1],
	] as const)("%s after %i changes: exit %i", async (how, count, exit, kind, code, reports) => {
		const { signal } = failingAfter(count, how);
		const ran = await world.purser(`onboard apply case.yaml ${confirmed} --json`, { signal });
		expect([ran.exit, errorsOf(ran)]).toMatchObject([exit, [{ kind, exit, code }]]);
		expect(ran.stdout.trim() === "" ? 0 : ran.json().cases.length).toBe(reports);
	});

	it.each([
		[`apply wrong.yaml case.yaml ${confirmed}`, 9, [{ code: "CASES_NOT_APPLIED", message: "1 of 2 cases are not applied" }]],
		["plan wrong.yaml case.yaml", 9, [{ code: "CASES_NOT_PLANNED", message: "1 of 2 cases are not planned" }]],
		["apply wrong.yaml case.yaml --dry-run", 9, [{ code: "CASES_NOT_PLANNED", message: "1 of 2 cases are not planned" }]],
		[`apply case.yaml ${confirmed}`, 0, []],
	])("of several cases, how many are not done: %s", async (words, exit, errors) => {
		const ran = await world.purser(`onboard ${words} --json`);
		expect([ran.exit, errorsOf(ran)]).toMatchObject([exit, errors]);
	});
});

describe("onboard apply at a terminal", () => {
	const apply = (...answers: NonNullable<RunOptions["answers"]>): Promise<Ran> =>
		world.purser("onboard apply case.yaml --request-kyb --despite owner-missing --reason Agreed", { answers, columns: 400 });

	it.each([
		["No", false, 10, "Cancelled. Nothing was sent\n"],
		["Ctrl-C", "^C", 130, "Stopped. Nothing was sent\n  Next: Run the same command to continue."],
	])("%s before anything was sent", async (_, answer, exit, text) => {
		const ran = await apply(answer);
		expect([ran.exit, ran.stderr]).toEqual([exit, expect.stringContaining(text)]);
	});

	it.each([
		["Ctrl-C", "^C", 130, ", 5 owners or directors created. Not done: KYB\n  Next: Run the same command to continue."],
		["No", false, 10, "  You answered No\n  Next: Run the same command and answer Yes after reading."],
	] as const)(
		"%s at the review, after the declaration: the report shows what was done, on a live profile too",
		async (_, answer, exit, text) => {
			Object.assign(world.profiles.get("sandbox") ?? {}, { environment: "live", baseUrl: "https://api.example.com" });
			const ran = await apply(true, answer);
			expect(ran.exit).toBe(exit);
			for (const part of [text, "created corporate Example Layered SAS", "created person Grace Sample"]) expect(ran.stdout).toContain(part);
			expect(told(ran)).not.toMatch(unsent);
		},
	);
});
