import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseJson } from "../../src/api/json.js";
import type { Bundle } from "../../src/onboarding/dossier/bundle.js";
import { casePage } from "../../src/onboarding/dossier/page.js";
import { masked } from "../../src/onboarding/evidence/mask.js";
import { pageBytes } from "../../src/pages/page.js";
import { drawn } from "../../src/pages/picture.js";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, put } from "../onboarding/case-world.js";
import { confirmed } from "../support/companies.js";
import { despite } from "../support/gates.js";
import { answered, type World } from "../support/purser.js";
import { delivered, sandboxAnswer } from "../support/world-wire.js";

afterAll(removeFolders);

const text = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
let world: World;
let id: string;
beforeAll(async () => {
	world = await caseWorld();
	put(world, "case.yaml", text);
	await world.purser([
		"onboard",
		"apply",
		...confirmed,
		"case.yaml",
		"--send-email-link",
		"--request-kyb",
		"--kyc-links",
		...despite("review-not-seen", "owner-missing").slice(0, -1),
		// The flag asks for no personal data, and somebody writes it all the same.
		"Grace Sample holds the rest",
	]);
	id = world.sandbox.state.corporates.at(-1)?.id as string;
});

const read = (path: string): string => new TextDecoder().decode(world.files.get(path));
const personal = /ada@example\.com|grace|Grace|Sample|Muster|639980001|Ada Example|Lin\b/;

describe("onboard bundle", () => {
	it("packs what the service answers, the review and the journal, with nothing personal", async () => {
		const ran = await world.purser(`onboard bundle ${id} --save evidence/`);
		expect(ran.stderr).not.toContain("rror");
		expect(ran.exit).toBe(0);
		expect([...world.files.keys()].filter((name) => name.startsWith("evidence"))).toEqual(["evidence/bundle.json", "evidence/index.html"]);
		expect(read("evidence/bundle.json")).not.toMatch(personal);
		expect(read("evidence/bundle.json").match(/"reason": "\*\*\*"/g)?.length).toBeGreaterThanOrEqual(2);
		const bundle = JSON.parse(read("evidence/bundle.json"));
		expect(bundle.terms).toMatchObject({ latestVersion: "1.0", accepted: true, acceptedVersion: "1.0" });
		expect(bundle.answers.map(({ operation }: { operation: string }) => operation)).toEqual(["corporate.get", "related.list", "terms.get"]);
		expect(bundle.answers[1].data[0]).toMatchObject({
			firstName: "Person",
			lastName: "1",
			email: { address: "***", verified: false },
			isDirector: true,
		});
		expect(bundle.journal.map(({ intent }: { intent: { operation: string } }) => intent.operation)).toEqual([
			"corporate.create",
			...Array(5).fill("related.create"),
			"email.sendLink",
			"kyb.request",
			...Array(3).fill("kyc.link"),
		]);
		expect(bundle.journal[0].events[0].hash).toMatch(/^[0-9a-f]{64}$/);
		expect(bundle.review.sha256).toMatch(/^[0-9a-f]{64}$/);
	});

	it("index.html is a rendering of bundle.json: masked as that is, the same bytes for the same bundle", async () => {
		const masked = await world.json(`onboard bundle ${id} --save page`);
		const page = read("page/index.html");
		expect(masked.files.map(({ path }: { path: string }) => path)).toEqual(["page/bundle.json", "page/index.html"]);
		expect(masked.files[1].sha256).toBe(createHash("sha256").update(page).digest("hex"));
		expect(page).toContain(masked.files[0].sha256);
		expect(page).toContain("Personal data is masked");
		expect(page).not.toMatch(personal);
		for (const hidden of ["Ada", "Grace", "Sample", "Muster", "@example", "639980001", "CEO"]) expect(page).not.toContain(hidden);
		for (const shown of [
			"KYC of Person 1 (in full)",
			"Example Top Ltd",
			"the operator says that the account owner accepted them",
			"request the KYB",
		])
			expect(page).toContain(shown);
		// Without a gap, although companies stand between them in the service's list.
		expect([...new Set(page.match(/Person \d+/g))].sort()).toEqual(["Person 1", "Person 2", "Person 3"]);
		expect(read("page/bundle.json")).not.toMatch(personal);
		const dossier = parseJson(read("page/bundle.json")) as unknown as Bundle;
		expect(dossier.journalCheck.faults).toEqual([]);
		expect(dossier.journalCheck.head.hash).toMatch(/^[0-9a-f]{64}$/);
		expect(page).toContain(`${dossier.journalCheck.head.seq}:${dossier.journalCheck.head.hash}`);
		expect(new TextDecoder().decode(pageBytes(casePage(dossier, masked.files[0].sha256, drawn)))).toBe(page);

		await world.purser(`onboard bundle ${id} --save open --unmasked`);
		const open = read("open/index.html");
		for (const shown of ["Ada Example", "Grace Sample", "KYC of Lin Muster (documents)", "This file shows personal data"])
			expect(open).toContain(shown);
		expect(read("open/bundle.json")).toContain('"reason": "Grace Sample holds the rest"');
	});

	it.each([
		["is not offered", 403, "{}"],
		["ends early", 200, '{"content":[],"totalElements":6}'],
	])("the list of persons %s: it is said, and nothing personal is shown", async (_, status, body) => {
		world.wire = async (request) =>
			new URL(request.url).pathname.endsWith("/related") ? answered(status, body) : delivered(await sandboxAnswer(world, request));
		const ran = await world.purser(`onboard bundle ${id} --save short-${status}`);
		world.wire = undefined;
		expect(ran.exit).toBe(0);
		expect([...world.files.keys()].filter((name) => name.startsWith(`short-${status}`))).toEqual([
			`short-${status}/bundle.json`,
			`short-${status}/index.html`,
		]);
		expect(read(`short-${status}/bundle.json`)).not.toMatch(personal);
		expect(read(`short-${status}/index.html`)).not.toMatch(personal);
		expect(read(`short-${status}/index.html`)).toContain(
			status === 403 ? "The service does not list people and owners" : "The service listed only a part of the people and owners",
		);
		expect(JSON.parse(read(`short-${status}/bundle.json`)).review.sha256).toMatch(/^[0-9a-f]{64}$/);
	});

	it("names of fields that say little elsewhere show nothing of a person", async () => {
		const person = {
			id: "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80",
			email: { value: "ada@example.com", verified: true },
			birth: { date: "1980-02-29" },
			kycInfo: { status: "CREATED", statusReason: "Ada Example", url: "https://kyc.example.com/s/secret" },
			status: { kyc: { value: "DECLINED", reason: "the passport of Ada Example" } },
		};
		expect(masked(person)).toEqual({
			id: "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80",
			email: { value: "***", verified: true },
			birth: { date: "***" },
			kycInfo: { status: "CREATED", statusReason: "***", url: "***" },
			status: { kyc: { value: "DECLINED", reason: "***" } },
		});
		const company = {
			corporateName: "Example SAS",
			legalType: { austriaValue: "AT_AG" },
			registeredAddress: { city: "Wien", number: "1" },
		};
		expect(masked(company)).toEqual(company);
		expect(masked({ expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" } })).toEqual({
			expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
		});
	});

	it("replaces nothing without --force, and hides nothing with --unmasked", async () => {
		expect((await world.purser(`onboard bundle ${id} --save evidence`)).exit).toBe(10);
		const again = ["onboard", "bundle", id, "--save", "evidence", "--force", "--unmasked", "--json"];
		expect((await world.purser(again)).exit).toBe(0);
		const bundle = JSON.parse(read("evidence/bundle.json"));
		expect(bundle.answers[1].data[0].email.address).toBe("ada@example.com");
		const target = new URL(bundle.terms.address).pathname;
		const terms = await world.sandbox.handle({ method: "GET", target, headers: {}, body: new Uint8Array() });
		expect(bundle.terms.documentSha256).toBe(createHash("sha256").update(terms.body).digest("hex"));
	});
	it("a person who was removed is still told of: the declaration and the removal", async () => {
		const { state } = world.sandbox;
		const gone = state.related.findLast(
			({ corporateId, id: one }) => corporateId === id && one !== state.corporates.at(-1)?.accountOwnerId,
		);
		// The service refuses it while the KYB is under way.
		Object.assign(state.corporates.at(-1)?.kyb as object, { status: "COMPLETING" });
		expect((await world.purser(`related remove ${gone?.id} --yes`)).exit).toBe(0);
		expect((await world.purser(`onboard bundle ${id} --save later`)).exit).toBe(0);
		const { journal } = JSON.parse(read("later/bundle.json")) as Pick<Bundle, "journal">;
		const about = journal.filter((one) => one.about === gone?.id).map(({ intent }) => intent.operation);
		expect([about.at(0), about.at(-1)]).toEqual(["related.create", "related.delete"]);
		expect(read("later/index.html")).toContain("remove a person or company");
		expect(read("later/index.html")).not.toMatch(personal);
	});
});
