import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { defineCommand } from "../../cli/command.js";
import { storedProfile, unlessDryRun } from "../../config/named.js";

export default defineCommand({
	path: "team leave",
	summary: "Pay by a journal of this machine's own again",
	details:
		"Refused while payments of this machine are in doubt. What the team has on record stays with it, and this machine's own journal does not know what was paid meanwhile: on a live profile it pays again only after `purser history adopt`.",
	examples: { "team leave": "Asks first" },
	answer: () => z.strictObject({ profile: z.string(), left: z.boolean() }),
	async run(context) {
		const profile = await storedProfile(context);
		const teams = await context.journal.team();
		await context.ask.confirm(
			`Leave the team with the profile ${profile.name}? This machine's own journal does not know what the team has paid, and could pay it again`,
		);
		await unlessDryRun(context, () => teams.leave(profile), "changed");
		return { data: { profile: profile.name, left: !context.settings.flags.dryRun }, next: [purser`history verify`] };
	},
	text: ({ profile, left }, style) =>
		left ? style.good(`The profile ${profile} pays by this machine's own journal again`) : "Nothing was changed.",
});
