import type { Context } from "../context.js";
import type { Profile } from "../ports/profiles.js";
import { unknownProfile } from "./profiles.js";

/**
 * A profile by its name.
 * @throws PurserError usage, naming the existing ones
 */
export async function profileNamed(context: Context, name: string): Promise<Profile> {
	const profiles = await context.config.profiles();
	const profile = await profiles.get(name);
	if (profile) return profile;
	throw unknownProfile(
		name,
		(await profiles.list()).map((one) => one.name),
	);
}

/** Runs the change, unless this is a dry run, which warns that nothing was changed. */
export async function unlessDryRun<T>(context: Context, act: () => Promise<T>): Promise<T | undefined> {
	if (!context.settings.flags.dryRun) return act();
	context.report.warn("Dry run: nothing was stored or removed");
	return undefined;
}
