import { beforeEach, describe, expect, test } from "vitest";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { answered, makeWorld, type World } from "../support/purser.js";
import { answering, type Canned, page } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const termsPath = "GET /api/partner/terms-and-conditions";
const corporatePath = `/api/partner/corporates/${id}`;
const own = "http://127.0.0.1:4010/terms/2026-03.pdf";
const terms = { type: "CORPORATE", version: "2026-03", language: "EN", downloadUrl: own };
const record = { id, corporateName: "Example Trading SAS", termsAccepted: true };
const operator = `terms accept ${id} --yes --confirmed-by operator`;

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

test("terms show tells the version, the language and where the document is", async () => {
	world.wire = answering({ [termsPath]: { body: terms } });
	const ran = await world.purser("terms show --language FR");
	expect([ran.exit, ran.stdout]).toEqual([0, `Version   2026-03\nLanguage  EN\nDocument  ${own}\nType      CORPORATE\n`]);
	expect(ran.stderr).toBe("Next: purser corporate create\n      purser overview\n");
	expect(world.requests.map(({ line }) => line)).toEqual([`${termsPath}?type=CORPORATE&language=FR`]);
});

/** That it is asked, and that a script says whose word it is, is in acceptance.test.ts for every way of accepting. */
describe("terms accept", () => {
	const owner = { id: "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", firstName: "Ada", lastName: "Example", isAccountOwner: true };
	/** What the look afterwards is answered with, and the service's terms. */
	const serve = (after: Canned, body: object = terms) => {
		const related = { [`GET ${corporatePath}/related`]: page(owner) };
		world.wire = answering({ [termsPath]: { body }, [`PATCH ${corporatePath}`]: {}, [`GET ${corporatePath}`]: after, ...related });
	};

	test("reports the latest version, reads the corporate again, and tells whose word it is and who accepted", async () => {
		serve({ body: record });
		const ran = await world.purser(`terms accept ${id} --yes --confirmed-by account-owner --json`);
		expect([ran.exit, ran.json()]).toMatchObject([0, { ...record, corporateId: id, lastTermsAccepted: "2026-03" }]);
		expect(ran.json().acceptance).toMatchObject({
			...{ corporateId: id, version: "2026-03", state: "accepted", at: "2026-03-01T10:00:00.000Z", confirmedBy: "account-owner" },
			acceptedBy: { relatedId: owner.id, name: "Ada Example" },
		});
		// The terms, their document, the acceptance, then a look at what it did and at who accepted.
		expect(world.requests.map(({ method }) => method)).toEqual(["GET", "GET", "PATCH", "GET", "GET"]);
		expect(world.changes()[0]?.body).toBe('{"lastTermsAccepted":"2026-03"}');
	});

	test.each<[string, string, object, number, object]>([
		[
			"a version that is not the latest",
			"--version 2025-11",
			terms,
			10,
			{ code: "TERMS_NOT_LATEST", message: "Version 2025-11 is not the latest: that is 2026-03. Nothing was accepted" },
		],
		[
			"one that the service names as a shell would read it",
			"--version 1",
			{ ...terms, version: "2; touch x" },
			10,
			{ fix: `Show it with \`purser terms show\`, then run \`purser terms accept ${id} --version '2; touch x'\`.` },
		],
		["an answer without a version", "", { language: "EN" }, 1, { code: "TERMS_WITHOUT_VERSION", kind: "bug", exit: 1 }],
	])("%s accepts nothing", async (_, flags, body, exit, error) => {
		serve({ body: record }, body);
		const ran = await world.purser(`${operator} ${flags} --json`);
		expect([ran.exit, ran.stdout, world.changes(), world.journal]).toEqual([exit, "", [], []]);
		expect(ran.error()).toMatchObject(error);
	});

	const denied = { body: { ...record, termsAccepted: false } };
	test.each<[string, Canned, string, number, string, string]>([
		["the latest version by name is accepted", { body: record }, "--version 2026-03", 0, "accepted", "Terms accepted  yes"],
		["what the service still denies is not recorded as accepted", denied, "", 8, "asked", "the latest terms are not accepted"],
		["a failed second look does not make it look failed", { status: 500 }, "", 0, "accepted", "could not be read back"],
	])("%s", async (_, after, flags, exit, state, told) => {
		serve(after);
		const ran = await world.purser(`${operator} ${flags}`);
		expect([ran.exit, ran.stdout + ran.stderr]).toEqual([exit, expect.stringContaining(told)]);
		expect(ran.stdout).toContain("Version         2026-03");
		serve(after);
		expect((await world.json(`${operator} ${flags}`)).acceptance.state).toBe(state);
	});
});

describe("the document of accepted terms", () => {
	const other = "https://files.example.com/t.pdf?signature=s3cret";
	const text = (content = "The terms, version 2026-03") => answered(200, content, { "content-type": "application/pdf" });

	/** Accepts terms whose document is at an address; what is not the service's API is answered by `elsewhere`. */
	async function accept(downloadUrl: string | undefined, elsewhere: WireOutcome) {
		const api = answering({
			[termsPath]: { body: { version: "2026-03", language: "EN", downloadUrl } },
			...{ [`PATCH ${corporatePath}`]: {}, [`GET ${corporatePath}`]: { body: record } },
		});
		world = await makeWorld({
			wire: async (request: WireRequest) => (new URL(request.url).pathname.startsWith("/api/") ? api(request) : elsewhere),
		});
		const ran = await world.purser(`${operator} --json`);
		expect([ran.exit, world.changes().length]).toEqual([0, 1]);
		return ran.json().acceptance;
	}
	const fetched = () => world.requests.filter(({ url }) => !new URL(url).pathname.startsWith("/api/"));

	test("is fetched from the service's own host, with its credential, up to the limit, and its digest recorded", async () => {
		const sha256 = "382614f7aa07652d3cf244e5cb97d9ccd8ab41e1ef40781bdd9860d439536eaf";
		expect(await accept(own, text())).toMatchObject({ document: { url: own, language: "EN", sha256, bytes: 26 } });
		expect(fetched()).toMatchObject([{ method: "GET", url: own, body: "", headers: { authorization: "Bearer token-1" } }]);
		expect(world.limits.find(({ url }) => url === own)?.bytes).toBe(33_554_432);
	});

	test.each<[string, string | undefined, WireOutcome, string, number]>([
		["on another host", other, text(), "The document was not fetched: it is on files.example.com, not where the service is", 0],
		["no address", undefined, text(), "The service gave no address of the document", 0],
		["not on the web", "file:///etc/hostname", text(), "its address is not a web address", 0],
		["a password in it", "https://a:b@files.example.com/t", text(), "holds a user name or a password", 0],
		["not there", own, answered(404, "{}"), "127.0.0.1:4010 answered with status 404", 1],
		["empty", own, text(""), "an empty document", 1],
		["no answer", own, { kind: "sent", reason: "the connection was closed" }, "127.0.0.1:4010: the connection was closed", 1],
		["a redirect, which is not followed", own, answered(302, "", { location: other }), "127.0.0.1:4010 answered with status 302", 1],
	])("%s: the terms are accepted all the same, and it is said why there is no digest", async (_, url, outcome, why, fetches) => {
		const { document } = await accept(url, outcome);
		expect([document.why, document.sha256, fetched().length]).toEqual([expect.stringContaining(why), undefined, fetches]);
		expect((await world.purser(operator)).stderr).toContain("The digest of the terms is not recorded");
	});
});
