import { describe, expect, test } from "vitest";
import { ids, kycPage, makeService, newCorporate, newRelated, type Service } from "./service.js";

const evil = `<script>alert('x')</script>"&`;
const harmless = "&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;&#34;&#38;";
const review = (service: Service, id: string) => service.call(`GET corporates/${id}/diligence-review`);

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
	const kyc = await kycPage(service, owner);
	await service.call(`POST corporates/${id}/kyb`);
	await service.control("kyb", { corporateId: id, outcome: "NEED_ADDITIONAL_INFORMATION", reason: evil });
	const text = async (line: string) => (await service.call(line)).text;
	return {
		review: (await review(service, id)).text,
		kyc: await text(`GET ${kyc}`),
		"kyc ended": await text(`POST ${kyc}/decline`),
		terms: await text(`GET ${new URL((await service.get("terms-and-conditions")).downloadUrl).pathname}`),
		nothing: await text(`GET /_sandbox/kyc/${encodeURIComponent(evil)}`),
	};
}

describe("pages", () => {
	test("what people are called is text, never markup, and nothing comes from elsewhere", async () => {
		const all = await pages(await makeService());
		for (const [name, page] of Object.entries(all)) {
			expect([name, page]).toEqual([name, expect.stringMatching(/^<!doctype html>\n<html lang="en">/)]);
			const foreign = /<script|<b>|<iframe|<img|<link (?!rel="icon" href="data:)| on\w+=|javascript:|https?:\/\//i;
			expect([name, page]).toEqual([name, expect.not.stringMatching(foreign)]);
		}
		for (const name of ["review", "kyc", "kyc ended"]) expect([name, all[name]]).toEqual([name, expect.stringContaining(harmless)]);
	});

	test("the review says who owns and directs the company, and what its KYB waits for", async () => {
		const service = await makeService();
		const { id } = await newCorporate(service, { tradeName: "Bakery" });
		const holding = await newRelated(service, id, { type: "COMPANY", corporateName: "Example Holding BV", directSharesPercentage: 74.5 });
		await newRelated(service, id, { firstName: "Linus", lastName: "Placeholder", ownedCorporateId: holding, directSharesPercentage: 100 });
		const { status, headers, text } = await review(service, id);
		expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
		for (const part of [
			"Example Bakery SAS",
			'<th scope="row">Trade name</th><td>Bakery</td>',
			"<td>account owner, director</td>",
			"<td>74.5 %</td>",
			"<td>100 % of Example Holding BV</td>",
			"<li>the KYC of Ada Example is NOT_STARTED</li>",
			"<li>no director has completed a full KYC</li>",
		])
			expect(text).toContain(part);
		const validated = (await review(service, ids.corporate)).text;
		expect(validated).toContain('<th scope="row">KYB</th><td>VALIDATED</td>');
		expect(validated).not.toContain("Needed before");
	});

	test("after the KYC the person is led on where the partner said, to a web address only", async () => {
		const service = await makeService();
		const { owner } = await newCorporate(service);
		const urls = { urlOnComplete: "https://www.example.com/done", urlOnFailure: "https://www.example.com/failed" };
		for (const [button, location] of [
			["decline", urls.urlOnFailure],
			["complete", urls.urlOnComplete],
		]) {
			const { status, headers } = await service.call(`POST ${await kycPage(service, owner, urls)}/${button}`);
			expect([status, headers.location]).toEqual([303, location]);
		}
		const { owner: other } = await newCorporate(service);
		for (const kycConfiguration of [
			undefined,
			{ accessType: "QR" },
			{ accessType: "LINK", urlOnComplete: "javascript:alert(1)" },
			{ accessType: "LINK", urlOnFailure: 7 },
		]) {
			const { status } = await service.call("POST kyc", { relatedPhysicalPersonId: other, kycConfiguration });
			expect([kycConfiguration, status]).toEqual([kycConfiguration, 400]);
		}
	});
});
