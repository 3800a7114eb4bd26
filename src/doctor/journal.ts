/**
 * The journal: is it whole, is it the one that paid last, and does the clock that dates its entries agree with it.
 */
import { advice, purser } from "../api/advice.js";
import type { Context } from "../context.js";
import type { Journal, Verification } from "../ports/journal.js";
import type { Profile } from "../ports/profiles.js";
import { type Check, fault, ok } from "./check.js";

/** Milliseconds by which this machine's clock may be behind the newest entry. */
const tolerated = 5 * 60_000;

/** A journal that is not there yet is not made. */
export async function checkJournal(context: Context, profile: Profile): Promise<Check> {
	const check = "journal";
	if (!(await context.journal.exists(profile))) return ok(check, "None yet: it is made with the first change");
	const journal = await context.journal.of(profile);
	const verified = await context.report.during("Checking the journal", () => journal.verify());
	const { file } = journal;
	const { anchor, faults, restored, events, intents } = verified;
	const adopt = purser`history adopt --reason TEXT`;
	if (restored !== undefined)
		return fault(
			check,
			`${file} is a restored backup of ${restored.copied}, so no payment leaves from it`,
			advice`If the journal from before is still there, put it back. Otherwise compare this one with the service: ${adopt}`,
		);
	if (anchor !== undefined && !anchor.holds)
		return fault(
			check,
			`${file} is not known to be the journal that paid last, so no payment leaves from it`,
			advice`Put the right journal back. If this is the right one: ${adopt}`,
		);
	if (faults.length > 0)
		return fault(
			check,
			`${file} is not as purser left it: ${faults[0]}${faults.length > 1 ? `; and ${faults.length - 1} more` : ""}`,
			advice`Send no payment before this is clear. See all of it: ${purser`history verify`}`,
		);
	const now = context.clock.now();
	const newest = await newestOf(journal, verified);
	if (newest !== undefined && newest.getTime() - now.getTime() > tolerated)
		return fault(
			check,
			`It is ${now.toISOString()}, before the newest entry of the journal (${newest.toISOString()}): limits per day depend on the clock`,
			"Correct this machine's clock (network time), then run this again.",
		);
	const counts = `${events} ${events === 1 ? "event" : "events"}, ${intents} ${intents === 1 ? "change" : "changes"}`;
	const last = anchor === undefined ? "" : `; the one that paid last (event ${anchor.seq} of ${anchor.at})`;
	return ok(check, `${file}: ${counts}, not altered${last}`);
}

/** The moment of the newest event. */
async function newestOf(journal: Journal, { head }: Verification): Promise<Date | undefined> {
	if (head.seq === 0) return undefined;
	for await (const { at } of journal.events(head.seq - 1)) return new Date(at);
	return undefined;
}
