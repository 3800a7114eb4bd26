/**
 * Batches of a team, whose journal is in PostgreSQL: nobody hands a file over, and what needs a second person is sent once that person said so.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TeamRole } from "../../src/journal/postgres/roles.js";
import type { TeamAddress, TeamPolicy } from "../../src/ports/team.js";
import { noPostgres, postgres } from "../support/postgres.js";
import { type BatchWorld, batchWorld, failure } from "./batch-world.js";

const over100 = [
	["60.00", "one"],
	["60.00", "two"],
] as const;

describe.skipIf(noPostgres !== undefined)("a team", () => {
	let address: TeamAddress;
	let anna: BatchWorld;
	let ben: BatchWorld;
	const of = async (login: string, roles: readonly TeamRole[]) => {
		const server = await postgres();
		return batchWorld({}, {}, { ...address, user: await server.member(address.schema, roles, login) });
	};
	const begin = async (policy: TeamPolicy) => {
		address = await (await postgres()).journal(undefined, policy);
		anna = await of("anna", ["planner", "sender"]);
		ben = await of("ben", ["approver"]);
		await ben.purser(["pay", "batch", "key"]);
	};
	beforeEach(() => begin({ approval: "above 100 EUR" }));
	afterEach(async () => {
		await anna.end();
		await ben.end();
	});
	const planned = async (rows: Parameters<BatchWorld["file"]>[0] = over100) => {
		anna.file(rows);
		const ran = await anna.plan();
		expect([ran.exit, ran.stderr]).toEqual([0, expect.any(String)]);
		return ran.json().plan.batch as string;
	};
	const send = (batch: string, ...more: string[]) => anna.purser(["pay", "batch", "send", batch, "--yes", "--json", ...more]);
	const told = ({ exit, stderr }: { exit: number; stderr: string }) => {
		const { code, message } = failure(stderr);
		return [exit, code, message];
	};
	const by = (world: BatchWorld, verb: string, ...more: string[]) => world.purser(["pay", "batch", verb, ...more]);
	/** As the administrator of the database, whom no rule holds back. */
	const changed = async (sql: string) =>
		(await postgres()).sql(`SET session_replication_role TO replica; SET search_path TO ${address.schema}; ${sql}`);

	test("sends a batch once somebody else has approved it by its number, and lists until then what waits for whom", async () => {
		anna.file(over100);
		const { stdout, stderr } = await anna.purser(["pay", "batch", "plan", "pay.csv"]);
		expect(stdout + stderr).toContain("purser pay batch approve 1");
		expect(told(await send("1"))).toEqual([
			10,
			"APPROVAL_MISSING",
			"Batch 1 needs the approval of a second person, and has none (policy of the team: above 100 EUR); nothing was sent",
		]);
		expect(told(await anna.purser(["pay", "batch", "approve", "1", "--yes", "--json"]))).toEqual([
			10,
			"APPROVAL_BY_PLANNER",
			expect.stringContaining("somebody else has to approve it"),
		]);
		expect((await by(ben, "approvals")).stdout).toBe(
			[
				"batch  file         amount  planned by  valid until              may be approved by",
				"1      pay.csv  120.00 EUR  anna        2026-03-02 10:00 +00:00  ben",
				"",
			].join("\n"),
		);
		const approved = await ben.purser(["pay", "batch", "approve", "1"], { answers: [true] });
		expect([approved.exit, approved.stdout]).toEqual([
			0,
			[
				"Approved: your signature is in the team's journal",
				"Batch        1",
				"Total        120.00 EUR in 2 rows",
				"Approved by  ben",
				"Valid until  2026-03-02 10:00 +00:00 (in 24 hours)",
				"",
			].join("\n"),
		]);
		expect(ben.asked[0]?.message).toBe("Approve batch 1: 120.00 EUR in 2 rows?");
		expect((await by(ben, "approvals")).stdout).toBe("No batch waits for an approval.\n");
		expect((await by(ben, "approve", "1", "--yes", "--json")).json()).toMatchObject({ added: false, already: true });
		const ran = await send("1");
		expect([ran.exit, ran.json().counts.accepted]).toEqual([0, 2]);
		// What is begun waits for nobody.
		expect(told(await by(ben, "reject", "1", "--reason", "late", "--yes", "--json"))).toEqual([
			10,
			"BATCH_BEGUN",
			"Batch 1 is not waiting for an approval any more, so it cannot be rejected; nothing was changed",
		]);
	});

	test("a plan that was rejected is never sent, whoever approves it afterwards", async () => {
		const batch = await planned();
		const rejected = await ben.purser(["pay", "batch", "reject", batch, "--reason", "Row 2 was paid in May"], { answers: [true] });
		expect([rejected.exit, rejected.stdout]).toEqual([
			0,
			"Batch 1 is rejected; it will not be sent\nTotal   120.00 EUR in 2 rows\nReason  Row 2 was paid in May\n",
		]);
		expect(ben.asked[0]?.message).toBe("Reject batch 1 (pay.csv, 120.00 EUR in 2 rows)? It can never be sent then.");
		for (const ran of [
			await send(batch),
			await by(ben, "approve", batch, "--yes", "--json"),
			await by(ben, "reject", batch, "--reason", "again", "--yes", "--json"),
		])
			expect(told(ran)).toEqual([
				10,
				"PLAN_REJECTED",
				expect.stringMatching(/^Batch 1 was rejected by ben on \d{4}-.*; nothing was (sent|signed|changed)$/),
			]);
		expect((await by(ben, "approvals", "--json")).json()).toEqual([]);
	});

	test("a row that was changed by SQL after the approval is not sent, and not approved either", async () => {
		const batch = await planned();
		await by(ben, "approve", batch, "--yes", "--json");
		await changed("UPDATE intent SET content = replace(content, '60.00', '600.00')");
		expect(told(await send(batch))).toEqual([10, "ROWS_CHANGED", expect.any(String)]);
		const other = await planned([["150.00", "three"]]);
		await changed("UPDATE intent SET content = replace(content, '150.00', '15.00')");
		expect(told(await by(ben, "approve", other, "--yes", "--json"))).toEqual([10, "ROWS_CHANGED", expect.any(String)]);
		// The control: what was not changed goes.
		const control = await planned([["160.00", "four"]]);
		await by(ben, "approve", control, "--yes", "--json");
		expect((await send(control)).exit).toBe(0);
	});

	test("a plan's file is approved in the journal too, where the journal has it", async () => {
		const batch = await planned();
		ben.put("pay.csv.plan.json", anna.text("pay.csv.plan.json"));
		const before = ben.text("pay.csv.plan.json");
		expect((await by(ben, "approve", "pay.csv.plan.json", "--yes", "--json")).json()).toMatchObject({ added: true, plan: { batch } });
		expect(ben.text("pay.csv.plan.json")).toBe(before);
		expect((await anna.send()).exit).toBe(0);
	});

	test("a payment by itself that needs a second person is refused, and so is what one person may not send on a day", async () => {
		await anna.end();
		await ben.end();
		await begin({ approval: "above 100 EUR", "cap-per-person-day": "110 EUR" });
		expect(told(await anna.pay("100.01", "one"))).toEqual([
			10,
			"APPROVAL_NEEDED",
			"This payment needs the approval of a second person (policy of the team: above 100 EUR); nothing was sent",
		]);
		expect((await anna.pay("50.00", "two")).exit).toBe(0);
		const batch = await planned([
			["40.00", "three"],
			["40.00", "four"],
		]);
		const ran = await send(batch, "--jobs", "1", "--stop-after", "1");
		expect([ran.exit, ran.json().counts.accepted]).toEqual([9, 1]);
		const rest = await anna.purser(["pay", "batch", "resume", batch, "--yes", "--json"]);
		expect([rest.exit, rest.json().counts, rest.json().stopped]).toMatchObject([
			9,
			{ accepted: 1, planned: 1, "in-doubt": 0 },
			{
				code: "CAP_PER_PERSON_DAY",
				why: "With this payment anna would send more today (UTC) than the team lets one person send (110 EUR)",
			},
		]);
		// A colleague sends the rest.
		const carl = await of("carl", ["sender"]);
		carl.sandbox = anna.sandbox;
		expect((await carl.purser(["pay", "batch", "resume", batch, "--yes", "--json"])).json()?.counts).toMatchObject({ accepted: 2 });
		await carl.end();
	});
});

test("without a team, approvals are in the plan's file, and a batch has no number that could be approved", async () => {
	const world = await batchWorld();
	world.file([["1.00", "one"]]);
	await world.plan();
	const code = "NO_TEAM";
	for (const argv of [["approvals"], ["reject", "1", "--reason", "no", "--yes"], ["approve", "1", "--yes"], ["send", "1", "--yes"]]) {
		const { exit, stderr } = await world.purser(["pay", "batch", ...argv, "--json"]);
		expect([argv[0], exit, failure(stderr)]).toMatchObject([
			argv[0],
			2,
			{ code, message: expect.stringContaining("is a file on this machine") },
		]);
	}
	const { stderr } = await world.purser(["pay", "batch", "reject", "1", "--reason", "no", "--yes", "--json"]);
	expect(failure(stderr).fix).toContain("purser pay batch abandon 1 --reason TEXT");
	await world.end();
});
