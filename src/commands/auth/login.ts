import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { textAt } from "../../api/answer.js";
import { flag } from "../../api/fields.js";
import { login } from "../../api/operations/auth.js";
import { defineCommand } from "../../cli/command.js";
import { gatherLoginInput, type LoginInput, type LoginProfile, loginProfile } from "../../config/login.js";
import { unlessDryRun } from "../../config/named.js";
import { profileFlags, risksOf } from "../../config/profile-input.js";
import { resolveSettings } from "../../config/settings.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { expiryOf, headerFor } from "../../http/auth.js";
import { call } from "../../http/call.js";
import type { Auth, Credential, Profile } from "../../ports/profiles.js";

export default defineCommand({
	path: "auth login",
	summary: "Log in to a service and store the credential",
	details:
		"With no profile configured, --base-url makes one (named default, or by --profile). The secret is typed at a hidden prompt, or read from standard input; no flag takes one. It is stored in the keyring of the system, else in a file that only you can read, bound to the address of the profile.",
	examples: [
		{ run: "auth login --base-url https://api.example.com", note: "The first time: makes a profile, asks for name and password" },
		{
			run: "auth login -p staging --base-url https://api.staging.example.com --environment sandbox",
			note: "Another service beside it",
		},
		{ run: "auth login --username operator --partner-name example-partner --password-stdin < password.txt", note: "In a script" },
		{ run: "auth login --token-stdin < token.txt", note: "With a token that you already have" },
	],
	effect: "read",
	operations: [login.id],
	input: z
		.strictObject({
			...profileFlags(),
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
	async run(context, { passwordStdin, tokenStdin, ...text }) {
		const found = await loginProfile(context, text);
		if (found.profile.auth.kind === "none") throw noLoginNeeded(found.profile);
		const proof = await gatherLoginInput(context, found.profile.auth, { passwordStdin, tokenStdin });
		const profile = withNames(found.profile, proof);
		const proven = await prove(context, profile, proof);
		const saved = await unlessDryRun(context, async () => {
			if (isChanged(found, profile)) await (await context.config.profiles()).save(profile);
			return (await context.config.credentials()).set(profile, proven.credential);
		});
		if (found.stored === undefined)
			for (const risk of risksOf(profile, await (await context.config.profiles()).list())) context.report.warn(risk);
		if (saved?.warning) context.report.warn(saved.warning);
		const winner = ["PURSER_TOKEN", "PURSER_TOKEN_FILE"].find((name) => context.system.env[name]);
		if (winner) context.report.warn(`${winner} is set and wins over the credential that was just stored`);
		const token = proven.credential.kind === "tokens" ? proven.credential.token : undefined;
		const expiry = token === undefined ? undefined : expiryOf(token);
		const data = {
			profile: profile.name,
			created: found.stored === undefined,
			environment: profile.environment,
			baseUrl: profile.baseUrl,
			auth: profile.auth.kind,
			username: proof.username,
			partnerName: proof.partnerName,
			endUserId: proven.endUserId,
			stored: saved?.where ?? null,
			/** Whether the service accepted the secret. */
			checked: proven.checked,
			expiresAt: expiry === undefined ? undefined : new Date(expiry).toISOString(),
		};
		return { data, next: data.created ? [purser`onboard start`, purser`ledger list`] : [purser`auth status`] };
	},
	text: (data, style) =>
		[
			data.checked ? style.good("Logged in") : style.good("Credential stored"),
			style.pairs([
				["Profile", `${data.profile}${data.created ? " (new)" : ""}`],
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
	if (profile.auth.kind === "login") return { ...profile, auth: { kind: "login", username, partnerName } };
	return profile.auth.kind === "basic" ? { ...profile, auth: { kind: "basic", username } } : profile;
}

function isChanged({ stored }: LoginProfile, profile: Profile): boolean {
	return stored === undefined || JSON.stringify(stored) !== JSON.stringify(profile);
}

function credentialOf(auth: Auth, username: string | undefined, secret: string): Credential {
	if (auth.kind === "header") return { kind: "header", value: secret };
	return auth.kind === "basic" ? { kind: "basic", username: username ?? "", password: secret } : { kind: "tokens", token: secret };
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
		const credential = credentialOf(profile.auth, username, secret);
		headerFor(profile.auth, credential, "standard input");
		return { credential, checked: false };
	}
	// The profile is stored only once the service has accepted the login, so this call uses the unsaved profile.
	const { settings } = resolveSettings({ flags: context.settings.flags, env: context.system.env, profile });
	const own: Context = { ...context, settings: { ...context.settings, read: async () => settings } };
	const body = { username: username ?? "", partnerName, password: secret };
	const { data } = await context.report.during("Logging in", () => call(own, login, { body })).catch(explainRefusal);
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
