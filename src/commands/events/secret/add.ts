import * as z from "zod/mini";
import { purser } from "../../../api/advice.js";
import { plain, url } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";
import { isLoopback } from "../../../api/service-address.js";
import { unlessDryRun } from "../../../config/named.js";
import { secretFromInput, secretFromPerson } from "../../../config/secrets/typed-secret.js";
import type { Context } from "../../../context.js";
import { PurserError } from "../../../errors.js";
import { schemesOf } from "../../../events/schemes.js";
import { isSecretOf, secretForms } from "../../../events/secret-key.js";
import type { EventScheme } from "../../../ports/event-schemes.js";
import { defineCommand } from "../../../shell/command.js";
import { schemeNamed } from "../../families/event-verify.js";

export default defineCommand({
	path: "events secret add",
	summary: "Store a secret that events are checked with",
	details:
		"The secret is typed at a hidden prompt, or read from standard input; no flag takes one. It is the signing secret that the service shows where its webhooks are set up. It is stored in the keyring of the system, else in a file that only you can read, bound to the address of the profile. A profile can have several: while a secret is changed, add the new one before the old one is removed, and no event is lost.",
	examples: [
		{ run: "events secret add live", note: "Asks for the secret" },
		{ run: "events secret add live < secret.txt", note: "In a script" },
		{ run: "events secret add shop --scheme shop < secret.txt", note: "Of a sender with a scheme of its own" },
		{
			run: "events secret add polling --endpoint https://api.example.com/api/v1/app/app_1/poller/poll_1 < key.txt",
			note: "For events follow",
		},
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		name: field(z.string().check(z.regex(/^[A-Za-z0-9][\w.-]{0,63}$/, "must be letters, digits, . _ and -, 64 at most")), {
			description: "A name for it, of your choice",
			positional: true,
			placeholder: "name",
		}),
		scheme: z._default(plain("How the sender signs", { placeholder: "scheme" }), "standard"),
		endpoint: z.optional(
			url("The secret is the key of the polling endpoint at this address (Svix), for events follow; it is sent nowhere else"),
		),
	}),
	run: async (context, { name, scheme: signed, endpoint }) => {
		const { profile } = await context.settings();
		const scheme = endpoint === undefined ? signed : pollingScheme;
		const secret =
			endpoint === undefined
				? checked(await typed(context), scheme, schemeNamed(schemesOf(profile), scheme))
				: await keyOf(context, endpoint);
		const addedAt = context.clock.now().toISOString();
		const secrets = await context.eventSecrets((message) => context.reporter.warn(message));
		const saved = await unlessDryRun(context, () =>
			secrets.add(profile, { name, scheme, addedAt, secret, ...(endpoint === undefined ? {} : { endpoint }) }),
		);
		if (saved?.warning) context.reporter.warn(saved.warning);
		return { name, scheme, profile: profile.name, stored: saved?.where ?? null };
	},
	text: (data, style) =>
		[
			data.stored === null ? "The secret can be used; it was not stored (dry run)." : style.good("Secret stored"),
			style.pairs([
				["Name", data.name],
				["Scheme", data.scheme],
				["Profile", data.profile],
				["Stored in", data.stored ?? undefined],
			]),
		].join("\n"),
	next: ({ scheme }) => [...(scheme === pollingScheme ? [purser`events follow`] : []), purser`events secret list`],
});

/** No scheme can have this name: nothing is signed. */
const pollingScheme = "polling endpoint";

/** @throws PurserError validation, where the key would travel unencrypted, or is none */
async function keyOf(context: Context, endpoint: string): Promise<string> {
	const { protocol, username, password } = new URL(endpoint);
	if ((protocol === "http:" && !isLoopback(endpoint)) || username !== "" || password !== "")
		throw new PurserError("validation", {
			code: "ENDPOINT_UNSAFE",
			message: "A polling endpoint needs an https address without a user name or a password in it; nothing was stored",
			why: "The key goes with every request to it",
			fix: "Copy the address from where the provider shows it.",
		});
	const key = await typed(context);
	if (/^[\x21-\x7e]{8,1000}$/.test(key)) return key;
	throw new PurserError("validation", {
		code: "ENDPOINT_KEY_UNUSABLE",
		message: "This is no key of a polling endpoint; nothing was stored",
		why: "A key has 8 to 1000 characters without a space",
		fix: "Copy it whole from where the provider shows it.",
	});
}

async function typed(context: Context): Promise<string> {
	if (context.flags.interactive && context.terminal.stdin.isTerminal) return secretFromPerson(context, "Secret");
	return (await secretFromInput(context, "secret")).trim();
}

function checked(secret: string, name: string, scheme: EventScheme): string {
	if (isSecretOf(secret, scheme)) return secret;
	throw new PurserError("validation", {
		code: "EVENT_SECRET_UNUSABLE",
		message: `This is not a secret of the scheme ${name}; nothing was stored`,
		why: `It must be ${secretForms(scheme)}`,
		fix: "Copy it whole from where the sender shows it.",
	});
}
