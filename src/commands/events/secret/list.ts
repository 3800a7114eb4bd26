import * as z from "zod/mini";
import { purser } from "../../../api/advice.js";
import { defineCommand } from "../../../cli/command.js";

export default defineCommand({
	path: "events secret list",
	summary: "List the secrets that events are checked with",
	details: "Shows names and fingerprints, never a secret. The fingerprint is the beginning of its SHA-256: it tells two secrets apart.",
	examples: {
		"events secret list": "Which there are, and since when",
		"events secret list --json": "For a script",
	},
	answer: () => z.array(z.strictObject({ name: z.string(), addedAt: z.string(), fingerprint: z.string() })),
	async run(context) {
		const { profile } = await context.settings.read();
		const secrets = await (await context.config.eventSecrets((message) => context.report.warn(message))).list(profile);
		// They are stored in the order in which they were added.
		const data = [...secrets].reverse().map(({ secret: _, ...shown }) => shown);
		return { data, next: data.length === 0 ? [purser`events secret add NAME`] : [] };
	},
	text: (secrets, style) =>
		style.list(secrets, "No secrets yet: events cannot be checked.", {
			name: ({ name }) => name,
			added: ({ addedAt }) => style.time(addedAt),
			fingerprint: ({ fingerprint }) => fingerprint,
		}),
});
