import { describe, expect, test } from "vitest";
import { harbourLights } from "../support/companies.js";
import { everyGate, unread } from "../support/gates.js";
import { makeWorld } from "../support/purser.js";
import { answering } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ada = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const ids = { grace: "9b3e7d2f-1ca5-4e8d-8d46-3f7a2b8c5e91" };
const corporatePath = `GET /api/partner/corporates/${id}`;
const listPath = `GET /api/partner/corporates/${id}/related`;
const corporate = (kybStatus: string, more: object = {}) => ({
	body: { id, corporateName: "Example Trading SAS", termsAccepted: true, kybStatus, updateDate: "2026-02-26T10:00:00Z", ...more },
});
const owner = (more: object = {}) => ({
	id: ada,
	firstName: "Ada",
	lastName: "Example",
	isAccountOwner: true,
	isDirector: true,
	isUbo: true,
	directSharesPercentage: 100,
	email: { address: "ada@example.com", verified: true },
	phone: { countryCode: "33", number: "639980001", verified: true },
	kycInfo: { status: "VALIDATED", type: "FULL_KYC" },
	...more,
});
const page = (...content: object[]) => ({ body: { content, totalElements: content.length } });

async function statusOf(kyb: object, related: object, ...flags: string[]) {
	const world = await makeWorld();
	const [person] = (related as { body?: { content: object[] } }).body?.content ?? [];
	world.wire = answering({
		[corporatePath]: kyb as never,
		[listPath]: related as never,
		[`GET /api/partner/corporates/related/${ada}`]: { body: person },
		"POST /api/partner/verifications/email/send": { body: { ttl: "PT48H" } },
		"POST /api/partner/kyc": { body: { link: "https://kyc.example.com/s/a" } },
		[`POST /api/partner/corporates/${id}/kyb`]: {},
		// Hours pass: where no token is to be had, it is waited for what another process may store.
		"POST /api/partner/refresh": { body: { token: "a-later-token", refreshToken: "another" } },
	});
	return { world, ran: await world.purser(["corporate", "status", id, ...flags]) };
}
const states = (checklist: { items: { step: string; state: string }[] }) => checklist.items.map(({ step, state }) => `${step} ${state}`);
const unverified = { email: { address: "ada@example.com", verified: false } };
const day = 24 * 3_600_000;

/** The whole answer for programs. */
const checklistOf = async (kyb: object, related: object) => (await statusOf(kyb, related, "--json")).ran.json();

describe("corporate status", () => {
	test.each<[string, object, object, string[]]>([
		[
			"shares that cannot be read are nothing that is done",
			corporate("PENDING_VERIFICATION"),
			page(owner(), { id: ids.grace, firstName: "Grace", lastName: "Sample", directSharesPercentage: "5,5" }),
			["related to do"],
		],
		[
			"directors of whom the service asks documents only lack the one in full",
			corporate("PENDING_VERIFICATION"),
			page(owner({ kycInfo: { status: "VALIDATED", type: "DOC_ONLY" } })),
			["kyc done", "kyc to do", "kyb blocked"],
		],
		[
			"what is asked for, a declined KYC, and a gap in the declaration",
			corporate("NEED_ADDITIONAL_INFORMATION", { kybStatusReason: "A newer extract" }),
			page(owner({ kycInfo: { status: "DECLINED", statusReason: "Blurred" }, isUbo: false, directSharesPercentage: 60 })),
			["terms done", "email done", "related to do", "related to do", "kyc declined", "kyb to do", "phone done"],
		],
		[
			"a deployment that lists no related entities, and says little else",
			{ body: { id } },
			{ status: 404 },
			["terms unknown", "related unknown", "kyc unknown", "kyb unknown"],
		],
	])("%s", async (_, kyb, related, expected) => {
		expect(states(await checklistOf(kyb, related)).join()).toContain(expected.join());
	});

	test("the KYC in full that no director has is a command, until the KYB is validated", async () => {
		const documents = page(owner({ kycInfo: { status: "VALIDATED", type: "DOC_ONLY" } }));
		const items = (await checklistOf(corporate("PENDING_VERIFICATION"), documents)).items;
		expect(items[4]).toMatchObject({ label: "Full KYC of a director, with liveness", command: `purser kyc plan ${id}` });
		expect((await checklistOf(corporate("VALIDATED"), documents)).complete).toBe(true);
	});

	test("everything done", async () => {
		const { ran } = await statusOf(corporate("VALIDATED"), page(owner()));
		expect([ran.exit, ran.stdout.includes("Everything is done.")]).toEqual([0, true]);
		expect(ran.stdout.split("\n").slice(4, 10)).toEqual([
			"  done      Latest terms accepted",
			"  done      Email of Ada Example verified",
			"  done      Owners and directors declared",
			"  done      KYC of Ada Example (in full)",
			"  done      KYB validated",
			"  done      Phone of Ada Example verified",
		]);
		expect(ran.stderr).toBe(`Next: purser ledger list --end-user-id ${id}\n`);
	});

	test("at the start everything is yours, and the next commands say how", async () => {
		const fresh = owner({ ...unverified, phone: undefined, kycInfo: { status: "NOT_STARTED" } });
		const { ran } = await statusOf(corporate("NOT_STARTED", { termsAccepted: false }), page(fresh));
		expect(ran.stdout).toContain(
			"  to do     Latest terms accepted\n            The account owner must accept; no financial services until then\n",
		);
		expect(ran.stdout).toContain("  optional  Phone of Ada Example verified");
		expect(ran.stderr.trim().split(/\n\s+/)).toEqual([
			`Next: purser terms accept ${id}`,
			`purser email send-link ${ada}`,
			`purser kyc link ${ada}`,
			`purser corporate review ${id}`,
		]);
	});

	test("several things to do about one point stand below it once", async () => {
		const alone = owner({ isDirector: false, directSharesPercentage: undefined, isUbo: false, kycInfo: undefined });
		const { ran } = await statusOf(corporate("NOT_STARTED"), page(alone));
		expect(ran.stdout).toContain(
			[
				"  to do     Owners and directors declared",
				"            Who holds the shares of Example Trading SAS is not declared: there may be a beneficial",
				"            owner among them",
				"            No director is declared, and every director has to be",
				"  to do     KYB validated",
			].join("\n"),
		);
		expect(ran.stderr.match(/purser related add/g)).toHaveLength(1);
	});

	test("waiting: for whom, and since when, as the journal knows; blocked: by what", async () => {
		const begun = owner({ ...unverified, kycInfo: { status: "CREATED", type: "FULL_KYC" } });
		const { world } = await statusOf(corporate("PENDING_VERIFICATION"), page(begun));
		for (const line of [`email send-link ${ada}`, `kyc link ${ada}`]) {
			await world.purser(line.split(" "));
			world.clock.advance(3_600_000);
		}
		await world.purser(["kyb", "request", id, ...everyGate]);
		world.clock.advance(3_600_000);
		const found = (await world.purser(["corporate", "status", id, "--json"])).json();
		const who = { relatedId: ada, state: "waiting", who: "Ada Example" };
		const [email, kyc] = ["purser email status", "purser kyc status"].map((command) => `${command} ${ada} --wait`);
		expect(found.complete).toBe(false);
		expect(found.items.filter(({ state }: { state: string }) => state !== "done")).toEqual([
			{ step: "email", label: "Email of Ada Example verified", ...who, since: "2026-03-01T10:00:00.000Z", command: email },
			{ step: "kyc", label: "KYC of Ada Example (in full)", ...who, since: "2026-03-01T11:00:00.000Z", command: kyc },
			{ step: "kyb", label: "KYB validated", state: "blocked", since: "2026-03-01T12:00:00.000Z", why: "1 KYC is not validated" },
		]);
	});

	test("a service that shows no KYC does not tell that a link was given: the journal does, while it is valid", async () => {
		const { world } = await statusOf(corporate("PENDING_VERIFICATION"), page(owner({ kycInfo: undefined })));
		const kyc = async () =>
			(await world.purser(["corporate", "status", id, "--json"])).json().items.find(({ step }: { step: string }) => step === "kyc");
		expect((await kyc()).state).toBe("to do");
		await world.purser(["kyc", "link", ada]);
		expect(await kyc()).toMatchObject({ state: "waiting", who: "Ada Example", since: "2026-03-01T10:00:00.000Z" });
		world.clock.advance(31 * day);
		expect((await kyc()).state).toBe("to do");
	});

	test("with every KYC done it is compliance that is waited for, since the corporate's last change", async () => {
		const { ran } = await statusOf(corporate("PENDING_VERIFICATION"), page(owner()));
		expect(ran.stdout).toContain("  waiting   KYB validated\n            for compliance team; since ");
		expect(ran.stdout).toContain("since 26 Feb, 3 days");
	});

	test("what compliance asks for is shown harmless, given, and then the verification asked for again", async () => {
		const asked = corporate("NEED_ADDITIONAL_INFORMATION", { kybStatusReason: "A newer\u001b[31m extract" });
		const { ran } = await statusOf(asked, page(owner()));
		expect([ran.stdout.includes("A newer"), ran.stdout.includes("\u001b")]).toEqual([true, false]);
		expect(ran.stderr).toBe(`Next: purser corporate update ${id} --set FIELD=VALUE\n      purser corporate review ${id}\n`);
		const declined = owner({ kycInfo: { status: "DECLINED", statusReason: "Blurred" } });
		expect((await statusOf(asked, page(declined))).ran.stderr).toMatch(new RegExp(`^Next: purser kyc link ${ada}\n`));
	});

	test("--explain says why each step is there, to people and in JSON, and a narrow terminal breaks lines between words", async () => {
		const { ran, world } = await statusOf(corporate("VALIDATED", { termsAccepted: false }), page(owner()), "--explain");
		expect(ran.stdout).toContain("The latest terms must be accepted before any financial service");
		const reason = async (...more: string[]) => (await world.purser(["corporate", "status", id, "--json", ...more])).json().items[4].reason;
		expect([await reason("--explain"), await reason()]).toEqual([expect.stringContaining("compliance team"), undefined]);
		const { stdout } = await world.purser(["corporate", "status", id, "--explain"], { columns: 50 });
		expect(stdout.split("\n").every((line) => line.length <= 50)).toBe(true);
		expect(stdout).toContain("            again after each update.\n");
	});

	test.each([
		["declined", corporate("DECLINED"), 5],
		["not there", { status: 404 }, 5],
		["no answer", { status: 503 }, 6],
	])("exit code of a look: %s", async (_, kyb, exit) => {
		expect((await statusOf(kyb, page(owner()))).ran.exit).toBe(exit);
	});

	test.each([
		["VALIDATED", 0],
		["DECLINED", 5],
		["NEED_ADDITIONAL_INFORMATION", 8],
		["PENDING_VERIFICATION", 8],
	])("kyb status --wait, when it comes to be %s: exit %i", async (kybStatus, exit) => {
		const world = await makeWorld();
		world.wire = answering({ [corporatePath]: ["COMPLETING", kybStatus].map((status) => corporate(status)), [listPath]: page(owner()) });
		expect((await world.purser(["kyb", "status", id, "--wait", "--wait-timeout", "60"])).exit).toBe(exit);
	});

	test("a whole onboarding in the sandbox, from nothing to complete", async () => {
		const world = await makeWorld();
		const json = async (...argv: string[]) => (await world.purser([...argv, "--json"])).json();
		const info = { ...harbourLights.accountOwnerInfo, directSharesPercentage: 100 };
		world.files.set("company.json", new TextEncoder().encode(JSON.stringify({ ...harbourLights, accountOwnerInfo: info })));
		const made = await json("corporate", "create", "--file", "company.json");
		const status = async () => states(await json("corporate", "status", made.corporateId));
		expect(await status()).toEqual(["terms to do", "email to do", "related done", "kyc to do", "kyb to do", "phone optional"]);
		await json("terms", "accept", made.corporateId, "--yes", "--confirmed-by", "operator");
		await json("email", "send-link", made.accountOwnerId);
		await json("kyb", "request", made.corporateId, ...unread);
		await json("kyc", "link", "--all", "--corporate-id", made.corporateId);
		expect(await status()).toEqual(["terms done", "email waiting", "related done", "kyc waiting", "kyb blocked", "phone optional"]);
		await json("sandbox", "simulate", "email", made.accountOwnerId);
		await json("sandbox", "simulate", "kyc", made.accountOwnerId);
		expect((await world.purser(["kyb", "status", made.corporateId, "--wait"])).exit).toBe(0);
		expect(await json("corporate", "status", made.corporateId)).toMatchObject({ complete: true, kybStatus: "VALIDATED" });
		await json("sandbox", "simulate", "terms");
		expect((await status())[0]).toBe("terms to do");
	});
});
