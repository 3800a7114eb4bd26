/** Lists of a service that never end: each command ends by itself, says how far it came and how to go on. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import type { WireRequest } from "../../src/ports/wire.js";
import { uuid } from "../support/companies.js";
import { answered } from "../support/context.js";
import { makeWorld, type World } from "../support/purser.js";

/** More than anything may ask: a run that goes on ends here, and fails. */
const far = 40_000;

interface Endless {
	/** Records of a page of a path. */
	page: number | ((path: string) => number);
	/** Milliseconds that an answer takes. */
	takes?: number;
	/** Bytes of blanks after each answer. */
	bytes?: number | ((path: string) => number);
	record?(number: number): object;
}

/** A world whose service has another page of new records for every page that is asked for, of whatever list. */
async function worldOf({ page, takes = 0, bytes = 0, record }: Endless): Promise<{ world: World; paths: Map<string, number> }> {
	const world = await makeWorld({ wire: async () => answered(500) });
	const paths = new Map<string, number>();
	const blanks = (path: string): Buffer => Buffer.alloc(typeof bytes === "number" ? bytes : bytes(path), " ");
	let next = 0;
	world.wire = async ({ url }: WireRequest) => {
		const { pathname } = new URL(url);
		paths.set(pathname, (paths.get(pathname) ?? 0) + 1);
		if (world.requests.length > far) return { kind: "sent", reason: "it never ends" };
		if (takes > 0) await world.clock.sleep(takes);
		const length = typeof page === "number" ? page : page(pathname);
		const content = Array.from({ length }, () => {
			next += 1;
			return { id: uuid(next), corporateName: `Example ${next}`, termsAccepted: true, kybStatus: "NOT_STARTED", ...record?.(next) };
		});
		const answer = answered(200, { content });
		return answer.kind === "answer" ? { ...answer, body: Buffer.concat([answer.body, blanks(pathname)]) } : answer;
	};
	return { world, paths };
}

const corporates = "/api/partner/corporates";

describe("overview", () => {
	test("against endless pages of companies and persons makes 20,000 requests and says what it did not look at", async () => {
		const { world, paths } = await worldOf({ page: (path) => (path === corporates ? 100 : 1) });
		const ran = await world.purser("overview --json");
		expect(ran.exit).toBe(0);
		expect(world.requests).toHaveLength(20_000);
		expect(paths.get(corporates)).toBe(201);
		const { rows, complete, notChecked, stoppedAfter } = ran.json();
		expect({ rows: rows.length, complete, stoppedAfter }).toEqual({ rows: 20_000, complete: false, stoppedAfter: "20 000 requests" });
		expect(rows.filter(({ trouble }: { trouble?: string }) => trouble?.startsWith("not checked"))).toHaveLength(notChecked);
		// A company with endless persons takes 500 requests, and eight are under way at the end.
		expect(notChecked).toBeGreaterThan(19_950);
		expect(notChecked).toBeLessThan(19_975);
		const told = `Stopped after 20 000 requests: 20000 companies listed, and ${notChecked} of them were not checked; there may be more`;
		for (const on of [told, "Check fewer at a time: purser overview --kyb-status STATUS"])
			expect(ran.stderr).toContain(`{"warning":{"message":"${on}"}}`);
	});

	test("of 40,000 persons keeps the rows of their companies alone in memory", async () => {
		// 40 companies; a list of persons that never ends is left after 1,000 of them.
		const { world, paths } = await worldOf({
			page: (path) => (path !== corporates ? 15 : Number((paths.get(path) ?? 0) <= 40)),
			record: () => ({ note: "x".repeat(300) }),
		});
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

	test("against a slow service ends after ten minutes", async () => {
		const { world } = await worldOf({ page: 100, takes: 20_000 });
		const ran = await world.purser("overview", { columns: 400 });
		expect(ran.exit).toBe(0);
		// Thirty in a row; the company's rows say that nobody looked at their persons.
		expect(world.requests).toHaveLength(30);
		expect(ran.stderr).toContain("Stopped after 10 minutes: 3000 companies listed, and 3000 of them were not checked; there may be more");
		expect(ran.stdout).toMatch(/^3000 companies need something: /);
	});

	test("of large pages of persons ends after 256 MiB", async () => {
		const nine = 9 * 1024 * 1024;
		const { world } = await worldOf({ page: (path) => (path === corporates ? 100 : 0), bytes: (path) => (path === corporates ? 0 : nine) });
		const ran = await world.purser("overview --kyb-status NOT_STARTED --json");
		expect(ran.json()).toMatchObject({ complete: false, stoppedAfter: "256 MiB" });
	});

	test("one company a page: 500 pages of companies, and that there may be more", async () => {
		const { world, paths } = await worldOf({ page: (path) => (path === corporates ? 1 : 0) });
		const ran = await world.purser("overview --json");
		expect(paths.get(corporates)).toBe(500);
		expect(world.requests).toHaveLength(1_000);
		expect(ran.json()).toMatchObject({ complete: false, notChecked: 0, stoppedAfter: "500 requests" });
		expect(ran.stderr).toContain("Stopped after 500 requests: 500 companies listed; there may be more");
	});

	test("--kyb-status looks at those alone, whatever the service lets through", async () => {
		const world = await makeWorld({
			wire: async ({ url }) => {
				const ones = ["COMPLETING", "NOT_STARTED", "VALIDATED", undefined].map((kybStatus, at) => ({
					id: uuid(at),
					corporateName: "x",
					kybStatus,
				}));
				return answered(200, { content: new URL(url).pathname === corporates ? ones : [], totalElements: 4 });
			},
		});
		const ran = await world.purser("overview --kyb-status COMPLETING --json");
		expect(new URL(String(world.requests[0]?.url)).searchParams.getAll("kybStatus")).toEqual(["COMPLETING"]);
		expect(ran.json().rows.map(({ corporateId }: { corporateId: string }) => corporateId)).toEqual([uuid(0), uuid(3)]);
		expect(ran.json()).toMatchObject({ notChecked: 0 });
		expect((await world.purser("overview --kyb-status DECLINED")).exit).toBe(3);
	});

	test("that looked at everything says so", async () => {
		const world = await makeWorld();
		const ran = await world.purser("overview --json");
		expect(ran.json()).toMatchObject({ complete: true, notChecked: 0 });
		expect(ran.json()).not.toHaveProperty("stoppedAfter");
	});
});

describe("a list", () => {
	test.each<[string, Endless, number, string]>([
		["of a record a page", { page: 1 }, 500, "500 requests: the first 500 are shown"],
		["of a slow service", { page: 100, takes: 20_000 }, 30, "10 minutes: the first 3000 are shown"],
		["of large pages", { page: 1, bytes: 9 * 1024 * 1024 }, 15, "128 MiB: the first 15 are shown"],
	])("%s ends, and how to go on is told", async (_, endless, requests, told) => {
		const { world } = await worldOf(endless);
		const ran = await world.purser("corporate list --limit 999999 --output ndjson");
		expect(ran.exit).toBe(0);
		expect(world.requests).toHaveLength(requests);
		expect(ran.stderr).toContain(`Stopped after ${told}, and there may be more. A filter makes the list shorter: --help shows them`);
	});

	test("to choose from ends after 500 records, 50 requests, 30 seconds or 32 MiB, and that there are more is told", async () => {
		for (const [endless, requests, offered] of [
			[{ page: 100 }, 6, 500],
			[{ page: 1 }, 50, 50],
			[{ page: 100, takes: 20_000 }, 2, 200],
			[{ page: 1, bytes: 9 * 1024 * 1024 }, 4, 4],
		] as const) {
			const { world } = await worldOf(endless);
			const ran = await world.purser("corporate show", { answers: [uuid(1)] });
			// The record itself is then read.
			expect(world.requests).toHaveLength(requests + 1);
			expect(ran.stderr).toContain(`Only the first ${offered} of the list are offered; give another one by its id on the command line`);
		}
	});
});
