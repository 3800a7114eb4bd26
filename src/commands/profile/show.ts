import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { plain } from "../../api/fields.js";
import { defineCommand } from "../../cli/command.js";
import { profileNamed, profileRows } from "../../config/named.js";
import { profile } from "../families/answers.js";

export default defineCommand({
	path: "profile show",
	summary: "Show a profile as it is stored",
	details: "`purser config explain` shows how flags and variables change it for a run.",
	examples: {
		"profile show": "The one in use",
		"profile show staging --json": "With its mapping in full",
	},
	input: z.strictObject({
		name: z.optional(plain("Name of the profile; the one in use without it", { positional: true, placeholder: "name", choose: "profile" })),
	}),
	answer: () => z.strictObject({ ...profile(), current: z.boolean(), file: z.string() }),
	async run(context, { name }) {
		const profiles = await context.config.profiles();
		const chosen = name ?? context.settings.flags.profile ?? (context.system.env.PURSER_PROFILE || undefined) ?? (await profiles.current());
		const profile = chosen === undefined ? (await context.settings.read()).profile : await profileNamed(context, chosen);
		const data = { ...profile, current: (await profiles.current()) === profile.name, file: profiles.file };
		return { data, next: data.mapping !== undefined ? [purser`api list`] : [] };
	},
	text: (data, style) => style.pairs([...profileRows(data), ["In use", data.current ? "yes" : "no"], ["File", data.file]]),
});
