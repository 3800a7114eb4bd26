import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { plain } from "../../api/fields.js";
import { defineCommand } from "../../cli/command.js";
import { profileNamed, profileRows, unlessDryRun } from "../../config/named.js";
import { profile } from "../families/answers.js";

export default defineCommand({
	path: "profile use",
	summary: "Choose the profile that commands use",
	examples: {
		"profile use staging": "From now on",
		"profile use": "Choose from a list",
	},
	input: z.strictObject({ name: plain("Name of the profile", { positional: true, placeholder: "name", choose: "profile" }) }),
	answer: () => z.strictObject(profile()),
	async run(context, { name }) {
		const profile = await profileNamed(context, name);
		const profiles = await context.config.profiles();
		await unlessDryRun(context, () => profiles.use(name));
		if (context.system.env.PURSER_PROFILE && context.system.env.PURSER_PROFILE !== name)
			context.report.warn(`PURSER_PROFILE is set to ${context.system.env.PURSER_PROFILE} and wins over this`);
		return { data: profile, next: profile.auth.kind === "none" ? [] : [purser`auth status`] };
	},
	text: (data, style) => [`${style.good("In use:")} ${style.bold(data.name)}`, style.pairs(profileRows(data).slice(1))].join("\n"),
});
