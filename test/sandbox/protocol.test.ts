/**
 * Which operation a path means, what a body has to be, and how a refusal looks.
 */
import { describe, expect, test } from "vitest";
import { corporateBody, ids, makeService, payLedger } from "./service.js";

const owner = `/api/partner/corporates/related/${ids.owner}`;
const corporate = `/api/partner/corporates/${ids.corporate}`;

describe("which operation a path means", () => {
	test.each<[string, string, number, string | undefined]>([
		["GET", corporate, 200, undefined],
		["HEAD", corporate, 200, undefined],
		["GET", `${corporate}/related`, 200, undefined],
		["GET", owner, 200, undefined],
		["GET", `${corporate}%2Frelated`, 404, "CORPORATE_NOT_FOUND"],
		...[
			"/",
			"/api/partner/corporates/",
			`${corporate}/`,
			`${corporate}/kyb/more`,
			"/api/partner/corporates/%zz",
			"/api/partner/__proto__",
			"/_sandbox/unknown",
		].map((target) => ["GET", target, 404, "NOT_FOUND"] as [string, string, number, string]),
	])("%s %s → %i", async (method, target, status, code) => {
		const said = await (await makeService()).ask(method, target);
		expect([said.status, said.data?.errorCode]).toEqual([status, code]);
		if (method === "HEAD") expect(said.text).toBe("");
	});

	test.each([
		["OPTIONS", corporate, "PATCH, GET, HEAD"],
		["POST", owner, "PATCH, GET, DELETE, HEAD"],
		["GET", "/_sandbox/control/kyc", "POST"],
		["POST", "/_sandbox/identity", "GET, HEAD"],
		["POST", "/_sandbox/terms/1.0/EN", "GET, HEAD"],
	])("%s %s → 405, allowed: %s", async (method, target, allow) => {
		const said = await (await makeService()).ask(method, target);
		expect([said.status, said.headers.allow, said.data.errorCode]).toEqual([405, allow, "METHOD_NOT_ALLOWED"]);
	});
});

describe("what a body has to be", () => {
	test.each([
		["no JSON", "{"],
		["nothing", ""],
		["a key twice with two values", '{"amount":1,"amount":2}'],
		["not UTF-8", Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
	])("one that is %s is refused with 400", async (_, body) => {
		const { status, data } = await (await makeService()).call("POST transactions/inter-ledger", body);
		expect(status).toBe(400);
		expect(data).toMatchObject({ status: 400, error: "linkcy.bad.request" });
	});

	test.each([
		["text/plain", 415],
		["", 415],
		["application/json", 201],
		["Application/JSON; charset=utf-8", 201],
	])("one of type %j: %i", async (type, status) => {
		const { call } = await makeService();
		expect((await call("POST corporates", corporateBody(), { headers: { "content-type": type } })).status).toBe(status);
	});
});

describe("how a refusal looks", () => {
	test("every wrong field is named at once, with what was sent", async () => {
		const { call } = await makeService();
		const body = '{"ledgerFromId":"x","amount":-1,"reference":"nineteen character."}';
		const { status, data } = await call("POST transactions/inter-ledger", body);
		expect(status).toBe(400);
		expect(data).toMatchObject({ status: 400, error: "linkcy.bad.request", timestamp: "2026-03-01T10:00:00.000Z" });
		expect(data.errorCode).toMatch(/^[A-Z_]+$/);
		expect(data.details.map(({ field }: { field: string }) => field).sort()).toEqual(["amount", "ledgerFromId", "ledgerToId", "reference"]);
		expect(data.details).toContainEqual(expect.objectContaining({ field: "amount", rejectedValue: -1 }));
	});

	test("number literals come back with the digits that were sent", async () => {
		const service = await makeService();
		expect((await service.call("POST transactions/inter-ledger", '{"amount":-1.50}')).text).toContain('"rejectedValue":-1.50');
		const { data } = await payLedger(service, "10.1");
		expect((await service.call(`GET transactions/${data.id}`)).text).toContain('"amount":10.10,');
	});
});
