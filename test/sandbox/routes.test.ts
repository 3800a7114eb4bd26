import { describe, expect, test } from "vitest";
import { ids, makeService } from "./service.js";

const owner = `/api/partner/corporates/related/${ids.owner}`;
const corporate = `/api/partner/corporates/${ids.corporate}`;

describe("which operation a path means", () => {
	test.each([
		["GET", corporate, 200, undefined],
		["HEAD", corporate, 200, undefined],
		["GET", `${corporate}/related`, 200, undefined],
		["GET", owner, 200, undefined],
		["GET", corporate.replaceAll("1", "%31"), 200, undefined],
		["GET", `http://example.com${corporate}`, 200, undefined],
		["GET", `/api/partner/ledgers/${ids.main}?page=0?x`, 200, undefined],
		["GET", "/api/partner/corporates/related/related", 404, "CORPORATE_RELATED_NOT_FOUND"],
		["GET", "/api/partner/corporates/related", 404, "NOT_FOUND"],
		["GET", "/api/partner/corporates/", 404, "NOT_FOUND"],
		["GET", `${corporate}/`, 404, "NOT_FOUND"],
		["GET", `${corporate}/%72elated`, 404, "NOT_FOUND"],
		["GET", `${corporate}%2Frelated`, 404, "CORPORATE_NOT_FOUND"],
		["GET", "/api/partner/corporates/%zz", 404, "NOT_FOUND"],
		["GET", "//api/partner/corporates", 404, "NOT_FOUND"],
		["GET", "/api/partner/__proto__", 404, "NOT_FOUND"],
		["GET", "/_sandbox/", 404, "NOT_FOUND"],
		["GET", "/_sandbox/constructor", 404, "NOT_FOUND"],
	])("%s %s → %i", async (method, target, status, code) => {
		const { ask } = await makeService();
		const said = await ask(method, target);
		expect(said.status).toBe(status);
		expect(said.data?.errorCode).toBe(code);
		if (method === "HEAD") expect(said.text).toBe("");
	});

	test.each([
		["OPTIONS", corporate, "PATCH, GET, HEAD"],
		["POST", owner, "PATCH, GET, DELETE, HEAD"],
		["PATCH", `${corporate}/related`, "POST, GET, HEAD"],
		["GET", "/_sandbox/control/kyc", "POST"],
		["POST", "/_sandbox/outbox", "GET, HEAD"],
		["POST", `/_sandbox/review/${ids.corporate}`, "GET, HEAD"],
	])("%s %s → 405, allowed: %s", async (method, target, allow) => {
		const { ask } = await makeService();
		const said = await ask(method, target);
		expect([said.status, said.headers.allow, said.data.errorCode]).toEqual([405, allow, "METHOD_NOT_ALLOWED"]);
	});
});
