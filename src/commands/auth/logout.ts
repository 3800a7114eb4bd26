import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { defineCommand } from "../../cli/command.js";
import { unlessDryRun } from "../../config/named.js";

export default defineCommand({
	path: "auth logout",
	summary: "Remove the stored credential of the profile",
	details:
		"Removes it from the keyring or the file of this machine. The service documents no way to end a token early: it stays valid there until it expires.",
	examples: {
		"auth logout": "The profile in use",
		"auth logout -p staging": "Another one",
	},
	answer: () => z.strictObject({ profile: z.string(), origin: z.string(), removed: z.boolean() }),
	async run(context) {
		const { profile } = await context.settings.read();
		const credentials = await context.config.credentials();
		const removed = (await unlessDryRun(context, () => credentials.remove(profile))) ?? false;
		const left = ["PURSER_TOKEN", "PURSER_TOKEN_FILE"].find((name) => context.system.env[name]);
		if (left) context.report.warn(`${left} is set, so there still is a credential: unset it too`);
		const data = { profile: profile.name, origin: new URL(profile.baseUrl).origin, removed };
		return { data, next: [purser`auth login`] };
	},
	text: (data, style) =>
		data.removed
			? `${style.good("Logged out")} of ${data.origin} (profile ${data.profile}).`
			: `Nothing was removed for the profile ${data.profile} at ${data.origin}.`,
});
