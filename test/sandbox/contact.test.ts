import { describe, expect, test } from "vitest";
import { hour, makeService, minute, newCorporate } from "./service.js";

/** A sandbox with a new company, and what is done about its account owner. */
async function withOwner() {
	const service = await makeService();
	const { id, owner } = await newCorporate(service);
	return {
		...service,
		id,
		owner,
		send: (what: "email" | "phone", rest = {}, whom = owner) =>
			service.call(`POST verifications/${what}/send`, { relatedPhysicalPersonId: whom, ...rest }),
		verify: (code: unknown, whom = owner) => service.call("POST verifications/phone/verify", { relatedPhysicalPersonId: whom, code }),
		person: () => service.get(`corporates/related/${owner}`),
		patch: (body: unknown) => service.call(`PATCH corporates/related/${owner}`, body),
		/** The status of opening the link that was sent last. */
		open: async () => (await service.control("email", { relatedId: owner })).status,
	};
}

describe("email verification (specification 3; 4, rule 8)", () => {
	test("opening the link verifies the address, once", async () => {
		const service = await withOwner();
		const sent = await service.send("email", { emailSubject: "Please confirm" });
		expect([sent.status, sent.data]).toEqual([200, { ttl: "PT48H" }]);
		expect((await service.person()).email.verified).toBe(false);
		expect(await service.open()).toBe(200);
		expect((await service.person()).email.verified).toBe(true);
		expect(await service.open()).toBe(409);
		expect((await service.send("email", { urlOnSuccess: "javascript:alert(1)" })).status).toBe(400);
	});

	test.each([
		[48 * hour, 409],
		[48 * hour - 1, 200],
	])("after %i milliseconds: %i", async (passed, status) => {
		const service = await withOwner();
		await service.send("email");
		service.pass(passed);
		expect(await service.open()).toBe(status);
	});
});

describe("phone verification (specification 4, rule 7)", () => {
	test("the code is 123456 and works once", async () => {
		const service = await withOwner();
		expect((await service.send("phone")).data).toEqual({ ttl: "PT10M" });
		expect((await service.verify("123456")).status).toBe(204);
		expect((await service.person()).phone.verified).toBe(true);
		const again = await service.verify("123456");
		expect([again.status, again.data.errorCode]).toEqual([400, "INVALID_PHONE_CODE"]);
	});

	test("five tries, then only a new code helps", async () => {
		const service = await withOwner();
		await service.send("phone");
		for (let at = 0; at < 5; at += 1) expect((await service.verify("000000")).data.errorCode).toBe("INVALID_PHONE_CODE");
		expect((await service.verify("123456")).status).toBe(400);
		expect((await service.person()).phone.verified).toBe(false);
		await service.send("phone");
		for (let at = 0; at < 4; at += 1) await service.verify("000000");
		expect((await service.verify("123456")).status).toBe(204);
	});

	test.each([
		[10 * minute, 400],
		[10 * minute - 1, 204],
	])("after %i milliseconds: %i", async (passed, status) => {
		const service = await withOwner();
		await service.send("phone");
		service.pass(passed);
		expect((await service.verify("123456")).status).toBe(status);
	});
});
