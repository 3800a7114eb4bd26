import type { Profile } from "../ports/profiles.js";
import { programOf } from "./secrets/command-line.js";

/** The value of a setting as it is shown, in every output: of a credential helper the program alone. */
export function shownSetting(key: string, value: string): string {
	return key === "credential-helper" ? programOf(value) : value;
}

/** A profile as it is shown. */
export function shownProfile<P extends Pick<Profile, "settings">>(profile: P): P {
	const settings = Object.entries(profile.settings).map(([key, value]) => [key, shownSetting(key, value)]);
	return { ...profile, settings: Object.fromEntries(settings) };
}
