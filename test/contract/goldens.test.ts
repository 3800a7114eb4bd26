/**
 * The wire, written by hand: for each operation a command that exercises it, and what leaves: method, path, headers, exact body bytes.
 * Nothing here is taken from the catalog: it guards against a mistake in the catalog itself.
 */
import { describe, expect, test } from "vitest";
import { everyGate } from "../support/gates.js";
import { answered, makeWorld, type Wire } from "../support/purser.js";

const corporate = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const related = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const from = "7d1f2c34-5b6a-4c7d-8e9f-0a1b2c3d4e5f";
const to = "0c9b8a76-5d4e-4f3a-9b2c-1d0e9f8a7b6c";
const beneficiary = "5e4d3c2b-1a09-4f8e-8d7c-6b5a49382716";
const made = "9b8a7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d";

const yaml = `externalId: crm-4711
corporateName: Société d'Exemple
incorporationCountry: FRA
incorporationCode: 000 000 000
incorporationDate: 2019-04-01
industry: FOOD_RESTAURANT_CATERING
registeredAddress:
  isoCountryCode: FRA
  city: Paris
  postalCode: 01234
expectedMonthlyExpenses: { value: LESS_THAN_10_000, currency: EUR }
employeesRange: BTW_1_AND_10
metadata: { score: 1.50 }
accountOwnerInfo:
  firstName: Ada
  lastName: Example
  emailAddress: ada@example.com
  position: CEO
  isDirector: true
  directSharesPercentage: 33.30
  phone: { countryCode: +39, number: 0639980001 }
`;

interface Golden {
	operation: string;
	argv: string[];
	input?: string;
	answer: ReturnType<typeof answered>;
	/** The one line that is expected among the requests. */
	line: string;
	body?: string;
	accept?: string;
}

const goldens: Golden[] = [
	{
		operation: "Get terms and conditions",
		argv: ["terms", "show", "--language", "FR"],
		answer: answered(200, '{"type":"CORPORATE","version":"2.1","language":"FR","downloadUrl":"https://files.example.com/terms.pdf"}'),
		line: "GET /api/partner/terms-and-conditions?type=CORPORATE&language=FR",
	},
	{
		operation: "Create a Corporate",
		argv: ["corporate", "create", "--file", "-", "--allow-duplicate"],
		input: yaml,
		answer: answered(201, `{"corporateId":"${made}","accountOwnerId":"${related}"}`),
		line: "POST /api/partner/corporates",
		body: '{"externalId":"crm-4711","corporateName":"Société d\'Exemple","incorporationCountry":"FRA","incorporationCode":"000 000 000","incorporationDate":"2019-04-01","industry":"FOOD_RESTAURANT_CATERING","registeredAddress":{"isoCountryCode":"FRA","city":"Paris","postalCode":"01234"},"expectedMonthlyExpenses":{"value":"LESS_THAN_10_000","currency":"EUR"},"employeesRange":"BTW_1_AND_10","metadata":{"score":1.50},"accountOwnerInfo":{"firstName":"Ada","lastName":"Example","emailAddress":"ada@example.com","position":"CEO","isDirector":true,"directSharesPercentage":33.30,"phone":{"countryCode":"+39","number":"0639980001"}}}',
	},
	{
		operation: "Send an email verification link",
		argv: ["email", "send-link", related, "--email-subject", "Welcome"],
		answer: answered(200, '{"ttl":"PT48H"}'),
		line: "POST /api/partner/verifications/email/send",
		body: `{"relatedPhysicalPersonId":"${related}","emailSubject":"Welcome"}`,
	},
	{
		operation: "Update a Corporate",
		argv: ["corporate", "update", corporate, "--last-terms-accepted", "2.1", "--yes", "--confirmed-by", "operator"],
		answer: answered(204),
		line: `PATCH /api/partner/corporates/${corporate}`,
		body: '{"lastTermsAccepted":"2.1"}',
	},
	{
		operation: "Update a Corporate Related",
		argv: ["related", "update", related, "--phone.country-code", "44", "--phone.number", "7700900123"],
		answer: answered(204),
		line: `PATCH /api/partner/corporates/related/${related}`,
		body: '{"phone":{"countryCode":"44","number":"7700900123"}}',
	},
	{
		operation: "Create a Corporate Related",
		argv: `related add ${corporate} --first-name Grace --last-name Sample --is-director --direct-shares-percentage 25 --allow-duplicate`.split(
			" ",
		),
		answer: answered(201, `{"id":"${made}"}`),
		line: `POST /api/partner/corporates/${corporate}/related`,
		body: '{"type":"PHYSICAL","firstName":"Grace","lastName":"Sample","isDirector":true,"directSharesPercentage":25}',
	},
	{
		operation: "Get corporate-related entity's information",
		argv: ["related", "show", related],
		answer: answered(200, `{"id":"${related}","firstName":"Grace"}`),
		line: `GET /api/partner/corporates/related/${related}`,
	},
	{
		operation: "Get diligence review of a corporate",
		argv: ["corporate", "review", corporate],
		answer: answered(200, "<html><body><h1>Review</h1></body></html>", { "content-type": "text/html; charset=utf-8" }),
		line: `GET /api/partner/corporates/${corporate}/diligence-review`,
		accept: "text/html, application/pdf, application/json",
	},
	{
		operation: "Ask a KYB verification",
		argv: ["kyb", "request", corporate, ...everyGate],
		answer: answered(202),
		line: `POST /api/partner/corporates/${corporate}/kyb`,
	},
	{
		operation: "Get Corporate",
		argv: ["corporate", "show", corporate],
		answer: answered(200, `{"id":"${corporate}","termsAccepted":true}`),
		line: `GET /api/partner/corporates/${corporate}`,
	},
	{
		operation: "Get KYC link for a corporate related",
		argv: ["kyc", "link", related],
		answer: answered(200, `{"id":"${made}","url":"https://kyc.example.com/x","ttl":"PT720H"}`),
		line: "POST /api/partner/kyc",
		body: `{"relatedPhysicalPersonId":"${related}","kycConfiguration":{"accessType":"LINK"}}`,
	},
	{
		operation: "Send phone verification code by sms",
		argv: ["phone", "send-code", related],
		answer: answered(200, '{"ttl":"PT10M"}'),
		line: "POST /api/partner/verifications/phone/send",
		body: `{"relatedPhysicalPersonId":"${related}"}`,
	},
	{
		operation: "Verify phone verification code",
		argv: ["phone", "verify", related, "--code", "012345"],
		answer: answered(204),
		line: "POST /api/partner/verifications/phone/verify",
		body: `{"relatedPhysicalPersonId":"${related}","code":"012345"}`,
	},
	{
		operation: "Create an inter-ledger transaction",
		argv: ["pay", "ledger", "--ledger-from-id", from, "--ledger-to-id", to, "--amount", "10.10", "--reference", "L'été, 2041", "--yes"],
		answer: answered(201, `{"id":"${made}"}`),
		line: "POST /api/partner/transactions/inter-ledger",
		body: `{"ledgerFromId":"${from}","ledgerToId":"${to}","amount":10.10,"reference":"L'été, 2041"}`,
	},
	{
		operation: "Create a transaction to a beneficiary",
		argv: `pay beneficiary --ledger-from-id ${from} --beneficiary-id ${beneficiary} --amount 0.10 --no-allow-fast-payment --yes`.split(" "),
		answer: answered(201, `{"id":"${made}"}`),
		line: "POST /api/partner/transactions/beneficiary",
		body: `{"ledgerFromId":"${from}","beneficiaryId":"${beneficiary}","amount":0.10,"allowFastPayment":false,"allowInterLedger":true}`,
	},
	{
		operation: "Get a transaction",
		argv: ["pay", "show", made],
		answer: answered(200, `{"id":"${made}","status":"PENDING"}`),
		line: `GET /api/partner/transactions/${made}`,
	},
];

/** Answers the request that is expected, and every other look-up with 404. */
const answering =
	({ line, answer }: Golden): Wire =>
	async ({ method, url }) => {
		const { pathname, search } = new URL(url);
		return `${method} ${pathname}${search}` === line ? answer : answered(404, '{"error":"linkcy.not.found"}');
	};

describe("the wire of the sixteen operations", () => {
	test.each(goldens)("$operation", async (golden) => {
		const world = await makeWorld({ wire: answering(golden) });
		const ran = await world.purser([...golden.argv, "--json"], { input: golden.input });
		expect(ran, ran.stderr).toMatchObject({ exit: 0 });
		const sent = world.requests.filter(({ line }) => line === golden.line);
		expect(sent, world.requests.map(({ line }) => line).join("\n")).toHaveLength(1);
		const [request] = sent;
		expect(request?.body).toBe(golden.body ?? "");
		expect(request?.headers).toEqual({
			accept: golden.accept ?? "application/json",
			"accept-encoding": "identity",
			authorization: "Bearer token-1",
			"user-agent": "purser/0.0.0-test",
			...(golden.body === undefined ? {} : { "content-type": "application/json" }),
		});
	});

	test("each of the specification's sixteen is there", () => {
		expect(goldens).toHaveLength(16);
		expect(new Set(goldens.map(({ operation }) => operation)).size).toBe(16);
	});
});

describe("a profile may say it differently", () => {
	test("method, path, field names and headers", async () => {
		const world = await makeWorld({
			profile: {
				mapping: {
					operations: {
						"transaction.interLedger": {
							method: "PUT",
							path: "/v2/transfers",
							fields: {
								ledgerFromId: { place: "body", at: "/sourceLedgerId" },
								ledgerToId: { place: "body", at: "/ledgerToId" },
								amount: { place: "body", at: "/amount" },
							},
							constants: [{ place: "header", at: "X-Channel", value: "cli" }],
							answer: { fields: { id: { at: "/transferId" } } },
						},
					},
				},
			},
			wire: async () => answered(201, `{"transferId":"${made}"}`),
		});
		world.identity = "0f0f0f0f";
		const ran = await world.purser(["pay", "ledger", "--ledger-from-id", from, "--ledger-to-id", to, "--amount", "1", "--yes", "--json"]);
		expect(ran, ran.stderr).toMatchObject({ exit: 0 });
		expect(ran.json()).toMatchObject({ id: made });
		const sent = world.requests.at(-1);
		expect(sent?.line).toBe("PUT /v2/transfers");
		expect(sent?.body).toBe(`{"sourceLedgerId":"${from}","ledgerToId":"${to}","amount":1}`);
		expect(sent?.headers).toMatchObject({ "x-channel": "cli" });
	});
});
