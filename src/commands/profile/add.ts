import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { plain } from "../../api/fields.js";
import { defineCommand } from "../../cli/command.js";
import { changedSettings } from "../../config/keys.js";
import { profileRows, unlessDryRun } from "../../config/named.js";
import { changedProfile, profileFlags, requireValid, risksOf } from "../../config/profile-input.js";
import { PurserError } from "../../errors.js";
import { checkScaStrategy } from "../../http/request/request.js";
import { recordGuards } from "../../payments/rules/guards.js";
import { profile } from "../families/answers.js";

export default defineCommand({
	path: "profile add",
	summary: "Add a profile: connection settings of a service",
	details:
		"A profile holds no secret: `purser auth login` keeps that elsewhere. The first profile becomes the one in use. Change an existing one with `purser profile set`.",
	examples: {
		"profile add live --base-url https://api.example.com --environment live": "A service that logs in with name and password",
		"profile add staging --base-url https://api.staging.example.com --environment sandbox --set duplicate-days=3": "With a setting",
		"profile add keyed --base-url https://api.example.com --auth header --auth-header X-Api-Key":
			"A key in a header; `auth login` asks for it",
	},
	input: z.strictObject({
		name: plain("Name of the profile", { positional: true, placeholder: "name", example: "staging" }),
		baseUrl: plain("Base address of the service", { placeholder: "url", example: "https://api.example.com" }),
		...profileFlags(),
	}),
	answer: () => z.strictObject({ ...profile(), current: z.boolean(), file: z.string() }),
	async run(context, { name, set, ...text }) {
		const profiles = await context.config.profiles();
		if (await profiles.get(name))
			throw new PurserError("usage", {
				code: "PROFILE_EXISTS",
				message: `There is a profile ${JSON.stringify(name)} already; nothing was changed`,
				fix: advice`Change it with \`${purser`profile set ${name}`}\`, or choose another name.`,
				details: [{ field: "name", message: "is in use" }],
			});
		const draft = changedProfile(name, undefined, text);
		const { settings, faults } = changedSettings({}, set, []);
		requireValid([...draft.faults, ...faults], "profile add");
		const profile = { ...draft.profile, settings };
		checkScaStrategy(profile, settings["sca-strategy"]);
		await unlessDryRun(context, async () => {
			await recordGuards(context, profile, undefined, profile);
			await profiles.save(profile);
		});
		for (const risk of risksOf(profile, await profiles.list())) context.report.warn(risk);
		const current = (await profiles.current()) === name;
		const login = profile.auth.kind !== "none";
		const next = login ? purser`auth login ${!current && ["--profile", name]}` : purser`profile show ${name}`;
		const data = { ...profile, current, file: profiles.file };
		return { data, next: current ? [next] : [purser`profile use ${name}`, next] };
	},
	text: (data, style) => {
		const added = `${style.good("Profile added")}${data.current ? ", and in use" : ""}`;
		return `${added}\n${style.pairs([...profileRows(data), ["File", data.file]])}`;
	},
});
