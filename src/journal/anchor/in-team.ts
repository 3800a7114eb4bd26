/**
 * That a machine's own journal was carried over into a team's: nothing is paid by it until the machine has left the team.
 */
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import { type Reading, sql } from "../tables/sql.js";

/** Own events of the journal in the file. */
export const [movedToTeam, wentBack] = ["moved-to-team", "left-team"] as const;

/** The team that has what this journal holds; undefined where none has it. */
export async function teamThatHasIt(reading: Reading): Promise<{ installation: string; address: string } | undefined> {
	const last = await reading.get(
		sql`SELECT kind, content FROM event WHERE kind IN (${movedToTeam}, ${wentBack}) AND intent IS NULL AND batch IS NULL ORDER BY seq DESC LIMIT 1`,
	);
	return last?.kind === movedToTeam ? (JSON.parse(String(last.content)) as { installation: string; address: string }) : undefined;
}

/** @throws PurserError guard, where a team has it */
export async function refuseInTeam(reading: Reading): Promise<void> {
	const team = await teamThatHasIt(reading);
	if (team === undefined) return;
	throw new PurserError("guard", {
		code: "JOURNAL_IN_TEAM",
		message: "This machine's own journal was carried over to a team's, and pays no more; nothing was sent",
		why: `The team pays by ${team.address}, and this journal does not know what it has paid since`,
		fix: advice`Join it again, which goes on where it stopped: ${purser`team join ${team.address.replace(/ \(schema (.*)\)$/, "?schema=$1")}`}\nOr leave the team: ${purser`team leave`}`,
	});
}
