/**
 * Who uses a team's journal now, who may, and how the database keeps what it has confirmed.
 */
import type { Keeping, Login, TeamSession } from "../../ports/team.js";
import { sql } from "../tables/sql.js";
import { held, keyColumn } from "./connection.js";
import type { Session } from "./session.js";

/** The sessions of purser in this database, but for this one. @param writers the key of the lock of all who write */
export async function sessionsOf(session: Session, writers: bigint): Promise<TeamSession[]> {
	const rows = await session.all(
		sql`SELECT pid, application_name AS who, usename AS login, backend_start::text AS since FROM pg_stat_activity
		WHERE application_name LIKE 'purser: %' AND datname = current_database() AND pid <> pg_backend_pid() ORDER BY backend_start, pid`,
	);
	const locks = await session.all(sql`SELECT pid, (${keyColumn})::text AS key ${held}`);
	return rows.map(({ pid, who, login, since }) => {
		const keys = locks.filter((lock) => lock.pid === pid).map(({ key }) => String(key));
		const holds = [
			...(keys.includes(String(writers)) ? (["writing"] as const) : []),
			...(keys.some((key) => key !== String(writers)) ? (["sending"] as const) : []),
		];
		return { who: String(who), login: String(login), ...(since !== null && { since: new Date(String(since)).toISOString() }), holds };
	});
}

export async function keepingOf(session: Session): Promise<Keeping> {
	const rows = await session.all(sql`SELECT application_name AS name, sync_state AS sync FROM pg_stat_replication`);
	return {
		fsync: await session.setting("fsync"),
		synchronousCommit: await session.setting("synchronous_commit"),
		standbys: rows.map(({ name, sync }) => ({ name: String(name), sync: sync === null ? "unknown" : String(sync) })),
	};
}

/** Who may log in and use the schema, with what each may do. */
export async function loginsOf(session: Session): Promise<Login[]> {
	const { schema } = session.address;
	const rows = await session.all(
		sql`SELECT rolname AS login, CASE WHEN rolname = pg_get_userbyid(nspowner) THEN 1 ELSE 0 END AS owner, (SELECT string_agg(part.rolname, ' ' ORDER BY part.rolname)
		FROM pg_roles part WHERE part.rolname LIKE ${`${schema}\\_%`} AND NOT part.rolcanlogin AND pg_has_role(pg_roles.oid, part.oid, 'MEMBER')) AS roles
		FROM pg_roles, pg_namespace WHERE nspname = ${schema} AND rolcanlogin AND has_schema_privilege(pg_roles.oid, pg_namespace.oid, 'USAGE')
		ORDER BY rolname`,
	);
	return rows.map(({ login, owner, roles }) => {
		const parts = roles === null ? [] : String(roles).split(" ");
		return { login: String(login), roles: Number(owner) === 1 ? ["owner"] : parts.map((part) => part.slice(schema.length + 1)) };
	});
}
