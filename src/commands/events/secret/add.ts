import * as z from "zod/mini";
import { purser } from "../../../api/advice.js";
import { plain } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";
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
	}),
	run: async (context, { name, scheme }) => {
		const { profile } = await context.settings();
		const found = schemeNamed(schemesOf(profile), scheme);
		const secret = checked(await typed(context), scheme, found);
		const addedAt = context.clock.now().toISOString();
		const secrets = await context.eventSecrets((message) => context.reporter.warn(message));
		const saved = await unlessDryRun(context, () => secrets.add(profile, { name, scheme, addedAt, secret }));
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
	next: () => [purser`events secret list`],
});

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
