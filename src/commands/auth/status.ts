import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { optionals } from "../../api/answer.js";
import { defineCommand } from "../../cli/command.js";
import { expiryOf } from "../../http/auth.js";

export default defineCommand({
	path: "auth status",
	summary: "Show who you are logged in as, and where the credential comes from",
	details: "Does not contact the service and never shows the secret. Exit 4 when there is no credential, or none that still works.",
	examples: {
		"auth status": "The profile in use",
		"auth status -p live --json": "Another one, for a script",
	},
	answer: () =>
		z.strictObject({
			...{ profile: z.string(), environment: z.string(), baseUrl: z.string(), auth: z.string() },
			...optionals(["username", "partnerName"]),
			credential: z.nullable(z.string()),
			...optionals(["from", "expiresAt"]),
			...optionals(["expired", "renewable"], z.boolean()),
		}),
	async run(context) {
		const { profile } = await context.settings.read();
		const found = profile.auth.kind === "none" ? undefined : await (await context.config.credentials()).get(profile);
		const tokens = found?.credential.kind === "tokens" ? found.credential : undefined;
		const expiry = tokens && expiryOf(tokens.token);
		const { name, environment, baseUrl, auth } = profile;
		const data = {
			...{ profile: name, environment, baseUrl, auth: auth.kind },
			...(auth.kind === "login" && { username: auth.username, partnerName: auth.partnerName }),
			...{ credential: found?.credential.kind ?? null, from: found?.from },
			expiresAt: expiry === undefined ? undefined : new Date(expiry).toISOString(),
			expired: expiry === undefined ? undefined : expiry <= context.clock.now().getTime(),
			/** Whether the next request renews an expired token. */
			renewable: tokens && tokens.refreshToken !== undefined,
		};
		const isUsable = data.auth === "none" || (data.credential !== null && !(data.expired && !data.renewable));
		return { data, next: isUsable ? [] : [purser`auth login`], exit: isUsable ? undefined : "auth" };
	},
	text: (data, style) =>
		style.pairs({
			Profile: data.profile,
			Environment: data.environment === "live" ? style.bad("live") : data.environment,
			Service: data.baseUrl,
			Auth: data.auth,
			User: data.username,
			Partner: data.partnerName,
			Credential: credentialText(data.auth, data.credential, data.from) ?? style.bad("none"),
			"Valid until": data.expiresAt && `${style.time(data.expiresAt)}, as the token itself says (not verified)`,
			Expired: data.expired
				? data.renewable
					? "yes; it is renewed with the next request"
					: style.bad("yes, and it cannot be renewed")
				: undefined,
		}),
});

function credentialText(auth: string, kind: string | null, from: string | undefined): string | undefined {
	if (auth === "none") return "none needed";
	return kind === null ? undefined : `${kind === "tokens" ? "token" : "header value"}, from ${from}`;
}
