import type { Choice, Context, Profile } from "../context.js";
import { unknownProfile } from "./profiles.js";

/** The profiles to choose from by name. */
export async function profileChoices(context: Context): Promise<Choice[]> {
	const profiles = await (await context.profiles()).list();
	return profiles.map(({ name, environment, baseUrl }) => ({ value: name, label: `${name} · ${environment}`, hint: baseUrl }));
}

/**
 * A profile by its name.
 * @throws PurserError usage, naming those that there are
 */
export async function profileNamed(context: Context, name: string): Promise<Profile> {
	const profiles = await context.profiles();
	const profile = await profiles.get(name);
	if (profile) return profile;
	throw unknownProfile(
		name,
		(await profiles.list()).map((one) => one.name),
	);
}
