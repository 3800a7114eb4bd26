import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { defineCommand } from "../../cli/command.js";
import { profile } from "../families/answers.js";

export default defineCommand({
	path: "profile list",
	summary: "List the profiles, newest first",
	examples: {
		"profile list": "Which there are, and which is in use",
		"profile list --json": "With their settings and mappings",
	},
	answer: () => z.array(z.strictObject({ ...profile(), current: z.boolean() })),
	async run(context) {
		const profiles = await context.config.profiles();
		const current = await profiles.current();
		// They are stored in the order in which they were added.
		const data = (await profiles.list()).reverse().map((profile) => ({ ...profile, current: profile.name === current }));
		return { data, next: data.length === 0 ? [purser`profile add NAME --base-url URL`] : [] };
	},
	text: (profiles, style) =>
		style.list(profiles, "No profiles yet.", {
			name: ({ name, current }) => (current ? style.bold(name) : name),
			environment: ({ environment }) => (environment === "live" ? style.bad(environment) : environment),
			service: ({ baseUrl }) => baseUrl,
			auth: ({ auth }) => auth.kind,
			"": ({ current }) => (current ? "in use" : ""),
		}),
});
