import { describe, expect, it } from "vitest";
import { listLedgers } from "../../src/api/operations/ledger.js";
import { everyPage } from "../../src/http/pages.js";
import type { Mapping } from "../../src/ports/mapping.js";
import type { WireRequest } from "../../src/ports/wire.js";
import { answered, smallContext } from "../support/context.js";

const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ id: `r${from + index}` }));
const asked = (request: WireRequest) => {
	const { searchParams } = new URL(request.url);
	return { page: Number(searchParams.get("page")), size: Number(searchParams.get("pageSize")) };
};

/** A service with `count` records that obeys the paging, or caps it, and may tell the total. */
function service(count: number, options: { cap?: number; total?: boolean | number } = {}) {
	return smallContext({
		answers: [
			(request) => {
				const { page, size } = asked(request);
				const real = Math.min(size, options.cap ?? 100);
				const content = ids(page * real, Math.max(0, Math.min(real, count - page * real)));
				const total = options.total === false ? undefined : typeof options.total === "number" ? options.total : count;
				return answered(200, { content, totalElements: total, page, pageSize: real });
			},
		],
	});
}

async function walk(small: ReturnType<typeof smallContext>, limit: number) {
	const { records, ...rest } = await everyPage(small.context, listLedgers, { query: { status: ["ACTIVE"] } }, { limit });
	return { count: records.length, ...rest, requests: small.requests.length };
}

describe("a walk over a list", () => {
	it.each([
		["none", 0, {}, 50, { count: 0, more: false, complete: true, total: 0, requests: 1 }],
		["exactly the limit", 50, {}, 50, { count: 50, more: false, complete: true, total: 50, requests: 1 }],
		["one more than the limit", 51, {}, 50, { count: 50, more: true, complete: false, total: 51, requests: 1 }],
		["three pages", 250, {}, 1_000, { count: 250, more: false, complete: true, total: 250, requests: 3 }],
		["cut at the limit", 250, {}, 120, { count: 120, more: true, complete: false, total: 250, requests: 2 }],
		["small pages, no total", 45, { cap: 20, total: false }, 1_000, { count: 45, more: false, complete: true, requests: 4 }],
		["a total below what is there", 250, { total: 0 }, 1_000, { count: 250, more: false, complete: true, total: 0, requests: 4 }],
		["a total of the page alone", 250, { total: 60 }, 1_000, { count: 250, more: false, complete: true, total: 60, requests: 4 }],
		["a total that is never reached", 45, { total: 60 }, 1_000, { count: 45, more: true, complete: false, total: 60, requests: 2 }],
	])("%s", async (_name, count, options, limit, expected) => {
		expect(await walk(service(count, options), limit)).toEqual(expected);
	});

	it("a service that gives the same page for ever is stopped, and the list is not called complete", async () => {
		const small = smallContext({ answers: [answered(200, { content: ids(0, 20) })] });
		expect(await walk(small, 1_000)).toMatchObject({ count: 20, complete: false, requests: 2 });
	});

	it("a service that never ends is ended", async () => {
		let next = 0;
		const small = smallContext({ answers: [() => answered(200, { content: ids(next++, 1) })] });
		expect(await walk(small, 100_000)).toMatchObject({ count: 500, more: true, complete: false, requests: 500 });
	});

	it("a bare list as long as a page may be one page of several", async () => {
		const pages = [ids(0, 100), ids(100, 100), ids(200, 7), []].map((list) => answered(200, list));
		expect(await walk(smallContext({ answers: pages }), 1_000)).toMatchObject({ count: 207, complete: true, requests: 4 });
	});

	it("a bare list that comes again knows no pages and is the whole list, unless it is as long as was asked for", async () => {
		const list = (count: number) => smallContext({ answers: [answered(200, ids(0, count))] });
		expect(await walk(list(99), 1_000)).toMatchObject({ count: 99, complete: true, requests: 2 });
		expect(await walk(list(100), 1_000)).toMatchObject({ count: 100, complete: false, requests: 2 });
	});

	it("a record that comes twice is known by either name of its id, so that it does not stand for one that is missing", async () => {
		const named = (from: number, count: number) => ids(from, count).map(({ id }) => ({ transactionId: id }));
		const pages = [named(0, 3), named(2, 2), []].map((content) => answered(200, { content, totalElements: 5 }));
		expect(await walk(smallContext({ answers: pages }), 1_000)).toMatchObject({ count: 4, complete: false });
	});

	it.each([true, false])("a list that is always asked with a value of the profile's own is never complete: %s", async (isNarrowed) => {
		const constants = isNarrowed ? ([{ place: "query", at: "scope", value: "mine" }] as const) : [];
		const operations = { [listLedgers.id]: { method: "GET", path: "/ledgers", constants } } as const;
		const mapping: Mapping = { operations, paging: { style: "cursor", at: "cursor", next: "/next" } };
		const answers = [answered(200, { content: ids(0, 2), next: "c1" }), answered(200, { content: ids(2, 2), next: null })];
		expect(await walk(smallContext({ profile: { mapping }, answers }), 50)).toMatchObject({ count: 4, complete: !isNarrowed, requests: 2 });
	});

	it("what is no record makes the list incomplete", async () => {
		const odd = smallContext({ answers: [answered(200, { content: [1, "a", null] })] });
		expect(await walk(odd, 50)).toMatchObject({ count: 0, complete: false });
	});

	it.each([{}, { content: null }, { content: "x" }, { data: [] }, "x"])("nonsense is no empty list: %j", async (body) => {
		await expect(walk(smallContext({ answers: [answered(200, body)] }), 50)).rejects.toMatchObject({
			kind: "bug",
			failure: { code: "ANSWER_UNREADABLE" },
		});
	});
});
