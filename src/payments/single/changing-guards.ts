/**
 * When a command changes a setting that guards money, the change is recorded in the profile's journal before the profile is saved.
 */
import type { Context } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";
import { guardsOf } from "../rules/guards.js";

type Settings = Profile["settings"];

/**
 * Records the change and who makes it. Does not open the journal if no such setting changes.
 * @param profile the profile whose journal records it
 * @param before undefined for a new profile; a journal of an earlier profile with its name may still hold the previous settings
 * @throws PurserError usage, if it cannot be recorded; the change must then not be made
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
