import { guard } from "../errors.js";
import type { Batches, BatchRules } from "../ports/batches.js";
import type { Journal } from "../ports/journal.js";
import type { Recovered, TeamStatus } from "../ports/team.js";
import { batchesOver } from "./batches/batches.js";
import { carryOutcomes } from "./carry.js";
import { type Engine, type EngineOptions, engineOf, engineStore, withEngine } from "./engine.js";
import { connectionTo, holderOf, keepingOf, policyOf, rightsOf, sendersOf, sessionsOf } from "./postgres/connection.js";
import { MachineLog } from "./postgres/log.js";
import { LoggedAttempts } from "./postgres/logged.js";
import { approvalsOver, membersOf } from "./postgres/roles.js";
import { databaseFaults, databaseOf } from "./postgres/schema.js";
import type { Session } from "./postgres/session.js";
import { openTables, type Setup, snapshotOf } from "./postgres/setup.js";
import { addressText, troubleWith } from "./postgres/trouble.js";
import { journalOver } from "./store.js";
import { installationOf } from "./tables/transaction.js";

export type TeamOptions = EngineOptions &
	Setup & {
		/** The state directory, which has this machine's log. */
		directory: string;
	};

/**
 * @throws PurserError unavailable, if the database cannot be reached; auth, if it refuses the login; usage, if there is no journal of this
 *   version and service, or the session would not hold a lock; nothing may be sent then
 */
export async function openTeamJournal(options: TeamOptions): Promise<Journal> {
	return journalOver(engineStore(await openTeam(options), options.rules), options.rules);
}

/** Its batches, with a session of their own. @throws PurserError as {@link openTeamJournal} */
export async function openTeamBatches(options: TeamOptions & { rules: BatchRules }): Promise<Batches> {
	return batchesOver(await openTeam(options), options.rules);
}

/**
 * Fills a database that went back from this machine's log, and adopts it.
 * @param reason a person's, on record
 * @throws PurserError as {@link openTeam}
 */
export async function recoverTeam(options: TeamOptions, reason: string): Promise<Recovered> {
	return withEngine(await openTeam(options), async (engine) => {
		const { recover } = await import("./recover.js");
		return recover(engine, options.rules, reason);
	});
}

/** A team's journal, open. */
export interface TeamEngine extends Engine {
	log: MachineLog;
	/** What this login may record. */
	rights(): ReturnType<typeof rightsOf>;
	/** Who uses it now, who may, and how it is kept. */
	people(): Promise<Pick<TeamStatus, "sessions" | "keeping" | "policy" | "logins">>;
}

/** Opens the database for {@link openTeamJournal} or for batches. @throws PurserError as {@link openTeamJournal} */
export async function openTeam(options: TeamOptions): Promise<TeamEngine> {
	const { address, clock, random } = options;
	const file = addressText(address);
	let opened: { session: Session; writers: bigint } | undefined;
	const trouble = troubleWith(address, async () => opened && holderOf(opened.session, opened.writers));
	return trouble.guarded(async () => {
		opened = await openTables(options);
		const { session, writers } = opened;
		try {
			const log = new MachineLog(options.directory, options.profile, await installationOf(session), () => clock.now());
			const connection = connectionTo(session, writers, () => clock.now());
			const senders = sendersOf(session, writers, random, options.machine);
			const engine = engineOf(
				{
					log,
					file,
					trouble,
					connection,
					team: approvalsOver(connection, trouble, address.schema),
					senders,
					logged: new LoggedAttempts(log, () => senders.own()),
					database: databaseOf,
					rights: () => rightsOf(session),
					people: async () => ({
						sessions: await sessionsOf(session, writers),
						keeping: await keepingOf(session),
						policy: await policyOf(session),
						logins: await membersOf(session, address.schema),
					}),
					snapshot: (job) => snapshotOf(address, async (own) => job(own, await databaseFaults(own))),
					backup: async () => {
						throw guard({
							code: "BACKUP_OF_DATABASE",
							message: "A team's journal is copied with its database, so no file was written",
							fix: "Let the administrator of the database keep base backups and its log, so that it can be restored to any moment.",
						});
					},
				},
				options,
			);
			await carryOutcomes(engine, options.rules);
			return engine;
		} catch (error) {
			await session.close();
			throw error;
		}
	});
}
