/**
 * What needs a second person is not paid by one: every way of {@link ways}, as a login that may plan and send, and through the port with a
 * profile that asks for nothing.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTables } from "../../src/journal/postgres/setup.js";
import type { Batches, BatchRecord } from "../../src/ports/batches.js";
import type { Journal } from "../../src/ports/journal.js";
import type { TeamAddress } from "../../src/ports/team.js";
import { noPostgres, postgres, type Server } from "../support/postgres.js";
import { endRows, none, planOf, shared, transfer } from "./batch.js";
import { codeOf, newFolder, open, openRows, payment, removeFolders } from "./journals.js";
import { pay, ways } from "./ways.js";

/** Runs statements one by one, each as if by itself, and takes everything back. @returns how many payments left that needed somebody else */
async function attempt(address: TeamAddress, statements: readonly string[], level = "READ COMMITTED"): Promise<number> {
	const { ssl: _, schema, ...login } = address;
	const client = new pg.Client(login);
	client.on("error", () => {});
	await client.connect();
	try {
		await client.query(
			`BEGIN ISOLATION LEVEL ${level}; SET LOCAL search_path TO ${schema}, pg_temp; SET LOCAL client_min_messages TO error`,
		);
		for (const statement of statements) {
			await client.query("SAVEPOINT one");
			await client.query(statement).catch(() => client.query("ROLLBACK TO one"));
		}
		await client.query("SET LOCAL ROLE NONE").catch(() => {});
		const found = await client.query(`SELECT count(*) AS paid FROM ${schema}.intent WHERE effect = 'money' AND state = 'sending'
			AND content NOT LIKE '%"1","EUR",%' AND (batch IS DISTINCT FROM 2 OR content NOT LIKE '%"1100.00"%' OR attempt > 1)`);
		return Number(found.rows[0].paid);
	} finally {
		await client.end();
	}
}

describe.skipIf(noPostgres !== undefined)("a team's journal", () => {
	let server: Server;
	let owner: TeamAddress;
	let mallory: TeamAddress;
	beforeAll(async () => {
		server = await postgres();
		await server.sql(
			`DROP SCHEMA IF EXISTS journal CASCADE; ${["owner", "mallory", "bob", "carol"].map((name) => `DO $$ BEGIN IF to_regrole('${name}') IS NULL THEN CREATE ROLE ${name} LOGIN; END IF; END $$;`).join(" ")}
			GRANT CREATE ON SCHEMA public TO mallory; GRANT CREATE ON DATABASE postgres TO owner; ALTER ROLE owner CREATEROLE`,
		);
		owner = { ...server.address, user: "owner", schema: "journal" };
		mallory = { ...owner, user: "mallory" };
		await createTables(owner, { approval: "above 1000 EUR", "cap-per-person-day": "100000 EUR" });
		await server.member("journal", ["planner", "sender"], "mallory");
		await server.member("journal", ["approver"], "bob");
		await server.member("journal", ["planner"], "carol");
		const batches = await openRows(newFolder(), { driver: "postgres", address: mallory });
		for (const amount of ["600.00", "1100.00", "700.00", "400.00"]) {
			const { batch } = await batches.open(shared);
			await batches.load(
				batch,
				[1, 2].map((row) => ({ row, transfer: { ...transfer(row), amount } })),
			);
			await batches.seal(batch, planOf(batch, 2, String(Number(amount) * 2), { rows: batch.padStart(64, "0"), sequence: "b".repeat(64) }));
		}
		await said("INSERT INTO approval (digest, approved) SELECT digest, true FROM plan WHERE batch = 2");
		await said("INSERT INTO approval (digest, approved, reason) SELECT digest, false, 'no' FROM plan WHERE batch = 3");
		// Batch 4 needs nobody else, and is paid; batch 5 is being loaded by a colleague.
		await batches.begin("4", ["planned"], none);
		const paid = await batches.advance("4", [], 2);
		await endRows(batches, "4", paid, () => ({ state: "accepted", status: 201 }));
		const colleague = await openRows(newFolder(), { driver: "postgres", address: { ...owner, user: "carol" } });
		await colleague.load((await colleague.open(shared)).batch, [{ row: 1, transfer: { ...transfer(1), amount: "2000.00" } }]);
	});
	afterAll(removeFolders);

	/** By the second person. */
	async function said(sql: string): Promise<void> {
		const { ssl: _, schema, ...login } = { ...owner, user: "bob" };
		const client = new pg.Client(login);
		await client.connect();
		await client.query(`SET search_path TO ${schema}; ${sql}`).finally(() => client.end());
	}

	test("is not paid by one person, in any of more than 200 ways", async () => {
		expect(new Set(ways.map(([name]) => name)).size).toBe(ways.length);
		expect(ways.length).toBeGreaterThan(200);
		const paid: string[] = [];
		for (const [name, ...statements] of ways) if ((await attempt(mallory, [...statements, ...pay])) > 0) paid.push(name);
		expect(paid).toEqual([]);
	}, 120_000);

	test("is paid without its rules, which is the control", async () => {
		const free = ["ALTER TABLE intent DISABLE TRIGGER intent_follows_rules", "ALTER TABLE batch DISABLE TRIGGER batch_follows_rules"];
		expect(await attempt({ ...server.address, schema: "journal" }, [...free, ...pay])).toBe(4);
		expect(await attempt({ ...server.address, schema: "journal" }, ["DELETE FROM policy", ...pay])).toBe(2);
	});

	const approval = { key: "k".repeat(43), at: "2026-03-01T10:00:00.000Z", signature: "x" };
	const asked: [what: string, act: (journal: Journal, batches: Batches) => Promise<unknown>, code: string][] = [
		["a payment by itself", (journal) => journal.begin(payment({ amount: "1000.01" })), "APPROVAL_NEEDED"],
		["one of unknown currency", (journal) => journal.begin(payment({ amount: "1", currency: undefined })), "APPROVAL_NEEDED"],
		["one of another currency", (journal) => journal.begin(payment({ amount: "1", currency: "USD" })), "APPROVAL_NEEDED"],
		["one that is no amount", (journal) => journal.begin(payment({ amount: "1e9" })), "INVALID_INPUT"],
		["a batch", (_, batches) => batches.begin("1", ["planned"], none), "APPROVAL_MISSING"],
		["a batch whose rows are named", (_, batches) => batches.begin("1", ["planned"], { ...none, only: [1] }), "APPROVAL_MISSING"],
		["a batch, as if approved", (_, batches) => batches.begin("1", ["planned"], { ...none, approvals: [approval] }), "APPROVAL_MISSING"],
		["a batch that was rejected", (_, batches) => batches.begin("3", ["planned"], { ...none, approvals: [approval] }), "PLAN_REJECTED"],
		[
			"a batch that it approves itself",
			async (_, batches) => batches.team?.approve((await shown(batches, "1")).plan, approval),
			"JOURNAL_DENIED",
		],
		[
			"a batch whose rejection it takes back",
			async (_, batches) => batches.team?.approve((await shown(batches, "3")).plan, approval),
			"JOURNAL_DENIED",
		],
		[
			"the same rows under an approved digest",
			async (_, batches) => {
				const { batch } = await batches.open(shared);
				await batches.load(batch, [{ row: 1, transfer: { ...transfer(1), amount: "2000.00" } }]);
				await batches.seal(batch, { ...(await shown(batches, "2")).plan, batch });
				return batches.begin(batch, ["planned"], { ...none, duplicates: 9 });
			},
			"APPROVAL_MISSING",
		],
		[
			"an approved plan once more",
			async (_, batches) => {
				const { batch } = await batches.open(shared);
				await batches.load(batch, [{ row: 1, transfer: { ...transfer(1), amount: "2000.00" } }]);
				return batches.seal(batch, (await shown(batches, "2")).plan);
			},
			"JOURNAL_KEPT",
		],
	];
	test.each(asked)("is not paid through purser by a profile that asks for nothing: %s", async (_, act, code) => {
		const options = { driver: "postgres" as const, address: mallory };
		expect(await codeOf(act(await open(newFolder(), options), await openRows(newFolder(), options)))).toBe(code);
	});
	const shown = async (batches: Batches, batch: string) => (await batches.show(batch)) as BatchRecord;

	test("control: a row that its sender calls refused is sent again", async () => {
		const states = ["sending", "refused", "sending"].map(
			(state, at) => `UPDATE intent SET state = '${state}', attempt = ${at < 2 ? 1 : 2} WHERE batch = 2`,
		);
		expect(await attempt(mallory, ["UPDATE batch SET state = 'begun' WHERE number = 2", ...states])).toBe(2);
	});

	test("is paid once there is a second person, which is the control too", async () => {
		expect(await attempt(mallory, pay)).toBe(0);
		await said("INSERT INTO approval (digest, approved) SELECT digest, true FROM plan WHERE batch = 1");
		expect(await attempt(mallory, pay)).toBe(1);
		// What another transaction did while this one waited would not be seen there.
		for (const level of ["REPEATABLE READ", "SERIALIZABLE"]) expect([level, await attempt(mallory, pay, level)]).toEqual([level, 0]);
	});
});
