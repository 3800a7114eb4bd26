import { describe, expect, it } from "vitest";
import { listLedgers } from "../../src/api/operations/ledger.js";
import { everyPage } from "../../src/http/pages.js";
import { following, pageQuery } from "../../src/mapping/request/paging.js";
import type { Paging } from "../../src/ports/mapping.js";
import { answered, smallContext } from "../support/context.js";

const address = new URL("https://api.example.com/v1/accounts?limit=2");

describe("a page in the deployment's words", () => {
	it.each<[string, Paging, Record<string, string>]>([
		["pages from 1", { style: "page", at: "p", first: 1, size: { at: "n", most: 100 } }, { p: "4", n: "50" }],
		["an offset", { style: "offset", at: "from", size: { at: "n", most: 20 } }, { from: "60", n: "20" }],
		["a cursor", { style: "cursor", at: "cursor", next: "/next" }, { cursor: "c7" }],
	])("%s", (_name, paging, query) => {
		expect(pageQuery(paging, { page: "3", pageSize: "50", sortDirection: "DESC" }, paging.style === "cursor" ? "c7" : undefined)).toEqual(
			query,
		);
	});
});

describe("what follows a page", () => {
	const cursor: Paging = { style: "cursor", at: "cursor", next: "/meta/next" };
	const link: Paging = { style: "link" };
	it.each<[string, Paging, unknown, Record<string, string>, unknown]>([
		["a cursor", cursor, { meta: { next: "c2" } }, {}, { after: "c2" }],
		["null: the end", cursor, { meta: { next: null } }, {}, "end"],
		["nothing: nobody said that it ended", cursor, { meta: {} }, {}, "silent"],
		[
			"a link",
			link,
			{},
			{ link: '<https://api.example.com/v1/accounts?limit=2&after=x>; rel="next", <https://api.example.com/v1/accounts>; rel="first"' },
			{ after: "?limit=2&after=x" },
		],
		["links without the next", link, {}, { link: '<https://api.example.com/v1/accounts>; rel="prev"' }, "end"],
		["no link at all", link, {}, {}, "silent"],
		["a link to another host is not followed", link, {}, { link: '<https://evil.example/v1/accounts?x>; rel="next"' }, "silent"],
		["a link to another path is not followed", link, {}, { link: '</v1/payments?x>; rel="next"' }, "silent"],
		["an offset: after the records that there were", { style: "offset", at: "from" }, {}, {}, { after: "2" }],
		["a page by its number", { style: "page", at: "p" }, {}, {}, undefined],
		[
			"a link in the body",
			{ style: "link", next: "/links/next" },
			{ links: { next: "/v1/accounts?limit=2&after=y" } },
			{},
			{ after: "?limit=2&after=y" },
		],
	])("%s", (_name, paging, data, headers, expected) => {
		expect(following(paging, data, headers, address, { content: [{}, {}] })).toEqual(expected);
	});
});

describe("a total of a deployment's", () => {
	const all = Array.from({ length: 7 }, (_, at) => ({ id: `r${at}` }));
	/** @param counted what the service calls its total */
	const walk = async (total: string | undefined, counted: (shown: number) => number) => {
		const small = smallContext({
			answers: [
				(request) => {
					const from = Number(new URL(request.url).searchParams.get("skip"));
					const items = all.slice(from, from + 3);
					return answered(200, { items, total: counted(items.length) });
				},
			],
			profile: {
				mapping: { operations: {}, paging: { style: "offset", at: "skip", size: { at: "take", most: 3 }, records: "/items", total } },
			},
		});
		const { records, complete } = await everyPage(small.context, listLedgers, {}, { limit: 100 });
		return [records.length, complete, small.requests.length];
	};

	it("that is the number of a page's records does not end the list with a full page", async () => {
		expect(await walk("/total", (shown) => shown)).toEqual([7, true, 4]);
	});

	it("that is the number of all ends it without another request", async () => {
		expect(await walk("/total", () => 7)).toEqual([7, true, 3]);
	});
});

describe("a walk with cursors", () => {
	const walk = async (last: object) => {
		const pages = [
			{ items: [{ id: "r0" }, { id: "r1" }], next: "c1" },
			{ items: [{ id: "r2" }], ...last },
		];
		const small = smallContext({
			answers: [(request) => answered(200, pages[new URL(request.url).searchParams.get("cursor") === "c1" ? 1 : 0])],
			profile: {
				mapping: {
					operations: {},
					paging: { style: "cursor", at: "cursor", next: "/next", records: "/items", size: { at: "limit", most: 2 } },
				},
			},
		});
		const { records, complete } = await everyPage(small.context, listLedgers, {}, { limit: 100 });
		return { ids: records.map(({ id }) => id), complete, asked: small.requests.map(({ url }) => new URL(url).search) };
	};

	it("goes from cursor to cursor and ends where the service says so", async () => {
		expect(await walk({ next: null })).toEqual({ ids: ["r0", "r1", "r2"], complete: true, asked: ["?limit=2", "?limit=2&cursor=c1"] });
	});
});
