import { advice, purser } from "../api/advice.js";
import { secondsOf } from "../api/quantity.js";
import { baseUrlFault, isLoopback, serviceAddress } from "../api/service-address.js";
import { isUrl } from "../api/text/url.js";
import type { Explained, Flags, Settings } from "../context.js";
import { PurserError } from "../errors.js";
import type { Profile, Profiles } from "../ports/profiles.js";
import { type ConfigKey, configKeys } from "./keys.js";
import { unknownProfile } from "./profile-file.js";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Flag > environment > profile > default.
 * @throws PurserError usage, where no profile is configured, the one named does not exist, or a value makes no sense
 */
export async function resolve(
	flags: Flags,
	env: Env,
	profiles: Pick<Profiles, "get" | "list">,
): Promise<{ settings: Settings; explained: readonly Explained[] }> {
	const asked = flags.profile ?? filled(env.PURSER_PROFILE);
	const stored = await profiles.get(asked);
	if (stored === undefined && asked !== undefined) {
		const known = await profiles.list();
		throw unknownProfile(
			asked,
			known.map(({ name }) => name),
		);
	}
	const profile = inUse(stored, flags.baseUrl ?? filled(env.PURSER_BASE_URL));
	const values = configKeys.map((key) => explainedKey(key, flags, env, profile));
	const inForce = (key: string): string => values.find((entry) => entry.key === key)?.value as string;
	const { dryRun, yes, live, debug, interactive } = flags;
	const settings: Settings = {
		profile: { ...profile, settings: { ...profile.settings } },
		timeout: Math.round((secondsOf(inForce("timeout")) as number) * 1_000),
		settleAfter: Math.round((secondsOf(inForce("settle-after"), "h") as number) * 1_000),
		...{ dryRun, yes, live, debug, interactive },
	};
	return { settings, explained: [...explainedProfile(stored?.environment, profile, flags, env), ...values] };
}

/** The profile with the address of a flag or variable, if any; the environment is decided anew for that address. */
function inUse(profile: Profile | undefined, address: string | undefined): Profile {
	if (profile === undefined) throw nothingConfigured(address);
	if (address === undefined) return profile;
	const fault = baseUrlFault(address, "sandbox");
	if (fault !== undefined)
		throw new PurserError("usage", {
			code: "BASE_URL_INVALID",
			message: `The base address ${fault}`,
			fix: "Give the whole base address, like --base-url https://api.example.com",
		});
	const environment = isLoopback(address) ? "sandbox" : "live";
	const sameService = isUrl(profile.baseUrl) && serviceAddress(profile.baseUrl) === serviceAddress(address);
	// A sandbox profile with another address may lead to a live service, even at another path of the same gateway, so it counts as live there.
	return {
		...profile,
		baseUrl: address,
		environment: sameService || profile.environment === "live" ? profile.environment : environment,
	};
}

function nothingConfigured(address: string | undefined): PurserError {
	const add = address === undefined ? purser`profile add NAME --base-url https://…` : purser`profile add NAME --base-url ${address}`;
	return new PurserError("usage", {
		code: "NO_PROFILE",
		message: "No profile is configured, so there is no service to talk to",
		fix: advice`Start on a sandbox of your own: ${purser`sandbox serve --save-profile sandbox`} (or just watch: ${purser`demo`})\nOr add your service: ${add}`,
	});
}

function explainedKey(entry: ConfigKey, flags: Flags, env: Env, profile: Profile): Explained {
	const { key, meaning, fallback, variable } = entry;
	const base = { key, meaning, fallback };
	if (key === "timeout" && flags.timeout !== undefined)
		return { ...base, value: String(flags.timeout / 1_000), from: "flag", source: "--timeout" };
	const fromEnv = variable === undefined ? undefined : filled(env[variable]);
	if (fromEnv !== undefined) return { ...base, value: checked(entry, fromEnv, variable as string), from: "environment", source: variable };
	const fromProfile = filled(Object.hasOwn(profile.settings, key) ? profile.settings[key] : undefined);
	if (fromProfile !== undefined)
		return { ...base, value: checked(entry, fromProfile, `profile ${profile.name}`), from: "profile", source: profile.name };
	return { ...base, value: fallback, from: "default" };
}

function checked(entry: ConfigKey, value: string, source: string): string {
	const fault = entry.check(value);
	if (fault === undefined) return value;
	throw new PurserError("usage", {
		code: "SETTING_INVALID",
		message: `${entry.key} from ${source} is ${JSON.stringify(value)}, and it ${fault}`,
		fix: `Correct it where it comes from; it means: ${entry.meaning}`,
	});
}

function explainedProfile(stored: Profile["environment"] | undefined, profile: Profile, flags: Flags, env: Env): Explained[] {
	const sourceOf = (given: string | undefined, flag: string, variable: string, otherwise: string): Pick<Explained, "from" | "source"> => {
		if (given !== undefined) return { from: "flag", source: flag };
		return filled(env[variable]) === undefined ? { from: "profile", source: otherwise } : { from: "environment", source: variable };
	};
	const which = sourceOf(flags.profile, "--profile", "PURSER_PROFILE", "purser profile use");
	const address = sourceOf(flags.baseUrl, "--base-url", "PURSER_BASE_URL", profile.name);
	const own = { from: "profile" as const, source: profile.name };
	const token = (["PURSER_TOKEN", "PURSER_TOKEN_FILE"] as const).find((name) => filled(env[name]) !== undefined);
	return [
		{ key: "profile", meaning: "The profile in use", value: profile.name, ...which },
		{ key: "base-url", meaning: "Base address of the service", value: withoutUser(profile.baseUrl), ...address },
		{ key: "environment", meaning: "sandbox or live", value: profile.environment, ...(stored !== profile.environment ? address : own) },
		{ key: "auth", meaning: "How purser logs in", value: profile.auth.kind, ...own },
		...(token
			? [{ key: "token", meaning: "The credential (never shown)", value: "set", from: "environment" as const, source: token }]
			: []),
	];
}

/** The address without a password: an address with one is refused, but the error shows it. */
export function withoutUser(address: string): string {
	if (!isUrl(address) || (new URL(address).username === "" && new URL(address).password === "")) return address;
	return Object.assign(new URL(address), { username: "***", password: "" }).href;
}

/** A variable or setting that is there but empty counts as absent. */
function filled(value: string | undefined): string | undefined {
	return value === undefined || value === "" ? undefined : value;
}
