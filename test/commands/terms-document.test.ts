import { beforeEach, describe, expect, test } from "vitest";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { answered, makeWorld, type RunOptions, type World } from "../support/purser.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
/** printf 'The terms, version 2026-03' | sha256sum */
const content = "The terms, version 2026-03";
const digest = "382614f7aa07652d3cf244e5cb97d9ccd8ab41e1ef40781bdd9860d439536eaf";

let world: World;
beforeEach(async () => {
	world = await makeWorld({ wire: async () => json(404, {}) });
});

const json = (status: number, body: unknown) => answered(status, JSON.stringify(body));
const page = (text = content) => answered(200, text, { "content-type": "application/pdf" });
const redirect = (location: string) => answered(302, "", { location });

/** Accepts terms whose document is at an address; what is not the service's API is answered by `elsewhere`. */
async function accept(
	downloadUrl: string | undefined,
	elsewhere: (request: WireRequest) => WireOutcome,
	more: string[] = [],
	options: RunOptions = {},
) {
	world.wire = async (request) => {
		const { pathname } = new URL(request.url);
		if (pathname.endsWith("/terms-and-conditions")) return json(200, { version: "2026-03", language: "EN", downloadUrl });
		if (request.method === "PATCH") return answered(204);
		if (pathname === `/api/partner/corporates/${id}`) return json(200, { id, corporateName: "Example SAS", termsAccepted: true });
		return pathname.startsWith("/api/") ? json(404, {}) : elsewhere(request);
	};
	return world.purser(["terms", "accept", id, "--yes", "--confirmed-by", "operator", ...more], options);
}
const fetched = () => world.requests.filter(({ url }) => !new URL(url).pathname.startsWith("/api/"));
const accepted = () => world.requests.some(({ method }) => method === "PATCH");
const own = "http://127.0.0.1:4010/terms/2026-03.pdf";
const other = "https://files.example.com/t.pdf?signature=s3cret";

describe("the document of accepted terms", () => {
	test("is fetched from the service's own host, with its credential, and its digest recorded", async () => {
		const ran = await accept(own, () => page(), ["--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.json().acceptance).toMatchObject({
			version: "2026-03",
			state: "accepted",
			corporateId: id,
			confirmedBy: "operator",
			document: { url: own, language: "EN", sha256: digest, bytes: 26 },
		});
		expect(fetched()).toMatchObject([{ method: "GET", url: own, body: "", headers: { authorization: "Bearer token-1" } }]);
	});

	test("on another host it is left there: accepted, said, and no digest made up", async () => {
		const ran = await accept(other, () => page(), ["--json"]);
		expect(ran.exit).toBe(0);
		expect(accepted()).toBe(true);
		expect(fetched()).toEqual([]);
		expect(ran.json().acceptance.document).toEqual({
			url: other,
			language: "EN",
			why: "The document was not fetched: it is on files.example.com, not where the service is",
		});
		expect((await accept(other, () => page())).stderr).toContain("The digest of the terms is not recorded");
	});

	test.each<[string, string | undefined, WireOutcome, string]>([
		["no address", undefined, page(), "The service gave no address of the document"],
		["not on the web", "file:///etc/hostname", page(), "its address is not a web address"],
		["a password in it", "https://a:b@files.example.com/t", page(), "holds a user name or a password"],
		["not there", own, json(404, {}), "127.0.0.1:4010 answered with status 404"],
		["an error", own, json(503, {}), "127.0.0.1:4010 answered with status 503"],
		["empty", own, page(""), "an empty document"],
		["no answer", own, { kind: "sent", reason: "the connection was closed" }, "127.0.0.1:4010: the connection was closed"],
		["a redirect, which is not followed", own, redirect(other), "127.0.0.1:4010 answered with status 302"],
	])("%s: the terms are accepted all the same, and it is said why there is no digest", async (_, url, outcome, why) => {
		const ran = await accept(url, () => outcome, ["--json"]);
		expect(ran.exit).toBe(0);
		expect(accepted()).toBe(true);
		expect(ran.json().acceptance.document.why).toContain(why);
		expect(ran.json().acceptance.document.sha256).toBeUndefined();
		expect(fetched().length).toBeLessThanOrEqual(1);
	});

	test("no more than the limit is read", async () => {
		await accept(own, () => page());
		expect(world.limits.find(({ url }) => url === own)?.bytes).toBe(33_554_432);
	});
});
