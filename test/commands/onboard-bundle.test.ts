import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseJson } from "../../src/api/json.js";
import type { Bundle } from "../../src/onboarding/dossier/bundle.js";
import { casePage } from "../../src/onboarding/dossier/page.js";
import { masked } from "../../src/onboarding/evidence/mask.js";
import { pageBytes } from "../../src/pages/page.js";
import { drawn } from "../../src/pages/picture.js";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, layers, through } from "../onboarding/case-world.js";
import { confirmed } from "../support/companies.js";
import { despite } from "../support/gates.js";
import type { World } from "../support/purser.js";

afterAll(removeFolders);

let world: World;
let id: string;
beforeAll(async () => {
	world = await caseWorld();
	world.put("case.yaml", layers);
	const gates = despite("review-not-seen", "owner-missing").slice(0, -1);
	const steps = ["--send-email-link", "--request-kyb", "--kyc-links"];
	// The flag asks for no personal data, and somebody writes it all the same.
	await world.purser(["onboard", "apply", ...confirmed, "case.yaml", ...steps, ...gates, "Grace Sample holds the rest"]);
	id = world.sandbox.state.corporates.at(-1)?.id as string;
});

const bundle = (more: string) => world.purser(`onboard bundle ${id} --save ${more}`);
const filesOf = (folder: string) => [...world.files.keys()].filter((name) => name.startsWith(`${folder}/`));
const personal = /ada@example\.com|grace|Grace|Sample|Muster|639980001|Ada Example|Lin\b/;

it("packs what the service answers, the review and the journal, with nothing personal", async () => {
	const ran = await bundle("evidence/");
	expect([ran.exit, ran.stderr.includes("rror")]).toEqual([0, false]);
	expect(filesOf("evidence")).toEqual(["evidence/bundle.json", "evidence/index.html"]);
	const text = world.text("evidence/bundle.json");
	expect(text).not.toMatch(personal);
	expect(text.match(/"reason": "\*\*\*"/g)?.length).toBeGreaterThanOrEqual(2);
	const made = JSON.parse(text);
	expect(made.terms).toMatchObject({ latestVersion: "1.0", accepted: true, acceptedVersion: "1.0" });
	expect(made.answers.map(({ operation }: { operation: string }) => operation)).toEqual(["corporate.get", "related.list", "terms.get"]);
	const first = { firstName: "Person", lastName: "1", email: { address: "***", verified: false }, isDirector: true };
	expect(made.answers[1].data[0]).toMatchObject(first);
	expect(made.journal.map(({ intent }: { intent: { operation: string } }) => intent.operation)).toEqual([
		...["corporate.create", ...Array(5).fill("related.create"), "email.sendLink", "kyb.request", ...Array(3).fill("kyc.link")],
	]);
	for (const hash of [made.journal[0].events[0].hash, made.review.sha256]) expect(hash).toMatch(/^[0-9a-f]{64}$/);
});

it("index.html is a rendering of bundle.json: masked as that is, the same bytes for the same bundle", async () => {
	const { files } = (await bundle("page --json")).json();
	const page = world.text("page/index.html");
	expect(files.map(({ path }: { path: string }) => path)).toEqual(["page/bundle.json", "page/index.html"]);
	expect(files[1].sha256).toBe(createHash("sha256").update(page).digest("hex"));
	for (const hidden of ["Ada", "Grace", "Sample", "Muster", "@example", "639980001", "CEO"]) expect(page).not.toContain(hidden);
	const shown = ["KYC of Person 1 (in full)", "Example Top Ltd", "says that the account owner accepted them", "request the KYB"];
	for (const text of [files[0].sha256, "Personal data is masked", ...shown]) expect(page).toContain(text);
	// Without a gap, although companies stand between them in the service's list.
	expect([...new Set(page.match(/Person \d+/g))].sort()).toEqual(["Person 1", "Person 2", "Person 3"]);
	const dossier = parseJson(world.text("page/bundle.json")) as unknown as Bundle;
	const { faults, head } = dossier.journalCheck;
	expect([faults, page.includes(`${head.seq}:${head.hash}`)]).toEqual([[], true]);
	expect(new TextDecoder().decode(pageBytes(casePage(dossier, files[0].sha256, drawn)))).toBe(page);

	await bundle("open --unmasked");
	for (const text of ["Ada Example", "Grace Sample", "KYC of Lin Muster (documents)", "This file shows personal data"])
		expect(world.text("open/index.html")).toContain(text);
	expect(world.text("open/bundle.json")).toContain('"reason": "Grace Sample holds the rest"');
});

it.each([
	["is not offered", 403, "{}", "The service does not list people and owners"],
	["ends early", 200, '{"content":[],"totalElements":6}', "The service listed only a part of the people and owners"],
])("the list of persons %s: it is said, and nothing personal is shown", async (_, status, body, told) => {
	through(world, (line, answer) => (line.endsWith("/related") ? (status === 403 ? status : body) : answer));
	const ran = await bundle(`short-${status}`);
	world.wire = undefined;
	expect([ran.exit, filesOf(`short-${status}`).length]).toEqual([0, 2]);
	const [json, page] = filesOf(`short-${status}`).map((path) => world.text(path)) as [string, string];
	expect(json + page).not.toMatch(personal);
	expect([page.includes(told), JSON.parse(json).review.sha256]).toEqual([true, expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

it("names of fields that say little elsewhere show nothing of a person", () => {
	const person = {
		...{ id: "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", email: { value: "ada@example.com", verified: true }, birth: { date: "1980-02-29" } },
		kycInfo: { status: "CREATED", statusReason: "Ada Example", url: "https://kyc.example.com/s/secret" },
		status: { kyc: { value: "DECLINED", reason: "the passport of Ada Example" } },
	};
	expect(masked(person)).toEqual({
		...{ id: person.id, email: { value: "***", verified: true }, birth: { date: "***" } },
		kycInfo: { status: "CREATED", statusReason: "***", url: "***" },
		status: { kyc: { value: "DECLINED", reason: "***" } },
	});
	const company = {
		...{ corporateName: "Example SAS", legalType: { austriaValue: "AT_AG" }, registeredAddress: { city: "Wien", number: "1" } },
		expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
	};
	expect(masked(company)).toEqual(company);
});

it("replaces nothing without --force, and hides nothing with --unmasked", async () => {
	expect((await bundle("evidence")).exit).toBe(10);
	expect((await bundle("evidence --force --unmasked --json")).exit).toBe(0);
	const { answers, terms } = JSON.parse(world.text("evidence/bundle.json"));
	expect(answers[1].data[0].email.address).toBe("ada@example.com");
	const target = new URL(terms.address).pathname;
	const document = await world.sandbox.handle({ method: "GET", target, headers: {}, body: new Uint8Array() });
	expect(terms.documentSha256).toBe(createHash("sha256").update(document.body).digest("hex"));
});

it("a link with an address to return to, and a verified phone, are told of with their person", async () => {
	const owner = world.sandbox.state.corporates.at(-1)?.accountOwnerId as string;
	const steps = ["email send-link ID --url-on-success https://www.example.com/done", "phone send-code ID", "phone verify ID --code 123456"];
	for (const step of steps) expect((await world.purser(step.replace("ID", owner))).exit).toBe(0);
	expect((await bundle("told")).exit).toBe(0);
	const { journal } = JSON.parse(world.text("told/bundle.json")) as Pick<Bundle, "journal">;
	const about = journal.filter((one) => one.about === owner).map(({ intent }) => intent.operation);
	expect(about.slice(-3)).toEqual(["email.sendLink", "phone.sendCode", "phone.verifyCode"]);
});

it("a person who was removed is still told of: the declaration and the removal", async () => {
	const { related, corporates } = world.sandbox.state;
	const company = corporates.at(-1);
	const gone = related.findLast(({ corporateId, id: one }) => corporateId === id && one !== company?.accountOwnerId);
	// The service refuses it while the KYB is under way.
	Object.assign(company?.kyb as object, { status: "COMPLETING" });
	expect((await world.purser(`related remove ${gone?.id} --yes`)).exit).toBe(0);
	expect((await bundle("later")).exit).toBe(0);
	const { journal } = JSON.parse(world.text("later/bundle.json")) as Pick<Bundle, "journal">;
	const about = journal.filter((one) => one.about === gone?.id).map(({ intent }) => intent.operation);
	expect([about.at(0), about.at(-1)]).toEqual(["related.create", "related.delete"]);
	expect(world.text("later/index.html")).toContain("remove a person or company");
	expect(world.text("later/index.html")).not.toMatch(personal);
});
