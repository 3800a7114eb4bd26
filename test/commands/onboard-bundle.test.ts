import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseJson } from "../../src/api/json.js";
import type { Dossier } from "../../src/onboarding/dossier/dossier.js";
import { casePage } from "../../src/onboarding/dossier/page.js";
import { hiddenTexts, masked, maskedLines } from "../../src/onboarding/evidence/mask.js";
import { pageBytes } from "../../src/pages/page.js";
import { drawn } from "../../src/pages/picture.js";
import { removeFolders } from "../journal/journals.js";
import { apply, caseIn, layers, through } from "../onboarding/case-world.js";
import { despite } from "../support/gates.js";
import type { World } from "../support/purser.js";

afterAll(removeFolders);

let world: World;
let id: string;
beforeAll(async () => {
	world = await caseIn(layers);
	// The flag asks for no personal data, and somebody writes it all the same.
	const words = [...despite("review-not-seen", "owner-missing").slice(0, -1), "Grace Sample holds the rest"];
	await apply(world, "--send-email-link --request-kyb --kyc-links", words);
	id = world.sandbox.state.corporates.at(-1)?.id as string;
});

const digestOf = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
const read = (path: string): string => new TextDecoder().decode(world.files.get(path));
const filesIn = (folder: string): string[] => [...world.files.keys()].filter((name) => name.startsWith(folder));
const bundle = (folder: string, ...more: string[]) => world.purser(["onboard", "bundle", id, "--save", folder, ...more]);
const personal = /ada@example\.com|grace|Grace|Sample|Muster|639980001|Ada Example|Lin\b/;

describe("onboard bundle", () => {
	it("packs what the service answers, the review and the journal, with nothing personal", async () => {
		const ran = await bundle("evidence/");
		expect([ran.exit, ran.stderr.includes("rror")]).toEqual([0, false]);
		expect(filesIn("evidence")).toEqual(["evidence/bundle.json", "evidence/index.html", "evidence/review.txt"]);
		for (const name of ["bundle.json", "review.txt"]) expect(read(`evidence/${name}`)).not.toMatch(personal);
		expect(read("evidence/bundle.json").match(/"reason": ".* holds the rest"/g)).toHaveLength(2);
		expect(read("evidence/review.txt")).toContain("Top Ltd");
		const packed = JSON.parse(read("evidence/bundle.json"));
		expect(packed.terms).toMatchObject({ latestVersion: "1.0", accepted: true, acceptedVersion: "1.0" });
		expect(packed.answers.map(({ operation }: { operation: string }) => operation)).toEqual(["corporate.get", "related.list", "terms.get"]);
		expect(packed.answers[1].data[0]).toMatchObject({ firstName: "***", email: { address: "***", verified: false }, isDirector: true });
		expect(packed.journal.map(({ intent }: { intent: { operation: string } }) => intent.operation)).toEqual([
			"corporate.create",
			...Array(5).fill("related.create"),
			"email.sendLink",
			"kyb.request",
			...Array(3).fill("kyc.link"),
		]);
		expect(packed.journal[0].events[0].hash).toMatch(/^[0-9a-f]{64}$/);
		const review = world.files.get("evidence/review.txt") as Uint8Array;
		expect(packed.files).toEqual([{ name: "review.txt", bytes: review.length, sha256: digestOf(review) }]);
		// At 80 columns a digest stands whole on its line.
		const again = await world.purser(["onboard", "bundle", id, "--save", "evidence/", "--force"], { columns: 80 });
		expect(again.stdout).toMatch(/\nevidence\/review\.txt {2}\d+ bytes\n {2}SHA-256 [0-9a-f]{64}\n$/);
	});

	it("index.html is a rendering of bundle.json: masked as that is, the same bytes for the same bundle", async () => {
		const owner = world.sandbox.state.corporates.at(-1)?.accountOwnerId as string;
		const subject = { kind: "related", id: owner } as const;
		const change = { type: "corporate.related.kyc", at: "2026-02-28T09:10:11Z", subject, from: "CREATED", to: "Ada Example" };
		await (await world.inbox()).receive({ source: "poll", change });
		const { files } = (await bundle("page", "--json")).json();
		const page = read("page/index.html");
		expect(files.map(({ path }: { path: string }) => path)).toEqual(["page/bundle.json", "page/index.html", "page/review.txt"]);
		expect(files[1].sha256).toBe(digestOf(page));
		for (const text of [files[0].sha256, files[2].sha256, "Personal data is masked", "KYC of Person 1 (in full)", "Example Top Ltd"])
			expect(page).toContain(text);
		for (const text of ["the operator says that the account owner accepted them", "request the KYB"]) expect(page).toContain(text);
		for (const hidden of ["Ada", "Grace", "Sample", "Muster", "@example", "639980001", "CEO"]) expect(page).not.toContain(hidden);
		// Without a gap, although companies stand between them in the service's list.
		expect([...new Set(page.match(/Person \d+/g))].sort()).toEqual(["Person 1", "Person 2", "Person 3"]);
		expect(read("page/bundle.json") + page).not.toMatch(personal);
		const dossier = parseJson(read("page/bundle.json")) as unknown as Dossier;
		const { faults, head } = dossier.journalCheck;
		expect([faults, head.hash]).toEqual([[], expect.stringMatching(/^[0-9a-f]{64}$/)]);
		expect(page).toContain(`purser history verify --head ${head.seq}:${head.hash}`);
		expect(dossier.events).toMatchObject([{ subject: { id: owner }, from: "CREATED", to: "***", source: "poll" }]);
		const named = (name: string, { bytes, sha256 }: { bytes: number; sha256: string }) => ({ name, bytes, sha256 });
		const beside = [named("bundle.json", files[0]), named("review.txt", files[2])];
		const review = read("page/review.txt").trimEnd().split("\n");
		expect(new TextDecoder().decode(pageBytes(casePage(dossier, { files: beside, review }, drawn)))).toBe(page);

		await bundle("open", "--unmasked");
		for (const shown of ["Ada Example", "Grace Sample", "KYC of Lin Muster (documents)", "This file shows personal data"])
			expect(read("open/index.html")).toContain(shown);
		expect(JSON.parse(read("open/bundle.json")).events[0].to).toBe("Ada Example");
	});

	it("links of persons whose ids the service writes in capitals are in the journal's part too", async () => {
		const other = await caseIn(layers);
		const uuids = /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/g;
		const small = (text: string): string => text.replace(uuids, (one) => one.toLowerCase());
		through(other, (_, answer) => answer.replace(uuids, (one) => one.toUpperCase()));
		const { wire } = other;
		other.wire = async (request) => {
			const body = request.body && new TextEncoder().encode(small(new TextDecoder().decode(request.body)));
			return (wire as NonNullable<typeof wire>)({ ...request, url: small(request.url), body });
		};
		expect((await apply(other, "--send-email-link --kyc-links")).exit).toBe(0);
		const corporateId = String(other.sandbox.state.corporates.at(-1)?.id).toUpperCase();
		await other.purser(["onboard", "bundle", corporateId, "--save", "evidence/"]);
		const { journal } = JSON.parse(new TextDecoder().decode(other.files.get("evidence/bundle.json")));
		const operations = journal.map(({ intent }: { intent: { operation: string } }) => intent.operation);
		expect(operations.slice(-4)).toEqual(["email.sendLink", "kyc.link", "kyc.link", "kyc.link"]);
	});

	it.each([
		["is not offered", 403, "The service does not list people and owners"],
		["ends early", '{"content":[],"totalElements":6}', "The service listed only a part of the people and owners"],
	])("the list of persons %s: nobody's name can be masked in the review, so it stays out", async (what, answer, told) => {
		through(world, (line, given) => (line.endsWith("/related") ? answer : given));
		const folder = `short ${what}`;
		const ran = await bundle(folder);
		world.wire = undefined;
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("The review cannot be masked without all related entities");
		expect(filesIn(folder)).toEqual([`${folder}/bundle.json`, `${folder}/index.html`]);
		for (const name of ["bundle.json", "index.html"]) expect(read(`${folder}/${name}`)).not.toMatch(personal);
		expect(read(`${folder}/index.html`)).toContain(told);
		expect(JSON.parse(read(`${folder}/bundle.json`)).review.sha256).toMatch(/^[0-9a-f]{64}$/);
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

	it("a name is hidden however its accents are composed", () => {
		expect(maskedLines(["Zoe\u0308 Sample"], hiddenTexts({ firstName: "Zo\u00eb" }))).toEqual(["*** Sample"]);
		expect(maskedLines(["Zo\u00eb Sample"], hiddenTexts({ firstName: "Zoe\u0308" }))).toEqual(["*** Sample"]);
	});

	it("hundreds of thousands of hidden texts, and one of a megabyte, are looked for in seconds", () => {
		const many = Array.from({ length: 300_000 }, (_, number) => `s${number}x`);
		const lines = Array.from({ length: 400 }, (_, number) => `${"word ".repeat(70)}S${number}X`);
		const started = performance.now();
		const shown = maskedLines(lines, ["x".repeat(1_000_000), ...many]);
		expect(shown).toEqual(lines.map(() => `${"word ".repeat(70)}***`));
		// Some seconds; with an expression for each of them, minutes, and none can be made of a megabyte.
		expect(performance.now() - started).toBeLessThan(60_000);
	});

	it("a page that holds more hidden texts than are looked for is hidden as a whole", () => {
		const words = Array.from({ length: 5_001 }, (_, number) => `w${number}`);
		expect(maskedLines([words.join(" "), "another"], words)).toEqual(["***", "***"]);
		expect(maskedLines([words.join(" "), "another"], words.slice(1))).toEqual([`w0${" ***".repeat(5_000)}`, "another"]);
	});

	it("what a regular expression takes for the same letter is found in every case", () => {
		for (const [hidden, lines] of [
			["straße", ["Straße", "STRAẞE"]],
			["ΟΔΟΣ", ["οδος", "Οδοσ"]],
			["\u212aelvin", ["kelvin", "KELVIN"]],
			["ſoft", ["Soft", "SOFT"]],
			["Ada O'Example-Sample", ["ADA O'EXAMPLE-SAMPLE"]],
			["+33 (0)1 23", ["+33 (0)1 23"]],
		] as const)
			expect(maskedLines(lines, [hidden])).toEqual(lines.map(() => "***"));
	});

	it("replaces nothing without --force, and takes everything along with --unmasked", async () => {
		expect((await bundle("evidence")).exit).toBe(10);
		expect((await bundle("evidence", "--force", "--unmasked")).exit).toBe(0);
		const packed = JSON.parse(read("evidence/bundle.json"));
		expect(packed.answers[1].data[0].email.address).toBe("ada@example.com");
		const target = new URL(packed.terms.address).pathname;
		const terms = await world.sandbox.handle({ method: "GET", target, headers: {}, body: new Uint8Array() });
		expect(packed.terms.documentSha256).toBe(digestOf(terms.body));
		expect(read("evidence/review.html")).toMatch(/^<!doctype html>/i);
		expect(packed.review.sha256).toBe(digestOf(read("evidence/review.html")));
	});

	it("a person who was removed is still told of: the declaration and the removal", async () => {
		const { related, corporates } = world.sandbox.state;
		const company = corporates.at(-1);
		const gone = related.findLast((one) => one.corporateId === id && one.id !== company?.accountOwnerId);
		// The service refuses it while the KYB is under way.
		Object.assign(company?.kyb as object, { status: "COMPLETING" });
		expect((await world.purser(["related", "remove", gone?.id as string, "--yes"])).exit).toBe(0);
		expect((await bundle("later")).exit).toBe(0);
		const { journal } = JSON.parse(read("later/bundle.json")) as Pick<Dossier, "journal">;
		const about = journal.filter((one) => one.about === gone?.id).map(({ intent }) => intent.operation);
		expect([about.at(0), about.at(-1)]).toEqual(["related.create", "related.delete"]);
		expect(read("later/index.html")).toContain("remove a person or company");
		expect(read("later/index.html")).not.toMatch(personal);
	});
});
