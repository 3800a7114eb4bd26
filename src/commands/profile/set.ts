import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { isLoopback } from "../../api/service-address.js";
import { defineCommand } from "../../cli/command.js";
import { changedSettings } from "../../config/keys.js";
import { profileNamed, profileRows, unlessDryRun } from "../../config/named.js";
import { changedProfile, profileFlags, requireValid, risksOf } from "../../config/profile-input.js";
import { checkScaStrategy } from "../../http/request/request.js";
import { changesText, settingChanges } from "../../journal/intents/settings-record.js";
import { guardsOf, recordGuards } from "../../payments/rules/guards.js";
import type { Profile } from "../../ports/profiles.js";
import { profile } from "../families/answers.js";

export default defineCommand({
	path: "profile set",
	summary: "Change a profile, or a setting in it",
	details:
		"Only what is given changes. A credential is bound to scheme, host and port: after a change of --base-url to another one, log in again. What guards money (limits, approval, approvers, planners, what is trusted about the service) is changed after a Yes, or with --yes in a script, and each such change is recorded in the journal: `purser history export --kind settings`. So is a live profile that becomes a sandbox one, since that removes the guards of live.",
	examples: {
		"profile set staging --set duplicate-days=3 --set timeout=60": "Two settings",
		"profile set staging --unset timeout": "Back to the default",
		'profile set live --set "cap-per-day=20000 EUR" --yes': "What guards money: asked at a terminal, --yes in a script",
		"profile set staging --auth header --auth-header X-Api-Key": "Another way to log in",
	},
	input: z.strictObject({
		name: plain("Name of the profile", { positional: true, placeholder: "name", choose: "profile" }),
		baseUrl: z.optional(plain("Base address of the service", { placeholder: "url" })),
		...profileFlags(),
		unset: z._default(field(z.array(plain("key", { placeholder: "key" })), { description: "A setting that goes back to its default" }), []),
	}),
	answer: () => z.strictObject({ ...profile(), moved: z.boolean() }),
	async run(context, input) {
		const shown = await profileNamed(context, input.name);
		const asked = questionOf({ before: shown, profile: changed(shown, input) });
		if (asked !== undefined) await context.ask.confirm(asked);
		// It is read again: another process may have changed the profile during the question.
		const before = await profileNamed(context, input.name);
		const profile = changed(before, input);
		const profiles = await context.config.profiles();
		for (const risk of risksOf(profile, await profiles.list())) context.report.warn(risk);
		await unlessDryRun(context, async () => {
			await recordGuards(context, profile, before, profile);
			await profiles.change(input.name, (stored) => changed(stored, input));
		});
		const moved = new URL(before.baseUrl).origin !== new URL(profile.baseUrl).origin || before.auth.kind !== profile.auth.kind;
		const login = moved && profile.auth.kind !== "none";
		return { data: { ...profile, moved }, next: login ? [purser`auth login --profile ${profile.name}`] : [] };
	},
	text: (data, style) => style.done("Profile changed", profileRows(data)),
});

/** The question before what guards money changes; undefined where none of it does. */
function questionOf({ before, profile }: { before: Profile; profile: Profile }): string | undefined {
	const changes = settingChanges(guardsOf(before.settings, before.confirmations), guardsOf(profile.settings, profile.confirmations));
	const taken = guardsTaken(before, profile);
	const question = `Change what guards the money of the profile ${profile.name}: ${changesText(changes)}?`;
	return [...(taken ? [taken] : []), ...(changes.length > 0 ? [question] : [])].join(" ") || undefined;
}

/** The question before the guards of live are taken away; undefined where they are not. */
function guardsTaken(before: Profile, { name, baseUrl, environment }: Profile): string | undefined {
	if (environment === "live") return undefined;
	const { host } = new URL(baseUrl);
	const unasked = "Then changes are sent without a question, and no amount is typed once more.";
	if (before.environment === "live") return `Make the live profile ${name} (${host}) a sandbox profile? ${unasked}`;
	// Another machine's address counts as live unless somebody says otherwise.
	if (isLoopback(before.baseUrl) && !isLoopback(baseUrl)) return `Is ${host} a sandbox, too? ${unasked} If not: --environment live.`;
	return undefined;
}

type Input = Parameters<typeof changedProfile>[2] & { name: string; set: string[]; unset: string[] };

/** @throws PurserError validation, with every fault; usage, where a setting is for a sandbox only */
function changed(before: Profile, { name, set, unset, ...text }: Input): Profile {
	const draft = changedProfile(name, before, text);
	const { settings, faults } = changedSettings(before.settings, set, unset);
	requireValid([...draft.faults, ...faults], "profile set");
	const profile = { ...draft.profile, settings };
	checkScaStrategy(profile, settings["sca-strategy"]);
	return profile;
}
