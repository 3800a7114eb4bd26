import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { optionals, textAt } from "../../api/answer.js";
import { fitting, flag } from "../../api/fields.js";
import { login } from "../../api/operations/auth.js";
import { serviceAddress } from "../../api/service-address.js";
import { isUrl } from "../../api/text/url.js";
import { defineCommand } from "../../cli/command.js";
import { profileNamed, unlessDryRun } from "../../config/named.js";
import { secretFromInput, secretFromPerson } from "../../config/secrets/typed-secret.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { expiryOf, headerFor } from "../../http/auth.js";
import { call } from "../../http/call.js";
import type { Auth, Credential, Profile } from "../../ports/profiles.js";

export default defineCommand({
	path: "auth login",
	summary: "Log in to the service of the profile and store the credential",
	details:
		"The secret is typed at a hidden prompt, or read from standard input; no flag takes one. It is stored in the keyring of the system, else in a file that only you can read, bound to the address of the profile. `purser profile add` makes a profile; it holds the names of the user and the partner.",
	examples: {
		"auth login": "Asks for the password",
		"auth login -p staging": "Another profile",
		"auth login --password-stdin < password.txt": "In a script",
		"auth login --token-stdin < token.txt": "With a token that you already have",
	},
	operations: [login.id],
	input: fitting(
		z.strictObject({
			passwordStdin: flag("Read the password from standard input"),
			tokenStdin: flag("Read a token, or the fixed header's value, from standard input"),
		}),
		({ passwordStdin, tokenStdin }) => [
			passwordStdin && tokenStdin && ["tokenStdin", "cannot be combined with --password-stdin: there is one standard input"],
		],
	),
	answer: () =>
		z.strictObject({
			...{ profile: z.string(), environment: z.string(), baseUrl: z.string(), auth: z.string() },
			...optionals(["username", "partnerName", "endUserId"]),
			...{ stored: z.nullable(z.string()), checked: z.boolean(), expiresAt: z.optional(z.string()) },
		}),
	async run(context, input) {
		const stored = await storedProfile(context);
		const proof = await gather(context, stored, input);
		const { auth } = proof;
		const { credential, endUserId, checked } = await prove(context, proof);
		const saved = await unlessDryRun(context, async () => {
			if (auth !== stored.auth) await (await context.config.profiles()).change(stored.name, (now) => ({ ...now, auth }));
			return (await context.config.credentials()).set(stored, credential);
		});
		if (saved?.warning) context.report.warn(saved.warning);
		const winner = ["PURSER_TOKEN", "PURSER_TOKEN_FILE"].find((name) => context.system.env[name]);
		if (winner) context.report.warn(`${winner} is set and wins over the credential that was just stored`);
		const expiry = credential.kind === "tokens" ? expiryOf(credential.token) : undefined;
		const data = {
			profile: stored.name,
			environment: stored.environment,
			baseUrl: stored.baseUrl,
			auth: auth.kind,
			username: auth.kind === "login" ? auth.username : undefined,
			partnerName: auth.kind === "login" ? auth.partnerName : undefined,
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
			style.pairs({
				Profile: data.profile,
				Environment: data.environment === "live" ? style.bad("live") : data.environment,
				Service: data.baseUrl,
				User: data.username,
				Partner: data.partnerName,
				"Stored in": data.stored ?? "nowhere (dry run)",
				"Valid until": data.expiresAt && `${style.time(data.expiresAt)}, as the token itself says (not verified)`,
				Checked: data.checked ? undefined : "no: it was stored as given; the first request will show whether it works",
			}),
		].join("\n"),
});

/**
 * The profile in use, as it is stored.
 * @throws PurserError usage, where there is none, it sends no credential, or a flag or variable names another address: a login never moves a
 * profile, not even to another path of the same host
 */
async function storedProfile(context: Context): Promise<Profile> {
	const { profile } = await context.settings.read();
	const stored = await profileNamed(context, profile.name);
	if (stored.auth.kind === "none")
		throw new PurserError("usage", {
			code: "NO_LOGIN_NEEDED",
			message: `The profile ${stored.name} sends no credential (auth none), so there is nothing to log in with`,
			fix: advice`Use it as it is, or choose another kind: \`${purser`profile set ${stored.name} --auth login`}\`.`,
		});
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

/** How the profile logs in, with its names, and what was typed. */
interface Proof {
	auth: Auth;
	secret: string;
	/** The secret is a token or the value of a header, not a password. */
	isToken: boolean;
}

/** Requests tokens from the service where the profile logs in that way. Any other secret is used as given, if it can be sent in a header. */
async function prove(
	context: Context,
	{ auth, secret, isToken }: Proof,
): Promise<{ credential: Credential; endUserId?: string; checked: boolean }> {
	if (auth.kind !== "login" || isToken) {
		const credential: Credential = auth.kind === "header" ? { kind: "header", value: secret } : { kind: "tokens", token: secret };
		headerFor(auth, credential, "standard input");
		return { credential, checked: false };
	}
	const body = { username: auth.username ?? "", partnerName: auth.partnerName, password: secret };
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

/**
 * Prompts for it, or reads standard input where the flags say so. The names of user and partner are no secret: the profile stores them.
 * @throws PurserError usage, naming everything that is missing where nobody can be asked
 */
async function gather(
	context: Context,
	{ name, auth }: Profile,
	{ passwordStdin, tokenStdin }: { passwordStdin: boolean; tokenStdin: boolean },
): Promise<Proof> {
	const isToken = tokenStdin || auth.kind === "header";
	if (passwordStdin && isToken)
		throw new PurserError("usage", {
			code: "SECRET_MISMATCH",
			message: "A fixed header takes its value, not a password",
			fix: "Send it with --token-stdin.",
		});
	const isTyped = !passwordStdin && !tokenStdin;
	const lacksName = !isToken && auth.kind === "login" && auth.username === undefined;
	if (!context.settings.flags.interactive) refuseMissing(name, lacksName, isTyped, isToken);
	const named = lacksName ? await askNames(context) : auth;
	const label = auth.kind === "header" ? `Value of the header ${auth.header}` : "Password";
	const secret = isTyped ? await secretFromPerson(context, label) : await secretFromInput(context, tokenStdin ? "token" : "password");
	return { auth: named, secret, isToken };
}

function refuseMissing(profile: string, lacksName: boolean, isTyped: boolean, isToken: boolean): void {
	if (lacksName)
		throw new PurserError("usage", {
			code: "MISSING_INPUT",
			message: `The profile ${profile} does not say who logs in`,
			fix: advice`Name the user: ${purser`profile set ${profile} --username NAME --partner-name NAME`}`,
		});
	if (!isTyped) return;
	const flag = isToken ? "--token-stdin" : "--password-stdin";
	throw new PurserError("usage", {
		code: "MISSING_INPUT",
		message: `Missing: ${flag}`,
		fix: advice`Send the secret on standard input, like: printf %s "$SECRET" | ${purser`auth login ${flag}`}`,
		details: [{ field: isToken ? "tokenStdin" : "passwordStdin", message: "is required: send the secret on standard input" }],
	});
}

async function askNames(context: Context): Promise<Auth> {
	const prompts = await context.ask.prompts();
	const username = await prompts.text({ message: "User name", check: (typed) => (typed.trim() === "" ? "is required" : undefined) });
	const partner = (await prompts.text({ message: "Partner name (leave empty if you have none)" })).trim();
	return { kind: "login", username, partnerName: partner === "" ? undefined : partner };
}
