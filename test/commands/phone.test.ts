import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const id = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const sendLine = "POST /api/partner/verifications/phone/send";
const verifyLine = "POST /api/partner/verifications/phone/verify";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

describe("phone send-code", () => {
	test("in a sandbox the code is told, since no SMS is sent", async () => {
		world.wire = answering({ [sendLine]: { body: { ttl: "PT10M" } } });
		const ran = await world.purser(["phone", "send-code", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toContain("Sandbox         no SMS is sent; the code is 123456");
		expect(ran.stdout).toContain("(in 10 minutes)");
		expect(ran.stderr).toBe(`Next: purser phone verify ${id} --code 123456\n`);
		expect(world.requests.map(({ line, body }) => [line, body])).toEqual([[sendLine, `{"relatedPhysicalPersonId":"${id}"}`]]);
	});

	test("refused: how the number on record is corrected", async () => {
		world.wire = answering({
			[sendLine]: { status: 409, body: { errorCode: "PHONE_REQUIRED", message: "This person has no phone number" } },
		});
		const ran = await world.purser(["phone", "send-code", id]);
		expect(ran.exit).toBe(5);
		expect(ran.stderr).toContain("This person has no phone number");
		expect(ran.stderr).toContain(`purser related update ${id} --phone.country-code CODE --phone.number DIGITS`);
	});

	test("on a live profile it is not", async () => {
		const profile = world.profiles.get("sandbox");
		if (profile) Object.assign(profile, { environment: "live", baseUrl: "https://api.example.com", auth: { kind: "none" } });
		world.wire = answering({ [sendLine]: { body: { ttl: "PT10M" } } });
		const ran = await world.purser(["phone", "send-code", id, "--yes", "--live"]);
		expect(ran.stdout).not.toContain("123456");
		expect(ran.stderr).toBe(`Profile sandbox  LIVE  api.example.com\nNext: purser phone verify ${id}\n`);
	});
});

describe("phone verify", () => {
	test("the right code", async () => {
		world.wire = answering({ [verifyLine]: {} });
		const ran = await world.purser(["phone", "verify", id, "--code", "012345", "--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.json()).toEqual({ relatedPhysicalPersonId: id, phoneVerified: true });
		expect(world.requests[0]?.body).toBe(`{"relatedPhysicalPersonId":"${id}","code":"012345"}`);
	});

	test("a refused code: exit 5, and how to get another", async () => {
		world.wire = answering({
			[verifyLine]: { status: 400, body: { status: 400, errorCode: "INVALID_PHONE_CODE", message: "4 tries are left" } },
		});
		const ran = await world.purser(["phone", "verify", id, "--code", "111111"]);
		expect(ran.stderr).toContain("4 tries are left");
		expect(ran.exit).toBe(5);
		expect(ran.stderr).toContain("The service refused the code: it is wrong, too old, or tried too often");
		expect(ran.stderr).toContain(`purser phone send-code ${id}`);
		expect(ran.stderr).toContain("In a sandbox the code is always 123456.");
	});

	test.each([
		[400, "PHONE_CODE_EXPIRED"],
		[409, "PHONE_CODE_LOCKED"],
		[429, "TOO_MANY_ATTEMPTS"],
	])("a code refused with %i %s: how to get another is told too", async (status, errorCode) => {
		world.wire = answering({ [verifyLine]: { status, body: { status, errorCode, message: errorCode } } });
		const ran = await world.purser(["phone", "verify", id, "--code", "111111"]);
		expect(ran.stderr).toContain(errorCode);
		expect(ran.stderr.replace(/\s+/g, " ")).toContain(`ask for a new code with \`purser phone send-code ${id}\`.`);
	});

	test.each(["12345", "1234567", "12345a", "１２３４５６", "123456\n", ""])("%j is no code: exit 3, nothing is sent", async (code) => {
		const ran = await world.purser(["phone", "verify", id, "--code", code]);
		expect(ran.exit).toBe(3);
		expect(ran.stderr).toContain("must be the 6 digits of the SMS");
		expect(world.requests).toEqual([]);
	});

	test("without a terminal a missing code is named: exit 2; at one it is asked for", async () => {
		expect((await world.purser(["phone", "verify", id])).stderr).toContain("--code");
		world.wire = answering({ [verifyLine]: {} });
		const ran = await world.purser(["phone", "verify", id], { answers: ["12", "123456"] });
		expect(ran.exit).toBe(0);
		expect(world.asked.map(({ kind }) => kind)).toEqual(["text", "text"]);
		expect(world.requests[0]?.body).toContain('"code":"123456"');
	});

	test.each(["123456", "123456\n", "  123456\r\n"])("the code comes by standard input too: %j", async (input) => {
		world.wire = answering({ [verifyLine]: {} });
		const ran = await world.purser(["phone", "verify", id, "--code-stdin"], { input });
		expect(ran.exit).toBe(0);
		expect(world.requests.map(({ body }) => body)).toEqual([`{"relatedPhysicalPersonId":"${id}","code":"123456"}`]);
	});

	test.each(["", "98765", "987654 321", "9".repeat(5_000)])(
		"%j on standard input is no code: exit 3, nothing is sent or quoted",
		async (input) => {
			const ran = await world.purser(["phone", "verify", id, "--code-stdin"], { input });
			expect(ran.exit).toBe(3);
			expect(ran.stderr).toContain("must be the 6 digits of the SMS");
			expect(ran.stderr).not.toContain("987");
			expect(world.requests).toEqual([]);
		},
	);

	test("a code given in both ways is refused; what is missing is named at once", async () => {
		const both = await world.purser(["phone", "verify", id, "--code", "123456", "--code-stdin"], { input: "123456" });
		expect([both.exit, both.stderr]).toEqual([3, expect.stringContaining("cannot be combined with --code")]);
		const none = await world.purser(["phone", "verify"]);
		expect([none.exit, none.stderr]).toEqual([2, expect.stringContaining("Missing: RELATED, --code")]);
		expect(world.requests).toEqual([]);
	});
});
