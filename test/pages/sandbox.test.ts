/**
 * The pages of the sandbox in Chromium: what a customer sees, and what becomes of a click.
 */
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../src/sandbox/server.js";
import { hour, makeService, newCorporate, newRelated, operatorLogin, type Service } from "../sandbox/service.js";
import { browserFor, openWindow } from "../support/browser.js";
import { type Answer, lookAt } from "../support/page-check.js";
import { makeWorld, type World } from "../support/purser.js";
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
	const kyc = async (relatedPhysicalPersonId: string): Promise<string> => {
		const { data } = await service.ask("POST", "/api/partner/kyc", { relatedPhysicalPersonId, kycConfiguration: { accessType: "LINK" } });
		return new URL(data.url).pathname;
	};
	const { token } = await service.sandbox.logIn(operatorLogin);
	const open = async (path: string, method = "GET"): Promise<Made> => {
		const headers = { authorization: `Bearer ${token}` };
		const answer = await service.sandbox.handle({ method, target: path, headers, body: new Uint8Array() });
		return [`http://sandbox.example.com${path}`, answer];
	};
	const first = await kyc(owner);
	const form = await open(first);
	const review = await open(`/api/partner/corporates/${id}/diligence-review`);
	const declined = await open(`${first}/decline`, "POST");
	const second = await kyc(owner);
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
	const { data } = await service.ask("POST", "/api/partner/kyc", {
		relatedPhysicalPersonId: owner,
		kycConfiguration: { accessType: "LINK" },
	});
	service.pass(720 * hour);
	return open(new URL(data.url).pathname);
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

	describe("what a customer clicks, and what the terminal says then", () => {
		let world: World;
		let served: Served;
		let context: BrowserContext;
		let page: Page;
		let corporate: string;
		let owner: string;
		/** What the browser asked the sandbox for. */
		const asked: string[] = [];
		const said: string[] = [];

		const text = async (...argv: string[]): Promise<string> => (await world.purser(argv)).stdout;
		const json = async (...argv: string[]) => {
			const ran = await world.purser([...argv, "--json"]);
			if (ran.exit !== 0) throw new Error(`${argv.join(" ")}: ${ran.stderr}`);
			return ran.json();
		};
		const status = (): Promise<string> => text("corporate", "status", corporate);
		const shown = (): Promise<string> => page.locator("main").innerText();
		const press = async (button: string, heading: string): Promise<void> => {
			await page.getByRole("button", { name: button }).click();
			await page.getByRole("heading", { name: heading }).waitFor();
		};

		beforeAll(async () => {
			world = await makeWorld();
			const { handle } = world.sandbox;
			served = await serve({
				...world.sandbox,
				handle: (request) => {
					asked.push(`${request.method} ${request.target}`);
					return handle(request);
				},
			});
			context = await openWindow(suite.browser, { viewport: { width: 360, height: 740 } });
			context.on("console", (message) => message.type() === "error" && said.push(message.text()));
			// A machine that does much else beside is slow, and nothing here is about speed.
			context.setDefaultTimeout(300_000);
			page = await context.newPage();
			const created = await json(
				...["corporate", "create", "--corporate-name", "Example Bakery SAS", "--industry", "FOOD_RESTAURANT_CATERING"],
				...["--incorporation-country", "FRA", "--incorporation-code", "000 111"],
				...["--registered-address.city", "Exampleville", "--registered-address.iso-country-code", "FRA"],
				...["--expected-monthly-expenses.value", "LESS_THAN_10_000", "--expected-monthly-expenses.currency", "EUR"],
				...["--account-owner-info.first-name", "Ada", "--account-owner-info.last-name", "Example", "--account-owner-info.position", "CEO"],
				...["--account-owner-info.email-address", "ada@example.com", "--account-owner-info.is-director"],
			);
			corporate = created.corporateId;
			owner = created.accountOwnerId;
		});
		afterAll(async () => {
			await context?.close();
			await served?.close();
		});

		test("a person completes the KYC", async () => {
			const { url } = await json("kyc", "link", owner);
			expect(await text("kyc", "status", owner)).toContain("CREATED");
			await page.goto(url);
			expect(await shown()).toMatch(/^Identity verification\nPerson\tAda Example\nOn behalf of\tExample Bakery SAS\n/);
			await press("Complete", "Identity verified");
			expect(await shown()).toBe("Identity verified\n\nThe verification of Ada Example is complete.\n\nYou can close this page.");
			expect(await text("kyc", "status", owner)).toContain("VALIDATED");
			expect(await status()).toMatch(/done +KYC of Ada Example/);
			await page.goto(url);
			expect(await shown()).toMatch(/^This link no longer works\n[\s\S]*If you have already verified your identity, there is nothing left/);
		});
	});
});
