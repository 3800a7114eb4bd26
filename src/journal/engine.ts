/**
 * The store of the port over a database, whichever engine has it.
 */
import type { AnchorPlace } from "../ports/anchor.js";
import type { TeamApprovals } from "../ports/batches.js";
import type { Backup, Rules } from "../ports/journal.js";
import type { Clock, Random } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import { type AnchoredJournal, Anchoring } from "./anchor/anchoring.js";
import { mismatch, wentBack } from "./anchor/refusals.js";
import { marksOf, refuseUnfit } from "./anchor/unfit.js";
import { checksOf, events, holders, listIntents, showIntent } from "./intents/read.js";
import type { MachineLog } from "./postgres/log.js";
import type { LoggedAttempts } from "./postgres/logged.js";
import type { Store } from "./store.js";
import type { Connection, Senders, Trouble } from "./tables/connection.js";
import type { Reading } from "./tables/sql.js";
import { tablesIn } from "./tables/tables.js";
import { installationOf } from "./tables/transaction.js";

/** An open journal, and what each engine does in its own way. */
export interface Engine {
	connection: Connection;
	senders: Senders;
	trouble: Trouble;
	/** Where the journal is, for people. */
	file: string;
	/** Which database has it; absent for a file. */
	database?: AnchoredJournal["database"];
	/** Of a team's journal: what this machine keeps of it. */
	log?: MachineLog;
	logged?: LoggedAttempts;
	/** Reads one state of everything, even while others write. @param job is told what is wrong with the database itself, in words */
	snapshot<T>(job: (reading: Reading, faults: readonly string[]) => Promise<T>): Promise<T>;
	backup(to: string): Promise<Backup>;
	/** Of a team's database. */
	team?: TeamApprovals;
}

/** What every engine is opened with. */
export interface EngineOptions {
	profile: Pick<Profile, "name" | "environment">;
	clock: Clock;
	random: Random;
	rules: Rules;
	/** Opens the store of the journal's anchor, when money is about to move; absent for a sandbox, which needs none. */
	anchor?(): Promise<AnchorPlace>;
}

/** Returns a function that creates the anchoring on first use; it resolves to undefined if the journal has no anchor. */
export function anchoringOf({ connection, file, database, log }: Engine, { profile, clock, anchor }: Omit<EngineOptions, "rules">) {
	let anchoring: Promise<Anchoring> | undefined;
	return async (): Promise<Anchoring | undefined> => {
		if (anchor === undefined) return undefined;
		anchoring ??= anchor().then((place) => new Anchoring({ connection, place, profile, file, clock, database, log }));
		return anchoring;
	};
}

/** See `Journal.guard`. */
export async function guardOf(
	{ connection, log }: Engine,
	anchoring: ReturnType<typeof anchoringOf>,
	fresh: boolean,
): ReturnType<Store["guard"]> {
	const anchored = await anchoring();
	await connection.read((reading) => refuseUnfit(reading, anchored === undefined ? log : undefined));
	return (await anchored?.allow(fresh)) ?? "unguarded";
}

/** Closes an open journal. */
export async function closeEngine({ connection, senders }: Pick<Engine, "connection" | "senders">): Promise<void> {
	await connection.close();
	await senders.end();
}

/** Does work with an open journal, and closes it. @throws PurserError, for the engine's errors too */
export async function withEngine<E extends Engine, T>(engine: E, work: (engine: E) => Promise<T>): Promise<T> {
	try {
		return await engine.trouble.guarded(() => work(engine));
	} finally {
		await closeEngine(engine);
	}
}

export function engineStore(engine: Engine, options: EngineOptions): Store {
	const { connection, senders, trouble, file } = engine;
	const { rules } = options;
	const anchoring = anchoringOf(engine, options);
	return {
		file,
		trouble,
		senders,
		write: (job) => connection.write((transaction) => job(tablesIn(transaction))),
		anchoring,
		logged: engine.logged,
		list: (filter) => listIntents(connection, filter, senders),
		show: (intent) => connection.read((reading) => showIntent(reading, intent, senders)),
		holders: (ids) => connection.read((reading) => holders(reading, ids, senders)),
		checks: (intent) => connection.read((reading) => checksOf(reading, intent)),
		events: (after) => events(connection, after),
		async verify() {
			const anchored = await anchoring();
			const standing = await anchored?.standing();
			const wrong = standing && mismatch(standing, (anchored as Anchoring).anchored);
			const { verifyJournal } = await import("./verify/verify.js");
			return engine.snapshot((reading, database) => verifyJournal(reading, rules, { standing, mismatch: wrong, database }));
		},
		installation: () => connection.read(installationOf),
		guard: (fresh) => guardOf(engine, anchoring, fresh),
		standing: async () => (await anchoring())?.standing() ?? (await connection.read(marksOf)).restored,
		adopt: async (reason, since) => {
			const lacking = engine.log && (await connection.read((reading) => (engine.log as MachineLog).countLacking(reading)));
			if (lacking !== undefined && lacking.marks > 0) throw wentBack(lacking);
			return (await import("./adopt.js")).adopt(connection, { rules, senders }, await anchoring(), reason, since);
		},
		backup: engine.backup,
		close: () => closeEngine(engine),
	};
}
