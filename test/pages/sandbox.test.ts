/**
 * The pages of the sandbox in Chromium: what a customer sees, and what becomes of a click.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { serve } from "../../src/sandbox/server.js";
import { hour, kycPage, makeService, newCorporate, newRelated, operatorLogin, type Service } from "../sandbox/service.js";
import { browserFor, openWindow } from "../support/browser.js";
import { type Answer, lookAt } from "../support/page-check.js";
import { browserSuite } from "./browser-suite.js";

const program = browserFor("the pages of the sandbox");

/** A page as the sandbox answers it, and its address. */
type Made = readonly [url: string, answer: Answer];

/** A sandbox whose company has long names, and every page of it. */
async function everyPage(): Promise<Record<string, Made>> {
	const service = await makeService();
	const { id, owner } = await newCorporate(service, {
		corporateName: `Example ${"Maschinenbaugesellschaft".repeat(4)} GmbH`,
		tradeName: "Bakery & Sons",
	});
	const holding = await newRelated(service, id, { type: "COMPANY", corporateName: "Example Holding BV", directSharesPercentage: 74.5 });
	for (let at = 0; at < 60; at += 1)
		await newRelated(service, id, {
			firstName: `Person${at}`,
			lastName: "Placeholder ".repeat(1 + ((at * 7) % 20)).trim(),
			ownedCorporateId: holding,
		});
	const { token } = await service.sandbox.logIn(operatorLogin);
	const open = async (path: string, method = "GET"): Promise<Made> => {
		const headers = { authorization: `Bearer ${token}` };
		const answer = await service.sandbox.handle({ method, target: path, headers, body: new Uint8Array() });
		return [`http://sandbox.example.com${path}`, answer];
	};
	const first = await kycPage(service, owner);
	const form = await open(first);
	const review = await open(`/api/partner/corporates/${id}/diligence-review`);
	const declined = await open(`${first}/decline`, "POST");
	const second = await kycPage(service, owner);
	return {
		form,
		declined,
		completed: await open(`${second}/complete`, "POST"),
		"expired KYC link": await late(service, open),
		terms: await open("/_sandbox/terms/1.0/EN"),
		review,
		nothing: await open("/_sandbox/kyc/nothing/more"),
	};
}

/** A link once its time is over. */
async function late(service: Service, open: (path: string) => Promise<Made>): Promise<Made> {
	const { owner } = await newCorporate(service);
	const link = await kycPage(service, owner);
	service.pass(720 * hour);
	return open(link);
}

const names = ["form", "declined", "completed", "expired KYC link", "terms", "review", "nothing"];

describe.skipIf(program === undefined)("in Chromium", () => {
	const suite = browserSuite(program);
	let pages: Record<string, Made>;
	beforeAll(async () => {
		pages = await everyPage();
	});

	test("every page has its turn below", () => expect(Object.keys(pages).sort()).toEqual([...names].sort()));

	test.each(names)("the page of the sandbox: %s", async (name) => {
		const [url, answer] = pages[name] as Made;
		const { faults } = await lookAt(suite.browser, { url, answer });
		expect(faults).toEqual([]);
	});

	test("a person completes the KYC by a click", async () => {
		const service = await makeService();
		const served = await serve(service.sandbox);
		const context = await openWindow(suite.browser, { viewport: { width: 360, height: 740 } });
		try {
			// A machine that does much else beside is slow, and nothing here is about speed.
			context.setDefaultTimeout(300_000);
			const page = await context.newPage();
			const shown = (): Promise<string> => page.locator("main").innerText();
			const { owner } = await newCorporate(service);
			const url = `${served.url}${await kycPage(service, owner)}`;
			await page.goto(url);
			expect(await shown()).toMatch(/^Identity verification\nPerson\tAda Example\nOn behalf of\tExample Bakery SAS\n/);
			await page.getByRole("button", { name: "Complete" }).click();
			await page.getByRole("heading", { name: "Identity verified" }).waitFor();
			expect(await shown()).toBe("Identity verified\n\nThe verification of Ada Example is complete.\n\nYou can close this page.");
			expect((await service.get(`corporates/related/${owner}`)).kycInfo.status).toBe("VALIDATED");
			await page.goto(url);
			expect(await shown()).toMatch(/^This link no longer works\n[\s\S]*If you have already verified your identity, there is nothing left/);
		} finally {
			await context.close();
			await served.close();
		}
	});
});
