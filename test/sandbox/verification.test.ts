import { describe, expect, test } from "vitest";
import { doKyc, hour, ids, makeService, newCorporate, newRelated, operatorLogin, type Service } from "./service.js";

const ask = (service: Service, corporate: string) => service.ask("POST", `/api/partner/corporates/${corporate}/kyb`);
const kyb = async (service: Service, corporate: string): Promise<[string, string?]> => {
	const { data } = await service.ask("GET", `/api/partner/corporates/${corporate}`);
	return data.kybStatusReason === undefined ? [data.kybStatus] : [data.kybStatus, data.kybStatusReason];
};
const kyc = async (service: Service, related: string) =>
	(await service.ask("GET", `/api/partner/corporates/related/${related}`)).data.kycInfo;
const link = (service: Service, relatedPhysicalPersonId: string) =>
	service.ask("POST", "/api/partner/kyc", { relatedPhysicalPersonId, kycConfiguration: { accessType: "LINK" } });
const grace = { firstName: "Grace", lastName: "Sample", isDirector: true };
const linus = { firstName: "Linus", lastName: "Placeholder", directSharesPercentage: 30 };
const ledgers = async (service: Service, corporate: string) =>
	(await service.ask("GET", `/api/partner/ledgers?endUserId=${corporate}`)).data.content;

describe("KYC of a person (specification 4, rules 5 and 6)", () => {
	test("a link is given, and what it leads to decides", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		const { status, data } = await link(service, owner);
		expect(status).toBe(200);
		expect(data).toEqual({ id: expect.any(String), url: expect.any(String), ttl: "PT720H" });
		expect(await kyc(service, owner)).toEqual({ status: "CREATED", type: "FULL_KYC" });
		const page = new URL(data.url).pathname;
		const shown = await service.ask("GET", page, undefined, { token: null });
		expect(shown.status).toBe(200);
		expect(shown.text).toContain("Ada Example");
		const targets = [...shown.text.matchAll(/<form method="post" action="([^"]+)"><button[^>]*>(\w+)</g)].map(([, to, label]) => [
			label,
			to,
		]);
		expect(targets.map(([label]) => label)).toEqual(["Complete", "Decline"]);
		const done = await service.ask("POST", targets[0]?.[1] as string, undefined, { token: null });
		expect(done.status).toBe(200);
		expect(await kyc(service, owner)).toEqual({ status: "VALIDATED", type: "FULL_KYC" });
		for (const method of ["GET", "POST"])
			expect((await service.ask(method, method === "GET" ? page : (targets[1]?.[1] as string), undefined, { token: null })).status).toBe(
				410,
			);
		expect((await link(service, owner)).status).toBe(409);
	});

	test("one that is declined on the page says why, and a new link starts another", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		const page = new URL((await link(service, owner)).data.url).pathname;
		await service.ask("POST", `${page}/decline`, undefined, { token: null });
		expect(await kyc(service, owner)).toEqual({ status: "DECLINED", statusReason: expect.any(String), type: "FULL_KYC" });
		const next = await link(service, owner);
		expect(next.status).toBe(200);
		expect(await kyc(service, owner)).toEqual({ status: "CREATED", type: "FULL_KYC" });
	});

	test("a link works for 720 hours", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		const page = new URL((await link(service, owner)).data.url).pathname;
		service.pass(720 * hour - 1);
		expect((await service.ask("GET", page, undefined, { token: null })).status).toBe(200);
		service.pass(1);
		expect((await service.ask("GET", page, undefined, { token: null })).status).toBe(410);
		expect((await service.ask("POST", `${page}/complete`, undefined, { token: null })).status).toBe(410);
	});

	test("only a person has one, and one is asked for before it is decided", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const company = await newRelated(service, id, { type: "COMPANY", corporateName: "Example Holding BV" });
		expect((await link(service, company)).status).toBe(409);
		expect((await kyc(service, company)).type).toBe("NOT_REQUIRED");
		expect((await link(service, ids.nobody)).status).toBe(404);
		expect((await service.control("kyc", { relatedId: owner })).status).toBe(409);
		expect((await service.control("kyc", { relatedId: owner, outcome: "EATEN" })).status).toBe(400);
	});

	test("one director shows the face, the others documents only", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const second = await newRelated(service, id, grace);
		const holder = await newRelated(service, id, linus);
		for (const one of [owner, second, holder]) await link(service, one);
		expect([await kyc(service, owner), await kyc(service, second), await kyc(service, holder)].map(({ type }) => type)).toEqual([
			"FULL_KYC",
			"DOC_ONLY",
			"DOC_ONLY",
		]);
	});

	test("the account owner is a person, whatever else is said of it", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service, {
			accountOwnerInfo: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "CEO", type: "COMPANY" },
		});
		expect((await service.ask("GET", `/api/partner/corporates/related/${owner}`)).data.type).toBe("PHYSICAL");
		expect((await link(service, owner)).status).toBe(200);
	});

	test("where the account owner is no director, a director does the full one", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service, {
			accountOwnerInfo: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "Clerk" },
		});
		const director = await newRelated(service, id, grace);
		await link(service, director);
		await link(service, owner);
		expect((await kyc(service, director)).type).toBe("FULL_KYC");
		expect((await kyc(service, owner)).type).toBe("DOC_ONLY");
	});
});

describe("KYB of a corporate (specification 3)", () => {
	// Specification 4, rule 5: KYC is required for all UBOs; a UBO holds 25 % (src/api/README.md).
	test.each([
		[[50, 50], true],
		[[50, 49.9], false],
		[[100, 62.5, 40], true],
		[[99, 25, 100], false],
	])("who holds %j through companies counts as a UBO: %s", async (chain, counts) => {
		const service = await makeService({ complianceTakes: 0 });
		const { id, owner } = await newCorporate(service);
		let owned: string | undefined;
		for (const [at, directSharesPercentage] of chain.entries()) {
			const who =
				at === chain.length - 1 ? { firstName: "Linus", lastName: "Placeholder" } : { type: "COMPANY", corporateName: `Holding ${at}` };
			owned = await newRelated(service, id, { ...who, directSharesPercentage, ownedCorporateId: owned?.toUpperCase() });
		}
		await doKyc(service, owner);
		await ask(service, id);
		expect(await kyb(service, id)).toEqual([counts ? "PENDING_VERIFICATION" : "VALIDATED"]);
		expect((await service.control("kyb", { corporateId: id })).status).toBe(409);
		if (counts) await doKyc(service, owned as string);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
	});

	test("companies that hold each other hold nothing in the end", async () => {
		const service = await makeService({ complianceTakes: 0 });
		const { id, owner } = await newCorporate(service);
		const company = await newRelated(service, id, { type: "COMPANY", corporateName: "Circle BV", directSharesPercentage: 100 });
		await service.ask("PATCH", `/api/partner/corporates/related/${company}`, { ownedCorporateId: company });
		await newRelated(service, id, { firstName: "Linus", lastName: "Placeholder", directSharesPercentage: 100, ownedCorporateId: company });
		await doKyc(service, owner);
		await ask(service, id);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
	});

	test("asked early it waits, and becomes VALIDATED a while after the last KYC", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const second = await newRelated(service, id, grace);
		const asked = await ask(service, id);
		expect([asked.status, asked.text]).toEqual([204, ""]);
		expect(await kyb(service, id)).toEqual(["PENDING_VERIFICATION"]);
		await doKyc(service, owner);
		service.pass(20 * 60_000);
		expect(await kyb(service, id)).toEqual(["PENDING_VERIFICATION"]);
		await doKyc(service, second);
		service.pass(1999);
		expect(await kyb(service, id)).toEqual(["PENDING_VERIFICATION"]);
		expect(await ledgers(service, id)).toEqual([]);
		service.pass(1);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
	});

	test("the time compliance takes is an option", async () => {
		const service = await makeService({ complianceTakes: 10 });
		const { id, owner } = await newCorporate(service);
		await doKyc(service, owner);
		await ask(service, id);
		service.pass(10);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
	});

	test.each(["CREATED", "PROCESSING", "PENDING_REVIEW", "DECLINED"])("it is not VALIDATED while a requested KYC is %s", async (status) => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const extra = await newRelated(service, id, { firstName: "Linus", lastName: "Placeholder" });
		await ask(service, id);
		await doKyc(service, owner);
		if (status === "CREATED") await link(service, extra);
		else await doKyc(service, extra, status);
		service.pass(20 * 60_000);
		expect(await kyb(service, id)).toEqual(["PENDING_VERIFICATION"]);
		expect((await service.control("kyb", { corporateId: id, outcome: "VALIDATED" })).status).toBe(409);
		expect(await kyb(service, id)).toEqual(["PENDING_VERIFICATION"]);
	});

	test("a KYC asked for while compliance looks stops the clock", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const extra = await newRelated(service, id, { firstName: "Linus", lastName: "Placeholder" });
		await doKyc(service, owner);
		await ask(service, id);
		service.pass(1000);
		await link(service, extra);
		service.pass(60_000);
		expect(await kyb(service, id)).toEqual(["PENDING_VERIFICATION"]);
		await service.control("kyc", { relatedId: extra });
		service.pass(2000);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
	});

	test("without a KYC of each director, and a full one of one of them, it waits", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service, {
			accountOwnerInfo: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "Clerk" },
		});
		const director = await newRelated(service, id, grace);
		const other = await newRelated(service, id, { ...linus, isDirector: true });
		await ask(service, id);
		await doKyc(service, owner);
		await doKyc(service, director);
		service.pass(60_000);
		expect(await kyb(service, id)).toEqual(["PENDING_VERIFICATION"]);
		await doKyc(service, other);
		service.pass(2000);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
	});

	test("a UBO by shares is asked like one that was declared", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const ubo = await newRelated(service, id, linus);
		expect((await service.ask("GET", `/api/partner/corporates/related/${ubo}`)).data.isUbo).toBe(true);
		await ask(service, id);
		await doKyc(service, owner);
		service.pass(60_000);
		expect(await kyb(service, id)).toEqual(["PENDING_VERIFICATION"]);
		await doKyc(service, ubo);
		service.pass(2000);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
	});

	test("a director who has shown documents only has to show the face as well, where nobody else does", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service, {
			accountOwnerInfo: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "Clerk" },
		});
		const late = await newRelated(service, id, { firstName: "Grace", lastName: "Sample" });
		await doKyc(service, owner);
		await doKyc(service, late);
		expect(await kyc(service, late)).toEqual({ status: "VALIDATED", type: "DOC_ONLY" });
		await service.ask("PATCH", `/api/partner/corporates/related/${late}`, { isDirector: true });
		await ask(service, id);
		service.pass(60_000);
		expect(await kyb(service, id)).toEqual(["PENDING_VERIFICATION"]);
		await doKyc(service, late);
		expect(await kyc(service, late)).toEqual({ status: "VALIDATED", type: "FULL_KYC" });
		service.pass(2000);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
	});

	test.each([
		[24.99, false],
		[25, true],
	])("%d % of the shares make a UBO: %s", async (directSharesPercentage, isUbo) => {
		const service = await makeService();
		const { id } = await newCorporate(service);
		const holder = await newRelated(service, id, { ...linus, directSharesPercentage });
		expect((await service.ask("GET", `/api/partner/corporates/related/${holder}`)).data.isUbo).toBe(isUbo);
	});

	test("more information is asked for with a reason; amended, it is asked again", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		await doKyc(service, owner);
		expect((await service.control("kyb", { corporateId: id })).status).toBe(409);
		await ask(service, id);
		await service.control("kyb", { corporateId: id, outcome: "NEED_ADDITIONAL_INFORMATION", reason: "A director is missing" });
		expect(await kyb(service, id)).toEqual(["NEED_ADDITIONAL_INFORMATION", "A director is missing"]);
		service.pass(60_000);
		expect(await kyb(service, id)).toEqual(["NEED_ADDITIONAL_INFORMATION", "A director is missing"]);
		expect((await ask(service, id)).status).toBe(204);
		expect(await kyb(service, id)).toEqual(["PENDING_VERIFICATION"]);
		service.pass(2000);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
	});

	test("declined it stays declined, and no ledger opens", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		await doKyc(service, owner);
		await ask(service, id);
		await service.control("kyb", { corporateId: id, outcome: "DECLINED", reason: "Industry not served" });
		service.pass(60_000);
		expect(await kyb(service, id)).toEqual(["DECLINED", "Industry not served"]);
		expect((await ask(service, id)).status).toBe(409);
		expect(await ledgers(service, id)).toEqual([]);
	});

	test("asking twice is one request, asking after the end is refused", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		await ask(service, id);
		await doKyc(service, owner);
		service.pass(1999);
		await ask(service, id);
		service.pass(1);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
		expect((await ask(service, id)).status).toBe(409);
	});

	test("with it come two ledgers, the first with money, and two beneficiaries, one of them hosted here", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		await doKyc(service, owner);
		await ask(service, id);
		service.pass(2000);
		const opened = await ledgers(service, id);
		expect(opened).toMatchObject([
			{ endUserId: id, friendlyName: "Main account", currency: "EUR", status: "ACTIVE", totalAmount: 5000 },
			{ endUserId: id, friendlyName: "Savings", currency: "EUR", status: "ACTIVE", totalAmount: 0 },
		]);
		const { content } = (await service.ask("GET", `/api/partner/beneficiaries?endUserId=${id}`)).data;
		expect(content).toHaveLength(2);
		expect(content.map((one: { linkcyLedgerId?: string }) => one.linkcyLedgerId !== undefined).sort()).toEqual([false, true]);
		const from = opened[0].id;
		for (const { id: beneficiaryId } of content) {
			const paid = await service.ask("POST", "/api/partner/transactions/beneficiary", { ledgerFromId: from, beneficiaryId, amount: 1 });
			expect(paid.status).toBe(201);
		}
	});

	test("in an empty sandbox too a corporate gets both kinds of beneficiary", async () => {
		const service = await makeService({ empty: true });
		expect((await service.ask("GET", "/api/partner/corporates")).data.totalElements).toBe(0);
		const { id, owner } = await newCorporate(service);
		await doKyc(service, owner);
		await ask(service, id);
		service.pass(2000);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
		const { content } = (await service.ask("GET", `/api/partner/beneficiaries?endUserId=${id}`)).data;
		expect(content.some((one: { linkcyLedgerId?: string }) => one.linkcyLedgerId !== undefined)).toBe(true);
		const from = (await ledgers(service, id))[0].id;
		for (const { id: beneficiaryId } of content) {
			const paid = await service.ask("POST", "/api/partner/transactions/beneficiary", { ledgerFromId: from, beneficiaryId, amount: 1 });
			expect(paid.status).toBe(201);
		}
	});

	test("the operator's hour has nothing to do with it: time passes by the sandbox's clock", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		await doKyc(service, owner);
		await ask(service, id);
		expect((await service.control("clock", { seconds: 2 })).status).toBe(200);
		expect(await kyb(service, id)).toEqual(["VALIDATED"]);
		await service.control("clock", { seconds: 3600 });
		expect((await service.ask("GET", "/api/partner/ledgers")).status).toBe(401);
		expect((await service.ask("POST", "/api/partner/login", operatorLogin, { token: null })).status).toBe(200);
		for (const seconds of [0, -1, "2", null]) expect((await service.control("clock", { seconds })).status).toBe(400);
	});
});
