/**
 * Corporates, their related entities, and the terms that they accept.
 */
import { describe, expect, test } from "vitest";
import { ids, makeService, newCorporate, newRelated } from "./service.js";

type Listed = { id: string };
const holding = { type: "COMPANY", corporateName: "Example Holding BV" };

describe("a corporate related (specification 2.6)", () => {
	test.each([
		[{}, ["firstName", "lastName"]],
		[{ firstName: "Grace" }, ["lastName"]],
		[{ type: "COMPANY", firstName: "Grace", lastName: "Sample" }, ["corporateName"]],
		[{ type: "ROBOT", firstName: "Grace", lastName: "Sample" }, ["type"]],
	])("a person needs a name, a company needs its own: %j", async (body, fields) => {
		const service = await makeService();
		const { id } = await newCorporate(service);
		const { status, data } = await service.call(`POST corporates/${id}/related`, body);
		expect([status, data.details.map(({ field }: { field: string }) => field).sort()]).toEqual([400, fields]);
	});

	test("layers: 1 for who holds the corporate, 2 for who holds a company of layer 1", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const first = await newRelated(service, id, { ...holding, directSharesPercentage: 60 });
		const held = { ownedCorporateId: first, directSharesPercentage: 100 };
		const person = await newRelated(service, id, { firstName: "Grace", lastName: "Sample", ...held });
		const layer = async (number: number): Promise<string[]> =>
			(await service.get(`corporates/${id}/related?layer=${number}`)).content.map((one: Listed) => one.id);
		expect([await layer(1), await layer(2), await layer(3)]).toEqual([[owner, first], [person], []]);
		const { shares } = await service.get(`corporates/related/${person}`);
		expect(shares).toEqual([{ ownedCorporate: first, directSharesPercentage: 100, layer: 2 }]);
	});

	test("is deleted while the KYB allows it", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const person = await newRelated(service, id, { firstName: "Grace", lastName: "Sample" });
		const late = await newRelated(service, id, { firstName: "Linus", lastName: "Placeholder" });
		const status = async (method: string, related: string) => (await service.call(`${method} corporates/related/${related}`)).status;
		expect(await status("DELETE", person)).toBe(204);
		expect([await status("GET", person), await status("DELETE", person), await status("DELETE", owner)]).toEqual([404, 404, 409]);
		await service.call(`POST corporates/${id}/kyb`);
		expect(await status("DELETE", late)).toBe(409);
		await service.control("kyb", { corporateId: id, outcome: "NEED_ADDITIONAL_INFORMATION", reason: "Who is Linus?" });
		expect([await status("DELETE", late), await status("DELETE", ids.owner)]).toEqual([204, 409]);
	});
});

describe("terms and conditions (specification 3)", () => {
	test("they are accepted at creation, by an update, and only in the latest version", async () => {
		const service = await makeService();
		const accepted = async (id: string): Promise<boolean> => (await service.get(`corporates/${id}`)).termsAccepted;
		expect(await accepted((await newCorporate(service)).id)).toBe(true);
		const { id } = await newCorporate(service, { lastTermsAccepted: undefined });
		const accept = (lastTermsAccepted: string) => service.call(`PATCH corporates/${id}`, { lastTermsAccepted });
		expect(await accepted(id)).toBe(false);
		const never = await accept("9.9");
		expect([never.status, never.data.details[0].field, await accepted(id)]).toEqual([400, "lastTermsAccepted", false]);
		expect([(await accept("1.0")).status, await accepted(id)]).toEqual([204, true]);
		await service.control("terms");
		expect(await accepted(id)).toBe(false);
		await accept("1.0");
		expect(await accepted(id)).toBe(false);
		await accept("2.0");
		expect(await accepted(id)).toBe(true);
	});
});
