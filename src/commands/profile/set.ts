import { z } from "zod";
import { plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { amendSettings } from "../../config/assignments.js";
import { amendProfile, profileFlags, requireNoFault, risksOf } from "../../config/draft.js";
import { profileChoices, profileNamed, unlessDry } from "../../config/named.js";
import { profileRows } from "../../config/profile-rows.js";
import { defineCommand } from "../../shell/command.js";

const keyValue = () => plain("key=value", { placeholder: "key=value" });

export default defineCommand({
	path: "profile set",
	summary: "Change a profile, or a setting in it",
	details:
		"Only what is given changes. A credential is bound to scheme, host and port: after a change of --base-url to another one, log in again.",
	examples: [
		{ run: "profile set staging --set duplicate-days=3 --set timeout=60", note: "Two settings" },
		{ run: "profile set staging --unset timeout", note: "Back to the default" },
		{ run: "profile set staging --auth header --auth-header X-Api-Key", note: "Another way to be known" },
	],
	effect: "read",
	operations: [],
	standalone: true,
	input: z.strictObject({
		name: plain("Name of the profile", { positional: true, placeholder: "name" }),
		baseUrl: plain("Base address of the service", { placeholder: "url" }).optional(),
		...profileFlags(),
		set: field(z.array(keyValue()), { description: "A setting; see `purser config explain`" }).default([]),
		unset: field(z.array(plain("key", { placeholder: "key" })), { description: "A setting that goes back to its default" }).default([]),
	}),
	choices: { name: profileChoices },
	run: async (context, { name, set, unset, ...text }) => {
		const before = await profileNamed(context, name);
		const draft = amendProfile(name, before, text);
		const { settings, faults } = amendSettings(before.settings, set, unset);
		requireNoFault([...draft.faults, ...faults], "profile set");
		const profile = { ...draft.profile, settings };
		const profiles = await context.profiles();
		for (const risk of risksOf(profile, await profiles.list())) context.say.warn(risk);
		await unlessDry(context, () => profiles.save(profile));
		return {
			...profile,
			moved: new URL(before.baseUrl).origin !== new URL(profile.baseUrl).origin || before.auth.kind !== profile.auth.kind,
		};
	},
	text: (data, style) => [style.good("Profile changed"), style.pairs(profileRows(data))].join("\n"),
	next: (data) => (data.moved && data.auth.kind !== "none" ? [`purser auth login --profile ${data.name}`] : []),
});
