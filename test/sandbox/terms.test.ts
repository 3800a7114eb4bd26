import { describe, expect, test } from "vitest";
import { balance, ids, makeService, newCorporate, payBeneficiary, payLedger } from "./service.js";

const corporate = (id: string): string => `/api/partner/corporates/${id}`;

describe("terms and conditions (specification 3)", () => {
	test("the latest version with an address under which the document is had", async () => {
		const { ask } = await makeService();
		const { status, data } = await ask("GET", "/api/partner/terms-and-conditions?type=CORPORATE&language=EN");
		expect(status).toBe(200);
		expect(data).toEqual({ type: "CORPORATE", version: "1.0", language: "EN", downloadUrl: expect.any(String) });
		const document = new URL(data.downloadUrl);
		expect(document.origin).toBe("http://sandbox.example.com");
		const page = await ask("GET", document.pathname, undefined, { token: null });
		expect(page.status).toBe(200);
		expect(page.headers["content-type"]).toMatch(/^text\/html/);
		expect(page.text).toContain("1.0");
	});

	test("English without a language, French on request, no others", async () => {
		const { ask } = await makeService();
		expect((await ask("GET", "/api/partner/terms-and-conditions")).data.language).toBe("EN");
		const french = (await ask("GET", "/api/partner/terms-and-conditions?language=FR")).data;
		expect(french.language).toBe("FR");
		expect((await ask("GET", new URL(french.downloadUrl).pathname)).text).toContain("Conditions");
		expect((await ask("GET", "/api/partner/terms-and-conditions?language=XX")).status).toBe(400);
		expect((await ask("GET", "/api/partner/terms-and-conditions?type=PERSON")).status).toBe(400);
	});

	test("they are accepted at creation, by an update, and only in the latest version", async () => {
		const service = await makeService();
		const accepted = async (id: string): Promise<boolean> => (await service.ask("GET", corporate(id))).data.termsAccepted;
		const { id: atCreation } = await newCorporate(service);
		expect(await accepted(atCreation)).toBe(true);
		const { id } = await newCorporate(service, { lastTermsAccepted: undefined });
		expect(await accepted(id)).toBe(false);
		expect([200, 204]).toContain((await service.ask("PATCH", corporate(id), { lastTermsAccepted: "1.0" })).status);
		expect(await accepted(id)).toBe(true);
		await service.control("terms", { version: "2.0" });
		expect(await accepted(id)).toBe(false);
		await service.ask("PATCH", corporate(id), { lastTermsAccepted: "1.0" });
		expect(await accepted(id)).toBe(false);
		await service.ask("PATCH", corporate(id), { lastTermsAccepted: "2.0" });
		expect(await accepted(id)).toBe(true);
	});

	test("a version that was never published cannot be accepted", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service, { lastTermsAccepted: undefined });
		const { status, data } = await service.ask("PATCH", corporate(id), { lastTermsAccepted: "9.9" });
		expect(status).toBe(400);
		expect(data.details[0].field).toBe("lastTermsAccepted");
		expect((await service.ask("GET", corporate(id))).data.termsAccepted).toBe(false);
	});

	test("new ones are accepted by nobody and stop money until they are accepted again", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service);
		const published = await service.control("terms", { version: "2.0" });
		expect(published.status).toBe(200);
		expect(published.data.version).toBe("2.0");
		for (const one of [id, ids.corporate]) expect((await service.ask("GET", corporate(one))).data.termsAccepted).toBe(false);
		expect((await service.ask("GET", "/api/partner/terms-and-conditions")).data.version).toBe("2.0");
		for (const refused of [await payLedger(service, "1.00"), await payBeneficiary(service, "1.00")]) {
			expect(refused.status).toBe(403);
			expect(refused.data.errorCode).toBe("TERMS_NOT_ACCEPTED");
		}
		expect(await balance(service, ids.main)).toEqual({ total: "10000.00", available: "10000.00", reserved: "0.00" });
		await service.ask("PATCH", corporate(ids.corporate), { lastTermsAccepted: "2.0" });
		expect((await payLedger(service, "1.00")).status).toBe(201);
		expect((await payBeneficiary(service, "1.00")).status).toBe(201);
	});

	test("a version is published once, and gets a number of its own where none is given", async () => {
		const { control } = await makeService();
		expect((await control("terms", { version: "1.0" })).status).toBe(409);
		const next = await control("terms");
		expect(next.status).toBe(200);
		expect(next.data.version).toBe("2.0");
	});
});
