/** Lists of a service that never end: each command ends by itself, says how far it came and how to go on. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { uuid } from "../support/companies.js";
import { answered } from "../support/context.js";
import { makeWorld, type World } from "../support/purser.js";

/** More than anything may ask: a run that goes on ends here, and fails. */
const far = 40_000;
const nine = 9 * 1024 * 1024;
const corporates = "/api/partner/corporates";

interface Endless {
	/** Records of a page of a path. */
	page(path: string): number;
	/** Milliseconds that an answer takes. */
	takes?: number;
	/** Bytes of blanks after each answer. */
	bytes?(path: string): number;
	note?: string;
}

/** A world whose service has another page of new records for every page that is asked for, of whatever list. */
async function worldOf({ page, takes = 0, bytes = () => 0, note }: Endless): Promise<{ world: World; pages(): number }> {
	const world = await makeWorld({ wire: async () => answered(500) });
	let [next, pages] = [0, 0];
	world.wire = async ({ url }) => {
		const { pathname } = new URL(url);
		if (pathname === corporates) pages += 1;
		if (world.requests.length > far) return { kind: "sent", reason: "it never ends" };
		if (takes > 0) await world.clock.sleep(takes);
		const content = Array.from({ length: page(pathname) }, () => {
			next += 1;
			return { id: uuid(next), corporateName: `Example ${next}`, termsAccepted: true, kybStatus: "NOT_STARTED", note };
		});
		const answer = answered(200, { content });
		const blanks = Buffer.alloc(bytes(pathname), " ");
		return answer.kind === "answer" ? { ...answer, body: Buffer.concat([answer.body, blanks]) } : answer;
	};
	return { world, pages: () => pages };
}

describe("overview", () => {
	test("against endless pages of companies and persons makes 20,000 requests and says what it did not look at", async () => {
		const { world, pages } = await worldOf({ page: (path) => (path === corporates ? 100 : 1) });
		const ran = await world.purser("overview --json");
		expect([ran.exit, world.requests.length, pages()]).toEqual([0, 20_000, 201]);
		const { rows, complete, notChecked, stoppedAfter } = ran.json();
		expect({ rows: rows.length, complete, stoppedAfter }).toEqual({ rows: 20_000, complete: false, stoppedAfter: "20 000 requests" });
		expect(rows.filter(({ trouble }: { trouble?: string }) => trouble?.startsWith("not checked"))).toHaveLength(notChecked);
		// A company with endless persons takes 500 requests, and eight are under way at the end.
		expect([notChecked > 19_950, notChecked < 19_975]).toEqual([true, true]);
		const told = `Stopped after 20 000 requests: 20000 companies listed, and ${notChecked} of them were not checked; there may be more`;
		for (const on of [told, "Check fewer at a time: purser overview --kyb-status STATUS"])
			expect(ran.stderr).toContain(`{"warning":{"message":"${on}"}}`);
	});

	test("of 40,000 persons keeps the rows of their companies alone in memory", async () => {
		// 40 companies; a list of persons that never ends is left after 1,000 of them.
		const { world, pages } = await worldOf({ page: (path) => (path === corporates ? Number(pages() <= 40) : 15), note: "x".repeat(300) });
		setFlagsFromString("--expose-gc");
		const collect = runInNewContext("gc") as () => void;
		let [before, most] = [0, 0];
		const { wire } = world;
		world.wire = async (request) => {
			// What this world notes of every answer is its own.
			world.seen.length = 0;
			if (world.requests.length % 200 === 0) {
				collect();
				const { heapUsed } = process.memoryUsage();
				before ||= heapUsed;
				most = Math.max(most, heapUsed);
			}
			return (wire as NonNullable<World["wire"]>)(request);
		};
		expect((await world.purser("overview --json")).exit).toBe(0);
		// They would take twice that.
		expect(most - before).toBeLessThan(11 * 1024 * 1024);
	});

	test.each<[string, Endless, number | undefined, object, string]>([
		[
			"a slow service ends after ten minutes",
			{ page: () => 100, takes: 20_000 },
			// Thirty in a row; the company's rows say that nobody looked at their persons.
			30,
			{},
			"Stopped after 10 minutes: 3000 companies listed, and 3000 of them were not checked; there may be more",
		],
		[
			"large pages of persons ends after 256 MiB",
			{ page: (path) => (path === corporates ? 100 : 0), bytes: (path) => (path === corporates ? 0 : nine) },
			undefined,
			{ stoppedAfter: "256 MiB" },
			"",
		],
		[
			"one company a page ends after 500 pages of companies",
			{ page: (path) => Number(path === corporates) },
			1_000,
			{ notChecked: 0, stoppedAfter: "500 requests" },
			"Stopped after 500 requests: 500 companies listed; there may be more",
		],
	])("against %s", async (_, endless, requests, answer, told) => {
		const { world } = await worldOf(endless);
		const ran = await world.purser("overview --kyb-status NOT_STARTED --json");
		expect([ran.exit, ran.json()]).toMatchObject([0, { complete: false, ...answer }]);
		if (requests !== undefined) expect(world.requests).toHaveLength(requests);
		expect(ran.stderr).toContain(told);
	});

	test("--kyb-status looks at those alone, whatever the service lets through; that looked at everything says so", async () => {
		const statuses = ["COMPLETING", "NOT_STARTED", "VALIDATED", undefined];
		const content = statuses.map((kybStatus, at) => ({ id: uuid(at), corporateName: "x", kybStatus }));
		const world = await makeWorld({
			wire: async ({ url }) => answered(200, { content: new URL(url).pathname === corporates ? content : [], totalElements: 4 }),
		});
		const { rows, notChecked } = await world.json("overview --kyb-status COMPLETING");
		expect(new URL(String(world.requests[0]?.url)).searchParams.getAll("kybStatus")).toEqual(["COMPLETING"]);
		expect(rows.map(({ corporateId }: { corporateId: string }) => corporateId)).toEqual([uuid(0), uuid(3)]);
		expect([notChecked, (await world.purser("overview --kyb-status DECLINED")).exit]).toEqual([0, 3]);
		const whole = await (await makeWorld()).json("overview");
		expect([whole.complete, whole.notChecked, "stoppedAfter" in whole]).toEqual([true, 0, false]);
	});
});

const lists: Readonly<Record<string, Endless>> = {
	"whole pages": { page: () => 100 },
	"a record a page": { page: () => 1 },
	"a slow service": { page: () => 100, takes: 20_000 },
	"large pages": { page: () => 1, bytes: () => nine },
};

describe("a list", () => {
	test.each([
		["a record a page", 500, "500 requests: the first 500 are shown"],
		["a slow service", 30, "10 minutes: the first 3000 are shown"],
		["large pages", 15, "128 MiB: the first 15 are shown"],
	])("of %s ends, and how to go on is told", async (name, requests, told) => {
		const { world } = await worldOf(lists[name] as Endless);
		const ran = await world.purser("corporate list --limit 999999 --output ndjson");
		expect([ran.exit, world.requests.length]).toEqual([0, requests]);
		expect(ran.stderr).toContain(`Stopped after ${told}, and there may be more. A filter makes the list shorter: --help shows them`);
	});

	test.each([
		["whole pages", 6, 500],
		["a record a page", 50, 50],
		["a slow service", 2, 200],
		["large pages", 4, 4],
	])(
		"to choose from, of %s, ends after 500 records, 50 requests, 30 seconds or 32 MiB, and that there are more is told",
		async (name, requests, offered) => {
			const { world } = await worldOf(lists[name] as Endless);
			const ran = await world.purser("corporate show", { answers: [uuid(1)] });
			// The record itself is then read.
			expect(world.requests).toHaveLength(requests + 1);
			expect(ran.stderr).toContain(`Only the first ${offered} of the list are offered; give another one by its id on the command line`);
		},
	);
});
