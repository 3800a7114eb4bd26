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
import { PurserError, reworded } from "../../errors.js";
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
		const { auth, secret, isToken } = await gather(context, stored, input);
		const checked = auth.kind === "login" && !isToken;
		const { credential, endUserId } = checked ? await logIn(context, auth, secret) : { credential: asGiven(auth, secret) };
		const saved = await unlessDryRun(context, async () => {
			if (auth !== stored.auth) await (await context.config.profiles()).change(stored.name, (now) => ({ ...now, auth }));
			return (await context.config.credentials()).set(stored, credential);
		});
		if (saved?.warning) context.report.warn(saved.warning);
		const winner = ["PURSER_TOKEN", "PURSER_TOKEN_FILE"].find((name) => context.system.env[name]);
		if (winner) context.report.warn(`${winner} is set and wins over the credential that was just stored`);
		const expiry = credential.kind === "tokens" ? expiryOf(credential.token) : undefined;
		const { username, partnerName } = auth.kind === "login" ? auth : {};
		const { name: profile, environment, baseUrl } = stored;
		const data = {
			...{ profile, environment, baseUrl, auth: auth.kind, username, partnerName, endUserId, stored: saved?.where ?? null, checked },
			expiresAt: expiry === undefined ? undefined : new Date(expiry).toISOString(),
		};
		return { data, next: [purser`auth status`] };
	},
	text: (data, style) =>
		style.done(data.checked ? "Logged in" : "Credential stored", {
			Profile: data.profile,
			Environment: data.environment === "live" ? style.bad("live") : data.environment,
			Service: data.baseUrl,
			User: data.username,
			Partner: data.partnerName,
			"Stored in": data.stored ?? "nowhere (dry run)",
			"Valid until": data.expiresAt && `${style.time(data.expiresAt)}, as the token itself says (not verified)`,
			Checked: data.checked ? undefined : "no: it was stored as given; the first request will show whether it works",
		}),
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

/** A token, or the value of a header. @throws PurserError, where it cannot be sent in a header */
function asGiven(auth: Auth, secret: string): Credential {
	const credential: Credential = auth.kind === "header" ? { kind: "header", value: secret } : { kind: "tokens", token: secret };
	headerFor(auth, credential, "standard input");
	return credential;
}

async function logIn(context: Context, auth: Auth, password: string) {
	const { username = "", partnerName } = auth as Extract<Auth, { kind: "login" }>;
	const body = { username, partnerName, password };
	// The usual advice is about a stored credential, and there is none yet.
	const fix = "Check user name, partner and password, and run the command again; nothing was stored.";
	const { data } = await context.report.during("Logging in", () => call(context, login, { body })).catch(reworded("auth", () => ({ fix })));
	const token = textAt(data, "token");
	if (token === undefined)
		throw new PurserError("bug", {
			code: "LOGIN_WITHOUT_TOKEN",
			message: "The service accepted the login but its answer has no token",
			fix: advice`Look at its answer with --debug; where a field is renamed, the mapping says so: \`${purser`help mapping`}\`.`,
		});
	const credential: Credential = { kind: "tokens", token, refreshToken: textAt(data, "refreshToken") };
	return { credential, endUserId: textAt(data, "endUserId") };
}

/**
 * Prompts for it, or reads standard input where the flags say so. The names of user and partner are no secret: the profile stores them.
 * @returns how the profile logs in, with its names, and what was typed: a password, or a token or the value of a header
 * @throws PurserError usage, naming what is missing where nobody can be asked
 */
async function gather(
	context: Context,
	{ name, auth }: Profile,
	{ passwordStdin, tokenStdin }: Record<"passwordStdin" | "tokenStdin", boolean>,
) {
	const isToken = tokenStdin || auth.kind === "header";
	if (passwordStdin && isToken)
		throw new PurserError("usage", {
			code: "SECRET_MISMATCH",
			message: "A fixed header takes its value, not a password",
			fix: "Send it with --token-stdin.",
		});
	const isTyped = !passwordStdin && !tokenStdin;
	const lacksName = !isToken && auth.kind === "login" && auth.username === undefined;
	if (lacksName && !context.settings.flags.interactive)
		throw new PurserError("usage", {
			code: "MISSING_INPUT",
			message: `The profile ${name} does not say who logs in`,
			fix: advice`Name the user: ${purser`profile set ${name} --username NAME --partner-name NAME`}`,
		});
	if (isTyped && !context.settings.flags.interactive) throw secretMissing(isToken);
	const named = lacksName ? await askNames(context) : auth;
	const label = auth.kind === "header" ? `Value of the header ${auth.header}` : "Password";
	const secret = isTyped ? await secretFromPerson(context, label) : await secretFromInput(context, tokenStdin ? "token" : "password");
	return { auth: named, secret, isToken };
}

function secretMissing(isToken: boolean): PurserError {
	const [flag, field] = isToken ? ["--token-stdin", "tokenStdin"] : ["--password-stdin", "passwordStdin"];
	return new PurserError("usage", {
		code: "MISSING_INPUT",
		message: `Missing: ${flag}`,
		fix: advice`Send the secret on standard input, like: printf %s "$SECRET" | ${purser`auth login ${flag}`}`,
		details: [{ field, message: "is required: send the secret on standard input" }],
	});
}

async function askNames(context: Context): Promise<Auth> {
	const prompts = await context.ask.prompts();
	const username = await prompts.text({ message: "User name", check: (typed) => (typed.trim() === "" ? "is required" : undefined) });
	const partner = (await prompts.text({ message: "Partner name (leave empty if you have none)" })).trim();
	return { kind: "login", username, partnerName: partner === "" ? undefined : partner };
}
