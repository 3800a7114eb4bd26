/**
 * A login: which profile it is for (the one in use, the one named, or a new one where none is configured), and its input from a person or a
 * script.
 */

import { advice, purser } from "../api/advice.js";
import { isLoopback, serviceAddress } from "../api/service-address.js";
import { isUrl } from "../api/text/url.js";
import type { Context } from "../context.js";
import { type Fault, PurserError } from "../errors.js";
import type { Auth, Profile } from "../ports/profiles.js";
import { unknownProfile } from "./profile-file.js";
import { baseUrlFault, changedProfile, type ProfileText, requireValid } from "./profile-input.js";
import { secretFromInput, secretFromPerson } from "./secrets/typed-secret.js";

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

export interface LoginInput {
	username?: string;
	partnerName?: string;
	secret: string;
	/** The secret is a token or the value of a header, not a password. */
	token: boolean;
}

export interface LoginFlags {
	passwordStdin: boolean;
	tokenStdin: boolean;
}

/**
 * Prompts for it, or reads standard input where the flags say so.
 * @throws PurserError usage, naming everything that is missing where nobody can be asked
 */
export async function gatherLoginInput(context: Context, auth: Auth, input: LoginFlags): Promise<LoginInput> {
	const token = input.tokenStdin || auth.kind === "header";
	refuseMismatch(auth, input);
	const typed = !input.passwordStdin && !input.tokenStdin;
	const named = auth.kind === "login" || auth.kind === "basic" ? auth.username : undefined;
	const needsName = !token && named === undefined;
	if (!context.settings.flags.interactive) refuseMissing(needsName, auth.kind === "login" && auth.partnerName === undefined, typed, token);
	const username = needsName ? await askName(context) : named;
	const partnerName = auth.kind === "login" ? (auth.partnerName ?? (needsName ? await askPartner(context) : undefined)) : undefined;
	if (typed) return { username, partnerName, secret: await secretFromPerson(context, token ? secretLabel(auth) : "Password"), token };
	return { username, partnerName, secret: await secretFromInput(context, input.tokenStdin ? "token" : "password"), token };
}

const secretLabel = (auth: Auth): string => (auth.kind === "header" ? `Value of the header ${auth.header}` : "Token");

function refuseMismatch(auth: Auth, { passwordStdin, tokenStdin }: LoginFlags): void {
	if (tokenStdin && auth.kind === "basic") throw mismatch("HTTP Basic takes a password, not a token", "--password-stdin");
	if (passwordStdin && auth.kind === "header") throw mismatch("A fixed header takes its value, not a password", "--token-stdin");
}

function mismatch(message: string, flag: string): PurserError {
	return new PurserError("usage", { code: "SECRET_MISMATCH", message, fix: `Send it with ${flag}.` });
}

function refuseMissing(name: boolean, partner: boolean, secret: boolean, token: boolean): void {
	const details: Fault[] = [];
	if (name) details.push({ field: "username", message: "is required" });
	if (secret) details.push({ field: token ? "tokenStdin" : "passwordStdin", message: "is required: send the secret on standard input" });
	if (details.length === 0) return;
	const flag = token ? "--token-stdin" : "--password-stdin";
	throw new PurserError("usage", {
		code: "MISSING_INPUT",
		message: `Missing: ${[name && "--username", secret && flag].filter(Boolean).join(", ")}`,
		fix: advice`Add to the flags given, and send the secret on standard input, like: printf %s "$SECRET" | ${purser`auth login … ${name && ["--username", "NAME"]} ${name && partner && ["--partner-name", "NAME"]} ${flag}`}`,
		details,
	});
}

async function askName(context: Context): Promise<string> {
	return (await context.ask.prompts()).text({ message: "User name", check: (typed) => (typed.trim() === "" ? "is required" : undefined) });
}

async function askPartner(context: Context): Promise<string | undefined> {
	const typed = await (await context.ask.prompts()).text({ message: "Partner name (leave empty if you have none)" });
	return typed.trim() === "" ? undefined : typed.trim();
}
