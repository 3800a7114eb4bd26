import { describe, expect, test } from "vitest";
import { everyGate, unread } from "../support/gates.js";
import { makeWorld } from "../support/purser.js";
import { answering } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const ada = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
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
	world.wire = answering({ [corporatePath]: kyb as never, [listPath]: related as never });
	return { world, ran: await world.purser(["corporate", "status", id, ...flags]) };
}
const states = (checklist: { items: { step: string; state: string }[] }) => checklist.items.map(({ step, state }) => `${step} ${state}`);

describe("corporate status", () => {
	test("shares that cannot be read are nothing that is done", async () => {
		const grace = { id: "9b3e7d2f-1ca5-4e8d-8d46-3f7a2b8c5e91", firstName: "Grace", lastName: "Sample", directSharesPercentage: "5,5" };
		const { ran } = await statusOf(corporate("PENDING_VERIFICATION"), page(owner(), grace), "--json");
		expect(states(ran.json())).toContain("related to do");
	});

	test("directors of whom the service asks documents only: that the one in full is missing is said, until the KYB is validated", async () => {
		const documents = owner({ kycInfo: { status: "VALIDATED", type: "DOC_ONLY" } });
		const { ran } = await statusOf(corporate("PENDING_VERIFICATION"), page(documents), "--json");
		expect(states(ran.json()).slice(3, 6)).toEqual(["kyc done", "kyc to do", "kyb blocked"]);
		expect(ran.json().items[4]).toMatchObject({ label: "Full KYC of a director, with liveness", command: `purser kyc plan ${id}` });
		const validated = await statusOf(corporate("VALIDATED"), page(documents), "--json");
		expect(validated.ran.json().complete).toBe(true);
	});

	test("everything done", async () => {
		const { ran } = await statusOf(corporate("VALIDATED"), page(owner()));
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toContain("Everything is done.");
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
		const fresh = owner({ email: { address: "ada@example.com", verified: false }, phone: undefined, kycInfo: { status: "NOT_STARTED" } });
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
		const world = await makeWorld();
		const begun = owner({ email: { address: "ada@example.com", verified: false }, kycInfo: { status: "CREATED", type: "FULL_KYC" } });
		world.wire = answering({
			[corporatePath]: corporate("PENDING_VERIFICATION"),
			[listPath]: page(begun),
			[`GET /api/partner/corporates/related/${ada}`]: { body: begun },
			"POST /api/partner/verifications/email/send": { body: { ttl: "PT48H" } },
			"POST /api/partner/kyc": { body: { url: "https://kyc.example.com/s/a" } },
			[`POST /api/partner/corporates/${id}/kyb`]: {},
			// Hours pass: where no token is to be had, it is waited for what another process may store.
			"POST /api/partner/refresh": { body: { token: "a-later-token", refreshToken: "another" } },
		});
		await world.purser(["email", "send-link", ada]);
		world.clock.advance(3_600_000);
		await world.purser(["kyc", "link", ada]);
		world.clock.advance(3_600_000);
		await world.purser(["kyb", "request", id, ...everyGate]);
		world.clock.advance(3_600_000);
		const found = (await world.purser(["corporate", "status", id, "--json"])).json();
		expect(found.items.filter(({ state }: { state: string }) => state !== "done")).toEqual([
			{
				step: "email",
				label: "Email of Ada Example verified",
				relatedId: ada,
				state: "waiting",
				who: "Ada Example",
				since: "2026-03-01T10:00:00.000Z",
				command: `purser email status ${ada} --wait`,
			},
			{
				step: "kyc",
				label: "KYC of Ada Example (in full)",
				relatedId: ada,
				state: "waiting",
				who: "Ada Example",
				since: "2026-03-01T11:00:00.000Z",
				command: `purser kyc status ${ada} --wait`,
			},
			{ step: "kyb", label: "KYB validated", state: "blocked", since: "2026-03-01T12:00:00.000Z", why: "1 KYC is not validated" },
		]);
		expect(found.complete).toBe(false);
	});

	test("a service that shows no KYC does not tell that a link was given: the journal does, while it is valid", async () => {
		const world = await makeWorld();
		const silent = owner({ kycInfo: undefined });
		world.wire = answering({
			[corporatePath]: corporate("PENDING_VERIFICATION"),
			[listPath]: page(silent),
			[`GET /api/partner/corporates/related/${ada}`]: { body: silent },
			"POST /api/partner/kyc": { body: { link: "https://kyc.example.com/s/a" } },
			"POST /api/partner/refresh": { body: { token: "a-later-token", refreshToken: "another" } },
		});
		const kyc = async () =>
			(await world.purser(["corporate", "status", id, "--json"])).json().items.find(({ step }: { step: string }) => step === "kyc");
		expect((await kyc()).state).toBe("to do");
		await world.purser(["kyc", "link", ada]);
		expect(await kyc()).toMatchObject({ state: "waiting", who: "Ada Example", since: "2026-03-01T10:00:00.000Z" });
		world.clock.advance(31 * 24 * 3_600_000);
		expect((await kyc()).state).toBe("to do");
	});

	test("with every KYC done it is compliance that is waited for, since the corporate's last change", async () => {
		const { ran } = await statusOf(corporate("PENDING_VERIFICATION"), page(owner()));
		expect(ran.stdout).toContain("  waiting   KYB validated\n            for compliance team; since ");
		expect(ran.stdout).toContain("since 26 Feb, 3 days");
	});

	test("what is asked for, a declined KYC, and a gap in the declaration", async () => {
		const declined = owner({
			kycInfo: { status: "DECLINED", statusReason: "Blurred\u001b[31m" },
			isUbo: false,
			directSharesPercentage: 60,
		});
		const { ran } = await statusOf(
			corporate("NEED_ADDITIONAL_INFORMATION", { kybStatusReason: "A newer extract" }),
			page(declined),
			"--json",
		);
		expect(states(ran.json())).toEqual([
			"terms done",
			"email done",
			"related to do",
			"related to do",
			"kyc declined",
			"kyb to do",
			"phone done",
		]);
		const { ran: text } = await statusOf(corporate("NEED_ADDITIONAL_INFORMATION", { kybStatusReason: "A newer extract" }), page(declined));
		expect(text.stdout).toContain("A newer extract");
		expect(text.stdout).not.toContain("\u001b");
		expect(text.stderr).toMatch(new RegExp(`^Next: purser kyc link ${ada}\n`));
	});

	test("what compliance asks for is given, and then the verification asked for again", async () => {
		const { ran } = await statusOf(corporate("NEED_ADDITIONAL_INFORMATION"), page(owner()));
		expect(ran.stderr).toBe(`Next: purser corporate update ${id} --set FIELD=VALUE\n      purser corporate review ${id}\n`);
	});

	test("--explain says why each step is there, to people and in JSON", async () => {
		const { ran, world } = await statusOf(corporate("VALIDATED"), page(owner()), "--explain");
		expect(ran.stdout).toContain("The latest terms must be accepted before any financial service");
		expect((await world.purser(["corporate", "status", id, "--explain", "--json"])).json().items[4].reason).toContain("compliance team");
		expect((await world.purser(["corporate", "status", id, "--json"])).json().items[4].reason).toBeUndefined();
	});

	test("a narrow terminal breaks lines between words", async () => {
		const { world } = await statusOf(corporate("PENDING_VERIFICATION", { termsAccepted: false }), page(owner()));
		const { stdout } = await world.purser(["corporate", "status", id, "--explain"], { columns: 50 });
		expect(stdout.split("\n").every((line) => line.length <= 50)).toBe(true);
		expect(stdout).toContain("            again after each update.\n");
	});

	test("a deployment that lists no related entities, and says little else", async () => {
		const { ran } = await statusOf({ body: { id } }, { status: 404 }, "--json");
		expect(ran.exit).toBe(0);
		expect(states(ran.json())).toEqual(["terms unknown", "related unknown", "kyc unknown", "kyb unknown"]);
	});

	test("exit codes of a look: declined 5, not there 5, no answer 6", async () => {
		expect((await statusOf(corporate("DECLINED"), page(owner()))).ran.exit).toBe(5);
		expect((await statusOf({ status: 404 }, page())).ran.exit).toBe(5);
		expect((await statusOf({ status: 503 }, page())).ran.exit).toBe(6);
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
		const owned = [
			"--account-owner-info.first-name",
			"Ada",
			"--account-owner-info.last-name",
			"Example",
			"--account-owner-info.email-address",
			"ada@example.com",
		];
		const place = ["--registered-address.iso-country-code", "FRA", "--expected-monthly-expenses.value", "LESS_THAN_10_000"];
		const made = await json(
			...[
				"corporate",
				"create",
				"--corporate-name",
				"Example Bakery SARL",
				"--incorporation-country",
				"FRA",
				"--incorporation-code",
				"000 000 001",
			],
			...["--industry", "FOOD_RESTAURANT_CATERING", "--expected-monthly-expenses.currency", "EUR", "--account-owner-info.position", "CEO"],
			...["--account-owner-info.is-director", "--account-owner-info.direct-shares-percentage", "100", ...place, ...owned],
		);
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
