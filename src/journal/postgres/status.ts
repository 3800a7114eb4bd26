/**
 * Who uses a team's journal now, and how the database keeps what it has confirmed.
 */
import type { Keeping, TeamSession } from "../../ports/team.js";
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

/** Whether this login may add events. */
export async function mayRecord(session: Session): Promise<boolean> {
	const row = await session.get(sql`SELECT CASE WHEN has_table_privilege('event', 'INSERT') THEN 1 ELSE 0 END AS may`);
	return row?.may === 1;
}

/** Whether this login may record payments; its schema names the role. */
export async function mayPay(session: Session): Promise<boolean> {
	const role = `${session.address.schema}_sender`;
	const row = await session.get(sql`SELECT CASE WHEN pg_has_role(session_user, ${role}::name, 'USAGE') THEN 1 ELSE 0 END AS may`);
	return row?.may === 1;
}
