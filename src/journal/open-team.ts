/**
 * Opens a team's journal, which is in a PostgreSQL database, in the place of the file.
 */
import { guard } from "../errors.js";
import type { Batches, BatchRules } from "../ports/batches.js";
import type { Journal } from "../ports/journal.js";
import { type Engine, type EngineOptions, engineStore } from "./engine.js";
import { engineBatches } from "./open-batches.js";
import { approvalsOver } from "./postgres/approvals.js";
import { connectionTo, holderOf, sendersOf } from "./postgres/connection.js";
import { membersOf as rolesOf, type TeamRole } from "./postgres/roles.js";
import type { Policy } from "./postgres/rules.js";
import { databaseFaults, databaseOf } from "./postgres/schema.js";
import { type Address, addressText, type Session } from "./postgres/session.js";
import { createTables, openTables, type Setup, snapshotOf, writePolicy } from "./postgres/setup.js";
import { troubleWith } from "./postgres/trouble.js";
import { journalOver } from "./store.js";

export type TeamOptions = EngineOptions & Setup;

/** Makes the tables, rules and roles of a new journal. @throws PurserError, if they exist or cannot be made, or the policy has another form */
export const createTeamJournal = ({ address, policy }: { address: Address; policy?: Policy }): Promise<void> =>
	troubleWith(addressText(address)).guarded(() => createTables(address, policy));

/** Puts a policy in the place of the team's. @throws PurserError, if the login does not own the journal, or the policy has another form */
export const changePolicy = ({ address, policy }: { address: Address; policy: Policy }): Promise<void> =>
	troubleWith(addressText(address)).guarded(() => writePolicy(address, policy));

/** The logins that may do something in the journal, by name; not those who may do everything in the whole server. */
export const membersOf = ({ address }: { address: Address }): Promise<{ login: string; roles: TeamRole[] }[]> =>
	troubleWith(addressText(address)).guarded(() => snapshotOf(address, (session) => rolesOf(session, address.schema)));

/**
 * @throws PurserError unavailable, if the database cannot be reached; auth, if it refuses the login; usage, if there is no journal of this
 *   version and service, or the session would not hold a lock; nothing may be sent then
 */
export async function openTeamJournal(options: TeamOptions): Promise<Journal> {
	return journalOver(engineStore(await openTeam(options), options), options.rules);
}

/** Its batches, with a session of their own. @throws PurserError as {@link openTeamJournal} */
export async function openTeamBatches(options: TeamOptions & { rules: BatchRules }): Promise<Batches> {
	return engineBatches(await openTeam(options), options);
}

/** Opens the database for {@link openTeamJournal} or for batches. @throws PurserError as {@link openTeamJournal} */
export async function openTeam(options: TeamOptions): Promise<Engine> {
	const { address, clock, random } = options;
	const file = addressText(address);
	let opened: { session: Session; writers: bigint } | undefined;
	const trouble = troubleWith(file, async () => opened && holderOf(opened.session, opened.writers));
	return trouble.guarded(async () => {
		opened = await openTables(options);
		const { session, writers } = opened;
		const connection = connectionTo(session, writers, () => clock.now());
		return {
			file,
			trouble,
			connection,
			team: approvalsOver(connection, trouble, address.schema),
			senders: sendersOf(session, writers, random),
			database: databaseOf,
			snapshot: (job) => snapshotOf(address, async (own) => job(own, await databaseFaults(own))),
			backup: async () => {
				throw guard({
					code: "BACKUP_OF_DATABASE",
					message: "A team's journal is copied with its database, so no file was written",
					fix: "Let the administrator of the database keep base backups and its log, so that it can be restored to any moment.",
				});
			},
		};
	});
}
