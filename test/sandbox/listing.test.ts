import { beforeAll, describe, expect, test } from "vitest";
import { ids, makeService, minute, newCorporate, payBeneficiary, payLedger, type Service } from "./service.js";

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

test("filters: what does not fit is left out", async () => {
	const service = await makeService();
	const list = async (query: string) => idsOf(await service.get(query));
	const one = (await payLedger(service, "5.00")).data.id;
	service.pass(10 * minute);
	const other = (await payBeneficiary(service, "6.00", ids.slow)).data.id;
	const { id } = await newCorporate(service, { corporateName: "Example Garage SARL" });
	const asked = ["status=PENDING", `ledgerId=${ids.savings}`, "startDate=2026-03-01T10:10:00Z", "endDate=2026-03-01T10:09:00Z"];
	expect(await Promise.all(asked.map((query) => list(`transactions?${query}`)))).toEqual([[other], [one], [other], [one]]);
	for (const query of ["kybStatus=NOT_STARTED", "registeredName=garage"]) expect(await list(`corporates?${query}`)).toEqual([id]);
	expect([await list("ledgers?status=CLOSED"), await list(`ledgers?endUserId=${id}`)]).toEqual([[], []]);
});
