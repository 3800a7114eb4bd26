/**
 * The group roles of a team's journal, named by its schema, and what each may do. Persons log in as themselves and are granted these roles.
 */
import { type Reading, raw, sql } from "../tables/sql.js";

const names = ["reader", "planner", "approver", "sender"] as const;

/** What a login may do; its owner everything. */
export type TeamRole = (typeof names)[number] | "owner";

const steps =
	"state, attempt, begun, skew, begun_service, changed, sender, sandbox, party, fingerprint, alike, created_id, created, content, result, reopened";

/** Makes the roles where they are missing, and grants each its columns; planner, approver and sender are readers too. */
export function rolesText(schema: string): string {
	const [reader, planner, approver, sender] = names.map((name) => `${schema}_${name}`);
	const made = names.map(
		(name) =>
			`IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${schema}_${name}') THEN CREATE ROLE ${schema}_${name} NOLOGIN; END IF;`,
	);
	return `
DO $$ BEGIN ${made.join(" ")} END $$;
REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC;
GRANT ${reader} TO ${planner}, ${approver}, ${sender};
GRANT USAGE ON SCHEMA ${schema} TO ${reader};
GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${reader};
GRANT EXECUTE ON FUNCTION approval_needed, is_above, is_approved, sent_today TO ${reader};
GRANT INSERT ON event TO ${planner}, ${sender};
GRANT INSERT, UPDATE (value) ON meta TO ${planner}, ${sender};
GRANT INSERT (effect, batch, row, carried, ${steps}), UPDATE (${steps}) ON intent TO ${planner}, ${sender};
GRANT INSERT (number, state, opened, senders, takes, shared), UPDATE (state, senders, first, last, plan, rows_digest) ON batch TO ${planner};
GRANT DELETE ON intent, batch TO ${planner};
GRANT UPDATE (state, begun, begun_service, day, senders, takes) ON batch TO ${sender};
GRANT INSERT, UPDATE (total) ON spent TO ${sender};
GRANT INSERT (digest, approved, reason, key, signed, signature) ON approval TO ${approver};`;
}

/** The logins that may do something, by name; those that may do everything in the whole server are left out, unless the schema is theirs. */
export async function membersOf(reading: Reading, schema: string): Promise<{ login: string; roles: TeamRole[] }[]> {
	const roles = raw(
		names
			.map((name) => `CASE WHEN NOT rolsuper AND pg_has_role(oid, '${schema}_${name}', 'USAGE') THEN '${name} ' ELSE '' END`)
			.join(" || "),
	);
	const found = await reading.all(
		sql`SELECT * FROM (SELECT rolname AS login, CASE WHEN oid = (SELECT nspowner FROM pg_namespace WHERE nspname = ${schema}) THEN 'owner ' ELSE '' END
		|| ${roles} AS roles FROM pg_roles WHERE rolcanlogin) AS logins WHERE roles <> '' ORDER BY login`,
	);
	return found.map(({ login, roles }) => ({ login: String(login), roles: String(roles).trim().split(" ") as TeamRole[] }));
}
