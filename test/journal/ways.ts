/**
 * Ways for one person, who may plan and send, to pay by SQL what needs a second one. Each is what comes before: then the payments of
 * {@link pay} are tried.
 */
export type Way = readonly [name: string, ...statements: string[]];

/** A payment of its own, recorded as being sent. */
export const single = (transfer: string, state = "sending", effect = "money"): string =>
	`INSERT INTO intent (effect, state, attempt, begun, begun_service, changed, sender, content, result)
	VALUES ('${effect}', '${state}', 1, 't', 't', 't', 'x', '{"transfer":{${transfer}}}', '{}')`;

const row = (cells: string, batch: number, state = "planned", attempt = 0): string =>
	`INSERT INTO intent (effect, state, attempt, begun, begun_service, changed, content, result, batch, row)
	VALUES ('money', '${state}', ${attempt}, 't', 't', 't', '["l","a","b",${cells},null,null,null]', '{}', ${batch}, 9)`;

/** What is tried after each way: batch 1 needs an approval and has none, batch 2 has one of other rows, batch 3 was rejected, a single payment is above the limit. */
export const pay: readonly string[] = [
	...[1, 3, 5, 6].flatMap((batch) => [
		`UPDATE batch SET state = 'begun', senders = '["x"]' WHERE number = ${batch}`,
		`UPDATE intent SET state = 'sending', attempt = attempt + 1, sender = 'x' WHERE batch = ${batch} AND number = (SELECT min(number) FROM intent WHERE batch = ${batch})`,
	]),
	`UPDATE batch SET state = 'begun', senders = '["x"]' WHERE number = 2`,
	`UPDATE intent SET state = 'sending', attempt = attempt + 1 WHERE batch = 2 AND content NOT LIKE '%"1100.00"%'`,
	`UPDATE intent SET state = 'sending', attempt = attempt + 1 WHERE batch IS NULL AND effect = 'money'`,
	single('"amount":"2000","currency":"EUR"'),
];

const columns: Readonly<Record<string, string>> = {
	event: "seq at intent kind content hash batch",
	intent:
		"number effect state attempt begun skew begun_service changed sender sandbox party fingerprint alike created_id created content result reopened batch row carried",
	batch: "number state opened begun begun_service day senders first last takes rows_digest shared plan planner",
	plan: "batch digest text sums planner at",
	approval: "digest approver approved reason key signed signature at",
	policy: "key value",
	counted: "day intent sums",
	sent: "day login currency total",
	meta: "key value",
	spent: "day currency total",
};
const tables = Object.keys(columns);
/** What would help there. */
const wanted: Readonly<Record<string, string>> = {
	"intent.state": "'sending'",
	"intent.effect": "'write'",
	"intent.batch": "2",
	"intent.content": `'["l","a","b","1","EUR",null,null,null]'`,
	"batch.state": "'begun'",
	"plan.sums": "'{}'",
	"plan.planner": "'nobody'",
	"batch.planner": "'nobody'",
	"approval.approver": "'bob'",
	"approval.approved": "true",
	"approval.digest": "(SELECT digest FROM plan WHERE batch = 1)",
	"plan.digest": "(SELECT digest FROM approval WHERE approved)",
	"policy.value": "'above 999999 EUR'",
	"sent.total": "0",
	"counted.sums": "'{}'",
};
const triggers = [
	...["event_is_kept", "plan_is_kept", "plan_is_not_lost", "approval_is_kept", "approval_is_not_lost"],
	...["approval_follows_rules", "intent_follows_rules", "batch_follows_rules"],
].map((name) => [name.split("_")[0] as string, name] as const);
const functions = [
	...["approval_needed(jsonb, jsonb)", "is_above(text, jsonb, jsonb)", "is_approved(bigint)", "sums_of(json)", "sent_today(text)"],
];
const ruling = ["intent_rules()", "batch_rules()", "approval_rules()", "event_refusal()"];
const answers = ["false", "false", "true", "'{}'::jsonb", "'{}'::jsonb"];
const roles = ["owner", "bob", "carol", "pg_read_server_files", "pg_write_all_data", "pg_execute_server_program", "pg_monitor"];

const changing: Way[] = tables.flatMap((table) =>
	(columns[table] as string).split(" ").map((column): Way => {
		const value = wanted[`${table}.${column}`] ?? `(SELECT ${column} FROM ${table} ORDER BY 1 DESC LIMIT 1)`;
		return [`changes ${table}.${column}`, `UPDATE ${table} SET ${column} = ${value}`];
	}),
);
const taking: Way[] = tables.flatMap((table): Way[] => [
	[`deletes from ${table}`, `DELETE FROM ${table}`],
	[`empties ${table}`, `TRUNCATE ${table} CASCADE`],
	[`turns the triggers of ${table} off`, `ALTER TABLE ${table} DISABLE TRIGGER ALL`, `ALTER TABLE ${table} DISABLE TRIGGER USER`],
	[`owns ${table}`, `ALTER TABLE ${table} OWNER TO mallory`, `ALTER TABLE ${table} DISABLE TRIGGER USER`],
	[`grants itself ${table}`, `GRANT ALL ON ${table} TO mallory`, `DELETE FROM ${table}`],
	[`has a rule on ${table}`, `CREATE RULE helpful AS ON UPDATE TO ${table} DO INSTEAD NOTHING`],
	[
		`has a trigger on ${table}`,
		helper("pg_temp"),
		`CREATE TRIGGER zz BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION pg_temp.help()`,
	],
	[`replaces ${table}`, `DROP TABLE ${table} CASCADE`, `CREATE TABLE ${table} (one TEXT)`],
]);
const dropping: Way[] = [
	...triggers.flatMap(([table, name]): Way[] => [
		[`drops ${name}`, `DROP TRIGGER ${name} ON ${table}`],
		[`turns ${name} off`, `ALTER TABLE ${table} DISABLE TRIGGER ${name}`],
	]),
	...[...functions, ...ruling].flatMap((name): Way[] => [
		[`drops ${name}`, `DROP FUNCTION ${name} CASCADE`],
		[`lets ${name} look elsewhere`, `ALTER FUNCTION ${name} SET search_path TO pg_temp`],
	]),
	...ruling.map(
		(name): Way => [`replaces ${name}`, `CREATE OR REPLACE FUNCTION ${name} RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`],
	),
];

function helper(where: string): string {
	return `CREATE FUNCTION ${where}.help() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.state := ''sending''; RETURN NEW; END'`;
}

/** Objects of the same names, where the functions might look for them first. */
const shadows: Way[] = ["pg_temp", "public"].flatMap((where) => [
	...tables.map(
		(table): Way => [
			`has a ${table} of its own in ${where}`,
			`CREATE ${where === "pg_temp" ? "TEMP " : ""}TABLE ${where}.${table} AS SELECT * FROM ${table} WHERE false`,
			`SET LOCAL search_path TO ${where}, journal`,
			...pay.map((text) => text.replace(/(UPDATE|INTO) (intent|batch)/g, "$1 journal.$2")),
		],
	),
	...functions.map(
		(name, at): Way => [
			`has a ${name.split("(")[0]} of its own in ${where}`,
			`CREATE FUNCTION ${where}.${name} RETURNS ${at < 3 ? "boolean" : "jsonb"} LANGUAGE sql AS $$ SELECT ${answers[at]} $$`,
			`SET LOCAL search_path TO ${where}, journal`,
		],
	),
	...(
		[
			["pg_has_role(name, text, text)", "boolean", "true"],
			["current_setting(text)", "text", "'read committed'::text"],
			["clock_timestamp()", "timestamptz", "'2001-01-01'::timestamptz"],
			["sha256(bytea)", "bytea", "'x'::bytea"],
		] as const
	).map(
		([name, type, answer]): Way => [
			`has a ${name.split("(")[0]} of its own in ${where}`,
			`CREATE FUNCTION ${where}.${name} RETURNS ${type} LANGUAGE sql AS $$ SELECT ${answer} $$`,
			`SET LOCAL search_path TO ${where}, pg_catalog, journal`,
		],
	),
]);

const being: Way[] = [
	...roles.flatMap((role): Way[] => [
		[`is ${role} by SET ROLE`, `SET LOCAL ROLE ${role}`],
		[`is ${role} by SET SESSION AUTHORIZATION`, `SET LOCAL SESSION AUTHORIZATION ${role}`],
		[`is granted ${role}`, `GRANT ${role} TO mallory`, `SET LOCAL ROLE ${role}`],
	]),
	...["planner", "sender", "reader"].map((role): Way => [`acts as the group ${role}`, `SET LOCAL ROLE journal_${role}`]),
	["grants itself the approver", "GRANT journal_approver TO mallory", approve("bob")],
	["makes the sender an approver", "GRANT journal_approver TO journal_sender", approve("bob")],
	["becomes a superuser", "ALTER ROLE mallory SUPERUSER"],
	["may make roles", "ALTER ROLE mallory CREATEROLE", "GRANT journal_approver TO mallory"],
	["makes another login", "CREATE ROLE eve LOGIN IN ROLE journal_approver"],
	["has another name", "ALTER ROLE mallory RENAME TO bob2"],
	["gives the approver another name", "ALTER ROLE journal_approver RENAME TO nobody"],
	["has bob's password", "ALTER ROLE bob PASSWORD 'x'"],
	["owns the schema", "ALTER SCHEMA journal OWNER TO mallory"],
	["moves the schema", "ALTER SCHEMA journal RENAME TO other", "CREATE SCHEMA journal"],
	["owns the database", "ALTER DATABASE postgres OWNER TO mallory"],
	["takes what others own", "REASSIGN OWNED BY owner TO mallory"],
	["drops what others own", "DROP OWNED BY owner CASCADE"],
];

function approve(approver: string, digest = "(SELECT digest FROM plan WHERE batch = 1)"): string {
	return `INSERT INTO approval (digest, approver, approved, at) VALUES (${digest}, '${approver}', true, 't')`;
}
const approving: Way[] = [
	["approves its own batch", "INSERT INTO approval (digest, approved) SELECT digest, true FROM plan WHERE batch = 1"],
	...["bob", "carol", "mallory", "owner", "MALLORY", " bob"].map((name): Way => [`approves as ${name}`, approve(name)]),
	[
		"copies the approval of another plan",
		"INSERT INTO approval SELECT (SELECT digest FROM plan WHERE batch = 1), approver, approved, reason, key, signed, signature, at FROM approval WHERE approved",
	],
	["copies it by COPY", "COPY approval FROM '/etc/hostname'"],
	["writes by COPY to a program", "COPY approval TO PROGRAM 'true'"],
	["turns the rejection", "UPDATE approval SET approved = true WHERE NOT approved"],
	["deletes the rejection", "DELETE FROM approval WHERE NOT approved"],
	[
		"approves by a view",
		"CREATE TEMP VIEW said AS SELECT * FROM approval",
		"INSERT INTO said (digest, approved) SELECT digest, true FROM plan",
	],
	[
		"approves by a merge",
		"MERGE INTO approval USING plan ON false WHEN NOT MATCHED THEN INSERT (digest, approved) VALUES (plan.digest, true)",
	],
	["writes a plan", "INSERT INTO plan SELECT 6, digest || 'x', text, '{}', 'bob', at FROM plan WHERE batch = 2"],
	["writes a policy", "INSERT INTO policy VALUES ('approval', 'above 9999 EUR') ON CONFLICT (key) DO UPDATE SET value = excluded.value"],
];

const opened = "INSERT INTO batch (number, state, opened, senders, takes, shared) VALUES (6, 'loading', 't', '[]', '[]', '{}')";
const sealed = (number: number, plan: string) =>
	`UPDATE batch SET state = 'planned', first = (SELECT min(number) FROM intent WHERE batch = ${number}), last = (SELECT max(number) FROM intent WHERE batch = ${number}), plan = ${plan} WHERE number = ${number}`;
const big = row('"2000","EUR"', 6);
const own = `'{"batch":"6"}'`;
const again = ["sending", "accepted", "in-doubt", "not-created", "sending"];
const planning: Way[] = [
	[
		"pays an approved row that was paid, opened again and called not created",
		"UPDATE batch SET state = 'begun' WHERE number = 2",
		...again.map((state, at) => `UPDATE intent SET state = '${state}', reopened = 0, attempt = ${at < 4 ? 1 : 2} WHERE batch = 2`),
	],
	["adds a row to an approved batch", row('"2000","EUR"', 2)],
	["adds a row to a batch that is loaded by a colleague", row('"2000","EUR"', 5), sealed(5, `'{"batch":"5"}'`)],
	["adds a row to no batch", row('"2000","EUR"', 77)],
	["adds a row that is being sent", row('"2000","EUR"', 6, "sending", 1)],
	["loads an approved batch anew", "UPDATE batch SET state = 'loading' WHERE number = 2", row('"2000","EUR"', 2), sealed(2, "plan")],
	[
		"takes an approved batch apart and plans it anew",
		"UPDATE batch SET state = 'loading' WHERE number = 2",
		"DELETE FROM intent WHERE batch = 2",
		"DELETE FROM batch WHERE number = 2",
		opened.replace("(6", "(2"),
		row('"2000","EUR"', 2),
		sealed(2, `(SELECT text FROM plan WHERE batch = 2)`),
	],
	["plans under an approved plan's text", opened, big, sealed(6, "(SELECT text FROM plan WHERE batch = 2)")],
	["plans under another number", opened, big, sealed(6, `'{"batch":"2"}'`)],
	["plans without a text", opened, big, sealed(6, "NULL")],
	["seals a batch that a colleague loads", sealed(5, `'{"batch":"5"}'`)],
	[
		"hides a row outside of the batch's numbers",
		opened,
		row('"1","EUR"', 6),
		big,
		`UPDATE batch SET first = (SELECT min(number) FROM intent WHERE batch = 6), last = first, state = 'planned', plan = ${own} WHERE number = 6`,
		`UPDATE batch SET state = 'begun' WHERE number = 6`,
		`UPDATE intent SET state = 'sending' WHERE content LIKE '%2000%' AND batch = 6`,
	],
	["hides all rows", opened, big, `UPDATE batch SET state = 'planned', plan = ${own} WHERE number = 6`],
	[
		"changes a row while it loads",
		opened,
		row('"1","EUR"', 6),
		`UPDATE intent SET content = '["l","a","b","2000","EUR",null,null,null]' WHERE batch = 6`,
		sealed(6, own),
		`UPDATE intent SET state = 'sending' WHERE batch = 6 AND content LIKE '%2000%'`,
		"DELETE FROM intent WHERE batch = 6",
	],
	["begins it while it loads", opened, big, "UPDATE batch SET state = 'begun' WHERE number = 6"],
	["opens it begun", opened.replace("loading", "begun"), big],
	["opens it planned", opened.replace("loading", "planned"), big],
	[
		"begins a cancelled batch",
		"UPDATE batch SET state = 'abandoned' WHERE number = 1",
		"UPDATE batch SET state = 'planned' WHERE number = 1",
	],
	["swaps two batches", "UPDATE batch SET number = -1 WHERE number = 2", "UPDATE batch SET number = 2 WHERE number = 1"],
	["moves a row to an approved batch", "UPDATE intent SET batch = 2 WHERE batch = 1"],
	[
		"stretches an approved batch",
		"UPDATE batch SET first = 1, last = 999 WHERE number = 2",
		"UPDATE batch SET state = 'begun' WHERE number = 2",
	],
	...[
		...['"2000 ","EUR"', '"2e3","EUR"', '"+2000","EUR"', '"2,000","EUR"', '"0x7d0","EUR"'],
		...['"NaN","EUR"', '"-2000","EUR"', '"２０００","EUR"', 'null,"EUR"', '["2000"],"EUR"'],
		...['"2000","EUR "', '"2000","eur"', '"2000",null', '"2000",""', '2000,"EUR"'],
		...['"0002000","EUR"', '"2000.0000","EUR"'],
	].map((cells): Way => [`plans a row of ${cells}`, opened, row(cells, 6), sealed(6, own)]),
];

const spelled: Way[] = [
	...[
		...['"amount":"2000 "', '"amount":" 2000"', '"amount":"2e3"', '"amount":"+2000"', '"amount":"2_000"'],
		...['"amount":"NaN"', '"amount":"Infinity"', '"amount":"-2000"', '"amount":""', '"amount":null'],
		...['"amount":"２０００"', '"amount":"0x7d0"', '"amount":["1"]', '"amount":2e3', '"amount":"2000\\n"'],
		...['"amount":"1","amount":"2000"', '"amount":"0002000"', '"amount":"2000.00"', '"amount":"1000.01"'],
	].map((amount): Way => [`pays ${amount}`, single(`${amount},"currency":"EUR"`)]),
	...['"eur"', '"EUR "', '" EUR"', '""', "null", '"USD"', '"EU"', '"EURO"', '"ＥＵＲ"', '["EUR"]', '"EUR\\u0000"', "978"].map(
		(currency): Way => [`pays 1 of ${currency}`, single(`"amount":"1","currency":${currency}`)],
	),
	["pays 2000 of no currency", single('"amount":"2000"')],
	["pays without an amount", single('"currency":"EUR"')],
	[
		"pays as a write",
		single('"amount":"2000","currency":"EUR"', "sending", "write"),
		"UPDATE intent SET effect = 'money' WHERE batch IS NULL",
	],
	...["planned", "in-doubt", "not-sent", "not-created", "refused", "accepted", "waiting"].map(
		(state): Way => [`records a payment as ${state} first`, single('"amount":"2000","currency":"EUR"', state)],
	),
	...["planned", "sending", "abandoned", "in-doubt", "not-sent", "not-created", "refused", "accepted", "waiting"].map(
		(state): Way => [
			`carries a payment over as ${state}, as if it had been a machine's`,
			single('"amount":"2000","currency":"EUR"', state)
				.replace("result)", "result, carried)")
				.replace(/'\{\}'\)$/, "'{}', 'laptop:1')"),
			"UPDATE intent SET state = 'not-created' WHERE carried IS NOT NULL",
		],
	),
	[
		"pays a little and then writes more",
		"UPDATE intent SET state = 'refused' WHERE batch = 4",
		`UPDATE intent SET content = '["l","a","b","2000","EUR",null,null,null]', state = 'sending' WHERE batch = 4`,
	],
];

const settings: Way[] = [
	...[
		...["session_replication_role TO replica", "row_security TO off", "session_authorization TO owner"],
		...["role TO bob", "TIME ZONE 'Pacific/Kiritimati'", "search_path TO pg_temp, journal"],
		...["standard_conforming_strings TO off", "default_transaction_isolation TO serializable"],
	].map((setting): Way => [`sets ${setting}`, `SET LOCAL ${setting}`]),
	["has settings of its own at the next login", "ALTER ROLE mallory SET session_replication_role TO replica"],
	["reads a file", "SELECT pg_read_file('postgresql.auto.conf')"],
	["has an extension", "CREATE EXTENSION dblink"],
	["has an event trigger", helper("public"), "CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION public.help()"],
	["changes the catalogue", "UPDATE pg_trigger SET tgenabled = 'D'"],
	["has a policy for rows", "CREATE POLICY p ON approval USING (false)", "ALTER TABLE approval ENABLE ROW LEVEL SECURITY"],
	["inherits the payments", "CREATE TEMP TABLE more () INHERITS (intent)"],
	["calls the rules by itself", "SELECT intent_rules()"],
	[
		"has a trigger with the owner's function",
		"CREATE TEMP TABLE mine (number BIGINT, state TEXT)",
		"CREATE TRIGGER t BEFORE INSERT ON mine FOR EACH ROW EXECUTE FUNCTION journal.batch_rules()",
		"INSERT INTO mine VALUES (1, 'begun')",
	],
	["cancels who decides", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename <> 'mallory'"],
	["grants everybody everything", "GRANT ALL ON ALL TABLES IN SCHEMA journal TO PUBLIC", "DELETE FROM policy"],
];

export const ways: readonly Way[] = [...[changing, taking, dropping, shadows, being, approving, planning, spelled, settings].flat()];
