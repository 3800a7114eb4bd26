/**
 * Profiles as the commands about them find and show them.
 */
import type { Context } from "../context.js";
import type { Profile } from "../ports/profiles.js";
import { unknownProfile } from "./profile-file.js";

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

/** The profile in use as it is stored, without what flags and variables say of it. @throws PurserError usage, where none of its name is */
export const storedProfile = async (context: Context): Promise<Profile> =>
	profileNamed(context, (await context.settings.read()).profile.name);

/** Runs the change, unless this is a dry run, which warns that nothing was changed. */
export async function unlessDryRun<T>(context: Context, act: () => Promise<T>, done = "stored or removed"): Promise<T | undefined> {
	if (!context.settings.flags.dryRun) return act();
	context.report.warn(`Dry run: nothing was ${done}`);
	return undefined;
}

/** A profile as rows for people. */
export function profileRows(profile: Profile): (readonly [string, string | undefined])[] {
	const { name, environment, baseUrl, auth, settings, mapping, team } = profile;
	return [
		["Profile", name],
		["Environment", environment],
		["Service", baseUrl],
		["Auth", auth.kind === "header" ? `header: ${auth.header}` : auth.kind],
		["User", "username" in auth ? auth.username : undefined],
		["Partner", auth.kind === "login" ? auth.partnerName : undefined],
		...Object.entries(settings).map(([key, value]) => [`Setting ${key}`, value] as const),
		["Team", team && `${team.url}, this machine is ${team.machine}`],
		["Mapping", mapping && `${Object.keys(mapping.operations).length} operations`],
	];
}
