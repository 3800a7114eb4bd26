import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

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
		const ran = await world.purser(["terms", "show", "--language", "FR"]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe("Version   2026-03\nLanguage  EN\nDocument  http://127.0.0.1:4010/terms/2026-03.pdf\nType      CORPORATE\n");
		expect(ran.stderr).toBe("Next: purser corporate create\n      purser terms audit\n");
		expect(world.requests.map(({ line }) => line)).toEqual(["GET /api/partner/terms-and-conditions?type=CORPORATE&language=FR"]);
	});

	test("--json is the record as received", async () => {
		world.wire = answering({ [termsPath]: { body: '{"version":"7","pages":12.0,"new":null}' } });
		const ran = await world.purser(["terms", "show", "--json"]);
		expect(ran.stdout).toBe('{\n  "version": "7",\n  "pages": 12.0,\n  "new": null\n}\n');
		expect(ran.stderr).toBe("");
	});
});

describe("terms accept", () => {
	const record = { id, corporateName: "Example Trading SAS", termsAccepted: true };

	test("reports the latest version and reads the corporate again", async () => {
		world.wire = answering({ [termsPath]: { body: terms }, [`PATCH ${corporatePath}`]: {}, [`GET ${corporatePath}`]: { body: record } });
		const ran = await world.purser(["terms", "accept", id, "--yes", "--confirmed-by", "operator", "--json"]);
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
		const ran = await world.purser(["terms", "accept", id, "--yes", "--confirmed-by", "operator", "--version", "2025-11"]);
		expect(ran.exit).toBe(10);
		expect(ran.stdout).toBe("");
		expect(ran.stderr).toContain("Version 2025-11 is not the latest: that is 2026-03. Nothing was accepted");
		expect(ran.stderr).toContain(`purser terms accept ${id} --version 2026-03`);
		expect(world.requests.map(({ method }) => method)).toEqual(["GET"]);
		expect(world.journal).toEqual([]);
	});

	test("the latest version by name is accepted", async () => {
		world.wire = answering({ [termsPath]: { body: terms }, [`PATCH ${corporatePath}`]: {}, [`GET ${corporatePath}`]: { body: record } });
		const ran = await world.purser(["terms", "accept", id, "--yes", "--confirmed-by", "operator", "--version", "2026-03"]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toContain("Terms accepted  yes");
	});

	test("exit 8 when the service still says that they are not accepted", async () => {
		const before = { ...record, termsAccepted: false };
		world.wire = answering({ [termsPath]: { body: terms }, [`PATCH ${corporatePath}`]: {}, [`GET ${corporatePath}`]: { body: before } });
		const ran = await world.purser(["terms", "accept", id, "--yes", "--confirmed-by", "operator"]);
		expect(ran.exit).toBe(8);
		expect(ran.stdout).toContain("the service still says that the latest terms are not accepted");
	});

	test("a failed second look does not make the acceptance look failed", async () => {
		world.wire = answering({ [termsPath]: { body: terms }, [`PATCH ${corporatePath}`]: {}, [`GET ${corporatePath}`]: { status: 500 } });
		const ran = await world.purser(["terms", "accept", id, "--yes", "--confirmed-by", "operator"]);
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("The change was made, but it could not be read back");
		expect(ran.stdout).toContain("Version         2026-03");
	});

	test("an answer without a version accepts nothing", async () => {
		world.wire = answering({ [termsPath]: { body: { language: "EN" } } });
		const ran = await world.purser(["terms", "accept", id, "--yes", "--confirmed-by", "operator", "--json"]);
		expect(ran.exit).toBe(1);
		expect(JSON.parse(ran.stderr).error).toMatchObject({ code: "TERMS_WITHOUT_VERSION", kind: "bug", exit: 1 });
		expect(world.requests).toHaveLength(1);
	});

	test("a dry run shows the change and sends none", async () => {
		world.wire = answering({ [termsPath]: { body: terms } });
		const ran = await world.purser(["terms", "accept", id, "--dry-run", "--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.json().requests).toMatchObject([
			{ method: "PATCH", url: `http://127.0.0.1:4010${corporatePath}`, body: { lastTermsAccepted: "2026-03" } },
		]);
		expect(world.requests.map(({ method }) => method)).toEqual(["GET"]);
	});

	test.each([
		["no corporate", ["terms", "accept"], 2, "Missing: CORPORATE"],
		["a company that nobody knows", ["terms", "accept", "crm-4711"], 3, "No company fits"],
		["what is no language", ["terms", "accept", id, "--language", "de"], 3, 'must be in capitals, digits and "_", like EN'],
	])("%s: nothing is sent", async (_, argv, exit, message) => {
		const ran = await world.purser(argv);
		expect(ran.exit).toBe(exit);
		expect(ran.stderr).toContain(message);
		expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
	});
});

describe("terms accept is a legal act in the account owner's name", () => {
	const owner = { id: "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", firstName: "Ada", lastName: "Example", isAccountOwner: true };
	const record = { id, corporateName: "Example Trading SAS", termsAccepted: true };
	const table = {
		[termsPath]: { body: terms },
		[`PATCH ${corporatePath}`]: {},
		[`GET ${corporatePath}`]: { body: record },
		[`GET ${corporatePath}/related`]: { body: [owner] },
	};
	const changed = () => world.requests.filter(({ method }) => method !== "GET");
	const words = () => world.journal.map(({ intent }) => intent.confirmedBy);
	beforeEach(() => {
		world.wire = answering(table);
	});

	test("on a sandbox too it asks whether the owner has seen and accepted this version; No sends nothing", async () => {
		const ran = await world.purser(["terms", "accept", id], { answers: [false] });
		expect([ran.exit, changed(), world.asked]).toEqual([
			10,
			[],
			[{ kind: "confirm", message: "Has Ada Example, the account owner, seen and accepted version 2026-03?" }],
		]);
		expect(ran.stderr).toContain("Profile sandbox  sandbox  127.0.0.1:4010\n\nRecord that Example Trading SAS accepts the terms\n");
	});

	test.each([
		["the operator's, who answered", [], "operator"],
		["the account owner's, where the operator says so", ["--confirmed-by", "account-owner"], "account-owner"],
	] as const)("after Yes the journal keeps whose word it is: %s", async (_, flags, word) => {
		const ran = await world.purser(["terms", "accept", id, ...flags], { answers: [true] });
		expect([ran.exit, changed().length, words()]).toEqual([0, 1, [word]]);
		expect(ran.stdout).toContain(`Confirmed by    the ${word.replace("-", " ")}\n`);
	});

	test.each([
		[[], ["yes", "confirmedBy"]],
		[["--yes"], ["confirmedBy"]],
		[["--confirmed-by", "operator"], ["yes"]],
	])("a script with %j only is told what is missing, and nothing is sent", async (flags, missing) => {
		const ran = await world.purser(["terms", "accept", id, ...flags, "--json"]);
		const { code, details } = JSON.parse(ran.stderr).error;
		expect([ran.exit, code, details.map(({ field }: { field: string }) => field)]).toEqual([10, "CONFIRMATION_NEEDED", missing]);
		expect([changed(), world.journal]).toEqual([[], []]);
	});

	test("in a script the journal and the answer keep the given word", async () => {
		const ran = await world.purser(["terms", "accept", id, "--yes", "--confirmed-by", "account-owner", "--json"]);
		expect([ran.exit, words()]).toEqual([0, ["account-owner"]]);
		expect(ran.json().acceptance).toMatchObject({
			corporateId: id,
			version: "2026-03",
			state: "accepted",
			at: "2026-03-01T10:00:00.000Z",
			confirmedBy: "account-owner",
			acceptedBy: { relatedId: owner.id, name: "Ada Example" },
		});
	});
});
