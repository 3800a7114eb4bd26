import { describe, expect, test } from "vitest";
import { corporateBody, ids, makeService, payLedger } from "./service.js";

describe("what is not understood", () => {
	test.each([
		["GET", "/api/partner/unknown"],
		["GET", "/"],
		["GET", "/api/partner/ledgers/"],
		["GET", "/API/partner/ledgers"],
		["GET", "/_sandbox/unknown"],
		["GET", `/api/partner/corporates/${ids.corporate}/kyb/more`],
		["GET", "/api/partner/ledgers/%E0%A4%A"],
	])("%s %s leads nowhere: 404", async (method, target) => {
		const { ask } = await makeService();
		const { status, data } = await ask(method, target);
		expect(status).toBe(404);
		expect(data.status).toBe(404);
	});

	test.each([
		["DELETE", "/api/partner/ledgers", "GET"],
		["PUT", `/api/partner/corporates/${ids.corporate}`, "PATCH"],
		["GET", "/api/partner/transactions/inter-ledger", "POST"],
		["PATCH", "/api/partner/login", "POST"],
		["GET", `/api/partner/corporates/${ids.corporate}/kyb`, "POST"],
	])("%s %s is not allowed: 405, and the answer names what is", async (method, target, allowed) => {
		const { ask } = await makeService();
		const { status, headers } = await ask(method, target, method === "GET" ? undefined : {});
		expect(status).toBe(405);
		expect(headers.allow).toContain(allowed);
	});

	test.each([
		["no JSON", "{"],
		["text after the end", "{} {}"],
		["nothing", ""],
		["a list", "[]"],
		["a number", "7"],
		["null", "null"],
		["a key twice with two values", '{"amount":1,"amount":2}'],
		["NaN", '{"amount":NaN}'],
	])("a body that is %s is refused with 400", async (_, body) => {
		const { ask } = await makeService();
		const { status, data } = await ask("POST", "/api/partner/transactions/inter-ledger", body);
		expect(status).toBe(400);
		expect(data).toMatchObject({ status: 400, error: "linkcy.bad.request" });
	});

	test("a body that is not UTF-8 is refused with 400", async () => {
		const { ask } = await makeService();
		const { status } = await ask("POST", "/api/partner/corporates", Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
		expect(status).toBe(400);
	});

	test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])("a body of type %j: 415", async (type) => {
		const { ask } = await makeService();
		const { status } = await ask("POST", "/api/partner/corporates", corporateBody(), { headers: { "content-type": type } });
		expect(status).toBe(415);
	});

	test.each(["application/json", "application/json; charset=utf-8", "Application/JSON"])("a body of type %j is taken", async (type) => {
		const { ask } = await makeService();
		const { status } = await ask("POST", "/api/partner/corporates", corporateBody(), { headers: { "content-type": type } });
		expect(status).toBe(201);
	});

	test("a body of more than a mebibyte is refused with 413, one of a mebibyte is read", async () => {
		const { ask } = await makeService();
		const padded = (length: number): string => `{${" ".repeat(length - 2)}}`;
		expect((await ask("POST", "/api/partner/corporates", padded(1024 * 1024 + 1))).status).toBe(413);
		expect((await ask("POST", "/api/partner/corporates", padded(1024 * 1024))).status).toBe(400);
	});

	test("the credential is looked at before the body", async () => {
		const { ask } = await makeService();
		const { status } = await ask("POST", "/api/partner/transactions/inter-ledger", "{", { token: null });
		expect(status).toBe(401);
	});
});

describe("how a refusal looks", () => {
	test("every wrong field is named at once, with what was sent", async () => {
		const { ask } = await makeService();
		const { status, data } = await ask(
			"POST",
			"/api/partner/transactions/inter-ledger",
			'{"ledgerFromId":"x","amount":-1,"reference":"nineteen character."}',
		);
		expect(status).toBe(400);
		expect(data).toMatchObject({ status: 400, error: "linkcy.bad.request", timestamp: "2026-03-01T10:00:00.000Z" });
		expect(data.errorCode).toMatch(/^[A-Z_]+$/);
		expect(data.details.map(({ field }: { field: string }) => field).sort()).toEqual(["amount", "ledgerFromId", "ledgerToId", "reference"]);
		expect(data.details).toContainEqual(expect.objectContaining({ field: "amount", rejectedValue: -1 }));
	});

	test("number literals come back with the digits that were sent", async () => {
		const service = await makeService();
		const { text } = await service.ask("POST", "/api/partner/transactions/inter-ledger", '{"amount":-1.50}');
		expect(text).toContain('"rejectedValue":-1.50');
		const { data } = await payLedger(service, "10.1");
		const fetched = await service.ask("GET", `/api/partner/transactions/${data.id}`);
		expect(fetched.text).toContain('"amount":10.10,');
	});
});
