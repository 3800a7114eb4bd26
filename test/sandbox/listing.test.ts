import { beforeAll, describe, expect, test } from "vitest";
import { ids, makeService, minute, payBeneficiary, payLedger, type Service } from "./service.js";

const idsOf = (data: { content: { id: string }[] }): string[] => data.content.map(({ id }) => id);

describe("paging", () => {
	let service: Service;
	const made: string[] = [];
	beforeAll(async () => {
		service = await makeService();
		for (let at = 0; at < 45; at += 1) made.push((await payLedger(service, "1.00")).data.id);
	});
	const list = (query: string) => service.call(`GET transactions?${query}`);

	test("pages follow one another without a gap and without an overlap", async () => {
		const seen: string[] = [];
		for (let page = 0; page < 5; page += 1) {
			const { data } = await list(`page=${page}&pageSize=10`);
			expect(data).toMatchObject({ totalElements: 45, page, pageSize: 10 });
			expect(data.content).toHaveLength(page < 4 ? 10 : 5);
			seen.push(...idsOf(data));
		}
		expect(seen).toEqual(made);
		expect((await list("page=5&pageSize=10")).data).toEqual({ content: [], totalElements: 45, page: 5, pageSize: 10 });
	});

	test.each(["page=-1", "pageSize=101", "sortDirection=UP"])("%s: 400", async (query) => {
		const { status, data } = await list(query);
		expect(status).toBe(400);
		expect(data.details[0].field).toBe(query.split("=")[0]);
	});
});

describe("filters", () => {
	test("transactions by ledger on either side, statuses and time", async () => {
		const service = await makeService();
		const one = (await payLedger(service, "5.00")).data.id;
		service.pass(10 * minute);
		const other = (await payBeneficiary(service, "6.00", ids.slow)).data.id;
		await service.control("transaction", { transactionId: other, outcome: "DECLINED" });
		service.pass(10 * minute);
		const third = (await payBeneficiary(service, "7.00", ids.hosted)).data.id;
		const list = async (query: string) => idsOf(await service.get(`transactions?${query}`));
		expect(await list(`ledgerId=${ids.main}`)).toEqual([one, other, third]);
		expect(await list(`ledgerId=${ids.savings}`)).toEqual([one, third]);
		expect(await list(`ledgerId=${ids.dollars}`)).toEqual([]);
		expect(await list("status=DECLINED&status=PENDING")).toEqual([other, third]);
		expect(await list("status[]=DECLINED&status[]=APPROVED")).toEqual([one, other]);
		expect(await list("startDate=2026-03-01T10:10:00Z")).toEqual([other, third]);
		expect(await list("endDate=2026-03-01T10:10:00.000Z")).toEqual([one, other]);
		expect(await list("startDate=2026-03-01T11:05:00%2B01:00&endDate=2026-03-01T10:15:00Z")).toEqual([other]);
		expect(await list(`ledgerId=${ids.savings}&status=APPROVED&startDate=2026-03-01`)).toEqual([one]);
		expect((await service.call("GET transactions?startDate=yesterday")).status).toBe(400);
	});

	test.each([
		["ledgers", "status=ACTIV", "status"],
		["transactions", "status=PENDING,DONE", "status"],
		["corporates", "kybStatus=APPROVED", "kybStatus"],
		[`corporates/${ids.corporate}/related`, "layer=first", "layer"],
	])("%s?%s is refused: an empty list would be taken for the truth", async (what, query, field) => {
		const { ask } = await makeService();
		const { status, data } = await ask("GET", `/api/partner/${what}?${query}`);
		expect([status, data.details?.map((detail: { field: string }) => detail.field)]).toEqual([400, [field]]);
	});
});
