/**
 * What is told at the end of a run is what it recorded: nothing is called unsent that was sent, and exit 7 names what is in doubt.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { AnyCommand } from "../../src/cli/command.js";
import { commands } from "../../src/commands/index.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, put } from "../onboarding/case-world.js";
import { harbourLights } from "../support/companies.js";
import { everyGate } from "../support/gates.js";
import { answered, type Ran, type RunOptions, type World } from "../support/purser.js";
import { delivered, sandboxAnswer } from "../support/world-wire.js";

afterAll(removeFolders);

interface Ids {
	corporate: string;
	owner: string;
	grace: string;
}

let world: World;
let ids: Ids;
beforeEach(async () => {
	world = await caseWorld({ profile: { baseUrl: "https://api.example.com" } });
	put(world, "corporate.json", JSON.stringify(harbourLights));
	put(world, "new.json", JSON.stringify({ ...harbourLights, externalId: "crm-2042" }));
	put(world, "case.yaml", readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8"));
	const json = async (...argv: string[]) => await world.json([...argv]);
	const { corporateId, accountOwnerId } = await json("corporate", "create", "--file", "corporate.json");
	const { id } = await json("related", "add", corporateId, "--first-name", "Grace", "--last-name", "Sample", "--is-director");
	ids = { corporate: corporateId, owner: accountOwnerId, grace: id };
	await json("phone", "send-code", accountOwnerId);
});

/** Each command that changes something, and how many changes it makes. */
const changing: Readonly<Record<string, [words: (ids: Ids) => string[], changes: number]>> = {
	"corporate create": [() => ["--file", "new.json"], 1],
	"corporate update": [({ corporate }) => [corporate, "--website", "https://www.example.com"], 1],
	"terms accept": [({ corporate }) => [corporate, "--yes", "--confirmed-by", "account-owner"], 1],
	"email send-link": [({ owner }) => [owner], 1],
	"related add": [({ corporate }) => [corporate, "--first-name", "Lin", "--last-name", "Muster", "--is-ubo"], 1],
	"related update": [({ grace }) => [grace, "--email-address", "grace@example.com"], 1],
	"related remove": [({ grace }) => [grace, "--yes"], 1],
	"phone send-code": [({ owner }) => [owner], 1],
	"phone verify": [({ owner }) => [owner, "--code", "123456"], 1],
	"kyc link": [({ corporate }) => ["--all", "--corporate-id", corporate], 2],
	"kyb request": [({ corporate }) => [corporate, ...everyGate], 1],
	"onboard apply": [
		() => ["case.yaml", "--send-email-link", "--request-kyb", "--kyc-links", "--yes", "--confirmed-by", "operator", ...everyGate],
		11,
	],
};

type How = "refused" | "not sent" | "in doubt" | "Ctrl-C" | "read fails";

const own = async (request: WireRequest): Promise<WireOutcome> => delivered(await sandboxAnswer(world, request));

const refused = { kind: "not-sent", reason: "the connection was refused" } as const;

/**
 * Lets the sandbox answer so many changes, and fails from then on.
 * @returns how many it has worked on, and the signal that Ctrl-C aborts
 */
function failingAfter(count: number, how: How): { signal: AbortSignal; made(): number } {
	const stop = new AbortController();
	const ways: Readonly<Record<Exclude<How, "read fails">, () => WireOutcome>> = {
		refused: () => answered(422, '{"errorCode":"INVALID"}'),
		"not sent": () => refused,
		"in doubt": () => ({ kind: "sent", reason: "the connection was reset" }),
		"Ctrl-C": () => {
			stop.abort("SIGINT");
			return refused;
		},
	};
	let made = 0;
	world.wire = async (request) => {
		const isRead = request.method === "GET";
		if (how === "read fails") {
			if (isRead && made >= count) return refused;
		} else if (!isRead && made >= count) return ways[how]();
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
	const run = (form: readonly string[], signal: AbortSignal) => world.purser([...path.split(" "), ...words(ids), ...form], { signal });

	it.each(
		(["refused", "not sent", "in doubt", "Ctrl-C", "read fails"] as const).flatMap((how, at) =>
			[0, 1, 2].filter((count) => count <= changes).map((count) => [how, count, (at + count) % 2 === 0 ? "text" : "--json"] as const),
		),
	)("%s after %i changes, %s: nothing is called unsent that was sent", async (how, count, form) => {
		const { signal, made } = failingAfter(count, how);
		const ran = await run(form === "text" ? [] : [form], signal);
		if (made() > 0) expect(told(ran)).not.toMatch(unsent);
		if (how === "in doubt" && count < changes) expect(ran.exit).toBe(7);
		if (how === "Ctrl-C" && count < changes) expect(ran.exit).toBe(130);
		if (made() === changes && how !== "read fails") expect(ran.exit).toBe(0);
		if (made() > 0 && made() < changes) expect(ran.exit).toBeGreaterThan(0);
	});

	it("where no change was made it says so", async () => {
		const off = await run([], failingAfter(0, "not sent").signal);
		expect([off.exit, told(off)]).toEqual([6, expect.stringContaining("the connection was refused. Nothing was sent")]);
		const stopped = await run([], failingAfter(0, "Ctrl-C").signal);
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
	const start = (...more: (string | boolean)[]): Promise<Ran> =>
		world.purser("onboard start", { answers: [...answers, ...more], columns: 400 });

	it("Ctrl-C before anything was sent", async () => {
		const ran = await start("^C");
		expect([ran.exit, ran.stderr]).toEqual([130, expect.stringContaining("Stopped; every answer so far is saved. Nothing was sent\n")]);
	});

	it("Ctrl-C after the declaration names what was done and what was not", async () => {
		const ran = await start("send", "^C");
		expect([ran.exit, ran.stderr]).toEqual([
			130,
			expect.stringContaining(
				"Stopped; every answer so far is saved. Done: company created, 2 owners or directors added, verification email sent. Not done: KYB, KYC links\n",
			),
		]);
		expect(ran.stderr).toContain("Next: Continue with `purser onboard resume example-wizard-sas`");
		// Of a later run, only what it did itself is told.
		const resumed = await world.purser("onboard resume", { answers: ["^C"], columns: 400 });
		expect([resumed.exit, resumed.stderr]).toEqual([130, expect.stringContaining("every answer so far is saved. Nothing was sent\n")]);
		const next = await world.purser("onboard resume", { answers: [true], columns: 400 });
		expect([next.exit, next.stdout]).toEqual([0, expect.stringMatching(/requested +KYB/)]);
	});

	it.each([
		["the first answer", /onboarding-draft/, 0],
		["the case file, after the review", /^case-/, answers.length],
	])("a full disk at %s: exit 6, with words of its own, and nothing is sent", async (_, path, answered) => {
		const set = world.files.set.bind(world.files);
		world.files.set = (name, content) => {
			if (path.test(name)) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
			return set(name, content);
		};
		const given = answered === 0 ? [] : [...answers, "send"];
		const before = world.requests.length;
		const ran = await world.purser("onboard start", { answers: given, columns: 400 });
		expect([ran.exit, ran.stderr]).toEqual([6, expect.stringMatching(/ cannot be written: the disk is full\. Nothing was sent\n/)]);
		expect(world.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
	});

	it("a read that fails after the declaration: exit 9, since something was changed", async () => {
		world.wire = async (request) => (request.url.endsWith("/diligence-review") ? refused : own(request));
		const ran = await start("send");
		expect([ran.exit, ran.stdout]).toEqual([9, expect.stringMatching(/failed KYB[\s\S]*ould not connect to \S+ \(3 tries\)/)]);
	});
});

describe("onboard apply --json that fails writes one error line, beside the report where something was done", () => {
	const apply = (...files: string[]) => world.purser(["onboard", "apply", ...files, "--yes", "--confirmed-by", "operator", "--json"]);
	const errorsOf = ({ stderr }: Ran) =>
		stderr
			.split("\n")
			.filter((line) => line.startsWith('{"error"'))
			.map((line) => JSON.parse(line).error);

	it.each([
		["refused", 0, 5, "rejected", "REFUSED", 0],
		["refused", 2, 9, "partial", "REFUSED", 1],
		["in doubt", 2, 7, "unknown", "CHANGE_IN_DOUBT", 1],
		["Ctrl-C", 2, 130, "interrupted", "INTERRUPTED", 1],
	] as const)("%s after %i changes: exit %i", async (how, count, exit, kind, code, reports) => {
		const { signal } = failingAfter(count, how);
		const ran = await world.purser("onboard apply case.yaml --yes --confirmed-by operator --json", { signal });
		expect([ran.exit, errorsOf(ran)]).toMatchObject([exit, [{ kind, exit, code }]]);
		expect(ran.stdout.trim() === "" ? 0 : ran.json().cases.length).toBe(reports);
	});

	it("of several cases, how many are not applied", async () => {
		put(world, "wrong.yaml", "corporate: {externalId: crm-9}");
		const ran = await apply("wrong.yaml", "case.yaml");
		expect([ran.exit, ran.json().cases.length, errorsOf(ran)]).toMatchObject([
			9,
			2,
			[{ code: "CASES_NOT_APPLIED", kind: "partial", exit: 9, message: "1 of 2 cases are not applied" }],
		]);
	});

	it.each([
		["plan", []],
		["apply", ["--dry-run"]],
	])("of several plans too: onboard %s %j", async (verb, flags) => {
		put(world, "wrong.yaml", "corporate: {externalId: crm-9}");
		const ran = await world.purser(["onboard", verb, "wrong.yaml", "case.yaml", "--json", ...flags]);
		expect([ran.exit, errorsOf(ran)]).toMatchObject([9, [{ code: "CASES_NOT_PLANNED", message: "1 of 2 cases are not planned" }]]);
	});

	it("and none where all are", async () => {
		const ran = await apply("case.yaml");
		expect([ran.exit, errorsOf(ran)]).toEqual([0, []]);
	});
});

describe("onboard apply at a terminal", () => {
	const apply = (answers: RunOptions["answers"], ...flags: string[]): Promise<Ran> =>
		world.purser(["onboard", "apply", "case.yaml", "--request-kyb", "--despite", "owner-missing", "--reason", "Agreed", ...flags], {
			answers,
			columns: 400,
		});

	it("No before anything was sent", async () => {
		const ran = await apply([false]);
		expect([ran.exit, ran.stderr]).toEqual([10, expect.stringContaining("Cancelled. Nothing was sent\n")]);
	});

	it("Ctrl-C before anything was sent", async () => {
		const ran = await apply(["^C"]);
		expect([ran.exit, ran.stderr]).toEqual([
			130,
			expect.stringContaining("Stopped. Nothing was sent\n  Next: Run the same command to continue."),
		]);
	});

	it.each([
		["Ctrl-C", "^C", 130, "  Stopped\n"],
		["No", false, 10, "The KYB of Example Layered SAS was not requested"],
	] as const)(
		"%s at the review, after the declaration: the report shows what was done, on a live profile too",
		async (_, answer, exit, text) => {
			Object.assign(world.profiles.get("sandbox") ?? {}, { environment: "live", baseUrl: "https://api.example.com" });
			await world.purser("auth login --username a@example.com", { input: "sandbox-password" });
			const ran = await apply([true, answer]);
			expect([ran.exit, ran.stdout]).toEqual([exit, expect.stringContaining(text)]);
			expect(ran.stdout).toContain("created corporate Example Layered SAS");
			expect(ran.stdout).toContain("created person Grace Sample");
			expect(told(ran)).not.toMatch(unsent);
		},
	);
});
