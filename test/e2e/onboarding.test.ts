/**
 * The whole job as a script does it: spawned processes, flags, --json, exit codes. Nothing is asked and nothing is looked at by eye.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everyGate } from "../support/gates.js";
import { type Service, type Spawned, startService } from "./service.js";

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.stop());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

async function run(...argv: string[]): Promise<Spawned> {
	return service.purser([...argv, "--json"], { env: { CI: "1" } });
}

/** The answer of a run that succeeds and says nothing on standard error. */
// biome-ignore lint/suspicious/noExplicitAny: a script looks into answers of every shape
async function ok(...argv: string[]): Promise<any> {
	const ran = await run(...argv);
	expect({ argv, exit: ran.exit, stderr: ran.stderr }).toEqual({ argv, exit: 0, stderr: "" });
	return ran.stdout === "" ? undefined : ran.json();
}

/** The error of a run that fails: standard output empty, one line of JSON. */
async function fails(exit: number, ...argv: string[]) {
	const ran = await run(...argv);
	expect({ argv, exit: ran.exit, stdout: ran.stdout, lines: ran.stderr.trim().split("\n").length }).toEqual({
		argv,
		exit,
		stdout: "",
		lines: 1,
	});
	return JSON.parse(ran.stderr).error;
}

it("onboards a corporate through all eight steps and moves its money", async () => {
	// 1. The terms.
	const terms = await ok("terms", "show");
	expect(terms.version).toBe("1.0");

	// 2. The corporate, by flags; a second one with the same externalId is not made.
	const create = [
		...["corporate", "create", "--external-id", "crm-4711", "--corporate-name", "Example Onboarded BV"],
		...["--incorporation-country", "NLD", "--incorporation-code", "000 111", "--industry", "TRANSPORT_TAXI_SERVICES_CHAUFFEUR"],
		...["--registered-address.city", "Exampleville", "--registered-address.iso-country-code", "NLD"],
		...["--expected-monthly-expenses.value", "LESS_THAN_10_000", "--expected-monthly-expenses.currency", "EUR"],
		...["--account-owner-info.first-name", "Ada", "--account-owner-info.last-name", "Example", "--account-owner-info.position", "CEO"],
		...["--account-owner-info.email-address", "ada@example.com", "--account-owner-info.is-director"],
		...["--account-owner-info.phone.country-code", "+31", "--account-owner-info.phone.number", "970000001"],
	];
	const { corporateId: corporate, accountOwnerId: owner } = await ok(...create);
	expect(corporate).toMatch(uuid);
	expect(owner).toMatch(uuid);
	expect((await fails(10, ...create)).code).toBe("EXTERNAL_ID_IN_USE");
	await ok("terms", "accept", corporate, "--yes", "--confirmed-by", "operator", "--version", "1.0");
	expect((await ok("corporate", "show", corporate)).termsAccepted).toBe(true);

	// 3. The account owner's email.
	await ok("email", "send-link", owner);
	expect((await ok("related", "show", owner)).email.verified).toBe(false);
	await ok("sandbox", "simulate", "email", owner);
	expect((await ok("related", "show", owner)).email.verified).toBe(true);

	// 4. Everybody else: a person by a file, one by flags, a company by flags.
	const person = join(service.folder, "person.json");
	await writeFile(person, JSON.stringify({ firstName: "Grace", lastName: "Sample", isUbo: true, directSharesPercentage: 40 }));
	const { id: grace } = await ok("related", "add", corporate, "--file", person);
	const { id: linus } = await ok("related", "add", corporate, "--first-name", "Linus", "--last-name", "Sample", "--is-director");
	const holding = await ok(
		"related",
		"add",
		corporate,
		"--type",
		"COMPANY",
		"--corporate-name",
		"Example Holding BV",
		"--direct-shares-percentage",
		"60",
	);
	expect(holding.id).toMatch(uuid);
	expect((await ok("related", "list", corporate)).map(({ id }: { id: string }) => id).sort()).toEqual(
		[owner, grace, linus, holding.id].sort(),
	);

	// 5. The due-diligence review is a page.
	const review = await service.purser(["corporate", "review", corporate, "--output", "text"]);
	expect(review.exit).toBe(0);
	expect(review.stdout).toContain("Example Onboarded BV");

	// 6. and 7. KYB is asked for early; a KYC is declined and done again.
	await ok("kyb", "request", corporate, ...everyGate);
	expect((await ok("corporate", "show", corporate)).kybStatus).toBe("PENDING_VERIFICATION");
	for (const person of [owner, grace, linus]) expect((await ok("kyc", "link", person)).url).toMatch(/^http:\/\/127\.0\.0\.1:/);
	await ok("sandbox", "simulate", "kyc", owner);
	await ok("sandbox", "simulate", "kyc", grace, "--outcome", "DECLINED", "--reason", "DOCUMENT_EXPIRED");
	await ok("sandbox", "simulate", "kyc", linus);
	const declined = await run("kyc", "status", grace);
	expect([declined.exit, declined.stdout.includes("DOCUMENT_EXPIRED")]).toEqual([5, true]);
	expect((await fails(5, "sandbox", "simulate", "kyb", corporate, "--outcome", "VALIDATED")).status).toBeGreaterThanOrEqual(400);

	// Compliance wants more, gets it, and says yes only when every KYC is done.
	await ok("sandbox", "simulate", "kyb", corporate, "--outcome", "NEED_ADDITIONAL_INFORMATION", "--reason", "Shares do not add up");
	const more = await run("kyb", "status", corporate);
	expect(more.stdout).toContain("NEED_ADDITIONAL_INFORMATION");
	expect(more.stdout).toContain("Shares do not add up");
	await ok("related", "update", grace, "--direct-shares-percentage", "40.5");
	const again = (await ok("kyc", "link", grace)).url;
	expect(again).toMatch(/^http:/);
	await ok("sandbox", "simulate", "kyc", grace);
	await ok("kyb", "request", corporate, ...everyGate);
	// Compliance decides by itself two seconds later.
	expect((await ok("kyb", "status", corporate, "--wait", "--wait-timeout", "60")).kybStatus).toBe("VALIDATED");

	// 8. The phone; a wrong code is refused; a changed number has to be verified again.
	await ok("phone", "send-code", owner);
	expect((await fails(5, "phone", "verify", owner, "--code", "000000")).apiCode).toBe("INVALID_PHONE_CODE");
	await ok("phone", "verify", owner, "--code", "123456");
	expect((await ok("related", "show", owner)).phone.verified).toBe(true);
	await ok("related", "update", owner, "--phone.country-code", "31", "--phone.number", "970000002");
	expect((await ok("related", "show", owner)).phone).toMatchObject({ number: "970000002", verified: false });
	await ok("phone", "send-code", owner);
	await ok("phone", "verify", owner, "--code", "123456");

	// Money, by ledger and by beneficiary.
	const ledgers = await ok("ledger", "list", "--end-user-id", corporate);
	const main = ledgers.find(({ friendlyName }: { friendlyName: string }) => friendlyName === "Main account").id;
	const savings = ledgers.find(({ friendlyName }: { friendlyName: string }) => friendlyName === "Savings").id;
	const [beneficiary] = await ok("beneficiary", "list", "--end-user-id", corporate);
	const between = (amount: string) => ["pay", "ledger", "--ledger-from-id", main, "--ledger-to-id", savings, "--amount", amount, "--yes"];
	expect((await fails(2, ...between("10.10").slice(0, -1))).code).toBe("CONFIRMATION_NEEDED");
	const first = await ok(...between("10.10"), "--wait", "--wait-timeout", "15");
	expect(first.transaction.status).toBe("APPROVED");
	const out = await ok(
		"pay",
		"beneficiary",
		"--ledger-from-id",
		main,
		"--beneficiary-id",
		beneficiary.id,
		"--amount",
		"250.00",
		"--reference",
		"Invoice 2041",
		"--yes",
	);
	expect(out.id).toMatch(uuid);
	expect((await ok("pay", "show", out.id, "--wait", "--wait-timeout", "15")).status).toBe("APPROVED");
	expect((await run("ledger", "show", main)).stdout).toMatch(/"totalAmount": 4739\.90/);
	expect((await run("ledger", "show", savings)).stdout).toMatch(/"availableAmount": 10\.10/);

	// New terms stop banking until they are accepted.
	await ok("sandbox", "simulate", "terms", "--version", "2.0");
	expect((await ok("corporate", "show", corporate)).termsAccepted).toBe(false);
	const blocked = await fails(4, ...between("1.00"));
	expect(blocked).toMatchObject({ status: 403, moneyMayHaveMoved: false });
	await ok("terms", "accept", corporate, "--yes", "--confirmed-by", "operator", "--version", "2.0");
	expect((await ok(...between("1.00"))).id).toMatch(uuid);

	// What was asked of the service is on record, and nothing is in doubt.
	expect(await ok("pay", "doubts")).toEqual([]);
	const recorded = await ok("history", "list", "--effect", "money");
	expect(recorded.map(({ state }: { state: string }) => state).sort()).toEqual(["accepted", "accepted", "accepted", "refused"]);
});
