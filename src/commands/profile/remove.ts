import { z } from "zod";
import { plain } from "../../api/fields.js";
import { profileChoices, profileNamed, unlessDry } from "../../config/named.js";
import { defineCommand } from "../../shell/command.js";

export default defineCommand({
	path: "profile remove",
	summary: "Remove a profile and its credential",
	details: "The journal of what was asked of the service stays.",
	examples: [
		{ run: "profile remove staging", note: "Asks first" },
		{ run: "profile remove staging --yes", note: "In a script" },
	],
	effect: "read",
	operations: [],
	standalone: true,
	input: z.strictObject({ name: plain("Name of the profile", { positional: true, placeholder: "name" }) }),
	choices: { name: profileChoices },
	confirm: ({ name }) => `Remove the profile ${name} with its settings, overrides and credential?`,
	run: async (context, { name }) => {
		const profile = await profileNamed(context, name);
		const profiles = await context.profiles();
		const credential = await unlessDry(context, async () => {
			const had = await (await context.credentials()).remove(profile);
			await profiles.remove(name);
			return had;
		});
		return { name, removed: credential !== undefined, credential: credential ?? false, current: await profiles.current() };
	},
	text: (data, style) =>
		!data.removed
			? `The profile ${data.name} would be removed.`
			: `${style.good("Removed")} the profile ${data.name}${data.credential ? " and its credential" : "; there was no credential"}.`,
	next: (data) => (data.current === undefined ? ["purser profile use"] : []),
});
