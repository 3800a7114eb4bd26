import { describe, expect, test } from "vitest";
import { corporateBody, hour, makeService, minute, operatorLogin, start } from "./service.js";

const ledgers = "/api/partner/ledgers";

describe("authentication", () => {
	test("a login gives a token that is read as a JWT and says when it ends", async () => {
		const { ask } = await makeService();
		const { status, data } = await ask("POST", "/api/partner/login", operatorLogin, { token: null });
		expect(status).toBe(200);
		const parts = data.token.split(".");
		expect(parts).toHaveLength(3);
		const claims = JSON.parse(Buffer.from(parts[1], "base64url").toString());
		expect(claims).toMatchObject({ sub: "operator", exp: (start + hour) / 1000 });
		expect(data.refreshToken).not.toBe(data.token);
		expect((await ask("GET", ledgers, undefined, { token: data.token })).status).toBe(200);
	});

	test.each([
		["a wrong password", { ...operatorLogin, password: "Sandbox-password" }],
		["another partner", { ...operatorLogin, partnerName: "somebody-else" }],
		["an unknown user", { ...operatorLogin, username: "nobody" }],
		["a password that is no text", { ...operatorLogin, password: null }],
		["nothing", {}],
	])("%s is refused", async (_, body) => {
		const { ask } = await makeService();
		const { status, data } = await ask("POST", "/api/partner/login", body, { token: null });
		expect([400, 401]).toContain(status);
		expect(data.token).toBeUndefined();
	});

	test("a refresh replaces both tokens, and neither of the old ones works any more", async () => {
		const { ask } = await makeService();
		const old = (await ask("POST", "/api/partner/login", operatorLogin, { token: null })).data;
		const renewed = await ask("POST", "/api/partner/refresh", { refreshToken: old.refreshToken }, { token: null });
		expect(renewed.status).toBe(200);
		expect(renewed.data.token).not.toBe(old.token);
		expect(renewed.data.refreshToken).not.toBe(old.refreshToken);
		expect((await ask("GET", ledgers, undefined, { token: old.token })).status).toBe(401);
		expect((await ask("POST", "/api/partner/refresh", { refreshToken: old.refreshToken }, { token: null })).status).toBe(401);
		expect((await ask("GET", ledgers, undefined, { token: renewed.data.token })).status).toBe(200);
	});

	test("a token ends after its hour; the refresh token still makes a new one", async () => {
		const { ask, pass } = await makeService();
		const { token, refreshToken } = (await ask("POST", "/api/partner/login", operatorLogin, { token: null })).data;
		pass(hour - 1);
		expect((await ask("GET", ledgers, undefined, { token })).status).toBe(200);
		pass(1);
		expect((await ask("GET", ledgers, undefined, { token })).status).toBe(401);
		expect((await ask("POST", "/api/partner/refresh", { refreshToken }, { token: null })).status).toBe(200);
	});

	test.each([
		["no header", {}],
		["an unknown token", { authorization: "Bearer a.b.c" }],
		["an empty token", { authorization: "Bearer " }],
		["another scheme", { authorization: "Basic b3BlcmF0b3I6c2FuZGJveC1wYXNzd29yZA==" }],
	])("%s is refused with 401", async (_, headers) => {
		const { ask } = await makeService();
		const answer = await ask("GET", ledgers, undefined, { token: null, headers });
		expect(answer.status).toBe(401);
		expect(answer.data).toMatchObject({ status: 401, timestamp: "2026-03-01T10:00:00.000Z" });
	});

	test("a user without the role may log in and is refused with 403 everywhere else", async () => {
		const { ask } = await makeService();
		const { token } = (await ask("POST", "/api/partner/login", { ...operatorLogin, username: "reader" }, { token: null })).data;
		expect((await ask("GET", ledgers, undefined, { token })).status).toBe(403);
		expect((await ask("POST", "/api/partner/corporates", corporateBody(), { token })).status).toBe(403);
	});
});

describe("creating a corporate without logging in (specification 5)", () => {
	test("partnerName is mandatory then, and must be a partner's", async () => {
		const { ask } = await makeService();
		const without = await ask("POST", "/api/partner/corporates", corporateBody(), { token: null });
		expect(without.status).toBe(400);
		expect(without.data.details[0].field).toBe("partnerName");
		const unknown = await ask("POST", "/api/partner/corporates", corporateBody({ partnerName: "somebody-else" }), { token: null });
		expect(unknown.status).toBe(400);
		const known = await ask("POST", "/api/partner/corporates", corporateBody({ partnerName: "example-partner" }), { token: null });
		expect(known.status).toBe(201);
	});

	test("as a partner it is ignored, whatever it says", async () => {
		const { ask } = await makeService();
		const made = await ask("POST", "/api/partner/corporates", corporateBody({ partnerName: "somebody-else" }));
		expect(made.status).toBe(201);
		const { data } = await ask("GET", `/api/partner/corporates/${made.data.corporateId}`);
		expect(data.partnerName).toBeUndefined();
	});

	test("a token that has ended is not taken for no token at all", async () => {
		const { ask, pass } = await makeService();
		const { token } = (await ask("POST", "/api/partner/login", operatorLogin, { token: null })).data;
		pass(hour + minute);
		const { status } = await ask("POST", "/api/partner/corporates", corporateBody({ partnerName: "example-partner" }), { token });
		expect(status).toBe(401);
	});
});
