import { beforeEach, describe, expect, test } from "vitest";
import { harbourLights } from "../support/companies.js";
import { everyGate } from "../support/gates.js";
import { makeWorld, type World } from "../support/purser.js";

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

describe("what is done over, against the sandbox; all eight steps in their order are walked with the built program", () => {
	test("new terms have to be accepted again, and an older version does not count", async () => {
		const { corporateId } = await run(0, "corporate", "create", "--file", "corporate.json");
		const { version } = await run(0, "terms", "show");
		await run(0, "terms", "accept", corporateId, "--yes", "--confirmed-by", "operator");
		await run(0, "sandbox", "simulate", "terms");
		expect((await run(0, "kyb", "status", corporateId)).missing[0]).toMatchObject({
			step: "terms",
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
		expect(asked.missing.map(({ why }: { why?: string }) => why)).toContain("Proof of address");
		await run(0, "kyb", "request", corporateId, ...everyGate);
		await run(0, "sandbox", "simulate", "kyb", corporateId, "--outcome", "DECLINED");
		expect(await run(5, "kyb", "status", corporateId)).toMatchObject({ kybStatus: "DECLINED", missing: [] });
	});

	test("a person declared by mistake is removed, until the KYB is asked for", async () => {
		const { corporateId } = await run(0, "corporate", "create", "--file", "corporate.json");
		const { id } = await run(0, "related", "add", corporateId, "--first-name", "Grace", "--last-name", "Sample");
		await run(0, "related", "remove", id, "--yes");
		expect(await run(0, "related", "list", corporateId)).toHaveLength(1);
		await run(5, "related", "show", id);
		const other = await run(0, "related", "add", corporateId, "--first-name", "Linus", "--last-name", "Sample");
		await run(0, "kyb", "request", corporateId, ...everyGate);
		expect((await run(5, "related", "remove", other.id, "--yes")).apiCode).toBe("KYB_IN_PROGRESS");
	});
});
