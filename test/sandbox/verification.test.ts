import { describe, expect, test } from "vitest";
import { doKyc, hour, kycPage, makeService, newCorporate, newRelated, type Service } from "./service.js";

const grace = { firstName: "Grace", lastName: "Sample", isDirector: true };
const linus = { firstName: "Linus", lastName: "Placeholder", directSharesPercentage: 30 };
const other = { firstName: "Linus", lastName: "Placeholder" };
const clerk = { accountOwnerInfo: { firstName: "Ada", lastName: "Example", emailAddress: "ada@example.com", position: "Clerk" } };
const later = 20 * 60_000;

/** A sandbox with a new company, and what is asked about its verification. */
async function company(different: Record<string, unknown> = {}, options = {}) {
	const service: Service = await makeService(options);
	const { id, owner } = await newCorporate(service, different);
	return {
		...service,
		id,
		owner,
		add: (body: Record<string, unknown>) => newRelated(service, id, body),
		/** Asks for the KYB. */
		request: () => service.call(`POST corporates/${id}/kyb`),
		kyb: async (): Promise<[string, string?]> => {
			const { kybStatus, kybStatusReason } = await service.get(`corporates/${id}`);
			return kybStatusReason === undefined ? [kybStatus] : [kybStatus, kybStatusReason];
		},
		decide: (outcome?: string, why?: string) => service.control("kyb", { corporateId: id, outcome, reason: why }),
		link: (whom = owner) => service.call("POST kyc", { relatedPhysicalPersonId: whom, kycConfiguration: { accessType: "LINK" } }),
		page: (whom = owner) => kycPage(service, whom),
		identify: (whom = owner, outcome?: string) => doKyc(service, whom, outcome),
		kyc: async (whom = owner) => (await service.get(`corporates/related/${whom}`)).kycInfo,
		ledgers: async () => (await service.get(`ledgers?endUserId=${id}`)).content,
	};
}

describe("KYC of a person (specification 4, rules 5 and 6)", () => {
	test("a link is given, and what it leads to decides", async () => {
		const { link, kyc, call } = await company();
		const { status, data } = await link();
		expect([status, data]).toEqual([200, { id: expect.any(String), url: expect.any(String), ttl: "PT720H" }]);
		expect(await kyc()).toEqual({ status: "CREATED", type: "FULL_KYC" });
		const page = new URL(data.url).pathname;
		const shown = await call(`GET ${page}`);
		expect(shown.status).toBe(200);
		expect(shown.text).toContain("Ada Example");
		const forms = [...shown.text.matchAll(/<form method="post" action="([^"]+)"><button[^>]*>(\w+)</g)].map(([, to, label]) => [label, to]);
		expect(forms).toEqual([
			["Complete", `${page}/complete`],
			["Decline", `${page}/decline`],
		]);
		expect((await call(`POST ${page}/complete`)).status).toBe(200);
		expect(await kyc()).toEqual({ status: "VALIDATED", type: "FULL_KYC" });
		for (const line of [`GET ${page}`, `POST ${page}/decline`]) expect((await call(line)).status).toBe(410);
		expect((await link()).status).toBe(409);
	});

	test("a link works for 720 hours", async () => {
		const { page, call, pass } = await company();
		const target = await page();
		pass(720 * hour - 1);
		expect((await call(`GET ${target}`)).status).toBe(200);
		pass(1);
		for (const line of [`GET ${target}`, `POST ${target}/complete`]) expect((await call(line)).status).toBe(410);
	});

	test.each<[string, Record<string, unknown>, string[]]>([
		["one director shows the face, the others documents only", {}, ["FULL_KYC", "DOC_ONLY", "DOC_ONLY"]],
		["where the account owner is no director, a director does the full one", clerk, ["DOC_ONLY", "FULL_KYC", "DOC_ONLY"]],
	])("%s", async (_, different, types) => {
		const { owner, add, link, kyc } = await company(different);
		const people = [owner, await add(grace), await add(linus)];
		for (const one of people) await link(one);
		expect((await Promise.all(people.map(kyc))).map(({ type }) => type)).toEqual(types);
	});
});

describe("KYB of a corporate (specification 3)", () => {
	// Specification 4, rule 5: KYC is required for all UBOs; a UBO holds 25 % (src/api/README.md).
	test.each([
		[[50, 49.9], false],
		[[100, 62.5, 40], true],
	])("who holds %j through companies counts as a UBO: %s", async (chain, counts) => {
		const { add, identify, request, kyb, decide } = await company({}, { complianceTakes: 0 });
		let owned: string | undefined;
		for (const [at, directSharesPercentage] of chain.entries()) {
			const who = at === chain.length - 1 ? other : { type: "COMPANY", corporateName: `Holding ${at}` };
			owned = await add({ ...who, directSharesPercentage, ownedCorporateId: owned?.toUpperCase() });
		}
		await identify();
		await request();
		expect(await kyb()).toEqual([counts ? "PENDING_VERIFICATION" : "VALIDATED"]);
		expect((await decide()).status).toBe(409);
		if (counts) await identify(owned);
		expect(await kyb()).toEqual(["VALIDATED"]);
	});

	test("asked early it waits, and becomes VALIDATED a while after the last KYC", async () => {
		const { add, request, kyb, identify, pass, ledgers } = await company();
		const second = await add(grace);
		const asked = await request();
		expect([asked.status, asked.text]).toEqual([204, ""]);
		await identify();
		pass(later);
		expect(await kyb()).toEqual(["PENDING_VERIFICATION"]);
		await identify(second);
		pass(1999);
		expect(await kyb()).toEqual(["PENDING_VERIFICATION"]);
		expect(await ledgers()).toEqual([]);
		pass(1);
		expect(await kyb()).toEqual(["VALIDATED"]);
	});

	test.each(["CREATED", "PENDING_REVIEW", "DECLINED"])("it is not VALIDATED while a requested KYC is %s", async (status) => {
		const { add, request, identify, link, pass, kyb, decide } = await company();
		const extra = await add(other);
		await request();
		await identify();
		if (status === "CREATED") await link(extra);
		else await identify(extra, status);
		pass(later);
		expect(await kyb()).toEqual(["PENDING_VERIFICATION"]);
		expect((await decide("VALIDATED")).status).toBe(409);
		expect(await kyb()).toEqual(["PENDING_VERIFICATION"]);
	});

	test("a director who has shown documents only has to show the face as well, where nobody else does", async () => {
		const { add, identify, kyc, call, request, pass, kyb } = await company(clerk);
		const late = await add({ firstName: "Grace", lastName: "Sample" });
		await identify();
		await identify(late);
		expect(await kyc(late)).toEqual({ status: "VALIDATED", type: "DOC_ONLY" });
		await call(`PATCH corporates/related/${late}`, { isDirector: true });
		await request();
		pass(60_000);
		expect(await kyb()).toEqual(["PENDING_VERIFICATION"]);
		await identify(late);
		expect(await kyc(late)).toEqual({ status: "VALIDATED", type: "FULL_KYC" });
		pass(2000);
		expect(await kyb()).toEqual(["VALIDATED"]);
	});

	test.each([false, true])(
		"with it come two ledgers, one with money, and two beneficiaries, one hosted here (empty: %s)",
		async (empty) => {
			const { get, identify, request, pass, ledgers, id, call } = await company({}, { empty });
			expect((await get("corporates")).totalElements).toBe(empty ? 1 : 2);
			await identify();
			await request();
			pass(2000);
			const opened = await ledgers();
			expect(opened).toMatchObject([
				{ endUserId: id, friendlyName: "Operating account", currency: "EUR", status: "ACTIVE", totalAmount: 5000 },
				{ endUserId: id, friendlyName: "Reserve", currency: "EUR", status: "ACTIVE", totalAmount: 0 },
			]);
			const { content } = await get(`beneficiaries?endUserId=${id}`);
			expect(content.map((one: { linkcyLedgerId?: string }) => one.linkcyLedgerId !== undefined)).toEqual([false, true]);
			for (const { id: beneficiaryId } of content)
				expect((await call("POST transactions/beneficiary", { ledgerFromId: opened[0].id, beneficiaryId, amount: 1 })).status).toBe(201);
		},
	);
});
