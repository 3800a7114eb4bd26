/**
 * A single creation that another run made at the same time: told with both ids, and what was created is in the answer.
 */
import { expect, test } from "vitest";
import { makeWorld } from "../support/purser.js";
import { answering } from "./answers.js";

const [own, other, owner] = [1, 2, 3].map((n) => `8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d8${n}`) as [string, string, string];
const corporate = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const list = (...content: object[]) => ({ body: { content, totalElements: content.length } });
const company = (id: string, creationDate: string, externalId = "crm-1") => ({
	id,
	externalId,
	corporateName: "Example SAS",
	creationDate,
});
const older = company(other, "2026-03-01T09:59:59Z");
const newer = company(own, "2026-03-01T10:00:00Z");
const document = `
externalId: crm-1
corporateName: Example SAS
incorporationCountry: FRA
incorporationCode: "100"
industry: FOOD_RESTAURANT_CATERING
registeredAddress: {}
expectedMonthlyExpenses: {value: LESS_THAN_10_000, currency: EUR}
accountOwnerInfo: {firstName: Ada, lastName: Example, emailAddress: ada@example.com, position: CEO}
`;

async function createWith(lists: readonly object[], ...flags: string[]) {
	const world = await makeWorld();
	world.files.set("corporate.yaml", new TextEncoder().encode(document));
	const created = { status: 201, body: { corporateId: own, accountOwnerId: owner } };
	world.wire = answering({ "GET /api/partner/corporates": lists, "POST /api/partner/corporates": created });
	return world.purser(["corporate", "create", "--file", "corporate.yaml", "--json", ...flags]);
}

test("corporate create: exit 7, with both ids, which is older and what to do", async () => {
	const ran = await createWith([list(), list(newer, older)]);
	expect(ran.exit).toBe(7);
	expect(ran.json()).toMatchObject({ corporateId: own, accountOwnerId: owner, twins: [{ ids: [other, own], oldest: other }] });
	expect(ran.stderr).toContain(`Example SAS exists twice: ${other} (the older, created on 2026-03-01T09:59:59Z) and ${own}`);
	expect(ran.stderr).toContain(`purser corporate update ${own} --external-id crm-1-twin`);
});

test("corporate create: one of another externalId is no twin, nor is one that was meant", async () => {
	expect((await createWith([list(), list(newer, company(other, "2026-03-01T09:59:59Z", "crm-2"))])).exit).toBe(0);
	expect((await createWith([list(newer, older)], "--allow-duplicate")).exit).toBe(0);
});

test("corporate create: a list that does not show it yet is told, and no failure", async () => {
	const ran = await createWith([list()]);
	expect([ran.exit, ran.json()]).toEqual([0, { corporateId: own, accountOwnerId: owner }]);
	expect(ran.stderr).toContain("The service does not list Example SAS yet, so whether another run created the same is not known");
});

test("related add: somebody whom another run declares too: exit 7, with both ids", async () => {
	const world = await makeWorld();
	const grace = (id: string) => ({ id, firstName: "Grace", lastName: "Sample" });
	const path = `/api/partner/corporates/${corporate}/related`;
	world.wire = answering({
		[`GET ${path}`]: [list(), list(grace(own), grace(other))],
		[`POST ${path}`]: { status: 201, body: { id: own } },
	});
	const ran = await world.purser(["related", "add", corporate, "--first-name", "Grace", "--last-name", "Sample", "--json"]);
	expect(ran.exit).toBe(7);
	expect(ran.json()).toMatchObject({ name: "Grace Sample", id: own });
	expect(ran.json().twins).toMatchObject([{ what: "related entity", name: "Grace Sample", ids: [own, other] }]);
	expect(ran.stderr).toContain(`Grace Sample exists twice: ${own} (by this run) and ${other}`);
	expect(ran.stderr).toContain(`purser related remove ${other}`);
});
