import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering, type Canned } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const termsPath = "GET /api/partner/terms-and-conditions";
const corporatePath = `/api/partner/corporates/${id}`;
const terms = { type: "CORPORATE", version: "2026-03", language: "EN", downloadUrl: "http://127.0.0.1:4010/terms/2026-03.pdf" };

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

describe("terms show", () => {
	test("the version, the language and where the document is", async () => {
		world.wire = answering({ [termsPath]: { body: terms } });
		const ran = await world.purser("terms show --language FR");
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe("Version   2026-03\nLanguage  EN\nDocument  http://127.0.0.1:4010/terms/2026-03.pdf\nType      CORPORATE\n");
		expect(ran.stderr).toBe("Next: purser corporate create\n      purser overview\n");
		expect(world.requests.map(({ line }) => line)).toEqual(["GET /api/partner/terms-and-conditions?type=CORPORATE&language=FR"]);
	});
});

describe("terms accept", () => {
	const record = { id, corporateName: "Example Trading SAS", termsAccepted: true };
	/** Accepts with the word of the operator; what the look afterwards is answered with. */
	const accept = (after: Canned, ...more: string[]) => {
		world.wire = answering({ [termsPath]: { body: terms }, [`PATCH ${corporatePath}`]: {}, [`GET ${corporatePath}`]: after });
		return world.purser(["terms", "accept", id, "--yes", "--confirmed-by", "operator", ...more]);
	};

	test("reports the latest version and reads the corporate again", async () => {
		const ran = await accept({ body: record }, "--json");
		expect(ran.exit).toBe(0);
		expect(ran.json()).toMatchObject({ ...record, corporateId: id, lastTermsAccepted: "2026-03" });
		// The terms, their document, the acceptance, then a look at what it did and at who accepted.
		expect(world.requests.map(({ method, body }) => [method, body])).toEqual([
			["GET", ""],
			["GET", ""],
			["PATCH", '{"lastTermsAccepted":"2026-03"}'],
			["GET", ""],
			["GET", ""],
		]);
	});

	test("a version that is not the latest is refused, nothing is sent", async () => {
		world.wire = answering({ [termsPath]: { body: terms } });
		const ran = await world.purser(`terms accept ${id} --yes --confirmed-by operator --version 2025-11 --json`);
		expect([ran.exit, ran.stdout]).toEqual([10, ""]);
		for (const text of [
			"Version 2025-11 is not the latest: that is 2026-03. Nothing was accepted",
			"TERMS_NOT_LATEST",
			`purser terms accept ${id} --version 2026-03`,
		])
			expect(ran.stderr).toContain(text);
		expect(world.requests.map(({ method }) => method)).toEqual(["GET"]);
		expect(world.journal).toEqual([]);
	});

	test.each<[string, Canned, string[], number, string]>([
		["the latest version by name is accepted", { body: record }, ["--version", "2026-03"], 0, "Terms accepted  yes"],
		[
			"exit 8 when the service still says that they are not accepted",
			{ body: { ...record, termsAccepted: false } },
			[],
			8,
			"the service still says that the latest terms are not accepted",
		],
		["a failed second look does not make the acceptance look failed", { status: 500 }, [], 0, "could not be read back"],
	])("%s", async (_, after, more, exit, told) => {
		const ran = await accept(after, ...more);
		expect(ran.exit).toBe(exit);
		expect(ran.stdout + ran.stderr).toContain(told);
		expect(ran.stdout).toContain("Version         2026-03");
	});

	test("an answer without a version accepts nothing", async () => {
		world.wire = answering({ [termsPath]: { body: { language: "EN" } } });
		const ran = await world.purser(`terms accept ${id} --yes --confirmed-by operator --json`);
		expect(ran.exit).toBe(1);
		expect(ran.error()).toMatchObject({ code: "TERMS_WITHOUT_VERSION", kind: "bug", exit: 1 });
		expect(world.requests).toHaveLength(1);
	});
});

/** That it is asked, and that a script says whose word it is, is in acceptance.test.ts for every way of accepting. */
describe("whose word it is", () => {
	const owner = { id: "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", firstName: "Ada", lastName: "Example", isAccountOwner: true };
	const table = {
		[termsPath]: { body: terms },
		[`PATCH ${corporatePath}`]: {},
		[`GET ${corporatePath}`]: { body: { id, corporateName: "Example Trading SAS", termsAccepted: true } },
		[`GET ${corporatePath}/related`]: { body: [owner] },
	};

	test("is in the answer to a script, with who accepted", async () => {
		world.wire = answering(table);
		const ran = await world.purser(`terms accept ${id} --yes --confirmed-by account-owner --json`);
		expect(ran.json().acceptance).toMatchObject({
			...{ corporateId: id, version: "2026-03", state: "accepted", at: "2026-03-01T10:00:00.000Z", confirmedBy: "account-owner" },
			acceptedBy: { relatedId: owner.id, name: "Ada Example" },
		});
	});
});
