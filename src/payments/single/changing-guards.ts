/**
 * A change of what guards money, by a command that changes a profile: it goes to the profile's journal before it is stored.
 */
import type { Context } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";
import { guardsOf } from "../rules/guards.js";

type Settings = Profile["settings"];

/**
 * Records the change, with who makes it; where nothing of that changes, the journal is not opened.
 * @param profile whose journal it is
 * @param before undefined where there was no profile of that name: a journal of it may be there, with what held before on record in it
 * @throws PurserError usage, where it cannot be recorded: then it is not to be made
 */
export async function recordGuards(
	context: Pick<Context, "journal" | "operator">,
	profile: Profile,
	before: Settings | undefined,
	after: Settings,
): Promise<void> {
	const [old, now] = [guardsOf(before ?? {}), guardsOf(after)];
	if (JSON.stringify(old) === JSON.stringify(now)) return;
	const operator = await context.operator();
	await (await context.journal(profile)).changeSettings({ before: before && old, after: now, operator });
}
