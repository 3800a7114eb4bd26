import { beforeEach, describe, expect, test } from "vitest";
import { harbourLights } from "../support/companies.js";
import { everyGate } from "../support/gates.js";
import { makeWorld, type World } from "../support/purser.js";

const people = [
	["--first-name", "Grace", "--last-name", "Sample", "--email-address", "grace@example.com", "--is-director"],
	["--first-name", "Linus", "--last-name", "Placeholder", "--email-address", "linus@example.com", "--is-ubo"],
];
let world: World;
/** A run that must end with `exit`; its JSON answer. */
async function run(exit: number, ...argv: string[]) {
	const ran = await world.purser([...argv, "--json"]);
	expect([argv.join(" "), ran.exit, ran.stderr]).toEqual([argv.join(" "), exit, exit === 0 || exit === 8 ? "" : expect.any(String)]);
	return ran.stdout === "" ? JSON.parse(ran.stderr).error : ran.json();
}

beforeEach(async () => {
	world = await makeWorld();
	world.files.set("corporate.json", new TextEncoder().encode(JSON.stringify(harbourLights)));
});

describe("the eight steps against the sandbox", () => {
	test("from the terms to a validated KYB", async () => {
		const { version } = await run(0, "terms", "show");
		const { corporateId, accountOwnerId } = await run(0, "corporate", "create", "--file", "corporate.json");
		expect((await run(0, "corporate", "show", corporateId)).termsAccepted).toBe(false);
		expect((await run(0, "terms", "accept", corporateId, "--yes", "--confirmed-by", "operator", "--version", version)).termsAccepted).toBe(
			true,
		);

		await run(0, "email", "send-link", accountOwnerId);
		expect((await run(8, "email", "status", accountOwnerId, "--wait", "--wait-timeout", "5")).emailVerified).toBe(false);
		await run(0, "sandbox", "simulate", "email", accountOwnerId);
		expect((await run(0, "email", "status", accountOwnerId, "--wait")).emailVerified).toBe(true);

		const ids: string[] = [];
		for (const one of people) ids.push((await run(0, "related", "add", corporateId, ...one)).id);
		const [grace, linus] = ids as [string, string];
		expect((await run(10, "related", "add", corporateId, ...(people[0] ?? []))).code).toBe("ALREADY_DECLARED");
		expect(await run(0, "related", "list", corporateId)).toHaveLength(3);

		expect((await run(0, "corporate", "review", corporateId)).lines.join("\n")).toContain("Grace Sample");
		expect((await run(0, "kyb", "request", corporateId, ...everyGate)).kybStatus).toBe("PENDING_VERIFICATION");

		for (const id of [accountOwnerId, grace, linus]) await run(0, "kyc", "link", id);
		await run(0, "sandbox", "simulate", "kyc", accountOwnerId);
		await run(0, "sandbox", "simulate", "kyc", grace, "--outcome", "DECLINED", "--reason", "Blurred");
		expect((await run(5, "kyc", "status", grace)).kycInfo).toMatchObject({ status: "DECLINED", statusReason: "Blurred" });
		const early = await run(8, "kyb", "status", corporateId, "--wait", "--wait-timeout", "5");
		expect(early.missing.map(({ relatedId }: { relatedId: string }) => relatedId)).toEqual([grace, linus]);
		await run(0, "kyc", "link", grace);
		await run(0, "sandbox", "simulate", "kyc", grace);
		await run(0, "sandbox", "simulate", "kyc", linus);

		await run(0, "phone", "send-code", accountOwnerId);
		expect((await run(5, "phone", "verify", accountOwnerId, "--code", "654321")).code).toBe("INVALID_PHONE_CODE");
		expect((await run(0, "phone", "verify", accountOwnerId, "--code", "123456")).phoneVerified).toBe(true);
		expect((await run(0, "related", "show", accountOwnerId)).phone).toMatchObject({ verified: true });

		const done = await run(0, "kyb", "status", corporateId, "--wait");
		expect(done).toMatchObject({ kybStatus: "VALIDATED", missing: [] });
		expect((await run(5, "related", "remove", linus, "--yes")).apiCode).toBe("KYB_IN_PROGRESS");
	});

	test("a second run with the same externalId creates nothing", async () => {
		const { corporateId } = await run(0, "corporate", "create", "--file", "corporate.json");
		const error = await run(10, "corporate", "create", "--file", "corporate.json");
		expect(error.message).toContain(corporateId);
		const listed = await run(0, "corporate", "list", "--limit", "1000");
		expect(listed.filter(({ externalId }: { externalId?: string }) => externalId === "crm-2041")).toHaveLength(1);
	});

	test("new terms have to be accepted again, and an older version does not count", async () => {
		const { corporateId } = await run(0, "corporate", "create", "--file", "corporate.json");
		const { version } = await run(0, "terms", "show");
		await run(0, "terms", "accept", corporateId, "--yes", "--confirmed-by", "operator");
		await run(0, "sandbox", "simulate", "terms");
		expect((await run(0, "kyb", "status", corporateId)).missing[0]).toMatchObject({
			what: "terms",
			command: `purser terms accept ${corporateId}`,
		});
		expect((await run(10, "terms", "accept", corporateId, "--yes", "--confirmed-by", "operator", "--version", version)).code).toBe(
			"TERMS_NOT_LATEST",
		);
		expect((await run(0, "terms", "accept", corporateId, "--yes", "--confirmed-by", "operator")).termsAccepted).toBe(true);
	});

	test("a corrected email and phone have to be verified again", async () => {
		const { accountOwnerId } = await run(0, "corporate", "create", "--file", "corporate.json");
		await run(0, "email", "send-link", accountOwnerId);
		await run(0, "sandbox", "simulate", "email", accountOwnerId);
		const changed = await run(0, "related", "update", accountOwnerId, "--email-address", "ada@example.org");
		expect(changed.email).toEqual({ address: "ada@example.org", verified: false });
	});

	test("what compliance declines or asks for is told with its reason", async () => {
		const { corporateId } = await run(0, "corporate", "create", "--file", "corporate.json");
		await run(0, "kyb", "request", corporateId, ...everyGate);
		await run(0, "sandbox", "simulate", "kyb", corporateId, "--outcome", "NEED_ADDITIONAL_INFORMATION", "--reason", "Proof of address");
		const asked = await run(8, "kyb", "status", corporateId, "--wait");
		expect(asked.missing.map(({ message }: { message: string }) => message)).toContain(
			"The compliance team asks for more: Proof of address",
		);
		await run(0, "kyb", "request", corporateId, ...everyGate);
		await run(0, "sandbox", "simulate", "kyb", corporateId, "--outcome", "DECLINED");
		expect(await run(5, "kyb", "status", corporateId)).toMatchObject({ kybStatus: "DECLINED", missing: [] });
	});

	test("a person declared by mistake is removed", async () => {
		const { corporateId } = await run(0, "corporate", "create", "--file", "corporate.json");
		const { id } = await run(0, "related", "add", corporateId, "--first-name", "Grace", "--last-name", "Sample");
		await run(0, "related", "remove", id, "--yes");
		expect(await run(0, "related", "list", corporateId)).toHaveLength(1);
		await run(5, "related", "show", id);
	});
});
