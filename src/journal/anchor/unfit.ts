/**
 * Why, beside its anchor, a journal is none to pay by: it is a restored backup, a team has what it holds, or a team's database went back.
 */
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { Restored } from "../../ports/anchor.js";
import type { MachineLog } from "../postgres/log.js";
import { among, type Reading, type Statements, sql } from "../tables/sql.js";
import { WriteTransaction } from "../tables/transaction.js";
import { restoredBackup, wentBack } from "./refusals.js";

/** Own events of a journal that was carried over into a team's: nothing is paid by it until the machine has left the team. */
export const [movedToTeam, leftTeam] = ["moved-to-team", "left-team"] as const;
/** An event of a copy alone, so that the chain of hashes covers it: with it and without an adoption after it, it is a restored backup. */
const copiedKind = "copied";
/** The kind of the event that ends it. */
export const adoptedKind = "adopted";

/** What a journal says of itself. */
interface Marks {
	/** Absent if it is no restored backup. */
	restored?: Omit<Restored, "anchor">;
	/** The team that has what it holds. */
	team?: { installation: string; address: string };
}

export async function marksOf(reading: Reading): Promise<Marks> {
	const kinds = among(sql`kind`, [copiedKind, adoptedKind, movedToTeam, leftTeam]);
	const marks: Marks = {};
	for (const { seq, at, kind, content } of await reading.all(
		sql`SELECT seq, at, kind, content FROM event WHERE ${kinds} AND intent IS NULL AND batch IS NULL ORDER BY seq`,
	)) {
		// Of several copies of copies, the oldest is the one from which on it knows nothing.
		if (kind === copiedKind) marks.restored ??= { kind: "restored", copied: String(at), last: Number(seq) - 1 };
		else if (kind === adoptedKind) marks.restored = undefined;
		else marks.team = kind === movedToTeam ? (JSON.parse(String(content)) as Marks["team"]) : undefined;
	}
	return marks;
}

/**
 * Refuses a journal that money does not leave from, whatever its anchor says.
 * @param log of a machine of a team, where the journal has no anchor
 * @throws PurserError guard: a restored backup, a journal that a team has, a team's database that went back
 */
export async function refuseUnfit(reading: Reading, log?: MachineLog): Promise<void> {
	const { restored, team } = await marksOf(reading);
	if (restored !== undefined) throw restoredBackup(restored);
	if (team !== undefined) throw inTeam(team);
	if (log !== undefined && (await log.lost(reading)) !== undefined) throw wentBack(await log.countLacking(reading));
}

function inTeam({ address }: NonNullable<Marks["team"]>): PurserError {
	return new PurserError("guard", {
		code: "JOURNAL_IN_TEAM",
		message: "This machine's own journal was carried over to a team's, and pays no more; nothing was sent",
		why: `The team pays by ${address}, and this journal does not know what it has paid since`,
		fix: advice`Join it again, which goes on where it stopped: ${purser`team join ${address.replace(/ \(schema (.*)\)$/, "?schema=$1").replace("?schema=purser", "")}`}\nThen, to pay by a journal of this machine's own again: ${purser`team leave`}`,
	});
}

/** Marks a copy. @param copy in a transaction; never the journal itself */
export async function markCopy(copy: Statements, now: Date): Promise<void> {
	const transaction = await WriteTransaction.begin(copy, now);
	await transaction.append(copiedKind, undefined, {});
	await transaction.finish();
}
