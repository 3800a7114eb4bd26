/**
 * What a person is checked by: the email, the phone and the KYC. That each `--wait` looks again, ends at its limit and by Ctrl-C is in
 * waits.test.ts, and that an answer without a status is no success in unread.test.ts.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { answered, makeWorld, type RunOptions, type World } from "../support/purser.js";
import { type Answers, answering, type Canned } from "./answers.js";

const id = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const recordLine = `GET /api/partner/corporates/related/${id}`;
const emailLine = "POST /api/partner/verifications/email/send";
const sendLine = "POST /api/partner/verifications/phone/send";
const verifyLine = "POST /api/partner/verifications/phone/verify";
const linkLine = "POST /api/partner/kyc";
const correctPhone = `purser related update ${id} --phone.country-code CODE --phone.number DIGITS`;

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});
/** Runs a line against these answers. */
const run = (line: string, answers: Answers = {}, options: RunOptions = {}) => {
	world.wire = answering(answers);
	return world.purser(line, options);
};
const sent = () => world.requests.map(({ line, body }) => [line, body]);
const all = (text: string, ...parts: string[]) => {
	for (const part of parts) expect(text).toContain(part);
};

test.each([
	["email send-link", 2],
	["email send-link ada", 3],
	[`email send-link ${id} --url-on-success javascript:1`, 3],
	[`email send-link ${id} --dry-run`, 0],
	[`kyc link ${id} --dry-run`, 0],
])("%s sends nothing: exit %i", async (line, exit) => {
	expect([(await run(line)).exit, world.requests]).toEqual([exit, []]);
});

describe("email", () => {
	const ada = (verified?: boolean) => ({ id, firstName: "Ada", lastName: "Example", email: { address: "ada@example.com", verified } });

	test("send-link asks for the link and says how long it is valid", async () => {
		const ran = await run(`email send-link ${id}`, { [emailLine]: { body: { ttl: "PT48H" } } });
		const until = "Valid until  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d [+-]\\d\\d:\\d\\d \\(in 2 days\\)";
		expect([ran.exit, ran.stdout]).toEqual([
			0,
			expect.stringMatching(new RegExp(`^Verification link sent\\nId           ${id}\\n${until}\\n$`)),
		]);
		expect(ran.stderr).toBe(`Next: purser email status ${id} --wait\n`);
		expect(sent()).toEqual([[emailLine, `{"relatedPhysicalPersonId":"${id}"}`]]);
	});

	test("status: not verified is exit 0 on a look, with the two ways on; a service that does not say is unknown, never verified", async () => {
		const ran = await run(`email status ${id}`, { [recordLine]: { body: ada(false) } });
		expect([ran.exit, ran.stdout]).toEqual([0, `Person    Ada Example\nId        ${id}\nEmail     ada@example.com\nVerified  no\n`]);
		expect(ran.stderr).toBe(`Next: purser email send-link ${id}\n      purser related update ${id} --email-address ADDRESS\n`);
		const verified = await run(`email status ${id} --wait --json`, { [recordLine]: { body: ada(true) } });
		expect(verified.json()).toEqual({ ...ada(true), emailVerified: true });
		expect((await run(`email status ${id}`, { [recordLine]: { body: ada() } })).stdout).toContain("Verified  unknown");
	});

	test.each([id.toUpperCase(), undefined, "r-17"])("an answer that names the person as %s is of no other record", async (named) => {
		expect((await run(`email status ${id} --wait`, { [recordLine]: { body: { ...ada(true), id: named } } })).exit).toBe(0);
	});
});

describe("phone", () => {
	const refused = (status: number, errorCode: string, message = errorCode): Canned => ({ status, body: { status, errorCode, message } });
	const verify = (flags: string, answer: Canned = {}, options: RunOptions = {}) =>
		run(`phone verify ${id} ${flags}`, { [verifyLine]: answer }, options);

	test("send-code: in a sandbox the code is told, since no SMS is sent; on a live profile it is not", async () => {
		const answer = { [sendLine]: { body: { ttl: "PT10M" } } };
		const ran = await run(`phone send-code ${id}`, answer);
		expect([ran.exit, ran.stderr]).toEqual([0, `Next: purser phone verify ${id} --code 123456\n`]);
		all(ran.stdout, "Sandbox      no SMS is sent; the code is 123456", "(in 10 minutes)");
		expect(sent()).toEqual([[sendLine, `{"relatedPhysicalPersonId":"${id}"}`]]);
		const live = { environment: "live", baseUrl: "https://api.example.com", auth: { kind: "none" } };
		Object.assign(world.profiles.get("sandbox") ?? {}, live);
		const there = await run(`phone send-code ${id} --yes --live`, answer);
		expect(there.stdout).not.toContain("123456");
		expect(there.stderr).toBe(`Profile sandbox  LIVE  api.example.com\nNext: purser phone verify ${id}\n`);
	});

	test("send-code refused: how the number on record is corrected", async () => {
		const ran = await run(`phone send-code ${id}`, { [sendLine]: refused(409, "PHONE_REQUIRED", "This person has no phone number") });
		expect(ran.exit).toBe(5);
		all(ran.stderr, "This person has no phone number", correctPhone);
	});

	test("the right code", async () => {
		const ran = await verify("--code 012345 --json");
		expect([ran.exit, ran.json()]).toEqual([0, { relatedPhysicalPersonId: id, phoneVerified: true }]);
		expect(sent()).toEqual([[verifyLine, `{"relatedPhysicalPersonId":"${id}","code":"012345"}`]]);
	});

	test.each([
		[400, "INVALID_PHONE_CODE"],
		[409, "PHONE_CODE_LOCKED"],
	])("a code refused with %i %s: how to get another, and to correct the number", async (status, errorCode) => {
		const ran = await verify("--code 111111", refused(status, errorCode, `${errorCode}: 4 tries are left`));
		expect(ran.exit).toBe(5);
		all(ran.stderr.replace(/\s+/g, " "), `${errorCode}: 4 tries are left`, "ask for a new code (phone send-code)", correctPhone);
	});

	test("a code that the service did not look at is sent again when it says", async () => {
		world.wire = async () => answered(429, "", { "retry-after": "90" });
		const { exit, stderr } = await world.purser(`phone verify ${id} --code 111111`);
		expect([exit, stderr]).toEqual([5, expect.stringMatching(/Next: +Run this again in 90 s\n$/)]);
	});

	test.each([
		...["12345", "12345a", "１２３４５６", "123456\n"].map((code) => [code, {}, ["--code", code]] as const),
		...["", "98765", "987654 321", "9".repeat(5_000)].map((input) => [input.slice(0, 12), { input }, ["--code-stdin"]] as const),
	])("%j is no code: exit 3, nothing is sent or quoted", async (_, options, flags) => {
		const ran = await world.purser(["phone", "verify", id, ...flags], options);
		expect([ran.exit, world.requests, ran.stderr]).toEqual([3, [], expect.stringContaining("must be the 6 digits of the SMS")]);
		expect(ran.stderr).not.toContain("987");
	});

	test.each(["123456", "  123456\r\n"])("the code comes by standard input too: %j", async (input) => {
		expect((await verify("--code-stdin", {}, { input })).exit).toBe(0);
		expect(sent()).toEqual([[verifyLine, `{"relatedPhysicalPersonId":"${id}","code":"123456"}`]]);
	});

	test("what is missing is named, at a terminal a code is asked for, and one given in both ways is refused", async () => {
		expect((await verify("")).stderr).toContain("--code");
		const both = await verify("--code 123456 --code-stdin", {}, { input: "123456" });
		expect([both.exit, both.stderr, world.requests]).toEqual([3, expect.stringContaining("cannot be combined with --code"), []]);
		const ran = await verify("", {}, { answers: ["12", "123456"] });
		expect([ran.exit, world.asked.map(({ kind }) => kind)]).toEqual([0, ["text", "text"]]);
		expect(world.requests[0]?.body).toContain('"code":"123456"');
	});
});

describe("kyc link", () => {
	const ada = (more: object = {}) => ({ id, firstName: "Ada", lastName: "Example", isDirector: true, ...more });
	const link = { id: "1d2e3f40-5a6b-4c7d-8e9f-0a1b2c3d4e5f", url: "https://kyc.example.com/s/abc", ttl: "PT720H" };
	const linkOf = (record: object, flags = "", answer: Canned = { body: link }) =>
		run(`kyc link ${id} ${flags}`, { [recordLine]: { body: record }, [linkLine]: answer });

	test("the link, its end, and whom it is for", async () => {
		const ran = await linkOf(ada());
		expect([ran.exit, ran.stderr]).toEqual([0, `Next: purser kyc status ${id} --wait\n`]);
		expect(ran.stdout).toMatch(/^KYC link obtained\nPerson {7}Ada Example\n/);
		all(ran.stdout, "Link         https://kyc.example.com/s/abc\n", "(in 30 days)\n", "Send the link to this person only");
		const body = `{"relatedPhysicalPersonId":"${id}","kycConfiguration":{"accessType":"LINK"}}`;
		expect(sent()).toEqual([
			[recordLine, ""],
			[linkLine, body],
		]);
	});

	test("--json keeps the service's fields; a deployment that says link is read too; where the person is led afterwards travels along", async () => {
		const ran = await linkOf(ada(), "--json --kyc-configuration.url-on-complete https://www.example.com/done");
		expect(ran.json()).toEqual({ relatedPhysicalPersonId: id, name: "Ada Example", ...link, expiresAt: "2026-03-31T10:00:00.000Z" });
		const { kycConfiguration } = JSON.parse(world.requests[1]?.body ?? "");
		expect(kycConfiguration).toEqual({ accessType: "LINK", urlOnComplete: "https://www.example.com/done" });
		const other = await linkOf(ada(), "", { body: { link: "https://kyc.example.com/l" } });
		expect(other.stdout).toContain("Link         https://kyc.example.com/l\n");
	});

	test.each<[string, Canned]>([
		["nothing at all", { status: 204 }],
		["a link under another name", { body: { id: "k1", kycAddress: "https://kyc.example.com/s/abc", ttl: "PT720H" } }],
	])("%s is no link obtained: exit 7, and its answer is still shown", async (_name, answer) => {
		const ran = await linkOf(ada(), "", answer);
		expect([ran.exit, ran.stdout]).toEqual([7, "No KYC link: the service's answer has none; see it with --json\n"]);
		all(ran.stderr, "Warning: The service accepted the request but gave no link.", "purser help mapping");
		const json = await linkOf(ada(), "--json", answer);
		expect([json.exit, json.json()]).toEqual([7, { relatedPhysicalPersonId: id, name: "Ada Example", ...(answer.body as object) }]);
	});

	test.each([false, true])("a KYC that nobody needs is told of, because the KYB waits for it; not that of a UBO: %s", async (isUbo) => {
		const ran = await linkOf(ada({ isDirector: false, isUbo }));
		const unneeded = "Warning: Ada Example is neither a director nor a UBO, so no KYC is needed. Once requested, the KYB waits for it\n";
		expect([ran.exit, ran.stderr.includes(unneeded)]).toEqual([0, !isUbo]);
	});

	test("a link that is still valid is told of before a new one; an old or a declined one is not", async () => {
		const told = async (status: string) => (await linkOf(ada({ kycInfo: { status } }))).stderr;
		expect(await told("CREATED")).toContain("Warning: Ada Example already has a KYC link; this creates a new one");
		const until = "Warning: Ada Example already has a KYC link, valid until 2026-03-31; this creates a new one";
		expect(await told("CREATED")).toContain(until);
		expect(await told("DECLINED")).not.toContain("already has");
	});

	test("a company is refused here: exit 10, nothing is asked of the service; where the record cannot be had, the service decides", async () => {
		const ran = await linkOf({ id, corporateName: "Example Holding BV" });
		expect([ran.exit, sent()]).toEqual([10, [[recordLine, ""]]]);
		expect(ran.stderr).toContain("Example Holding BV is a company, and a KYC is for physical persons. Nothing was sent");
		const blind = await run(`kyc link ${id}`, { [linkLine]: { body: link } });
		expect([blind.exit, blind.stdout.includes(id)]).toEqual([0, true]);
		expect(blind.stderr).toContain("whether it is a person was not checked");
	});
});

describe("kyc status", () => {
	const record = (kycInfo: object) => ({ id, firstName: "Ada", lastName: "Example", isDirector: true, kycInfo });
	const status = (kycInfo: object, flags = "") => run(`kyc status ${id} ${flags}`, { [recordLine]: { body: record(kycInfo) } });

	test("type, status and reason; --json is the record", async () => {
		const kycInfo = { status: "PENDING_REVIEW", type: "FULL_KYC", statusReason: "Second look" };
		const ran = await status(kycInfo);
		expect([ran.exit, ran.stderr]).toEqual([0, `Next: purser kyc status ${id} --wait\n`]);
		expect(ran.stdout).toBe(
			`Person  Ada Example\nId      ${id}\nKYC     PENDING_REVIEW\nType    FULL_KYC (documents and liveness)\nReason  Second look\n`,
		);
		expect((await status(kycInfo, "--json")).json()).toEqual(record(kycInfo));
	});

	test.each([
		[{ status: "VALIDATED", type: "DOC_ONLY" }, 0, 0],
		[{ status: "NOT_STARTED", type: "NOT_REQUIRED" }, 0, 0],
		[{ status: "DECLINED", type: "FULL_KYC" }, 5, 5],
		[{ status: "CREATED" }, 0, 8],
		[{ status: "PROCESSING" }, 0, 8],
		[{ status: "SOMETHING_NEW" }, 0, 8],
	])("%j: exit %i on a look, %i with --wait", async (kyc, look, wait) => {
		expect((await status(kyc)).exit).toBe(look);
		const ran = await status(kyc, "--wait --wait-timeout 5");
		expect([ran.exit, ran.stdout.includes(kyc.status)]).toEqual([wait, true]);
	});
});
