import type { Profile } from "../ports/profiles.js";

/** A profile as rows for people, from what `shownProfile` gives. */
export function profileRows(profile: Profile): (readonly [string, string | undefined])[] {
	const { name, environment, baseUrl, auth, settings, overrides } = profile;
	return [
		["Profile", name],
		["Environment", environment],
		["Service", baseUrl],
		["Auth", auth.kind === "header" ? `header: ${auth.header}` : auth.kind],
		["User", "username" in auth ? auth.username : undefined],
		["Partner", auth.kind === "login" ? auth.partnerName : undefined],
		...Object.entries(settings).map(([key, value]) => [`Setting ${key}`, value] as const),
		...Object.entries(profile.values ?? {}).map(
			([name, { values, complete }]) =>
				[
					`Values ${name}`,
					`${values.length.toLocaleString("en-US")}${complete ? ", complete" : ", beside those that purser knows"}`,
				] as const,
		),
		["Overrides", Object.keys(overrides).length > 0 ? Object.keys(overrides).join(", ") : undefined],
	];
}
