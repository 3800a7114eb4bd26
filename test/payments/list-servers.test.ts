/** The list that settles doubts, of services that are wrong in one way each: what is read, and whether it counts as everything. */
import { describe, expect, test } from "vitest";
import { serviceOf } from "../../src/http/service.js";
import { readLedger } from "../../src/payments/matching/list/ledger-list.js";
import type { Reading } from "../../src/ports/service.js";
import { answered, type SmallOptions, smallContext } from "../support/context.js";
import { idOf, type Line, linesFrom, listServer, type Wrong } from "./list-server.js";

const ledgerId = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const start = "2026-03-01T00:00:00.000Z";
const asked = new Date("2026-03-20T00:00:00.000Z");
const minute = 60_000;

async function read(lines: Line[], wrong: Wrong = {}, options?: SmallOptions) {
	const small = listServer(lines, wrong, options);
	const told: string[] = [];
	const list = await readLedger(serviceOf(small.context), {
		ledgerId,
		from: Date.parse(start),
		progress: (label) => void told.push(label),
		now: () => asked,
	});
	if ("unread" in list) return { unread: list.unread, requests: small.requests.length, told };
	const ids = list.lines.flatMap(({ id }) => id ?? []);
	expect(new Set(ids).size).toBe(ids.length);
	return { read: list.lines.length, lacks: list.lacks, requests: small.requests.length, told };
}

const whole = (read: number, requests: number) => ({ read, lacks: undefined, requests });
const part = (read: number, requests: number, lacks: string) => ({ read, lacks, requests });
const announces = (total: number, shown: number) => `the list announces ${total} transactions and shows ${shown}`;
const samePage = "the list gives the same page whatever page is asked for, so it may be a part";

/** One more at first. */
const shrinking = () => {
	let asked = 0;
	return () => (asked++ === 0 ? 251 : 250);
};

/** Lines of one month, as many as are asked for. */
const few = (count: number, more?: Parameters<typeof linesFrom>[3]) => linesFrom(start, count, 10 * minute, more);

describe("a list of some pages", () => {
	test.each<[string, number, Wrong, object]>([
		["is walked to the empty page behind its last one", 250, {}, whole(250, 4)],
		["of nothing", 0, {}, whole(0, 2)],
		["that announces less than it has: the walk goes on", 250, { total: () => 100 }, whole(250, 4)],
		["that announces more than it shows", 250, { total: () => 400 }, part(250, 4, announces(400, 250))],
		["that announces less once a record is gone", 250, { total: shrinking() }, part(250, 4, announces(251, 250))],
		["whose pages are shorter than asked for", 250, { cap: 20 }, whole(250, 14)],
		["with a page that is shorter in the middle", 250, { short: { page: 1, lines: 40 } }, part(190, 4, announces(250, 190))],
		["that repeats its last page for ever", 250, { page: (page) => Math.min(page, 2) }, whole(250, 5)],
		["that begins anew behind its last page", 250, { page: (page) => page % 3 }, whole(250, 5)],
		["that takes no notice of the start", 250, { ignores: ["startDate"] }, whole(250, 4)],
		["that refuses the page behind its last one", 250, { deepest: 251 }, whole(250, 4)],
		["without a page around it", 250, { bare: true }, whole(250, 4)],
	])("%s", async (_, count, wrong, expected) => {
		expect(await read(few(count), wrong)).toMatchObject(expected);
	});

	test("whose records tell no id repeats itself: nobody can see its end", async () => {
		const lines = few(250).map(({ id: _, ...line }) => line);
		expect(await read(lines, { page: (page) => Math.min(page, 2) })).toMatchObject(
			part(250, 5, "the list repeats itself and has no ids, so its end cannot be seen"),
		);
		const lacks = expect.stringContaining("no ids and several pages") as unknown as string;
		expect(await read(lines)).toMatchObject(part(250, 4, lacks));
		expect(await read(lines.slice(0, 100))).toMatchObject(whole(100, 2));
	});

	test("into which lines are inserted meanwhile is read with them, each once", async () => {
		const before: Wrong["before"] = (lines, request) => {
			if (request < 3)
				lines.splice(10 * request, 0, ...linesFrom(start, 5, 1).map((line, at) => ({ ...line, id: idOf(900 + request * 5 + at) })));
		};
		// The first five stand on the first page; what comes later stands before what is read already, and is announced.
		expect(await read(few(250), { before })).toMatchObject(part(255, 4, announces(265, 255)));
	});

	test("that a whole page of insertions pushes forward is not taken for its end", async () => {
		const before: Wrong["before"] = (lines, request) => {
			if (request === 1) lines.unshift(...linesFrom(start, 100, 1).map((line, at) => ({ ...line, id: idOf(900 + at) })));
		};
		const seen = await read(few(250), { before, total: () => undefined });
		expect(seen).toMatchObject({ read: 250, requests: 5 });
	});

	test("with something in it that is no transaction is not everything", async () => {
		const lines = [...few(3), "nothing" as unknown as Line];
		expect(await read(lines)).toMatchObject({ lacks: "not everything in the list is a transaction" });
	});
});

describe("a service that cannot be asked for a period", () => {
	const fields = { ledgerId: { place: "query", at: "account" } } as const;
	const paging = { style: "page", at: "page", size: { at: "pageSize", most: 100 }, first: 0 } as const;
	const operations = { "transaction.list": { method: "GET", path: "/api/partner/transactions", fields } } as const;
	const mapped: SmallOptions = { profile: { mapping: { operations, paging } } };
	const earlier = linesFrom("2026-02-20T00:00:00.000Z", 40, 10 * minute, (number) => ({ id: idOf(900 + number) }));

	test("is asked for all, and what is clearly earlier is left out", async () => {
		// A service may date a payment by its day: what is near the start is compared.
		const near = linesFrom("2026-02-28T00:00:00.000Z", 3, minute, (number) => ({ id: idOf(800 + number) }));
		expect(await read([...earlier, ...near, ...few(250)], {}, mapped)).toMatchObject(whole(253, 4));
	});

	test("settles nothing where payments have no time: an earlier one could be taken for the one that is sought", async () => {
		const lines = few(9, () => ({ creationDate: undefined }));
		expect(await read(lines, {}, mapped)).toMatchObject({ unread: expect.stringContaining("cannot be asked for a period") });
		expect(await read(lines)).toMatchObject({ read: 9 });
	});
});

describe("a service that knows no pages", () => {
	const same: Wrong = { page: () => 0 };
	test("and lists fewer than any page holds is believed", async () => {
		expect(await read(few(9), same)).toMatchObject(whole(9, 3));
		expect(await read(few(9), { ...same, bare: true, total: () => undefined })).toMatchObject(whole(9, 3));
	});

	test("and cuts its list is not, whatever it announces", async () => {
		expect(await read(few(150), same)).toMatchObject({ lacks: expect.stringContaining("the list announces 150") });
		expect(await read(few(150), { ...same, total: () => 100 })).toMatchObject({ lacks: samePage });
		expect(await read(few(150), { ...same, total: () => undefined })).toMatchObject({ lacks: samePage });
	});
});

test("a list of 12 000 is read by its pages", async () => {
	const { told, ...seen } = await read(linesFrom(start, 12_000, 10_000));
	expect(seen).toEqual(whole(12_000, 121));
	expect(told.at(0)).toBe("Checking the service's transactions: 100 read, up to 2026-03-01");
	expect(told.at(-1)).toBe("Checking the service's transactions: 12 000 read, up to 2026-03-02");
});

test("a list that never ends is left after as many requests as are told, and is not everything", async () => {
	let next = 0;
	const page = async () => ({ found: linesFrom(start, 1, 1, () => ({ id: idOf(next++) })) as never[], whole: true });
	const reading = { page } as unknown as Reading;
	expect(await readLedger(reading, { ledgerId, from: Date.parse(start), now: () => asked })).toMatchObject({
		lacks: "the list is longer than the 20000 requests that one check may make",
	});
	expect(next).toBe(20_000);
});

test("a list of a slow service that never ends is left after the time that is told, and is not everything", async () => {
	const hour = 3_600_000;
	let [next, time] = [0, asked.getTime()];
	const answer = () => {
		time += 0.01 * hour;
		return answered(200, { content: linesFrom(start, 1, 1, () => ({ id: idOf(next++) })) });
	};
	const small = smallContext({ answers: [answer] });
	expect(await readLedger(serviceOf(small.context), { ledgerId, from: Date.parse(start), now: () => new Date(time) })).toMatchObject({
		lacks: "the list is longer than one check reads in 2 hours",
	});
	expect(small.requests.length).toBe(200);
});
