import { advice, purser } from "../api/advice.js";
import { PurserError } from "../errors.js";
import type { Profile } from "../ports/profiles.js";

/** A profile in the file. */
export type StoredProfile = Omit<Profile, "name"> & Record<string, unknown>;

export interface ProfilesFile extends Record<string, unknown> {
	current?: string;
	profiles: Record<string, StoredProfile>;
}

/** That the file is not valid; the message names the place. */
export class InvalidFile extends Error {
	override readonly name = "InvalidFile";
}

/** What a profile may be called. */
const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** What a header may be called (RFC 9110). */
export const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** What is wrong with a profile's name, or undefined. */
export function profileNameFault(name: string): string | undefined {
	return namePattern.test(name) ? undefined : 'must be 1 to 64 of a-z, 0-9, ".", "_" and "-", starting with a letter or a digit';
}

export function unknownProfile(name: string, known: readonly string[]): PurserError {
	return new PurserError("usage", {
		code: "PROFILE_UNKNOWN",
		message: `There is no profile ${JSON.stringify(name)}`,
		why: known.length === 0 ? "No profile is configured" : `There are: ${known.join(", ")}`,
		fix: advice`Choose one with --profile or ${purser`profile use`}, or make it: ${purser`profile add ${namePattern.test(name) ? name : "NAME"} --base-url https://…`}`,
	});
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** Also what is about to be written, where a member that is not set may stand. */
const isTexts = (value: unknown): value is Record<string, string> =>
	isRecord(value) && Object.values(value).every((one) => ["string", "undefined"].includes(typeof one));

/**
 * Checks the content of the file, without the schema library: every command does this, and loading that takes longer than the rest of a Tab.
 * @throws InvalidFile
 */
export function parseProfilesFile(value: unknown): ProfilesFile {
	const { current, profiles = {} } = isRecord(value) ? value : {};
	if (!isRecord(value) || !isRecord(profiles) || !["string", "undefined"].includes(typeof current))
		throw new InvalidFile("it has no profiles by their names");
	const parsed = Object.entries(profiles).map(([name, one]) => {
		// Files are named after it, so a name with ".." would lead to another folder.
		if (!namePattern.test(name)) throw new InvalidFile(`profiles.${name} is not the name of a profile`);
		return [name, parseProfile(one, `profiles.${name}`)];
	});
	return { ...value, profiles: Object.fromEntries(parsed) };
}

/** @throws InvalidFile */
export function parseProfile(value: unknown, place: string): StoredProfile {
	const { baseUrl, environment, auth, mapping, confirmations = {}, team, settings = {} } = isRecord(value) ? value : {};
	const require = (holds: boolean, what: string): void => {
		if (!holds) throw new InvalidFile(`${place}: ${what}`);
	};
	require(typeof baseUrl === "string", "baseUrl must be text");
	require(environment === "sandbox" || environment === "live", 'environment must be "sandbox" or "live"');
	require(isTexts(auth) && ["login", "header", "none"].includes(auth.kind as string), "auth must be login, header or none");
	require(!isTexts(auth) || auth.kind !== "header" || headerName.test(auth.header ?? ""), "auth must have the name of a header");
	// What is in them is checked where it is stored, and money leaves only by what was confirmed: a digest of it.
	require(mapping === undefined || (isRecord(mapping) && isRecord(mapping.operations)), "mapping must have operations");
	require(isRecord(confirmations), "confirmations must be an object");
	require(team === undefined || (isTexts(team) && "url" in team && "machine" in team), "team must have url and machine");
	require(isTexts(settings), "settings must be texts");
	return { ...(value as StoredProfile), settings: settings as Record<string, string> };
}
