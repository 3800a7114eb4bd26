import { describe, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import type { WireRequest } from "../../src/ports/wire.js";
import { addCompanies, uuid } from "../support/companies.js";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const corporatesPath = "GET /api/partner/corporates";
const relatedPath = (number: number) => `GET /api/partner/corporates/${uuid(number)}/related`;
const corporate = (number: number, kybStatus: string, updateDate: string, more: object = {}) => ({
	id: uuid(number),
	corporateName: `Example ${number} SAS`,
	termsAccepted: true,
	kybStatus,
	updateDate,
	...more,
});
const page = (...content: object[]) => ({ body: { content, totalElements: content.length } });
const validated = {
	id: uuid(900),
	firstName: "Ada",
	isDirector: true,
	isAccountOwner: true,
	isUbo: true,
	directSharesPercentage: 100,
	email: { verified: true },
	kycInfo: { status: "VALIDATED" },
};

/** A sandbox with so many corporates under way; the first of them is the oldest. */
async function sandboxOf(count: number): Promise<World> {
	const world = await makeWorld();
	addCompanies(world, count, {
		kyb: (number) => ({ status: number % 2 === 0 ? "NOT_STARTED" : "NEED_ADDITIONAL_INFORMATION" }),
		owner: { isDirector: true },
		kyc: { status: "NOT_STARTED", type: "FULL_KYC" },
	});
	return world;
}

describe("overview", () => {
	test("1 000 corporates: at most pages + open cases requests, at most eight at once, progress shown, the most urgent first", async () => {
		const world = await sandboxOf(1000);
		let under = 0;
		let most = 0;
		const sandbox = world.sandbox;
		world.wire = async (request: WireRequest) => {
			under += 1;
			most = Math.max(most, under);
			const { pathname, search } = new URL(request.url);
			const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
			const answer = await sandbox.handle({ method: request.method, target: pathname + search, headers, body: new Uint8Array() });
			under -= 1;
			return { kind: "answer", ...answer };
		};
		const ran = await world.purser(["overview", "--json"]);
		expect(ran.exit).toBe(0);
		const { rows, counts } = ran.json();
		expect(rows).toHaveLength(1000);
		expect(rows.slice(0, 3).map(({ corporateId }: { corporateId: string }) => corporateId)).toEqual([uuid(1), uuid(3), uuid(5)]);
		expect([rows[499], rows[500], rows[501]].map(({ corporateId }) => corporateId)).toEqual([uuid(999), uuid(0), uuid(2)]);
		expect(counts).toEqual({ "to do": 1000, declined: 0, waiting: 0, blocked: 0, unknown: 0, complete: 0 });
		// Ten pages of a hundred and one a case.
		expect(world.requests.length).toBeLessThanOrEqual(10 + 1000);
		expect(most).toBeLessThanOrEqual(8);
		expect(most).toBeGreaterThan(1);
		expect((await world.purser(["overview"])).stderr).toContain("Reading 1000 companies …");
	});

	test("as a table: whose turn, what, since when; what to type next; narrow terminals too", async () => {
		const world = await makeWorld();
		world.wire = answering({
			[corporatesPath]: page(
				corporate(1, "PENDING_VERIFICATION", "2026-02-27T10:00:00Z"),
				corporate(2, "NEED_ADDITIONAL_INFORMATION", "2026-02-19T10:00:00Z", { corporateName: "Mal\u001b[2J\nory" }),
				corporate(3, "VALIDATED", "2026-01-01T10:00:00Z"),
			),
			[relatedPath(1)]: page(validated),
			[relatedPath(2)]: page(validated),
		});
		const ran = await world.purser(["overview"], { columns: 140 });
		expect(ran.exit).toBe(0);
		expect(ran.stdout.split("\n")).toEqual([
			"2 open companies: 1 to do, 1 waiting",
			"",
			"id                                    name           KYB                          waiting on       still needed   since",
			`${uuid(2)}  Mal␛[2J␊ory    NEED_ADDITIONAL_INFORMATION  you              KYB validated  19 Feb, 10 days`,
			`${uuid(1)}  Example 1 SAS  PENDING_VERIFICATION         compliance team  KYB validated  27 Feb, 2 days`,
			"",
		]);
		expect(ran.stderr).toContain(`Next: purser corporate status ${uuid(2)}\n      purser corporate status ${uuid(1)}\n`);
		const narrow = await world.purser(["overview"], { columns: 50 });
		expect(narrow.stdout.split("\n").every((line) => line.length <= 50)).toBe(true);
		expect(narrow.stdout).toContain(uuid(2));
	});

	test("where compliance asked for more, that is what is shown, whatever else is open", async () => {
		const world = await makeWorld();
		const open = { termsAccepted: false, kyb: { status: "NEED_ADDITIONAL_INFORMATION", statusReason: "Proof of address" } };
		world.wire = answering({
			[corporatesPath]: page(
				corporate(1, "NEED_ADDITIONAL_INFORMATION", "2026-02-27T10:00:00Z", open),
				corporate(2, "NOT_STARTED", "2026-02-19T10:00:00Z", { termsAccepted: false }),
			),
			[relatedPath(1)]: page({ ...validated, kycInfo: { status: "DECLINED" } }),
			[relatedPath(2)]: page(validated),
		});
		const { rows } = (await world.purser(["overview", "--json"])).json();
		expect(
			rows.map(({ corporateId, blocker }: { corporateId: string; blocker: { label: string } }) => [corporateId, blocker.label]),
		).toEqual([
			[uuid(1), "KYB validated"],
			[uuid(2), "Latest terms accepted"],
		]);
		expect(rows[0]).toMatchObject({ open: 3, since: "2026-02-27T10:00:00Z", blocker: { step: "kyb", state: "to do" } });
	});

	test("a line a corporate, for a dashboard", async () => {
		const world = await makeWorld();
		world.wire = answering({
			[corporatesPath]: page(corporate(1, "NOT_STARTED", "2026-02-27T10:00:00Z")),
			[relatedPath(1)]: page(validated),
		});
		const ran = await world.purser(["overview", "--output", "ndjson"]);
		expect(JSON.parse(ran.stdout)).toEqual({
			corporateId: uuid(1),
			name: "Example 1 SAS",
			kybStatus: "NOT_STARTED",
			blocker: {
				step: "kyb",
				state: "to do",
				label: "KYB validated",
				why: "KYB not requested yet",
				command: `purser corporate review ${uuid(1)}`,
			},
			since: "2026-02-27T10:00:00Z",
			open: 1,
		});
	});

	test("nothing open", async () => {
		const world = await makeWorld();
		world.wire = answering({ [corporatesPath]: page() });
		const ran = await world.purser(["overview"]);
		expect([ran.exit, ran.stdout]).toEqual([0, "No open companies.\n"]);
	});

	test("one corporate that cannot be read does not hide the others", async () => {
		const world = await makeWorld();
		world.wire = answering({
			[corporatesPath]: page(corporate(1, "NOT_STARTED", "2026-02-27T10:00:00Z"), corporate(2, "NOT_STARTED", "2026-02-26T10:00:00Z")),
			[relatedPath(1)]: { status: 503 },
			[relatedPath(2)]: page(validated),
		});
		const ran = await world.purser(["overview", "--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.json().rows.map(({ trouble }: { trouble?: string }) => trouble === undefined)).toEqual([true, false]);
		expect(ran.stderr).toContain("The persons of 1 company could not all be read");
	});

	test("a deployment without the list of related entities is not asked a thousand times", async () => {
		const world = await makeWorld();
		const many = Array.from({ length: 60 }, (_, number) => corporate(number, "NOT_STARTED", "2026-02-27T10:00:00Z"));
		world.wire = answering({ [corporatesPath]: page(...many) });
		const ran = await world.purser(["overview", "--json"]);
		expect(ran.json().rows).toHaveLength(60);
		expect(world.requests.length).toBeLessThanOrEqual(1 + 8);
	});

	test("exit codes: no list 5, no right 4, no answer 6, a wrong interval 3", async () => {
		const world = await makeWorld();
		world.wire = answering({ [corporatesPath]: { status: 404 } });
		expect((await world.purser(["overview"])).exit).toBe(5);
		world.wire = answering({ [corporatesPath]: { status: 403 } });
		expect((await world.purser(["overview"])).exit).toBe(4);
		world.wire = answering({ [corporatesPath]: { status: 503 } });
		expect((await world.purser(["overview"])).exit).toBe(6);
		expect((await world.purser(["overview", "--every", "0"])).exit).toBe(3);
		const unset = await world.purser(["overview", "--html", ""]);
		expect([unset.exit, unset.stderr]).toEqual([3, expect.stringContaining("--html is empty; a path is needed")]);
	});

	test("--watch: in the place of the last, each with its own moment, until Ctrl-C (exit 130)", async () => {
		const world = await makeWorld();
		world.wire = answering({
			[corporatesPath]: page(corporate(1, "NOT_STARTED", "2026-03-01T09:59:00Z")),
			[relatedPath(1)]: page(validated),
		});
		const slept: number[] = [];
		const { sleep } = world.clock;
		world.clock.sleep = async (milliseconds) => {
			if (slept.length === 2) throw new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped", fix: "Run it again." });
			slept.push(milliseconds);
			await sleep(milliseconds);
		};
		const argv = ["overview", "--watch", "--every", "60"];
		const ran = await world.purser(argv, { terminal: true });
		expect(ran.exit).toBe(130);
		expect(ran.stderr).toContain("Stopped\n");
		expect(ran.stderr).not.toContain("Error:");
		// A tenth more or less, so that many who watch do not all look at once.
		expect(slept.map((pause) => Math.abs(pause - 60_000) <= 6_000)).toEqual([true, true]);
		const screens = ran.stdout.split("\u001b[H\u001b[2J");
		expect(screens.map((screen) => /(\d+) (second|minute)s?$/m.exec(screen)?.[0])).toEqual(["1 minute", "2 minutes", "3 minutes"]);
		for (const [at, screen] of screens.entries())
			expect(screen).toMatch(new RegExp(`\\n\\nUpdated \\d\\d:0${at}:\\d\\d [+-]\\d\\d:\\d\\d · every 60 s · Ctrl-C to stop\\n$`));
		slept.length = 0;
		const read = await world.purser(argv, { terminal: true, env: { ACCESSIBLE: "1" } });
		expect(read.stdout).not.toContain("\u001b");
		expect(read.stdout.match(/1 open company/g)).toHaveLength(3);
	});

	test("--watch: a service that is away is looked at less and less often, until it is back", async () => {
		const world = await makeWorld();
		const service = answering({ [corporatesPath]: page(), [relatedPath(1)]: page() });
		const pauses: number[] = [];
		const { sleep } = world.clock;
		world.clock.sleep = async (milliseconds) => {
			// The client's own tries again are seconds apart.
			if (milliseconds > 50_000) pauses.push(Math.round(milliseconds / 10_000));
			if (pauses.length === 7) throw new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped", fix: "Run it again." });
			await sleep(milliseconds);
		};
		world.wire = async (request) => (pauses.length >= 2 && pauses.length < 6 ? { kind: "not-sent", reason: "refused" } : service(request));
		const ran = await world.purser(["overview", "--watch", "--every", "60"], { terminal: true });
		expect(ran.exit).toBe(130);
		expect(ran.stderr.match(/trying again/g)).toHaveLength(4);
		for (const [at, usual] of [6, 6, 12, 24, 30, 30, 6].entries()) expect(Math.abs((pauses[at] as number) - usual)).toBeLessThanOrEqual(3);
	});
});

describe("terms audit", () => {
	test("who has to accept: the pages and nothing more", async () => {
		const world = await sandboxOf(250);
		await world.purser(["sandbox", "simulate", "terms", "--json"]);
		world.requests.length = 0;
		const ran = await world.purser(["terms", "audit", "--json"]);
		expect(ran.exit).toBe(0);
		const found = ran.json();
		expect(found.missing.length).toBe(found.corporates);
		expect(found.corporates).toBeGreaterThanOrEqual(250);
		expect(found.complete).toBe(true);
		expect(world.requests).toHaveLength(3);
	});

	test("declined ones are left out, silence is told, hostile names are harmless", async () => {
		const world = await makeWorld();
		world.wire = answering({
			[corporatesPath]: page(
				corporate(1, "VALIDATED", "", { termsAccepted: false, corporateName: "Mal\u001b[2J" }),
				corporate(2, "DECLINED", "", { termsAccepted: false }),
				corporate(3, "VALIDATED", "", { termsAccepted: undefined }),
				corporate(4, "VALIDATED", ""),
			),
		});
		const ran = await world.purser(["terms", "audit"], { columns: 60 });
		expect(ran.stdout).toMatch(/^1 of 3 companies must accept the latest terms; of 1 the service does not say\n/);
		expect(ran.stdout).not.toContain("\u001b");
		expect(ran.stderr).toContain(`Next: purser terms show\n      purser terms accept ${uuid(1)}\n`);
		const lines = await world.purser(["terms", "audit", "--output", "ndjson"]);
		expect(
			lines.stdout
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line).corporateId),
		).toEqual([uuid(1), uuid(3)]);
	});

	test("all accepted; exit codes without a list", async () => {
		const world = await makeWorld();
		world.wire = answering({ [corporatesPath]: page(corporate(4, "VALIDATED", "")) });
		expect((await world.purser(["terms", "audit"])).stdout).toBe("The only company has accepted the latest terms\n");
		world.wire = answering({});
		expect((await world.purser(["terms", "audit"])).exit).toBe(5);
		world.wire = answering({ [corporatesPath]: { status: 500 } });
		expect((await world.purser(["terms", "audit"])).exit).toBe(6);
	});
});
