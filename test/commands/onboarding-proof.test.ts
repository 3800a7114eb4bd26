/**
 * What is shown as done, decided or accepted has been proven; who must be asked is asked (specification 1, 3 and 4).
 */

import { describe, expect, test } from "vitest";
import type { Received } from "../../src/api/answer.js";
import { kycPlan } from "../../src/onboarding/kyc/plan.js";
import { ada, page, validatedOwner, worldAnswering } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const noa = "2d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f";
const corporatePath = `GET /api/partner/corporates/${id}`;
const listPath = `${corporatePath}/related`;
const personPath = `GET /api/partner/corporates/related/${ada}`;
const corporate = (kybStatus: string, more: object = {}) => ({
	body: { id, corporateName: "Example Trading SAS", termsAccepted: true, kybStatus, ...more },
});
/** Without a phone. */
const person = (more: object = {}) => validatedOwner({ phone: undefined, ...more });

type Items = { complete: boolean; items: { step: string; state: string; why?: string; command?: string }[] };
const itemOf = ({ items }: Items, step: string) => items.find((item) => item.step === step);

describe("corporate status", () => {
	test("an account owner whom nobody names: the email is not known to be verified, and nothing is complete", async () => {
		const world = await worldAnswering({
			[corporatePath]: corporate("VALIDATED"),
			[listPath]: page(person({ isAccountOwner: undefined })),
		});
		const found = await world.json(`corporate status ${id}`);
		expect(found.complete).toBe(false);
		expect(itemOf(found, "email")).toMatchObject({ state: "unknown", why: "the service does not say who the account owner is" });
	});

	test("a part of the related entities proves nothing of the others", async () => {
		const half = { body: { content: [person()], totalElements: 2 } };
		const world = await worldAnswering({ [corporatePath]: corporate("PENDING_VERIFICATION"), [listPath]: [half, half] });
		expect(itemOf(await world.json(`corporate status ${id}`), "related")).toMatchObject({ state: "unknown" });
	});
});

describe("an answer about another record proves nothing", () => {
	test("capitals, no id, and an id that is no UUID are no other record", async () => {
		for (const named of [ada.toUpperCase(), undefined, "r-17"]) {
			const world = await worldAnswering({ [personPath]: { body: person({ id: named }) } });
			expect((await world.purser(`email status ${ada} --wait`)).exit).toBe(0);
		}
	});
});

describe("who needs a KYC", () => {
	const holder = (more: object) => ({ id: noa, firstName: "Noa", lastName: "Test", ...more });
	const planOf = (...people: object[]) => {
		const found = kycPlan({ id, name: "Example Trading SAS" }, people as Received[], "25");
		return { found, noa: found.people.find(({ relatedId }) => relatedId === noa) };
	};

	test.each([
		["directly, exactly the threshold", { directSharesPercentage: 25 }, "holds an effective 25 %"],
		["in a list of shares", { shares: [{ ownedCorporate: { id }, directSharesPercentage: 30 }] }, "holds an effective 30 %"],
	])("%s", async (_, more, because) => {
		const { noa: found } = planOf(person({ directSharesPercentage: 50 }), holder(more));
		expect(found).toMatchObject({ need: "documents", because: [because] });
	});

	test("shares whose end cannot be computed: counted as an owner, as the ownership's warning says", async () => {
		const company = (own: string, name: string, of: string) => ({
			id: own,
			corporateName: name,
			shares: [
				{ ownedCorporate: { id: of }, directSharesPercentage: 100 },
				{ ownedCorporate: { id }, directSharesPercentage: 10 },
			],
		});
		const [a, b] = ["aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"];
		const { noa: found } = planOf(
			person({ directSharesPercentage: 50 }),
			company(a, "A Ltd", b),
			company(b, "B Ltd", a),
			holder({ shares: [{ ownedCorporate: { id: a }, directSharesPercentage: 5 }] }),
		);
		expect(found).toMatchObject({ need: "documents", because: ["holds shares whose effective size cannot be computed"] });
	});

	test("a full KYC of somebody who is no director does not take the place of a director's", async () => {
		const director = person({ kycInfo: undefined });
		const { found } = planOf(director, holder({ isUbo: true, kycInfo: { status: "CREATED", type: "FULL_KYC" } }));
		expect(found.people.map(({ name, need }: { name: string; need: string }) => `${name} ${need}`)).toEqual([
			"Ada Example full",
			"Noa Test full",
		]);
	});

	test("a company that names a person to write to is a company still, and does no KYC", async () => {
		const company = holder({ type: "COMPANY", corporateName: "Example Holding BV", isDirector: true });
		expect(planOf(person(), company).noa).toBeUndefined();
	});
});

test("terms accept: what the service still denies is not recorded as accepted", async () => {
	const terms = { body: { version: "2026-03", downloadUrl: "http://127.0.0.1:4010/t.pdf" } };
	for (const [termsAccepted, state, exit] of [
		[false, "asked", 8],
		[true, "accepted", 0],
	] as const) {
		const world = await worldAnswering({
			"GET /api/partner/terms-and-conditions": terms,
			[corporatePath.replace("GET", "PATCH")]: {},
			[corporatePath]: corporate("VALIDATED", { termsAccepted }),
			[listPath]: page(person()),
		});
		const ran = await world.purser(`terms accept ${id} --yes --confirmed-by operator --json`);
		expect([ran.exit, ran.json().acceptance.state]).toEqual([exit, state]);
	}
});
