import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const id = "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80";
const sendLine = "POST /api/partner/verifications/email/send";
const recordLine = `GET /api/partner/corporates/related/${id}`;
const ada = (verified?: boolean) => ({ id, firstName: "Ada", lastName: "Example", email: { address: "ada@example.com", verified } });

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

describe("email send-link", () => {
	test("asks for the link and says how long it is valid", async () => {
		world.wire = answering({ [sendLine]: { body: { ttl: "PT48H" } } });
		const ran = await world.purser(["email", "send-link", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toMatch(
			new RegExp(
				`^Verification link sent\\nRelated entity  ${id}\\nValid until     \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d [+-]\\d\\d:\\d\\d \\(in 2 days\\)\\n$`,
			),
		);
		expect(ran.stderr).toBe(`Next: purser email status ${id} --wait\n`);
		expect(world.requests.map(({ line, body }) => [line, body])).toEqual([[sendLine, `{"relatedPhysicalPersonId":"${id}"}`]]);
	});

	test("where the person is led afterwards travels along; --json tells when it ends", async () => {
		world.wire = answering({ [sendLine]: { body: { ttl: "PT48H", more: 1 } } });
		const ran = await world.purser([
			"email",
			"send-link",
			id,
			"--url-on-success",
			"https://www.example.com/in",
			"--email-subject",
			"Hello",
			"--json",
		]);
		expect(ran.json()).toEqual({ relatedPhysicalPersonId: id, ttl: "PT48H", more: 1, expiresAt: "2026-03-03T10:00:00.000Z" });
		expect(world.requests[0]?.body).toBe(
			`{"relatedPhysicalPersonId":"${id}","emailSubject":"Hello","urlOnSuccess":"https://www.example.com/in"}`,
		);
	});

	test("an answer without content is fine, an unreadable validity is shown as it is", async () => {
		world.wire = answering({ [sendLine]: [{}, { body: { ttl: "two days" } }] });
		expect((await world.purser(["email", "send-link", id])).stdout).toBe(`Verification link sent\nRelated entity  ${id}\n`);
		expect((await world.purser(["email", "send-link", id])).stdout).toContain("Valid until     two days");
	});

	test("a dry run sends nothing", async () => {
		const ran = await world.purser(["email", "send-link", id, "--dry-run"]);
		expect(ran.exit).toBe(0);
		expect(world.requests).toEqual([]);
	});

	test.each([
		[["email", "send-link"], 2],
		[["email", "send-link", "ada"], 3],
		[["email", "send-link", id, "--url-on-success", "javascript:1"], 3],
	])("%j sends nothing", async (argv, exit) => {
		expect((await world.purser(argv)).exit).toBe(exit);
		expect(world.requests).toEqual([]);
	});
});

describe("email status", () => {
	test("not verified: exit 0 on a look, with the two ways on", async () => {
		world.wire = answering({ [recordLine]: { body: ada(false) } });
		const ran = await world.purser(["email", "status", id]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe(`Person    Ada Example\nId        ${id}\nEmail     ada@example.com\nVerified  no\n`);
		expect(ran.stderr).toBe(`Next: purser email send-link ${id}\n      purser related update ${id} --email-address ADDRESS\n`);
	});

	test("--wait looks again until it is verified", async () => {
		world.wire = answering({ [recordLine]: [{ body: ada(false) }, { body: ada(false) }, { body: ada(true) }] });
		const ran = await world.purser(["email", "status", id, "--wait", "--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.json()).toEqual({ ...ada(true), emailVerified: true });
		expect(world.requests).toHaveLength(3);
	});

	test("--wait ends at its limit: exit 8", async () => {
		world.wire = answering({ [recordLine]: { body: ada(false) } });
		const before = world.clock.monotonic();
		const ran = await world.purser(["email", "status", id, "--wait", "--wait-timeout", "30"]);
		expect(ran.exit).toBe(8);
		expect(ran.stdout).toContain("Verified  no");
		expect(world.clock.monotonic() - before).toBeGreaterThanOrEqual(29_000);
		expect(world.clock.monotonic() - before).toBeLessThan(45_000);
	});

	test("a service that does not say is unknown, never verified", async () => {
		world.wire = answering({ [recordLine]: { body: ada(undefined) } });
		expect((await world.purser(["email", "status", id])).stdout).toContain("Verified  unknown");
		const ran = await world.purser(["email", "status", id, "--wait", "--wait-timeout", "1"]);
		expect(ran.exit).toBe(1);
		expect(ran.stderr).toContain("The service's answer has no status of the email's verification");
	});

	test.each(["0", "-1", "1.5", "1e3", "ten"])("--wait-timeout %s is refused: exit 3", async (value) => {
		const ran = await world.purser(["email", "status", id, `--wait-timeout=${value}`]);
		expect(ran.exit).toBe(3);
		expect(world.requests).toEqual([]);
	});
});
