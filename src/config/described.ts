/** What is to be known before a profile describes its service differently. */
import type { Context } from "../context.js";
import type { Profile } from "../ports/profiles.js";

/**
 * Opens the profile's journal, where it has one: a journal of an older build does not say how the service was described when its payments
 * were sent, and records that when it is upgraded.
 * @param profile as it is before the change
 * @throws PurserError usage, where the journal cannot be opened: its doubts could not be settled as they were sent
 */
export async function openJournalBefore(context: Context, profile: Profile): Promise<void> {
	if (await context.hasJournal(profile)) await context.journal(profile);
}
