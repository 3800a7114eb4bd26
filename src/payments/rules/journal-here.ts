/**
 * The journal as the rules and the settling of payments read it: what is known to have been sent to another local sandbox at the same
 * address, one that was started anew or reset since, is neither a duplicate nor a doubt here.
 */
import type { Context } from "../../context.js";
import type { Journal } from "../../ports/journal.js";
import type { Profile } from "../../ports/profiles.js";

/** The profile's journal; its lists leave out other sandboxes, unless the filter names one. */
export async function journalHere(context: Pick<Context, "journal" | "sandboxIdentity">, profile: Profile): Promise<Journal> {
	const [journal, sandbox] = [await context.journal(profile), await context.sandboxIdentity(profile)];
	return sandbox === undefined ? journal : { ...journal, list: (filter) => journal.list({ sandbox, ...filter }) };
}
