/**
 * The journal as the rules and the settling of payments read it: what is known to have been sent to another local sandbox at the same
 * address, one that was started anew or reset since, is neither a duplicate nor a doubt here.
 */
import { advice, purser } from "../../api/advice.js";
import type { Context } from "../../context.js";
import type { Missing, Standing } from "../../ports/anchor.js";
import type { Journal } from "../../ports/journal.js";
import type { Profile } from "../../ports/profiles.js";

/** The profile's journal; its lists leave out other sandboxes, unless the filter names one. */
export async function journalHere(context: Pick<Context, "journal">, profile: Profile): Promise<Journal> {
	const [journal, sandbox] = [await context.journal.of(profile), await context.journal.sandboxIdentity(profile)];
	return sandbox === undefined ? journal : { ...journal, list: (filter) => journal.list({ sandbox, ...filter }) };
}

/**
 * Warns where money cannot leave from the profile's journal, because it is not known to be the one that paid last: what it says of doubts and
 * payments may be incomplete. Does nothing where there is no journal yet.
 */
export async function warnOfJournal(context: Pick<Context, "journal" | "report">, profile: Profile): Promise<void> {
	if (!(await context.journal.exists(profile))) return;
	const warning = warningOf(await (await context.journal.of(profile)).standing());
	if (warning !== undefined)
		context.report.warn(
			advice`${warning}, so nothing is paid by it. Put the right journal back, or compare and use this one: ${purser`history adopt --reason TEXT`}`,
		);
}

function warningOf(standing: Standing | undefined): string | undefined {
	if (standing?.kind === "restored") return `The journal is a restored backup of ${standing.copied}: it does not know what was sent since`;
	if (standing?.kind === "behind") return `The journal is an older copy: ${entriesText(standing.missing)}`;
	if (standing === undefined || !["other", "changed", "elsewhere", "broken"].includes(standing.kind)) return undefined;
	return "The journal is not known to be the one that paid last: payments may be missing";
}

/** `at least 3 entries since 2026-03-01T10:00:00.000Z are missing`. */
export function entriesText({ entries, since }: Missing): string {
	return `at least ${entries} ${entries === 1 ? "entry" : "entries"} since ${since} ${entries === 1 ? "is" : "are"} missing`;
}
