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

type Plain = Record<string, unknown>;

const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Checks the content of the file, without the schema library: every command does this, and loading that takes longer than the rest of a Tab.
 * @throws InvalidFile
 */
export function parseProfilesFile(value: unknown): ProfilesFile {
	const file = record(value, "");
	optionalText(file, "current", "");
	const profiles = Object.entries(record(file.profiles ?? {}, "profiles")).map(([name, one]) => {
		// Files are named after it, so a name with ".." would lead to another folder.
		if (!namePattern.test(name)) throw invalid(`profiles.${name}`, "is not the name of a profile");
		return [name, parseProfile(one, `profiles.${name}`)];
	});
	return { ...file, profiles: Object.fromEntries(profiles) };
}

/** @throws InvalidFile */
export function parseProfile(value: unknown, place = ""): StoredProfile {
	const profile = record(value, place);
	text(profile.baseUrl, under(place, "baseUrl"));
	if (profile.environment !== "sandbox" && profile.environment !== "live")
		throw invalid(under(place, "environment"), 'must be "sandbox" or "live"');
	checkAuth(record(profile.auth, under(place, "auth")), under(place, "auth"));
	// What is in them is checked where it is stored, and money leaves only by what was confirmed: a digest of it.
	if (profile.mapping !== undefined)
		record(record(profile.mapping, under(place, "mapping")).operations, under(place, "mapping.operations"));
	record(profile.confirmations ?? {}, under(place, "confirmations"));
	if (profile.team !== undefined)
		for (const name of ["url", "machine"]) text(record(profile.team, under(place, "team"))[name], under(place, `team.${name}`));
	const settings = texts(profile.settings ?? {}, under(place, "settings"));
	return { ...profile, settings } as StoredProfile;
}

function checkAuth(auth: Plain, place: string): void {
	const named = ["login", "header", "none"].includes(auth.kind as string);
	if (!named) throw invalid(under(place, "kind"), "must be login, header or none");
	optionalText(auth, "username", place);
	optionalText(auth, "partnerName", place);
	if (auth.kind === "header" && !token.test(text(auth.header, under(place, "header"))))
		throw invalid(under(place, "header"), "must be the name of a header");
}

const isPlain = (value: unknown): value is Plain => typeof value === "object" && value !== null && !Array.isArray(value);

function record(value: unknown, place: string): Plain {
	if (isPlain(value)) return value;
	throw invalid(place, "must be an object");
}

function text(value: unknown, place: string): string {
	if (typeof value === "string") return value;
	throw invalid(place, "must be text");
}

function texts(value: unknown, place: string): Plain {
	const found = record(value, place);
	for (const [name, part] of Object.entries(found)) text(part, under(place, name));
	return found;
}

function optionalText(from: Plain, name: string, place: string): void {
	if (from[name] !== undefined) text(from[name], under(place, name));
}

const under = (place: string, name: string): string => (place === "" ? name : `${place}.${name}`);

const invalid = (place: string, why: string): InvalidFile => new InvalidFile(`${place || "its content"}: ${why}`);
