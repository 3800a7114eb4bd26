import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { plain } from "../../api/fields.js";
import { defineCommand } from "../../cli/command.js";
import { profileNamed, unlessDryRun } from "../../config/named.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { recordGuards } from "../../payments/rules/guards.js";
import type { Profile } from "../../ports/profiles.js";

const maxNamed = 20;

export default defineCommand({
	path: "profile remove",
	summary: "Remove a profile and its credential",
	details:
		"The secrets of its events and the password of its team's database are removed too; its journal and its inbox of events are not.",
	examples: {
		"profile remove staging": "Asks first",
		"profile remove staging --yes": "In a script",
	},
	input: z.strictObject({ name: plain("Name of the profile", { positional: true, placeholder: "name", choose: "profile" }) }),
	answer: () => z.strictObject({ name: z.string(), removed: z.boolean(), credential: z.boolean(), current: z.optional(z.string()) }),
	async run(context, { name }) {
		await context.ask.confirm(`Remove the profile ${name} with its settings, mapping and credential?`);
		const profile = await profileNamed(context, name);
		const profiles = await context.config.profiles();
		// A journal that cannot be read does not prevent the removal.
		const doubts = (await ifRead(() => openDoubts(context, profile))) ?? [];
		const credential = await unlessDryRun(context, async () => {
			// The settings which guard money end with the profile.
			await ifRead(() => recordGuards(context, profile, profile, { settings: {} }));
			const had = await (await context.config.credentials()).remove(profile);
			await (await context.config.eventSecrets()).clear(profile);
			if (profile.team !== undefined) await (await context.journal.team()).forget(profile);
			await profiles.remove(name);
			return had;
		});
		if (doubts.length > 0)
			context.report.warn(
				advice`Still in doubt: ${doubts.map((intent) => `intent ${intent}`).join(", ")}. The journal stays, but only a profile named ${name} reads it: add one again${profile.team === undefined ? "" : " and join the team"}, then ${purser`pay doubts --profile ${name}`}`,
			);
		const current = await profiles.current();
		const data = { name, removed: credential !== undefined, credential: credential ?? false, current };
		return { data, next: current === undefined ? [purser`profile use`] : [] };
	},
	text: (data, style) =>
		!data.removed
			? `The profile ${data.name} would be removed.`
			: `${style.good("Removed")} the profile ${data.name}${data.credential ? " and its credential" : "; there was no credential"}.`,
});

async function openDoubts(context: Context, profile: Profile): Promise<string[]> {
	const listed = await (await context.journal.of(profile)).list({ states: ["in-doubt"], limit: maxNamed });
	return listed.map(({ intent }) => intent);
}

async function ifRead<T>(read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		return undefined;
	}
}
