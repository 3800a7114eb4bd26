import { describe, expect, test } from "vitest";
import { hour, makeService, minute, newCorporate, newRelated, type Service } from "./service.js";

const send = (service: Service, what: "email" | "phone", relatedPhysicalPersonId: string, rest = {}) =>
	service.ask("POST", `/api/partner/verifications/${what}/send`, { relatedPhysicalPersonId, ...rest });
const verify = (service: Service, relatedPhysicalPersonId: string, code: unknown) =>
	service.ask("POST", "/api/partner/verifications/phone/verify", { relatedPhysicalPersonId, code });
const person = async (service: Service, id: string) => (await service.ask("GET", `/api/partner/corporates/related/${id}`)).data;
const patch = (service: Service, id: string, body: unknown) => service.ask("PATCH", `/api/partner/corporates/related/${id}`, body);
/** The link of the email sent last, as a target. */
async function link(service: Service): Promise<string> {
	const { data } = await service.ask("GET", "/_sandbox/outbox", undefined, { token: null });
	return new URL(data.messages.at(-1).link).pathname;
}

describe("email verification (specification 3; 4, rule 8)", () => {
	test("opening the link verifies the address, once", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		const sent = await send(service, "email", owner, { emailSubject: "Please confirm" });
		expect(sent.status).toBe(200);
		expect(sent.data).toEqual({ ttl: "PT48H" });
		expect((await person(service, owner)).email.verified).toBe(false);
		const target = await link(service);
		const opened = await service.ask("GET", target, undefined, { token: null });
		expect(opened.status).toBe(200);
		expect(opened.headers["content-type"]).toMatch(/^text\/html/);
		expect((await person(service, owner)).email.verified).toBe(true);
		expect((await service.ask("GET", target, undefined, { token: null })).status).toBe(410);
	});

	test("the outbox says who would have received what", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		await send(service, "email", owner, { emailSubject: "Please confirm" });
		await send(service, "phone", owner);
		const { data } = await service.ask("GET", `/_sandbox/outbox?relatedId=${owner}`, undefined, { token: null });
		expect(data.messages).toMatchObject([
			{ kind: "email", relatedId: owner, to: "ada@example.com", at: "2026-03-01T10:00:00.000Z" },
			{ kind: "sms", relatedId: owner, to: "+33639980001" },
		]);
		expect(data.messages[0].text).toContain("Please confirm");
		expect(data.messages[1].text).toContain("123456");
		const { data: others } = await service.ask("GET", "/_sandbox/outbox?relatedId=99999999-9999-4999-8999-999999999999");
		expect(others.messages).toEqual([]);
	});

	test("the link works for 48 hours", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		await send(service, "email", owner);
		const late = await link(service);
		service.pass(48 * hour);
		expect((await service.ask("GET", late, undefined, { token: null })).status).toBe(410);
		expect((await service.control("email", { relatedId: owner })).status).toBe(409);
		// A new login: the operator's token has ended as well.
		const { token } = (
			await service.ask("POST", "/api/partner/login", { username: "operator", password: "sandbox-password" }, { token: null })
		).data;
		const body = { relatedPhysicalPersonId: owner };
		expect((await service.ask("POST", "/api/partner/verifications/email/send", body, { token })).status).toBe(200);
		service.pass(48 * hour - 1);
		expect((await service.ask("GET", await link(service), undefined, { token: null })).status).toBe(200);
	});

	test("only the link sent last works", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		await send(service, "email", owner);
		const first = await link(service);
		await send(service, "email", owner);
		expect((await service.ask("GET", first, undefined, { token: null })).status).toBe(410);
		expect((await service.ask("GET", await link(service), undefined, { token: null })).status).toBe(200);
	});

	test("the person is led on where the partner said", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		await send(service, "email", owner, { urlOnSuccess: "https://www.example.com/welcome?a=1" });
		const { status, headers } = await service.ask("GET", await link(service), undefined, { token: null });
		expect([302, 303]).toContain(status);
		expect(headers.location).toBe("https://www.example.com/welcome?a=1");
		const other = await send(service, "email", owner, { urlOnSuccess: "javascript:alert(1)" });
		expect(other.status).toBe(400);
	});

	test("another address has to be verified anew, the same one has not, and an old link verifies no new address", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		await send(service, "email", owner);
		await service.control("email", { relatedId: owner });
		await patch(service, owner, { emailAddress: "ada@example.com", position: "CFO" });
		expect((await person(service, owner)).email).toEqual({ address: "ada@example.com", verified: true });
		await send(service, "email", owner);
		const old = await link(service);
		await patch(service, owner, { emailAddress: "ada@example.org" });
		expect((await person(service, owner)).email).toEqual({ address: "ada@example.org", verified: false });
		expect((await service.ask("GET", old, undefined, { token: null })).status).toBe(410);
		expect((await person(service, owner)).email.verified).toBe(false);
	});
});

describe("phone verification (specification 4, rule 7)", () => {
	test("the code is 123456 and works once", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		const sent = await send(service, "phone", owner);
		expect(sent.data).toEqual({ ttl: "PT10M" });
		expect((await verify(service, owner, "123456")).status).toBe(204);
		expect((await person(service, owner)).phone.verified).toBe(true);
		const again = await verify(service, owner, "123456");
		expect([again.status, again.data.errorCode]).toEqual([400, "INVALID_PHONE_CODE"]);
	});

	test("five tries, then only a new code helps", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		await send(service, "phone", owner);
		for (let at = 0; at < 5; at += 1) expect((await verify(service, owner, "000000")).data.errorCode).toBe("INVALID_PHONE_CODE");
		expect((await verify(service, owner, "123456")).status).toBe(400);
		expect((await person(service, owner)).phone.verified).toBe(false);
		await send(service, "phone", owner);
		for (let at = 0; at < 4; at += 1) await verify(service, owner, "000000");
		expect((await verify(service, owner, "123456")).status).toBe(204);
	});

	test("ten minutes", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		await send(service, "phone", owner);
		service.pass(10 * minute);
		expect((await verify(service, owner, "123456")).status).toBe(400);
		await send(service, "phone", owner);
		service.pass(10 * minute - 1);
		expect((await verify(service, owner, "123456")).status).toBe(204);
	});

	test.each(["12345", "1234567", "12345a", "123456\n", 123456, null])("the code %j is no code", async (code) => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		await send(service, "phone", owner);
		expect((await verify(service, owner, code)).status).toBe(400);
		expect((await person(service, owner)).phone.verified).toBe(false);
	});

	test("without a code sent, and for nobody, nothing is verified", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		expect((await verify(service, owner, "123456")).data.errorCode).toBe("INVALID_PHONE_CODE");
		expect((await verify(service, "99999999-9999-4999-8999-999999999999", "123456")).status).toBe(404);
		const nobody = await service.ask("POST", "/api/partner/verifications/phone/send", {});
		expect([nobody.status, nobody.data.errorCode]).toEqual([400, "PERSON_ID_REQUIRED"]);
	});

	test("another number has to be verified anew, and an old code is not for it; a + changes nothing", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		await send(service, "phone", owner);
		await verify(service, owner, "123456");
		await patch(service, owner, { phone: { countryCode: "+33", number: "639980001" } });
		expect((await person(service, owner)).phone.verified).toBe(true);
		await patch(service, owner, { phone: { countryCode: "44", number: "639980001" } });
		expect((await person(service, owner)).phone).toEqual({ countryCode: "+44", number: "639980001", verified: false });
		await send(service, "phone", owner);
		await patch(service, owner, { phone: { countryCode: "44", number: "639980002" } });
		expect((await verify(service, owner, "123456")).status).toBe(400);
	});

	test("a person without a number and a company are told so", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service);
		const silent = await newRelated(service, id, { firstName: "Grace", lastName: "Sample" });
		const company = await newRelated(service, id, { type: "COMPANY", corporateName: "Example Holding BV" });
		for (const one of [silent, company])
			for (const what of ["email", "phone"] as const) expect((await send(service, what, one)).status).toBe(409);
	});
});
