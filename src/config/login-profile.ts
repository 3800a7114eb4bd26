/**
 * Which profile a login is for: the one in use, the one named, or a new one where none is configured.
 */

import { advice, purser } from "../api/advice.js";
import { isLoopback, serviceAddress } from "../api/service-address.js";
import { isUrl } from "../api/text/url.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Profile } from "../ports/profiles.js";
import { baseUrlFault, changedProfile, type ProfileText, requireValid } from "./profile-input.js";
import { unknownProfile } from "./profiles.js";

/** Name of the profile that a first login makes. */
const firstName = "default";

export interface LoginProfile {
	profile: Profile;
	/** As stored before; undefined for a new one. */
	stored?: Profile;
}

/**
 * The profile as it is to be stored once the login has succeeded; nothing is stored here.
 * @throws PurserError usage, where there is none and no address to make one of, or the address is another than the stored one's; validation
 */
export async function loginProfile(context: Context, text: ProfileText): Promise<LoginProfile> {
	const { settings, system } = context;
	const profiles = await context.config.profiles();
	const named = settings.flags.profile ?? (system.env.PURSER_PROFILE || undefined);
	const name = named ?? (await profiles.current()) ?? firstName;
	const stored = await profiles.get(name);
	const address = settings.flags.baseUrl ?? (system.env.PURSER_BASE_URL || undefined);
	if (stored) {
		requireSameService(stored, address, text);
		return { profile: checked(name, stored, text), stored };
	}
	if (address === undefined && named !== undefined && !settings.flags.interactive)
		throw unknownProfile(
			name,
			(await profiles.list()).map((one) => one.name),
		);
	const baseUrl = address ?? (await askAddress(context));
	const environment = text.environment ?? (await askEnvironment(context, baseUrl));
	return { profile: checked(name, undefined, { ...text, baseUrl, environment }) };
}

/** A login never moves a profile to another address, not even to another path of the same host, nor from sandbox to live; `profile set` does. */
function requireSameService(stored: Profile, address: string | undefined, { environment }: ProfileText): void {
	const service = (text: string): string => (isUrl(text) ? serviceAddress(text) : text);
	const moved = address !== undefined && service(address) !== service(stored.baseUrl) ? address : undefined;
	if (moved === undefined && (environment === undefined || environment === stored.environment)) return;
	const what = moved === undefined ? `a ${stored.environment} profile` : `for ${service(stored.baseUrl)}`;
	throw new PurserError("usage", {
		code: "PROFILE_DIFFERS",
		message: `The profile ${stored.name} is ${what}; nothing was changed`,
		fix: advice`Make another profile by naming it: \`${purser`auth login --profile NAME --base-url ${moved ?? stored.baseUrl}`}\`. Or change this one with \`${purser`profile set ${stored.name}`}\`.`,
	});
}

function checked(name: string, stored: Profile | undefined, text: ProfileText): Profile {
	const { profile, faults } = changedProfile(name, stored, text);
	requireValid(faults, "auth login");
	return profile;
}

async function askAddress(context: Context): Promise<string> {
	if (context.settings.flags.interactive)
		return (await context.ask.prompts()).text({
			message: "Base address of the service",
			check: (typed) => baseUrlFault(typed.trim(), isLoopback(typed.trim()) ? "sandbox" : "live"),
		});
	throw new PurserError("usage", {
		code: "NO_PROFILE",
		message: "No profile is configured, so there is no service to log in to",
		fix: advice`Name it: \`${purser`auth login --base-url https://…`}\`. To try everything on a sandbox of your own: \`${purser`demo`}\`.`,
		details: [{ field: "baseUrl", message: "is required" }],
	});
}

async function askEnvironment(context: Context, baseUrl: string): Promise<Profile["environment"] | undefined> {
	if (!context.settings.flags.interactive || isLoopback(baseUrl)) return undefined;
	const answer = await (await context.ask.prompts()).choose({
		message: "Is this a live service or a sandbox?",
		choices: [
			{ value: "live", label: "live", hint: "real money; confirmed twice" },
			{ value: "sandbox", label: "sandbox", hint: "play money" },
		],
	});
	return answer === "sandbox" ? "sandbox" : "live";
}
