/**
 * A journal in a PostgreSQL database: one session, used by one transaction or reader at a time, and one advisory lock that all writers of
 * the journal wait for. A sender is alive exactly as long as its session holds the lock of its name.
 */

import { sha256OfParts } from "../../api/digest.js";
import type { Keeping, TeamPolicy, TeamSession } from "../../ports/team.js";
import { GroupCommit } from "../../sqlite/group-commit.js";
import type { Connection, Senders } from "../tables/connection.js";
import { raw, sql } from "../tables/sql.js";
import { WriteTransaction } from "../tables/transaction.js";
import type { Session } from "./session.js";

/** The key of an advisory lock, which is a number of 64 bits with a sign. */
export const keyOf = (...parts: readonly string[]): bigint => BigInt.asIntN(64, BigInt(`0x${sha256OfParts(parts).slice(0, 16)}`));

/**
 * @param writers the key of the lock that everybody who writes to this journal holds meanwhile
 * @param now this machine's clock
 */
export function connectionTo(session: Session, writers: bigint, now: () => Date): Connection {
	const begin = () => session.script(`BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(${writers})`);
	const rollBack = () => session.script("ROLLBACK").catch(() => {});
	const queue = new GroupCommit<WriteTransaction>({
		begin: async () => {
			await begin();
			return WriteTransaction.begin(session, now());
		},
		commit: async (transaction) => {
			await transaction.finish();
			await session.script("COMMIT");
		},
		rollBack,
	});
	return {
		write: (job) => queue.run(job),
		read: (job) => queue.alone(() => job(session)),
		locked: (job) =>
			queue.alone(async () => {
				try {
					await begin();
					return await job(session);
				} finally {
					await rollBack();
				}
			}),
		// The session stays: its end is the end of the sender too.
		close: () => queue.close(),
	};
}

/** SQL: the keys of the advisory locks that are held in this database. */
export const held = raw(
	`FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
);
export const keyColumn = raw("(classid::bigint << 32) | objid::bigint");

/** @param journal what tells this journal's senders from those of others in the database; `machine`: what the team calls this one */
export function sendersOf(session: Session, journal: bigint, random: { uuid(): string }, machine?: string): Senders {
	let own: string | undefined;
	const keyFor = (name: string): string => String(keyOf("sender", String(journal), name));
	return {
		machine,
		several: true,
		async own() {
			if (own !== undefined) return own;
			const name = random.uuid();
			await session.get(sql`SELECT pg_advisory_lock(${keyFor(name)}::bigint)`);
			own = name;
			return name;
		},
		async living(names) {
			const all = [...names];
			if (all.length === 0) return new Set();
			const locks = new Set((await session.all(sql`SELECT (${keyColumn})::text AS key ${held}`)).map(({ key }) => key));
			return new Set(all.filter((name) => locks.has(keyFor(name))));
		},
		async end() {
			await session.close();
		},
	};
}

/** Who holds the writers' lock, in words; undefined if nobody does (any more). */
export async function holderOf(session: Session, writers: bigint): Promise<string | undefined> {
	const row = await session.get(
		sql`SELECT pid, usename, application_name, xact_start::text AS since FROM pg_stat_activity WHERE pid <> pg_backend_pid()
		AND pid = (SELECT pid ${held} AND ${keyColumn} = ${String(writers)}::bigint LIMIT 1)`,
	);
	if (row === undefined) return undefined;
	const since = row.since === null ? "" : `, since ${row.since}`;
	return `${row.application_name || row.usename} (process ${row.pid} of the database, user ${row.usename}${since})`;
}

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

/** What holds for everybody, by the forms of a profile's settings. */
export async function policyOf(session: Session): Promise<TeamPolicy> {
	const rows = await session.all(sql`SELECT key, value FROM policy ORDER BY key`);
	return Object.fromEntries(rows.map(({ key, value }) => [String(key), String(value)]));
}

/** Whether this login may record changes, and payments among them; its schema names the role. */
export async function rightsOf(session: Session): Promise<{ records: boolean; pays: boolean }> {
	const role = `${session.address.schema}_sender`;
	const row = await session.get(
		sql`SELECT has_table_privilege('event', 'INSERT')::int AS records, pg_has_role(session_user, ${role}::name, 'USAGE')::int AS pays`,
	);
	return { records: row?.records === 1, pays: row?.pays === 1 };
}
