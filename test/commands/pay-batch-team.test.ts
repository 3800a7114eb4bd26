/**
 * Batches of a team, whose journal is in PostgreSQL: nobody hands a file over, and what needs a second person is sent once that person said so.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Login, TeamAddress, TeamPolicy } from "../../src/ports/team.js";
import { noPostgres, postgres } from "../support/postgres.js";
import type { Ran } from "../support/purser.js";
import { type BatchWorld, batchWorld, type Rows } from "./batch-world.js";

const told = (ran: Ran) => [ran.exit, ran.error().code, ran.error().message];

describe.skipIf(noPostgres !== undefined)("a team", () => {
	let address: TeamAddress;
	let anna: BatchWorld;
	let ben: BatchWorld;
	const of = async (login: string, roles: Login["roles"]) => {
		const server = await postgres();
		return batchWorld({}, {}, { ...address, user: await server.member(address.schema, roles, login) });
	};
	const begin = async (policy: TeamPolicy) => {
		address = await (await postgres()).journal(undefined, policy);
		anna = await of("anna", ["planner", "sender"]);
		ben = await of("ben", ["approver"]);
		await ben.purser("pay batch key");
	};
	beforeEach(() => begin({ approval: "above 100 EUR" }));
	afterEach(async () => {
		await anna.end();
		await ben.end();
	});
	const over100: Rows = ["one", "two"].map((reference) => ["60.00", reference]);
	const planned = async (...rows: Rows) => {
		anna.file(rows.length > 0 ? rows : over100);
		return (await anna.plan()).json().plan.batch as string;
	};
	const by = (world: BatchWorld, words: string) => world.purser(`pay batch ${words} --yes --json`);
	const send = (batch: string) => by(anna, `send ${batch}`);
	/** As the administrator of the database, whom no rule holds back. */
	const changed = async (sql: string) =>
		(await postgres()).sql(`SET session_replication_role TO replica; SET search_path TO ${address.schema}; ${sql}`);

	test("sends a batch once somebody else has approved it by its number, and lists until then what waits for whom", async () => {
		anna.file(over100);
		const { stdout, stderr } = await anna.purser("pay batch plan pay.csv");
		expect(stdout + stderr).toContain("purser pay batch approve 1");
		expect(told(await send("1"))).toEqual([
			10,
			"APPROVAL_MISSING",
			"Batch 1 needs the approval of a second person, and has none (policy of the team: above 100 EUR); nothing was sent",
		]);
		expect(told(await by(anna, "approve 1"))).toContain("APPROVAL_BY_PLANNER");
		expect((await ben.purser("pay batch approvals")).stdout.split("\n")).toEqual([
			"batch  file         amount  planned by  valid until              may be approved by",
			"1      pay.csv  120.00 EUR  anna        2026-03-02 10:00 +00:00  ben",
			"",
		]);
		const approved = await ben.purser("pay batch approve 1", { answers: [true] });
		expect([approved.exit, approved.stdout.split("\n")]).toEqual([
			0,
			[
				...["Approved: your signature is in the team's journal", "Batch        1", "Total        120.00 EUR in 2 rows"],
				...["Approved by  ben", "Valid until  2026-03-02 10:00 +00:00 (in 24 hours)", ""],
			],
		]);
		expect(ben.asked[0]?.message).toBe("Approve batch 1: 120.00 EUR in 2 rows?");
		expect((await ben.purser("pay batch approvals")).stdout).toBe("No batch waits for an approval.\n");
		expect((await by(ben, "approve 1")).json()).toMatchObject({ added: false, already: true });
		const ran = await send("1");
		expect([ran.exit, ran.json().counts.accepted]).toEqual([0, 2]);
		// What is begun waits for nobody.
		expect(told(await by(ben, "reject 1 --reason late"))).toContain("BATCH_BEGUN");
	});

	test("a plan that was rejected is never sent, whoever approves it afterwards", async () => {
		await planned();
		const rejected = await ben.purser('pay batch reject 1 --reason "Paid in May"', { answers: [true] });
		expect([rejected.exit, rejected.stdout]).toEqual([
			0,
			"Batch 1 is rejected; it will not be sent\nTotal   120.00 EUR in 2 rows\nReason  Paid in May\n",
		]);
		expect(ben.asked[0]?.message).toBe("Reject batch 1 (pay.csv, 120.00 EUR in 2 rows)? It can never be sent then.");
		const message = expect.stringMatching(/^Batch 1 was rejected by ben on \d{4}-.*; nothing was (sent|signed|changed)$/);
		for (const ran of [await send("1"), await by(ben, "approve 1"), await by(ben, "reject 1 --reason again")])
			expect(told(ran)).toEqual([10, "PLAN_REJECTED", message]);
		expect(await ben.json("pay batch approvals")).toEqual([]);
	});

	test("a row that was changed by SQL after the approval is not sent, and not approved either", async () => {
		const batch = await planned();
		await by(ben, `approve ${batch}`);
		await changed("UPDATE intent SET content = replace(content, '60.00', '600.00')");
		expect(told(await send(batch))).toContain("ROWS_CHANGED");
		const other = await planned(["150.00", "three"]);
		await changed("UPDATE intent SET content = replace(content, '150.00', '15.00')");
		expect(told(await by(ben, `approve ${other}`))).toContain("ROWS_CHANGED");
		// The control: what was not changed goes.
		const control = await planned(["160.00", "four"]);
		await by(ben, `approve ${control}`);
		expect((await send(control)).exit).toBe(0);
	});

	test("a plan's file is approved in the journal too, where the journal has it", async () => {
		const batch = await planned();
		const before = anna.text("pay.csv.plan.json");
		ben.put("pay.csv.plan.json", before);
		expect((await by(ben, "approve pay.csv.plan.json")).json()).toMatchObject({ added: true, plan: { batch } });
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
		const batch = await planned(["40.00", "three"], ["40.00", "four"]);
		expect((await by(anna, `send ${batch} --jobs 1 --stop-after 1`)).exit).toBe(9);
		const rest = await by(anna, `resume ${batch}`);
		const why = "With this payment anna would send more today (UTC) than the team lets one person send (110 EUR)";
		expect([rest.exit, rest.json()]).toMatchObject([
			9,
			{ counts: { accepted: 1, planned: 1, "in-doubt": 0 }, stopped: { code: "CAP_PER_PERSON_DAY", why } },
		]);
		// A colleague sends the rest.
		const carl = await of("carl", ["sender"]);
		carl.sandbox = anna.sandbox;
		expect((await by(carl, `resume ${batch}`)).json()?.counts).toMatchObject({ accepted: 2 });
		await carl.end();
	});
});

test.each(["approvals", "reject 1 --reason no", "approve 1", "send 1"])(
	"without a team a batch has no number for `pay batch %s`",
	async (words) => {
		const world = await batchWorld();
		world.file([["1.00", "one"]]);
		await world.plan();
		const ran = await world.purser(`pay batch ${words} --json${words === "approvals" ? "" : " --yes"}`);
		expect(told(ran)).toEqual([2, "NO_TEAM", expect.stringContaining("is a file on this machine")]);
		if (words.startsWith("reject")) expect(ran.error().fix).toContain("purser pay batch abandon 1 --reason TEXT");
		await world.end();
	},
);
