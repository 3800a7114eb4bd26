/**
 * Why, beside its anchor, a journal is none to pay by: it is a restored backup, a team has what it holds, or a team's database went back.
 */
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { Restored } from "../../ports/anchor.js";
import type { MachineLog } from "../postgres/log.js";
import { type Reading, type Statements, sql } from "../tables/sql.js";
import { newestOwnEvent } from "../tables/tables.js";
import { WriteTransaction } from "../tables/transaction.js";
import { restoredBackup, wentBack } from "./refusals.js";

/** Own events of a journal that was carried over into a team's: nothing is paid by it until the machine has left the team. */
export const [movedToTeam, leftTeam] = ["moved-to-team", "left-team"] as const;

/** The team that has what this journal holds; undefined where none has it. */
export async function teamThatHasIt(reading: Reading): Promise<{ installation: string; address: string } | undefined> {
	const last = await reading.get(
		sql`SELECT kind, content FROM event WHERE kind IN (${movedToTeam}, ${leftTeam}) AND intent IS NULL AND batch IS NULL ORDER BY seq DESC LIMIT 1`,
	);
	return last?.kind === movedToTeam ? (JSON.parse(String(last.content)) as { installation: string; address: string }) : undefined;
}

/**
 * Refuses a journal that money does not leave from, whatever its anchor says.
 * @param log of a machine of a team, where the journal has no anchor
 * @throws PurserError guard: a restored backup, a journal that a team has, a team's database that went back
 */
export async function refuseUnfit(reading: Reading, log?: MachineLog): Promise<void> {
	const mark = await restoredMark(reading);
	if (mark !== undefined) throw restoredBackup(mark);
	await refuseInTeam(reading);
	if (log !== undefined && (await log.lost(reading)) !== undefined) throw wentBack(await log.countLacking(reading));
}

/** @throws PurserError guard, where a team has it */
async function refuseInTeam(reading: Reading): Promise<void> {
	const team = await teamThatHasIt(reading);
	if (team === undefined) return;
	throw new PurserError("guard", {
		code: "JOURNAL_IN_TEAM",
		message: "This machine's own journal was carried over to a team's, and pays no more; nothing was sent",
		why: `The team pays by ${team.address}, and this journal does not know what it has paid since`,
		fix: advice`Join it again, which goes on where it stopped: ${purser`team join ${team.address.replace(/ \(schema (.*)\)$/, "?schema=$1").replace("?schema=purser", "")}`}\nThen, to pay by a journal of this machine's own again: ${purser`team leave`}`,
	});
}

/** An event of a copy alone, so that the chain of hashes covers it: with it and without an adoption after it, it is a restored backup. */
const copiedKind = "copied";
/** The kind of the event that ends it. */
export const adoptedKind = "adopted";

/** Marks a copy. @param copy in a transaction; never the journal itself */
export async function markCopy(copy: Statements, now: Date): Promise<void> {
	const transaction = await WriteTransaction.begin(copy, now);
	await transaction.append(copiedKind, undefined, {});
	await transaction.finish();
}

/** The oldest mark that no adoption has followed; undefined if the journal is no restored backup. */
export async function restoredMark(reading: Reading): Promise<Omit<Restored, "anchor"> | undefined> {
	const adopted = Number((await reading.get(newestOwnEvent(adoptedKind)))?.seq ?? 0);
	const mark = await reading.get(
		sql`SELECT seq, at FROM event WHERE kind = ${copiedKind} AND seq > ${adopted} AND intent IS NULL AND batch IS NULL ORDER BY seq LIMIT 1`,
	);
	return mark && { kind: "restored", copied: String(mark.at), last: Number(mark.seq) - 1 };
}
