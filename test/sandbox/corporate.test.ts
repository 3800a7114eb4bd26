import { describe, expect, test } from "vitest";
import { corporateBody, ids, makeService, minute, newCorporate, newRelated } from "./service.js";

const address = (id: string): string => `/api/partner/corporates/${id}`;

describe("a corporate (specification 2.1, 2.4, 2.5)", () => {
	test("comes back with what it was created with, numbers as they were written", async () => {
		const service = await makeService();
		const body = JSON.stringify(corporateBody({ tradeName: "Bakery", legalType: { austriaValue: "AT_AKTIENGESELLSCHAFT_AG" } }));
		const made = await service.ask("POST", "/api/partner/corporates", body.replace(/}$/, ',"metadata":{"tier":1.10,"deep":[null,true]}}'));
		expect(made.status).toBe(201);
		expect(Object.keys(made.data).sort()).toEqual(["accountOwnerId", "corporateId"]);
		const { data, text } = await service.ask("GET", address(made.data.corporateId));
		expect(data).toMatchObject({
			id: made.data.corporateId,
			corporateName: "Example Bakery SAS",
			tradeName: "Bakery",
			industry: "FOOD_RESTAURANT_CATERING",
			legalType: { austriaValue: "AT_AKTIENGESELLSCHAFT_AG" },
			termsAccepted: false,
			kybStatus: "NOT_STARTED",
			creationDate: "2026-03-01T10:00:00.000Z",
			updateDate: "2026-03-01T10:00:00.000Z",
		});
		expect(text).toContain('"metadata":{"tier":1.10,"deep":[null,true]}');
	});

	test("its account owner is a related entity, not verified", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const { data } = await service.ask("GET", `/api/partner/corporates/related/${owner}`);
		expect(data).toMatchObject({
			id: owner,
			firstName: "Ada",
			lastName: "Example",
			position: "CEO",
			isAccountOwner: true,
			isDirector: true,
			email: { address: "ada@example.com", verified: false },
			phone: { countryCode: "+33", number: "639980001", verified: false },
			kycInfo: { status: "NOT_STARTED", type: "FULL_KYC" },
		});
		const related = await service.ask("GET", `${address(id)}/related`);
		expect(related.data.content.map((one: { id: string }) => one.id)).toEqual([owner]);
	});

	test("what the service alone knows cannot be sent", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service, {
			lastTermsAccepted: undefined,
			termsAccepted: true,
			kybStatus: "VALIDATED",
			id: ids.nobody,
		});
		expect(id).not.toBe(ids.nobody);
		await service.ask("PATCH", address(id), { termsAccepted: true, kybStatus: "VALIDATED", id: ids.nobody });
		expect((await service.ask("GET", address(id))).data).toMatchObject({ id, termsAccepted: false, kybStatus: "NOT_STARTED" });
	});

	test("an update changes what it names and the time, and nothing else", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service);
		const before = (await service.ask("GET", address(id))).data;
		service.pass(5 * minute);
		const { status } = await service.ask("PATCH", address(id), { tradeName: "New name", website: "https://www.example.com" });
		expect([200, 204]).toContain(status);
		expect((await service.ask("GET", address(id))).data).toEqual({
			...before,
			tradeName: "New name",
			website: "https://www.example.com",
			updateDate: "2026-03-01T10:05:00.000Z",
		});
	});

	test("an update that does not fit changes nothing", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service);
		const before = (await service.ask("GET", address(id))).data;
		const { status } = await service.ask("PATCH", address(id), { tradeName: "New name", incorporationCountry: "FR" });
		expect(status).toBe(400);
		expect((await service.ask("GET", address(id))).data).toEqual(before);
	});

	test("an externalId names one corporate", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service, { externalId: "crm-1" });
		const second = await service.ask("POST", "/api/partner/corporates", corporateBody({ externalId: "crm-1" }));
		expect(second.status).toBe(409);
		expect([200, 204]).toContain((await service.ask("PATCH", address(id), { externalId: "crm-1" })).status);
		const { id: other } = await newCorporate(service, { externalId: "crm-2" });
		expect((await service.ask("PATCH", address(other), { externalId: "crm-1" })).status).toBe(409);
	});

	test.each([
		["GET", ""],
		["PATCH", ""],
		["GET", "/related"],
		["POST", "/related"],
		["POST", "/kyb"],
		["GET", "/diligence-review"],
	])("one that does not exist: %s …%s is 404", async (method, rest) => {
		const { ask } = await makeService();
		const body = method === "GET" ? undefined : { firstName: "Ada", lastName: "Example" };
		expect((await ask(method, address(ids.nobody) + rest, body)).status).toBe(404);
	});

	test("an id is found however its letters are written", async () => {
		const { ask } = await makeService();
		expect((await ask("GET", `/api/partner/ledgers/${ids.main.toUpperCase()}`)).data.id).toBe(ids.main);
	});
});

describe("a corporate related (specification 2.6)", () => {
	test("a person needs a name, a company needs its own", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service);
		const fields = async (body: unknown): Promise<string[]> => {
			const { status, data } = await service.ask("POST", `${address(id)}/related`, body);
			expect(status).toBe(400);
			return data.details.map(({ field }: { field: string }) => field).sort();
		};
		expect(await fields({})).toEqual(["firstName", "lastName"]);
		expect(await fields({ firstName: "Grace" })).toEqual(["lastName"]);
		expect(await fields({ type: "COMPANY", firstName: "Grace", lastName: "Sample" })).toEqual(["corporateName"]);
		expect(await fields({ type: "ROBOT", firstName: "Grace", lastName: "Sample" })).toEqual(["type"]);
	});

	test("layers: 1 for who holds the corporate, 2 for who holds a company of layer 1", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const holding = await newRelated(service, id, { type: "COMPANY", corporateName: "Example Holding BV", directSharesPercentage: 60 });
		const person = await newRelated(service, id, {
			firstName: "Grace",
			lastName: "Sample",
			ownedCorporateId: holding,
			directSharesPercentage: 100,
		});
		const layer = async (number: number): Promise<string[]> =>
			(await service.ask("GET", `${address(id)}/related?layer=${number}`)).data.content.map((one: { id: string }) => one.id);
		expect(await layer(1)).toEqual([owner, holding]);
		expect(await layer(2)).toEqual([person]);
		expect(await layer(3)).toEqual([]);
		const { data } = await service.ask("GET", `/api/partner/corporates/related/${person}`);
		expect(data.shares).toEqual([{ ownedCorporate: holding, directSharesPercentage: 100, layer: 2 }]);
	});

	test("companies that own each other do not keep it busy for ever", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service);
		const one = await newRelated(service, id, { type: "COMPANY", corporateName: "One BV", directSharesPercentage: 50 });
		const other = await newRelated(service, id, {
			type: "COMPANY",
			corporateName: "Other BV",
			directSharesPercentage: 50,
			ownedCorporateId: one,
		});
		await service.ask("PATCH", `/api/partner/corporates/related/${one}`, { ownedCorporateId: other });
		expect((await service.ask("GET", `${address(id)}/related`)).data.totalElements).toBe(3);
	});

	test("is deleted while the KYB allows it", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const person = await newRelated(service, id, { firstName: "Grace", lastName: "Sample" });
		const late = await newRelated(service, id, { firstName: "Linus", lastName: "Placeholder" });
		const place = (related: string): string => `/api/partner/corporates/related/${related}`;
		expect((await service.ask("DELETE", place(person))).status).toBe(204);
		expect((await service.ask("GET", place(person))).status).toBe(404);
		expect((await service.ask("DELETE", place(person))).status).toBe(404);
		expect((await service.ask("DELETE", place(owner))).status).toBe(409);
		await service.ask("POST", `${address(id)}/kyb`);
		expect((await service.ask("DELETE", place(late))).status).toBe(409);
		await service.control("kyb", { corporateId: id, outcome: "NEED_ADDITIONAL_INFORMATION", reason: "Who is Linus?" });
		expect((await service.ask("DELETE", place(late))).status).toBe(204);
		expect((await service.ask("DELETE", place(ids.owner))).status).toBe(409);
	});
});
