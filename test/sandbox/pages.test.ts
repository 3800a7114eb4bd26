import { describe, expect, test } from "vitest";
import { ids, makeService, newCorporate, newRelated, type Service } from "./service.js";

const evil = `<script>alert('x')</script>"&`;
const harmless = "&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;&#34;&#38;";
const open = (service: Service, target: string, method = "GET") => service.ask(method, target, undefined, { token: null });

/** Every page there is, of a world in which everybody has an evil name. */
async function pages(service: Service): Promise<Record<string, string>> {
	const { id, owner } = await newCorporate(service, {
		corporateName: evil,
		tradeName: evil,
		metadata: { evil },
		registeredAddress: { city: evil },
		accountOwnerInfo: { firstName: evil, lastName: evil, emailAddress: `<b>@example.com`, position: evil, isDirector: true },
	});
	await newRelated(service, id, { type: "COMPANY", corporateName: evil, directSharesPercentage: 50 });
	const relatedPhysicalPersonId = owner;
	const kyc = await service.ask("POST", "/api/partner/kyc", { relatedPhysicalPersonId, kycConfiguration: { accessType: "LINK" } });
	await service.ask("POST", "/api/partner/verifications/email/send", { relatedPhysicalPersonId, emailSubject: evil });
	const { data } = await service.ask("GET", "/_sandbox/outbox");
	await service.control("terms", { version: evil });
	await service.ask("POST", `/api/partner/corporates/${id}/kyb`);
	const reason = evil;
	await service.control("kyb", { corporateId: id, outcome: "NEED_ADDITIONAL_INFORMATION", reason });
	const terms = (await service.ask("GET", "/api/partner/terms-and-conditions")).data.downloadUrl;
	return {
		review: (await service.ask("GET", `/api/partner/corporates/${id}/diligence-review`)).text,
		"hosted review": (await open(service, `/_sandbox/review/${id}`)).text,
		kyc: (await open(service, new URL(kyc.data.url).pathname)).text,
		"kyc ended": (await open(service, `${new URL(kyc.data.url).pathname}/decline`, "POST")).text,
		email: (await open(service, new URL(data.messages[0].link).pathname)).text,
		terms: (await open(service, new URL(terms).pathname)).text,
		nothing: (await open(service, `/_sandbox/kyc/${encodeURIComponent(evil)}`)).text,
	};
}

describe("pages", () => {
	test("what people are called is text, never markup, and nothing comes from elsewhere", async () => {
		const all = await pages(await makeService());
		for (const [name, page] of Object.entries(all)) {
			expect([name, page]).toEqual([name, expect.stringMatching(/^<!doctype html>\n<html lang="en">/)]);
			expect([name, page]).toEqual([
				name,
				expect.not.stringMatching(/<script|<b>|<iframe|<img|<link (?!rel="icon" href="data:)| on\w+=|javascript:|https?:\/\//i),
			]);
		}
		for (const name of ["review", "hosted review", "kyc", "kyc ended", "terms"])
			expect([name, all[name]]).toEqual([name, expect.stringContaining(harmless)]);
		expect(all["hosted review"]).toBe(all.review);
	});

	test("the KYC page asks for the face where a full KYC is needed, and for documents alone elsewhere", async () => {
		const service = await makeService();
		const { id, owner } = await newCorporate(service);
		const other = await newRelated(service, id, { firstName: "Linus", lastName: "Placeholder" });
		const page = async (relatedPhysicalPersonId: string): Promise<string> => {
			const { data } = await service.ask("POST", "/api/partner/kyc", { relatedPhysicalPersonId, kycConfiguration: { accessType: "LINK" } });
			return (await open(service, new URL(data.url).pathname)).text;
		};
		expect(await page(owner)).toMatch(/Document and face[\s\S]*<li>Your face/);
		const documents = await page(other);
		expect(documents).toContain("Document only");
		expect(documents).not.toContain("Your face");
	});

	test("the review says who owns and directs the company, and what its KYB waits for", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service, { tradeName: "Bakery" });
		const holding = await newRelated(service, id, { type: "COMPANY", corporateName: "Example Holding BV", directSharesPercentage: 74.5 });
		await newRelated(service, id, { firstName: "Linus", lastName: "Placeholder", ownedCorporateId: holding, directSharesPercentage: 100 });
		const { status, headers, text } = await service.ask("GET", `/api/partner/corporates/${id}/diligence-review`);
		expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
		for (const part of [
			"Example Bakery SAS",
			'<th scope="row">Trade name</th><td>Bakery</td>',
			"<td>account owner, director</td>",
			"<td>74.5 %</td>",
		])
			expect(text).toContain(part);
		expect(text).toContain("<td>100 % of Example Holding BV</td>");
		expect(text).toContain("<li>the KYC of Ada Example is NOT_STARTED</li>");
		expect(text).toContain("<li>no director has completed a full KYC</li>");
	});

	test("one that is validated waits for nothing", async () => {
		const service = await makeService();
		const { text } = await service.ask("GET", `/api/partner/corporates/${ids.corporate}/diligence-review`);
		expect(text).toContain('<th scope="row">KYB</th><td>VALIDATED</td>');
		expect(text).not.toContain("Needed before");
	});

	test("a deployment that answers a PDF", async () => {
		const service = await makeService({ review: "pdf" });
		const { status, headers, text } = await service.ask("GET", `/api/partner/corporates/${ids.corporate}/diligence-review`);
		expect([status, headers["content-type"]]).toEqual([200, "application/pdf"]);
		expect(text).toMatch(/^%PDF-1\.4\n[\s\S]*startxref\n\d+\n%%EOF\n$/);
		const start = Number(/startxref\n(\d+)/.exec(text)?.[1]);
		expect(text.slice(start, start + 4)).toBe("xref");
		for (const [at, offset] of [...text.matchAll(/^(\d{10}) 00000 n/gm)].entries())
			expect(text.slice(Number(offset[1])).startsWith(`${at + 1} 0 obj\n`)).toBe(true);
	});

	test("a deployment that answers an address", async () => {
		const service = await makeService({ review: "json" });
		const { data } = await service.ask("GET", `/api/partner/corporates/${ids.corporate}/diligence-review`);
		expect(data).toEqual({ url: `http://sandbox.example.com/_sandbox/review/${ids.corporate}`, ttl: "PT1H" });
		expect((await open(service, new URL(data.url).pathname)).text).toContain("Example Trading SAS");
	});

	test("after the KYC the person is led on where the partner said, to a web address only", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		const link = (kycConfiguration: unknown) =>
			service.ask("POST", "/api/partner/kyc", { relatedPhysicalPersonId: owner, kycConfiguration });
		const urls = { urlOnComplete: "https://www.example.com/done", urlOnFailure: "https://www.example.com/failed" };
		const first = new URL((await link({ accessType: "LINK", ...urls })).data.url).pathname;
		const declined = await open(service, `${first}/decline`, "POST");
		expect([declined.status, declined.headers.location]).toEqual([303, "https://www.example.com/failed"]);
		const second = new URL((await link({ accessType: "LINK", ...urls })).data.url).pathname;
		const completed = await open(service, `${second}/complete`, "POST");
		expect([completed.status, completed.headers.location]).toEqual([303, "https://www.example.com/done"]);
		const { owner: other } = await newCorporate(service);
		for (const kycConfiguration of [
			undefined,
			"LINK",
			{},
			{ accessType: "QR" },
			{ accessType: "LINK", urlOnComplete: "javascript:alert(1)" },
			{ accessType: "LINK", urlOnFailure: 7 },
		]) {
			const { status } = await service.ask("POST", "/api/partner/kyc", { relatedPhysicalPersonId: other, kycConfiguration });
			expect([kycConfiguration, status]).toEqual([kycConfiguration, 400]);
		}
	});

	test("a button pressed twice is answered as once, and decides nothing anew; a new link ends that", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		const link = async (): Promise<string> => {
			const body = { relatedPhysicalPersonId: owner, kycConfiguration: { accessType: "LINK" } };
			return new URL((await service.ask("POST", "/api/partner/kyc", body)).data.url).pathname;
		};
		const press = async (page: string, button: string): Promise<string | undefined> =>
			/<h1>(.*)<\/h1>/.exec((await open(service, `${page}/${button}`, "POST")).text)?.[1];
		const first = await link();
		expect(await press(first, "decline")).toBe("Verification declined");
		expect(await press(first, "decline")).toBe("Verification declined");
		expect(await press(first, "complete")).toBe("This link no longer works");
		expect((await open(service, first)).status).toBe(410);
		const second = await link();
		expect(await press(first, "decline")).toBe("This link no longer works");
		expect(await press(second, "complete")).toBe("Identity verified");
		expect(await press(second, "complete")).toBe("Identity verified");
		expect(await press(second, "decline")).toBe("This link no longer works");
	});

	test.each(["/_sandbox/review/nobody", "/_sandbox/terms/9.9/EN", "/_sandbox/terms/1.0/XX", `/_sandbox/review/${ids.corporate}/more`])(
		"%s is no page",
		async (target) => {
			const { status, text } = await open(await makeService(), target);
			expect(status).toBe(404);
			expect(text).toContain("<h1>Page not found</h1>");
		},
	);
});
