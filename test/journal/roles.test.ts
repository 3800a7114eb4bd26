/**
 * The roles of a team and what each may do, the policy and who changes it, and that SQL counts money as purser's own rules do.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Session } from "../../src/journal/postgres/session.js";
import { createTables } from "../../src/journal/postgres/setup.js";
import { approvalNeeded } from "../../src/payments/rules/approval-needed.js";
import type { TeamAddress } from "../../src/ports/team.js";
import { noPostgres, postgres, type Server } from "../support/postgres.js";
import { none, planned } from "./batch.js";
import { change, codeOf, newFolder, open, openRows, payment, removeFolders } from "./journals.js";

afterEach(removeFolders);
const driver = "postgres";

describe.skipIf(noPostgres !== undefined)("the roles of a team", () => {
	let server: Server;
	let address: TeamAddress;
	const as = (user: string, to = address) => ({ driver, address: { ...to, user } }) as const;
	beforeAll(async () => {
		server = await postgres();
		address = await server.journal("purser");
		for (const role of ["reader", "planner", "approver", "sender"] as const) await server.member("purser", [role], `a_${role}`);
		await (await open(newFolder(), as("a_planner"))).close();
	});
	afterAll(removeFolders);

	test("have exactly these rights, and the public none", async () => {
		const rights =
			await server.sql(`SELECT grantee, table_name, privilege_type, string_agg(column_name, ' ' ORDER BY column_name) AS columns
			FROM information_schema.column_privileges WHERE table_schema = 'purser' AND privilege_type <> 'SELECT' AND grantee <> 'tests'
			GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`);
		const steps =
			"alike attempt begun begun_service changed content created created_id fingerprint party reopened result sandbox sender skew state";
		const rowColumns = `alike attempt batch begun begun_service carried changed content created created_id effect fingerprint party reopened result row sandbox sender skew state`;
		const all = "at batch content hash intent kind seq";
		expect(
			rights.map(({ grantee, table_name, privilege_type, columns }) => [grantee, table_name, privilege_type, columns].join(" ")),
		).toEqual([
			"purser_approver approval INSERT approved digest key reason signature signed",
			"purser_planner batch INSERT number opened senders shared state takes",
			"purser_planner batch UPDATE first last plan rows_digest senders state",
			`purser_planner event INSERT ${all}`,
			`purser_planner intent INSERT ${rowColumns}`,
			`purser_planner intent UPDATE ${steps}`,
			"purser_planner meta INSERT key value",
			"purser_planner meta UPDATE value",
			"purser_sender batch UPDATE begun begun_service day senders state takes",
			`purser_sender event INSERT ${all}`,
			`purser_sender intent INSERT ${rowColumns}`,
			`purser_sender intent UPDATE ${steps}`,
			"purser_sender meta INSERT key value",
			"purser_sender meta UPDATE value",
			"purser_sender spent INSERT currency day total",
			"purser_sender spent UPDATE total",
		]);
		const tables = await server.sql(`SELECT grantee || ' ' || table_name AS one FROM information_schema.table_privileges
			WHERE table_schema = 'purser' AND privilege_type IN ('DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES') AND grantee <> 'tests' ORDER BY 1`);
		expect(tables.map(({ one }) => one)).toEqual(["purser_planner batch", "purser_planner intent"]);
		const everybody = await server.sql(`SELECT nspacl::text FROM pg_namespace WHERE nspname = 'purser' AND nspacl::text ~ '[{,]='
			UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'purser'::regnamespace AND (proacl IS NULL OR proacl::text ~ '[{,]=')
			UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'purser'::regnamespace AND NOT coalesce(proconfig::text, '') LIKE '%search_path=purser, pg_temp%'`);
		expect(everybody).toEqual([]);
		const definers = await server.sql("SELECT proname FROM pg_proc WHERE pronamespace = 'purser'::regnamespace AND prosecdef ORDER BY 1");
		expect(definers.map(({ proname }) => proname)).toEqual(["approval_rules", "batch_rules", "intent_rules"]);
	});

	test("which role is missing is said for what was asked", async () => {
		const { batches: mine, batch } = await ready();
		const plan = (await mine.show(batch))?.plan;
		const [journal, batches] = [await open(newFolder(), as("a_approver")), await openRows(newFolder(), as("a_approver"))];
		const sender = await openRows(newFolder(), as("a_sender"));
		const said = (work: Promise<unknown> = Promise.resolve()) => work.then(String, (error) => error.message.replace(/: the role /, ": "));
		expect([
			await said(journal.begin(payment({ reference: "r" }))),
			await said(journal.begin(change({ digest: "1".repeat(64) }))),
			await said(planned(batches, [999])),
			await said(batches.begin(batch, ["planned"], none)),
			await said(sender.team?.reject(plan as never, "no")),
		]).toEqual([
			"a_approver may not send or settle payments: purser_sender is missing; nothing was sent",
			"a_approver may not record a change: purser_planner or purser_sender is missing; nothing was changed",
			"a_approver may not plan batches: purser_planner is missing; nothing was changed",
			"a_approver may not send or settle payments: purser_sender is missing; nothing was sent",
			"a_sender may not approve or reject batches: purser_approver is missing; nothing was changed",
		]);
	});
	let numbers = 100;
	async function ready() {
		const batches = await openRows(newFolder(), as("a_planner"));
		return { batches, batch: await planned(batches, [++numbers]) };
	}

	test("a policy has these forms alone, and its owner alone changes it", async () => {
		const to = await server.journal();
		const refused = [...["above 1000", "Always", "always'; --"].map((approval) => ({ approval })), { "cap-per-person-day": "x EUR" }];
		for (const policy of refused) expect(await codeOf(createTables({ ...to, schema: "refused" }, policy))).toBe("JOURNAL_POLICY");
		await createTables({ ...to, schema: "policied" }, { approval: "above 5 EUR a day", "cap-per-person-day": "7.50 EUR" });
		expect(await server.sql("SELECT key || ' ' || value AS one FROM policied.policy ORDER BY 1")).toEqual([
			{ one: "approval above 5 EUR a day" },
			{ one: "cap-per-person-day 7.50 EUR" },
		]);
		const member = await Session.open({ ...to, user: await server.member(to.schema, ["planner", "approver", "sender"], "everything") });
		await expect(member.script("DELETE FROM policy")).rejects.toThrow("permission denied");
		await member.close();
		await expect(server.sql("UPDATE policied.policy SET value = 'never' WHERE key = 'approval'")).rejects.toThrow("policy_check");
	});

	test("what a person sends on a day counts once for each payment, whatever became of it, and for that person alone", async () => {
		const to = await server.journal(undefined, { approval: "above 25 EUR a day", "cap-per-person-day": "20 EUR" });
		const [anna, ben] = [
			await server.member(to.schema, ["sender", "planner"], "day_anna"),
			await server.member(to.schema, ["sender"], "day_ben"),
		];
		const [hers, his] = [await open(newFolder(), as(anna, to)), await open(newFolder(), as(ben, to))];
		const pay = (journal: typeof hers, amount: string, reference: string) => codeOf(journal.begin(payment({ amount, reference })));
		const first = await hers.begin(payment({ amount: "15", reference: "1" }));
		await hers.end(first, { state: "refused", status: 422 });
		expect(await pay(hers, "5.01", "2")).toBe("CAP_PER_PERSON_DAY");
		expect(await pay(hers, "5", "3")).toBe("done");
		expect(await pay(his, "5.01", "4")).toBe("APPROVAL_NEEDED");
		expect(await pay(his, "5.00", "5")).toBe("done");
		// A refusal is this payment's alone: the process goes on.
		expect(await codeOf(hers.begin(change()))).toBe("done");
	});

	test("SQL says of the same sums what purser's rules say", async () => {
		const sums: Record<string, string>[] = [
			...[{}, { EUR: "1000" }, { EUR: "1000.00" }, { EUR: "1000.01" }, { "": "0.01" }],
			...[{ USD: "1" }, { EUR: "1", USD: "1" }, { EUR: "999", "": "2" }],
		];
		const policies = ["always", "above 1000 EUR", "above 1000 EUR a day", "above 1000.005 EUR"];
		const spent: Record<string, string>[] = [{}, { EUR: "0.01" }, { "": "0.01" }, { USD: "5000" }];
		const to = await server.journal();
		const today = "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')";
		for (const before of spent) {
			const rows = Object.entries(before).map(([currency, total]) => `INSERT INTO sent VALUES (${today}, 'x', '${currency}', ${total});`);
			await server.sql(`SET search_path TO ${to.schema}; DELETE FROM sent; ${rows.join(" ")}`);
			for (const approval of policies) {
				await server.sql(`DELETE FROM ${to.schema}.policy; INSERT INTO ${to.schema}.policy VALUES ('approval', '${approval}')`);
				for (const asked of sums) {
					const [row] = await server.sql(
						`SET search_path TO ${to.schema}; SELECT approval_needed('${JSON.stringify(asked)}', '${JSON.stringify(asked)}') AS needed`,
					);
					const totals = Object.entries(asked).map(([currency, amount]) => ({
						...{ ledgerFromId: "a", rows: 1, amount, currency: currency || undefined },
					}));
					const needed = approvalNeeded({ totals }, { approval }, before);
					expect([approval, asked, before, row?.needed]).toEqual([approval, asked, before, needed]);
				}
			}
		}
	});
});
