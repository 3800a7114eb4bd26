import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { optionals, textAt } from "../../api/answer.js";
import { flag, plain } from "../../api/fields.js";
import { login } from "../../api/operations/auth.js";
import { serviceAddress } from "../../api/service-address.js";
import { isUrl } from "../../api/text/url.js";
import { defineCommand } from "../../cli/command.js";
import { profileNamed, unlessDryRun } from "../../config/named.js";
import { changedProfile, requireValid } from "../../config/profile-input.js";
import { secretFromInput, secretFromPerson } from "../../config/secrets/typed-secret.js";
import type { Context } from "../../context.js";
import { type Fault, PurserError } from "../../errors.js";
import { expiryOf, headerFor } from "../../http/auth.js";
import { call } from "../../http/call.js";
import type { Auth, Credential, Profile } from "../../ports/profiles.js";

export default defineCommand({
	path: "auth login",
	summary: "Log in to the service of the profile and store the credential",
	details:
		"The secret is typed at a hidden prompt, or read from standard input; no flag takes one. It is stored in the keyring of the system, else in a file that only you can read, bound to the address of the profile. `purser profile add` makes a profile.",
	examples: [
		{ run: "auth login", note: "Asks for the password" },
		{ run: "auth login -p staging", note: "Another profile" },
		{ run: "auth login --username operator --partner-name example-partner --password-stdin < password.txt", note: "In a script" },
		{ run: "auth login --token-stdin < token.txt", note: "With a token that you already have" },
	],
	effect: "read",
	operations: [login.id],
	input: z
		.strictObject({
			username: z.optional(plain("Name of the user, instead of the profile's; the profile remembers it")),
			partnerName: z.optional(plain("Name of the partner, instead of the profile's; the profile remembers it")),
			passwordStdin: flag("Read the password from standard input"),
			tokenStdin: flag("Read a token, or the fixed header's value, from standard input"),
		})
		.check(
			z.superRefine(({ passwordStdin, tokenStdin }, check) => {
				if (passwordStdin && tokenStdin)
					check.addIssue({
						code: "custom",
						path: ["tokenStdin"],
						message: "cannot be combined with --password-stdin: there is one standard input",
					});
			}),
		),
	answer: () =>
		z.strictObject({
			...{ profile: z.string(), environment: z.string(), baseUrl: z.string(), auth: z.string() },
			...optionals(["username", "partnerName", "endUserId"]),
			...{ stored: z.nullable(z.string()), checked: z.boolean(), expiresAt: z.optional(z.string()) },
		}),
	async run(context, input) {
		const stored = await storedProfile(context);
		const { profile: named, faults } = changedProfile(stored.name, stored, { username: input.username, partnerName: input.partnerName });
		requireValid(faults, "auth login");
		const proof = await gather(context, named.auth, input);
		const { credential, endUserId, checked } = await prove(context, stored, proof);
		const profile = withNames(stored, proof);
		const saved = await unlessDryRun(context, async () => {
			if (JSON.stringify(profile) !== JSON.stringify(stored))
				await (await context.config.profiles()).change(stored.name, (now) => ({ ...now, auth: profile.auth }));
			return (await context.config.credentials()).set(profile, credential);
		});
		if (saved?.warning) context.report.warn(saved.warning);
		const winner = ["PURSER_TOKEN", "PURSER_TOKEN_FILE"].find((name) => context.system.env[name]);
		if (winner) context.report.warn(`${winner} is set and wins over the credential that was just stored`);
		const expiry = credential.kind === "tokens" ? expiryOf(credential.token) : undefined;
		const data = {
			profile: profile.name,
			environment: profile.environment,
			baseUrl: profile.baseUrl,
			auth: profile.auth.kind,
			username: proof.username,
			partnerName: proof.partnerName,
			endUserId,
			stored: saved?.where ?? null,
			checked,
			expiresAt: expiry === undefined ? undefined : new Date(expiry).toISOString(),
		};
		return { data, next: [purser`auth status`] };
	},
	text: (data, style) =>
		[
			data.checked ? style.good("Logged in") : style.good("Credential stored"),
			style.pairs([
				["Profile", data.profile],
				["Environment", data.environment === "live" ? style.bad("live") : data.environment],
				["Service", data.baseUrl],
				["User", data.username],
				["Partner", data.partnerName],
				["Stored in", data.stored ?? "nowhere (dry run)"],
				["Valid until", data.expiresAt && `${style.time(data.expiresAt)}, as the token itself says (not verified)`],
				["Checked", data.checked ? undefined : "no: it was stored as given; the first request will show whether it works"],
			]),
		].join("\n"),
});

function noLoginNeeded(profile: Profile): PurserError {
	return new PurserError("usage", {
		code: "NO_LOGIN_NEEDED",
		message: `The profile ${profile.name} sends no credential (auth none), so there is nothing to log in with`,
		fix: advice`Use it as it is, or choose another kind: \`${purser`profile set ${profile.name} --auth login`}\`.`,
	});
}

/** The user name and the partner are not secret: the profile stores them, so that the next login asks for the secret only. */
function withNames(profile: Profile, { username, partnerName }: LoginInput): Profile {
	return profile.auth.kind === "login" ? { ...profile, auth: { kind: "login", username, partnerName } } : profile;
}

/**
 * The profile in use, as it is stored.
 * @throws PurserError usage, where there is none, it sends no credential, or a flag or variable names another address: a login never moves a
 * profile, not even to another path of the same host
 */
async function storedProfile(context: Context): Promise<Profile> {
	const { profile } = await context.settings.read();
	const stored = await profileNamed(context, profile.name);
	if (stored.auth.kind === "none") throw noLoginNeeded(stored);
	const [own, asked] = [stored, profile].map(({ baseUrl }) => (isUrl(baseUrl) ? serviceAddress(baseUrl) : baseUrl));
	if (own === asked) return stored;
	throw new PurserError("usage", {
		code: "PROFILE_DIFFERS",
		message: `The profile ${stored.name} is for ${own}; nothing was changed`,
		fix: advice`Add a profile for the other address: \`${purser`profile add NAME --base-url ${profile.baseUrl}`}\`. Or change this one with \`${purser`profile set ${stored.name}`}\`.`,
	});
}

/** Says what to check after a refused login. The usual advice is about a stored credential, and there is none yet. */
function explainRefusal(cause: unknown): never {
	if (!(cause instanceof PurserError) || cause.kind !== "auth") throw cause;
	const fix = "Check user name, partner and password, and run the command again; nothing was stored.";
	throw new PurserError("auth", { ...cause.failure, fix });
}

/** Requests tokens from the service where the profile logs in that way. Any other secret is used as given, if it can be sent in a header. */
async function prove(
	context: Context,
	profile: Profile,
	{ username, partnerName, secret, token }: LoginInput,
): Promise<{ credential: Credential; endUserId?: string; checked: boolean }> {
	if (profile.auth.kind !== "login" || token) {
		const credential: Credential = profile.auth.kind === "header" ? { kind: "header", value: secret } : { kind: "tokens", token: secret };
		headerFor(profile.auth, credential, "standard input");
		return { credential, checked: false };
	}
	const body = { username: username ?? "", partnerName, password: secret };
	const { data } = await context.report.during("Logging in", () => call(context, login, { body })).catch(explainRefusal);
	const received = textAt(data, "token");
	if (received === undefined)
		throw new PurserError("bug", {
			code: "LOGIN_WITHOUT_TOKEN",
			message: "The service accepted the login but its answer has no token",
			fix: advice`Look at its answer with --debug; where a field is renamed, the mapping says so: \`${purser`help mapping`}\`.`,
		});
	const refreshToken = textAt(data, "refreshToken");
	return { credential: { kind: "tokens", token: received, refreshToken }, endUserId: textAt(data, "endUserId"), checked: true };
}

interface LoginInput {
	username?: string;
	partnerName?: string;
	secret: string;
	/** The secret is a token or the value of a header, not a password. */
	token: boolean;
}

/**
 * Prompts for it, or reads standard input where the flags say so.
 * @throws PurserError usage, naming everything that is missing where nobody can be asked
 */
async function gather(context: Context, auth: Auth, input: { passwordStdin: boolean; tokenStdin: boolean }): Promise<LoginInput> {
	const token = input.tokenStdin || auth.kind === "header";
	if (input.passwordStdin && auth.kind === "header")
		throw new PurserError("usage", {
			code: "SECRET_MISMATCH",
			message: "A fixed header takes its value, not a password",
			fix: "Send it with --token-stdin.",
		});
	const typed = !input.passwordStdin && !input.tokenStdin;
	const named = auth.kind === "login" ? auth.username : undefined;
	const needsName = !token && named === undefined;
	if (!context.settings.flags.interactive) refuseMissing(needsName, auth.kind === "login" && auth.partnerName === undefined, typed, token);
	const username = needsName ? await askName(context) : named;
	const partnerName = auth.kind === "login" ? (auth.partnerName ?? (needsName ? await askPartner(context) : undefined)) : undefined;
	if (typed) return { username, partnerName, secret: await secretFromPerson(context, token ? secretLabel(auth) : "Password"), token };
	return { username, partnerName, secret: await secretFromInput(context, input.tokenStdin ? "token" : "password"), token };
}

const secretLabel = (auth: Auth): string => (auth.kind === "header" ? `Value of the header ${auth.header}` : "Token");

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
