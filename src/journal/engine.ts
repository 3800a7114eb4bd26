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

/** What each engine does in its own way. */
interface Parts {
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

/** An open journal. */
export interface Engine extends Parts {
	/** The comparison with its anchor, made on first use; undefined if it has none. */
	anchoring(): Promise<Anchoring | undefined>;
	guard: Store["guard"];
	close(): Promise<void>;
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

export function engineOf<P extends Parts>(parts: P, { profile, clock, anchor }: Omit<EngineOptions, "rules">): P & Engine {
	const { connection, senders, log } = parts;
	let made: Promise<Anchoring> | undefined;
	const anchoring = async (): Promise<Anchoring | undefined> => {
		made ??= anchor?.().then((place) => new Anchoring({ ...parts, place, profile, clock }));
		return made;
	};
	return {
		...parts,
		anchoring,
		async guard(fresh) {
			const anchored = await anchoring();
			await connection.read((reading) => refuseUnfit(reading, anchored === undefined ? log : undefined));
			return (await anchored?.allow(fresh)) ?? "unguarded";
		},
		async close() {
			await connection.close();
			await senders.end();
		},
	};
}

/** Does work with an open journal, and closes it. @throws PurserError, for the engine's errors too */
export async function withEngine<E extends Engine, T>(engine: E, work: (engine: E) => Promise<T>): Promise<T> {
	try {
		return await engine.trouble.guarded(() => work(engine));
	} finally {
		await engine.close();
	}
}

export function engineStore(engine: Engine, rules: Rules): Store {
	const { connection, senders, anchoring, log } = engine;
	return {
		...engine,
		write: (job) => connection.write((transaction) => job(tablesIn(transaction))),
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
		standing: async () => (await anchoring())?.standing() ?? (await connection.read(marksOf)).restored,
		adopt: async (reason, since) => {
			const lacking = log && (await connection.read((reading) => log.countLacking(reading)));
			if (lacking !== undefined && lacking.marks > 0) throw wentBack(lacking);
			return (await import("./adopt.js")).adopt(engine, rules, reason, since);
		},
	};
}
