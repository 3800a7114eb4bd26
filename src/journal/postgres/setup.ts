import { PurserError } from "../../errors.js";
import type { Clock, Random } from "../../ports/machine.js";
import type { Profile } from "../../ports/profiles.js";
import type { TeamAddress, TeamPolicy } from "../../ports/team.js";
import { schemaVersion } from "../tables/schema.js";
import { sql } from "../tables/sql.js";
import { beginChain, installationOf, metaOf } from "../tables/transaction.js";
import { keyOf } from "./connection.js";
import { schemaText } from "./schema.js";
import { Session } from "./session.js";
import { addressText, Trouble, troubleWith } from "./trouble.js";

export interface Setup {
	address: TeamAddress;
	/** Scheme, host, port and base path of the service that the journal is of; another one's is refused. */
	service: string;
	profile: Pick<Profile, "name" | "environment">;
	/** What the team calls this machine. */
	machine?: string;
	clock: Clock;
	random: Random;
	/** Milliseconds to wait for a lock, where it is not the usual time. */
	wait?: number;
	/** For tests: a database that may forget what it has confirmed is used all the same. */
	forgetful?: boolean;
}

/**
 * Makes the tables, rules and roles of a new journal; the schema may exist, and be empty.
 * @throws PurserError, if the tables exist already or cannot be made, or the policy has another form
 */
export function createTables(address: TeamAddress, policy?: TeamPolicy): Promise<void> {
	return troubleWith(address).guarded(async () => {
		const text = schemaText(address.schema, policy);
		const session = await Session.open(address);
		await session.script(text).finally(() => session.close());
	}, "make");
}

/** @returns a session of the journal, and the key of the lock of all who write to it */
export async function openTables(setup: Setup): Promise<{ session: Session; writers: bigint }> {
	const { address, service } = setup;
	const session = await Session.open(address, { wait: setup.wait });
	try {
		if (setup.forgetful !== true && (await session.setting("fsync")) !== "on") throw new Trouble("unsafe", "fsync is off");
		const allowed = await session.get(sql`SELECT CASE WHEN has_schema_privilege(${address.schema}, 'USAGE') THEN 1 ELSE 0 END AS used`);
		if (allowed?.used !== 1) throw new Trouble("denied", `${address.user} may not use the schema ${address.schema}`);
		const version = await metaOf(session, "version");
		if (version !== String(schemaVersion)) throw otherVersion(address, version);
		if ((await metaOf(session, "installation")) === undefined) {
			const may = await session.get(sql`SELECT CASE WHEN has_table_privilege('meta', 'INSERT') THEN 1 ELSE 0 END AS begin`);
			if (may?.begin !== 1) throw notBegun(address);
			await begin(session, setup);
		}
		const [found, owner = ""] = [await metaOf(session, "service"), await metaOf(session, "owner")];
		if (found !== service || owner.split(" ").at(-1) !== setup.profile.environment) throw foreign(address, `${owner}, ${found}`);
		const { database, schema } = address;
		return { session, writers: keyOf("writers", database, schema, await installationOf(session), service) };
	} catch (error) {
		await session.close();
		throw error;
	}
}

/** Begins the chain, unless somebody else has done so meanwhile. */
async function begin(session: Session, { address, service, profile, clock, random }: Setup): Promise<void> {
	await session.script(`BEGIN; SELECT pg_advisory_xact_lock(${keyOf("begin", address.database, address.schema)})`);
	try {
		if ((await metaOf(session, "installation")) === undefined) {
			const { name, environment } = profile;
			const installation = random.uuid();
			const meta = { owner: `${name} ${environment}`, service, installation };
			await beginChain(session, clock.now(), meta, { installation, profile: name, environment, service, version: schemaVersion });
		}
		await session.script("COMMIT");
	} catch (error) {
		await session.script("ROLLBACK").catch(() => {});
		throw error;
	}
}

/** Reads one state of everything, in a session of its own. */
export async function snapshotOf<T>(address: TeamAddress, job: (session: Session) => Promise<T>): Promise<T> {
	const session = await Session.open(address, { allowed: 0 });
	try {
		await session.script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
		// The state is that of the first statement.
		await session.get(sql`SELECT 1 AS one`);
		return await job(session);
	} finally {
		await session.close();
	}
}

function foreign(address: TeamAddress, what: string): PurserError {
	return new PurserError("usage", {
		code: "JOURNAL_FOREIGN",
		message: `The journal at ${addressText(address)} is not this profile's (it is of ${what}), so it is left alone and nothing is sent`,
		fix: "Name the database and the schema of the team that pays at this service.",
	});
}

function notBegun({ user, schema }: TeamAddress): PurserError {
	return new PurserError("usage", {
		code: "JOURNAL_NOT_BEGUN",
		message: `Nobody has joined this team yet, and ${user} may not be the first; nothing was changed`,
		fix: `Let a colleague with the role ${schema}_planner or ${schema}_sender join, then run this again.`,
	});
}

function otherVersion(address: TeamAddress, version: string | undefined): PurserError {
	return new PurserError("usage", {
		code: "JOURNAL_FOREIGN",
		message: `The team's journal has schema version ${version ?? "unknown"}, and this purser reads version ${schemaVersion} only; it is unchanged and nothing was sent`,
		why: addressText(address),
		fix: "Use the purser that the team uses.",
	});
}
