import * as z from "zod/mini";
import { purser } from "../../../api/advice.js";
import { formed } from "../../../api/fields.js";
import { defineCommand } from "../../../cli/command.js";
import { unlessDryRun } from "../../../config/named.js";
import { secretFromInput, secretFromPerson } from "../../../config/secrets/typed-secret.js";
import type { Context } from "../../../context.js";
import { PurserError } from "../../../errors.js";
import { isSecret, secretForm } from "../../../events/verdict.js";

export default defineCommand({
	path: "events secret add",
	summary: "Store a secret that events are checked with",
	details:
		"The secret is typed at a hidden prompt, or read from standard input; no flag takes one. It is the signing secret that the service shows where its webhooks are set up. It is stored in the keyring of the system, else in a file that only you can read, bound to the address of the profile. A profile can have several: while a secret is changed, add the new one before the old one is removed, and no event is lost.",
	examples: {
		"events secret add live": "Asks for the secret",
		"events secret add live < secret.txt": "In a script",
	},
	input: z.strictObject({
		name: formed(/^[A-Za-z0-9][\w.-]{0,63}$/, "letters, digits, . _ and -, 64 at most", "A name for it, of your choice", {
			positional: true,
			placeholder: "name",
		}),
	}),
	answer: () => z.strictObject({ name: z.string(), profile: z.string(), stored: z.nullable(z.string()) }),
	async run(context, { name }) {
		const { profile } = await context.settings.read();
		const secret = await typed(context);
		if (!isSecret(secret))
			throw new PurserError("validation", {
				code: "EVENT_SECRET_UNUSABLE",
				message: "This is not a secret of Standard Webhooks; nothing was stored",
				why: `It must be ${secretForm}`,
				fix: "Copy it whole from where the service shows its webhooks.",
			});
		const addedAt = context.clock.now().toISOString();
		const secrets = await context.config.eventSecrets((message) => context.report.warn(message));
		const saved = await unlessDryRun(context, () => secrets.add(profile, { name, addedAt, secret }));
		if (saved?.warning) context.report.warn(saved.warning);
		const data = { name, profile: profile.name, stored: saved?.where ?? null };
		return { data, next: [purser`events secret list`] };
	},
	text: ({ name, profile, stored }, style) =>
		stored === null
			? "The secret can be used; it was not stored (dry run)."
			: style.good(`Secret ${name} of profile ${profile} stored in ${stored}`),
});

async function typed(context: Context): Promise<string> {
	if (context.settings.flags.interactive && context.system.terminal.stdin.isTerminal) return secretFromPerson(context, "Secret");
	return (await secretFromInput(context, "secret")).trim();
}
