import type { Profile } from "../ports/profiles.js";

/** A profile as it is kept: what a newer version keeps there survives a change by this one. */
export type KeptProfile = Omit<Profile, "name"> & Record<string, unknown>;

export interface Kept extends Record<string, unknown> {
	current?: string;
	profiles: Record<string, KeptProfile>;
}

/** Content of the file that makes no sense; the message names the place. */
export class Senseless extends Error {
	override readonly name = "Senseless";
}

/** What a profile may be called. */
export const namePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

type Plain = Record<string, unknown>;

const methods: readonly unknown[] = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Reads the file's content. By hand, for every command does it: the schema library takes longer than the rest of a Tab.
 * @throws Senseless
 */
export function keptFrom(value: unknown): Kept {
	const file = record(value, "");
	optionalText(file, "current", "");
	const profiles = Object.entries(record(file.profiles ?? {}, "profiles")).map(([name, one]) => {
		// Files are called by it: one with ".." in it would be another place.
		if (!namePattern.test(name)) throw senseless(`profiles.${name}`, "is not the name of a profile");
		return [name, profileFrom(one, `profiles.${name}`)];
	});
	return { ...file, profiles: Object.fromEntries(profiles) };
}

/** @throws Senseless */
export function profileFrom(value: unknown, place = ""): KeptProfile {
	const profile = record(value, place);
	text(profile.baseUrl, under(place, "baseUrl"));
	if (profile.environment !== "sandbox" && profile.environment !== "live")
		throw senseless(under(place, "environment"), 'must be "sandbox" or "live"');
	checkAuth(record(profile.auth, under(place, "auth")), under(place, "auth"));
	const overrides = record(profile.overrides ?? {}, under(place, "overrides"));
	for (const [operation, one] of Object.entries(overrides)) checkOverride(one, `${under(place, "overrides")}.${operation}`);
	const settings = texts(profile.settings ?? {}, under(place, "settings"));
	return { ...profile, overrides, settings } as KeptProfile;
}

function checkAuth(auth: Plain, place: string): void {
	const named = ["login", "header", "basic", "none"].includes(auth.kind as string);
	if (!named) throw senseless(under(place, "kind"), "must be login, header, basic or none");
	optionalText(auth, "username", place);
	optionalText(auth, "partnerName", place);
	if (auth.kind === "header" && !token.test(text(auth.header, under(place, "header"))))
		throw senseless(under(place, "header"), "must be the name of a header");
}

function checkOverride(value: unknown, place: string): void {
	const override = record(value, place);
	if (override.method !== undefined && !methods.includes(override.method))
		throw senseless(under(place, "method"), `must be one of ${methods.join(", ")}`);
	optionalText(override, "path", place);
	if (override.fields !== undefined) texts(override.fields, under(place, "fields"));
	if (override.headers !== undefined) texts(override.headers, under(place, "headers"));
}

function record(value: unknown, place: string): Plain {
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Plain;
	throw senseless(place, "must be an object");
}

function text(value: unknown, place: string): string {
	if (typeof value === "string") return value;
	throw senseless(place, "must be text");
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

const senseless = (place: string, why: string): Senseless => new Senseless(`${place || "its content"}: ${why}`);
