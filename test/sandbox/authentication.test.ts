import { describe, expect, test } from "vitest";
import { corporateBody, hour, makeService, operatorLogin, type Service, start } from "./service.js";

const login = (service: Service, different = {}) => service.call("POST login", { ...operatorLogin, ...different }, { token: null });
const refresh = (service: Service, refreshToken: string) => service.call("POST refresh", { refreshToken }, { token: null });
/** The status of a request with a token. */
const statusWith = async (service: Service, token: string) => (await service.call("GET ledgers", undefined, { token })).status;

describe("authentication", () => {
	test("a login gives a token that is read as a JWT and says when it ends", async () => {
		const service = await makeService();
		const { status, data } = await login(service);
		expect(status).toBe(200);
		const parts = data.token.split(".");
		expect(parts).toHaveLength(3);
		expect(JSON.parse(Buffer.from(parts[1], "base64url").toString())).toMatchObject({ sub: "operator", exp: (start + hour) / 1000 });
		expect(data.refreshToken).not.toBe(data.token);
		expect(await statusWith(service, data.token)).toBe(200);
	});

	test("a refresh replaces both tokens, and neither of the old ones works any more", async () => {
		const service = await makeService();
		const old = (await login(service)).data;
		const renewed = await refresh(service, old.refreshToken);
		expect(renewed.status).toBe(200);
		expect(renewed.data.token).not.toBe(old.token);
		expect(renewed.data.refreshToken).not.toBe(old.refreshToken);
		expect(await statusWith(service, old.token)).toBe(401);
		expect((await refresh(service, old.refreshToken)).status).toBe(401);
		expect(await statusWith(service, renewed.data.token)).toBe(200);
	});
});

describe("creating a corporate without logging in (specification 5)", () => {
	test("partnerName is mandatory then, and must be a partner's", async () => {
		const { call } = await makeService();
		const create = (partnerName?: string) => call("POST corporates", corporateBody({ partnerName }), { token: null });
		const without = await create();
		expect([without.status, without.data.details[0].field]).toEqual([400, "partnerName"]);
		expect((await create("somebody-else")).status).toBe(400);
		expect((await create("example-partner")).status).toBe(201);
	});
});
