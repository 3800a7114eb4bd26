/**
 * What a company still needs: `corporate status`, `kyb status` and `kyb request`. What holds a request back is in kyb-gates.test.ts, that
 * `kyb status --wait` looks again and ends at its limit in waits.test.ts.
 */
import { describe, expect, test } from "vitest";
import { gatesLine } from "../support/gates.js";
import type { World } from "../support/purser.js";
import { type Answers, ada, answering, type Canned, page, validatedOwner, worldAnswering } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const requestPath = `POST /api/partner/corporates/${id}/kyb`;
const corporatePath = `GET /api/partner/corporates/${id}`;
const listPath = `GET /api/partner/corporates/${id}/related`;
const record = (kybStatus: string, more: object = {}) => ({
	...{ id, corporateName: "Example Trading SAS", termsAccepted: true, kybStatus, updateDate: "2026-02-26T10:00:00Z" },
	...more,
});
const corporate = (kybStatus: string, more: object = {}): Canned => ({ body: record(kybStatus, more) });
const unverified = { email: { address: "ada@example.com", verified: false } };
const day = 24 * 3_600_000;

/** A world of one company, whose owner is the first of the list. */
const worldOf = (kyb: Answers[string], related: Canned): Promise<World> =>
	worldAnswering({
		[corporatePath]: kyb,
		[listPath]: related,
		[`GET /api/partner/corporates/related/${ada}`]: { body: (related.body as { content?: object[] } | undefined)?.content?.[0] },
		"POST /api/partner/verifications/email/send": { body: { ttl: "PT48H" } },
		"POST /api/partner/kyc": { body: { link: "https://kyc.example.com/s/a" } },
		[requestPath]: {},
		// Hours pass: where no token is to be had, it is waited for what another process may store.
		"POST /api/partner/refresh": { body: { token: "a-later-token", refreshToken: "another" } },
	});
const statusOf = async (kyb: Canned, related: Canned, ...flags: string[]) =>
	(await worldOf(kyb, related)).purser(["corporate", "status", id, ...flags]);

describe("corporate status", () => {
	const half = { body: { content: [validatedOwner()], totalElements: 2 } };
	test.each<[string, Canned, Canned, string[]]>([
		[
			"shares that cannot be read are nothing that is done",
			corporate("PENDING_VERIFICATION"),
			page(validatedOwner(), { id: "9b3e7d2f-1ca5-4e8d-8d46-3f7a2b8c5e91", firstName: "Grace", directSharesPercentage: "5,5" }),
			["related to do"],
		],
		[
			"directors of whom the service asks documents only lack the one in full",
			corporate("PENDING_VERIFICATION"),
			page(validatedOwner({ kycInfo: { status: "VALIDATED", type: "DOC_ONLY" } })),
			["kyc done", "kyc to do", "kyb blocked"],
		],
		[
			"what is asked for, a declined KYC, and a gap in the declaration",
			corporate("NEED_ADDITIONAL_INFORMATION", { kybStatusReason: "A newer extract" }),
			page(validatedOwner({ kycInfo: { status: "DECLINED", statusReason: "Blurred" }, isUbo: false, directSharesPercentage: 60 })),
			["terms done", "email done", "related to do", "related to do", "kyc declined", "kyb to do", "phone done"],
		],
		[
			"a deployment that lists no related entities, and says little else",
			{ body: { id } },
			{ status: 404 },
			["terms unknown", "related unknown", "kyc unknown", "kyb unknown"],
		],
		[
			"an account owner whom nobody names: the email is not known to be verified",
			corporate("VALIDATED"),
			page(validatedOwner({ isAccountOwner: undefined })),
			["email unknown"],
		],
		["a part of the related entities proves nothing of the others", corporate("PENDING_VERIFICATION"), half, ["related unknown"]],
	])("%s", async (_, kyb, related, expected) => {
		const { items, complete } = (await statusOf(kyb, related, "--json")).json();
		const states = items.map(({ step, state }: Record<string, string>) => `${step} ${state}`).join();
		expect([complete, states]).toEqual([false, expect.stringContaining(expected.join())]);
	});

	test("everything done", async () => {
		const ran = await statusOf(corporate("VALIDATED"), page(validatedOwner()));
		expect([ran.exit, ran.stdout.includes("Everything is done.")]).toEqual([0, true]);
		expect(ran.stdout.split("\n").slice(4, 10)).toEqual([
			...["  done      Latest terms accepted", "  done      Email of Ada Example verified"],
			...["  done      Owners and directors declared", "  done      KYC of Ada Example (in full)"],
			...["  done      KYB validated", "  done      Phone of Ada Example verified"],
		]);
		expect(ran.stderr).toBe(`Next: purser ledger list --end-user-id ${id}\n`);
	});

	test("at the start everything is yours, and the next commands say how", async () => {
		const fresh = validatedOwner({ ...unverified, phone: undefined, kycInfo: { status: "NOT_STARTED" } });
		const ran = await statusOf(corporate("NOT_STARTED", { termsAccepted: false }), page(fresh));
		for (const text of [
			"\nPayments  stopped: terms not accepted; KYB not started\n",
			"  to do     Latest terms accepted\n            The account owner must accept; no financial services until then\n",
			"  optional  Phone of Ada Example verified",
		])
			expect(ran.stdout).toContain(text);
		const next = [`terms accept ${id}`, `email send-link ${ada}`, `kyc link ${ada}`, `corporate review ${id}`];
		expect(ran.stderr.trim().split(/\n\s+/)).toEqual(next.map((line, at) => `${at === 0 ? "Next: " : ""}purser ${line}`));
	});

	test("waiting: for whom, and since when, as the journal knows; blocked: by what", async () => {
		const begun = validatedOwner({ ...unverified, kycInfo: { status: "CREATED", type: "FULL_KYC" } });
		const world = await worldOf([corporate("COMPLETING"), corporate("PENDING_VERIFICATION")], page(begun));
		for (const line of [`email send-link ${ada}`, `kyc link ${ada}`, `kyb request ${id} ${gatesLine}`]) {
			await world.purser(line);
			world.clock.advance(3_600_000);
		}
		const found = await world.json(`corporate status ${id}`);
		const who = { relatedId: ada, state: "waiting", who: "Ada Example" };
		const [email, kyc] = ["purser email status", "purser kyc status"].map((command) => `${command} ${ada} --wait`);
		expect(found.items.filter(({ state }: { state: string }) => state !== "done")).toEqual([
			{ step: "email", label: "Email of Ada Example verified", ...who, since: "2026-03-01T10:00:00.000Z", command: email },
			{ step: "kyc", label: "KYC of Ada Example (in full)", ...who, since: "2026-03-01T11:00:00.000Z", command: kyc },
			{ step: "kyb", label: "KYB validated", state: "blocked", since: "2026-03-01T12:00:00.000Z", why: "1 KYC is not validated" },
		]);
	});

	test("a service that shows no KYC does not tell that a link was given: the journal does, while it is valid", async () => {
		const world = await worldOf(corporate("PENDING_VERIFICATION"), page(validatedOwner({ kycInfo: undefined })));
		const kyc = async () => (await world.json(`corporate status ${id}`)).items.find(({ step }: { step: string }) => step === "kyc");
		expect((await kyc()).state).toBe("to do");
		await world.purser(`kyc link ${ada}`);
		expect(await kyc()).toMatchObject({ state: "waiting", who: "Ada Example", since: "2026-03-01T10:00:00.000Z" });
		world.clock.advance(31 * day);
		expect((await kyc()).state).toBe("to do");
	});

	test("with every KYC done it is compliance that is waited for, since the corporate's last change", async () => {
		const ran = await statusOf(corporate("PENDING_VERIFICATION"), page(validatedOwner()));
		expect(ran.stdout).toContain("  waiting   KYB validated\n            for compliance team; since 2026-02-26, 3 days");
	});

	test("what compliance asks for is shown harmless, given, and then the verification asked for again", async () => {
		const asked = corporate("NEED_ADDITIONAL_INFORMATION", { kybStatusReason: "A newer\u001b[31m extract" });
		const ran = await statusOf(asked, page(validatedOwner()));
		expect([ran.stdout.includes("A newer"), ran.stdout.includes("\u001b")]).toEqual([true, false]);
		expect(ran.stderr).toBe(`Next: purser corporate review ${id}\n`);
		const declined = validatedOwner({ kycInfo: { status: "DECLINED", statusReason: "Blurred" } });
		expect((await statusOf(asked, page(declined))).stderr).toMatch(new RegExp(`^Next: purser kyc link ${ada}\n`));
	});

	test("--explain says why each step is there, to people and in JSON, and a narrow terminal breaks lines between words", async () => {
		const world = await worldOf(corporate("VALIDATED", { termsAccepted: false }), page(validatedOwner()));
		const { stdout } = await world.purser(`corporate status ${id} --explain`, { columns: 50 });
		expect(stdout.replace(/\s+/g, " ")).toContain("The latest terms must be accepted before any financial service");
		expect(stdout.split("\n").every((line) => line.length <= 50)).toBe(true);
		expect(stdout).toContain("            again after each update.\n");
		const reason = async (flag = "") => (await world.json(`corporate status ${id} ${flag}`)).items[4].reason;
		expect([await reason("--explain"), await reason()]).toEqual([expect.stringContaining("compliance team"), undefined]);
	});
});

describe("kyb request", () => {
	const request = async (answers: Answers) => {
		const world = await worldAnswering(answers);
		return { world, ran: await world.purser(`kyb request ${id} ${gatesLine}`) };
	};

	test("asks without a body, then tells the status and where what is missing is told", async () => {
		const related = page(validatedOwner({ kycInfo: { status: "NOT_STARTED" } }));
		const later = [corporate("COMPLETING"), corporate("PENDING_VERIFICATION")];
		const { world, ran } = await request({ [requestPath]: {}, [corporatePath]: later, [listPath]: related });
		const shown = `KYB requested\nCompany  Example Trading SAS\nId       ${id}\nKYB      PENDING_VERIFICATION\n`;
		expect([ran.exit, ran.stdout]).toEqual([0, shown]);
		expect(ran.stderr).toContain(`Next: purser corporate status ${id}\n      purser kyb status ${id} --wait\n`);
		expect(world.changes()).toMatchObject([{ line: requestPath, body: "" }]);
		const again = await world.purser(`kyb request ${id} --json`);
		expect([again.exit, again.json().sent, world.changes().length]).toEqual([0, false, 1]);
		// A status that nobody knows keeps the gates.
		const unknown = await worldOf(corporate("BRAND_NEW"), page(validatedOwner({ isDirector: false })));
		expect([(await unknown.purser(`kyb request ${id}`)).exit, unknown.changes()]).toEqual([10, []]);
	});

	const refused = (errorCode: string, message: string, status = 409): Canned => ({ status, body: { status, errorCode, message } });
	test.each<[string, Canned, number, string[]]>([
		["a record that cannot be read back is no failure", { status: 202 }, 0, ["The change was made, but it could not be read back"]],
		[
			"one that cannot be asked for as it stands: how it stands is the next question",
			refused("KYB_DECLINED", "The KYB was declined"),
			5,
			["The KYB was declined", `Next: See how it stands: purser kyb status ${id}\n`],
		],
		["the service refuses", refused("X", "no director is declared", 400), 5, ["no director is declared"]],
	])("%s", async (_, answer, exit, told) => {
		const { ran } = await request({ [requestPath]: answer });
		expect(ran.exit).toBe(exit);
		for (const text of told) expect(ran.stderr).toContain(text);
	});
});

describe("kyb status", () => {
	const look = async (kyb: Canned, flags = "") => {
		const world = await worldOf(kyb, page());
		return { world, ran: await world.purser(`kyb status ${id} ${flags}`) };
	};

	test("how it stands, and where what it needs is told", async () => {
		const { ran } = await look(corporate("NEED_ADDITIONAL_INFORMATION", { kybStatusReason: "Proof of address", termsAccepted: false }));
		const shown = "KYB             NEED_ADDITIONAL_INFORMATION\nReason          Proof of address\nTerms accepted  no\n";
		expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining(shown)]);
		expect(ran.stderr).toBe(`Next: purser corporate status ${id}\n      purser kyb status ${id} --wait\n`);
	});

	test("a list of related entities that was cut is told by every look at a case", async () => {
		const cut = { body: { content: [validatedOwner()], totalElements: 2 } };
		const world = await worldOf(corporate("PENDING_VERIFICATION"), cut);
		const ran = await world.purser(`corporate status ${id}`);
		const warning = "Warning: The service did not list all related entities; what is shown may miss some\n";
		expect([ran.exit, ran.stderr]).toEqual([0, expect.stringContaining(warning)]);
		world.wire = answering({ "GET /api/partner/corporates": { body: [record("COMPLETING")] }, [listPath]: cut });
		expect((await world.purser("overview")).stderr).toContain("could not all be read: the service did not list all of them\n");
	});

	test("validated: ledgers come next; --json is the record", async () => {
		const { world, ran } = await look(corporate("VALIDATED"), "--wait");
		expect([ran.exit, ran.stderr]).toEqual([0, expect.stringContaining(`Next: purser ledger list --end-user-id ${id}`)]);
		expect(await world.json(`kyb status ${id}`)).toEqual(record("VALIDATED"));
	});

	test("--wait does not go on when somebody has to act: exit 8 at once, and it does not claim to have waited", async () => {
		const { ran, world } = await look(corporate("NEED_ADDITIONAL_INFORMATION"), "--wait --wait-timeout 600");
		expect([ran.exit, world.requests.length, ran.stderr.includes("Still not final")]).toEqual([8, 1, false]);
		expect(ran.stderr).toContain(`purser corporate status ${id}`);
	});
});
