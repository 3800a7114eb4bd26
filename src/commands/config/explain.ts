import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { optionals } from "../../api/answer.js";
import { field } from "../../api/schema.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { configKeys } from "../../config/keys.js";
import type { Explained } from "../../context.js";

const keys = ["profile", "base-url", "environment", "auth", "token", ...configKeys.map(({ key }) => key)] as [string, ...string[]];

export default defineCommand({
	path: "config explain",
	summary: "Show every setting with its value and where it comes from",
	details: "A flag wins over the environment, that over the profile, that over the default.",
	examples: {
		"config explain": "Everything",
		"config explain duplicate-days": "One setting",
		"config explain -p live --json": "Another profile, for a script",
	},
	input: z.strictObject({
		key: z.optional(field(z.enum(keys), { description: "Only this setting", positional: true, placeholder: "key" })),
	}),
	answer: () =>
		z.array(
			z.strictObject({ key: z.string(), meaning: z.string(), from: z.string(), ...optionals(["value", "source", "fallback", "profile"]) }),
		),
	async run(context, { key }): Promise<Answer<readonly (Explained & { profile?: string })[]>> {
		const explained = await context.settings.explained();
		if (key === undefined)
			return { data: explained, next: [{ ...purser`config explain duplicate-days`, remark: "what one setting means" }] };
		const found = explained.filter((one) => one.key === key);
		const { profile } = await context.settings.read();
		const next = configKeys.some((known) => known.key === key) ? [purser`profile set ${profile.name} --set ${key}=VALUE`] : [];
		return { data: found.map((one) => ({ ...one, profile: profile.name })), next };
	},
	text: (explained, style) => {
		const only = explained.length === 1 ? explained[0] : undefined;
		if (only)
			return style.pairs({
				Setting: style.bold(only.key),
				Means: only.meaning,
				Value: only.value ?? "not set",
				From: origin(only),
				Default: only.fallback ?? "none",
			});
		const rows = explained.map((one) => [one.key, one.value ?? style.dim("not set"), origin(one)]);
		return style.table(["setting", "value", "from"], rows);
	},
});

const origin = ({ from, source }: Explained): string => (source && source !== from ? `${from} (${source})` : from);
