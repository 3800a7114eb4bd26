import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { defineHooked } from "../../cli/command.js";
import { shownProfile } from "../../config/shown.js";

export default defineHooked({
	path: "profile list",
	summary: "List the profiles, newest first",
	examples: [
		{ run: "profile list", note: "Which there are, and which is in use" },
		{ run: "profile list --json", note: "With their settings and mappings" },
	],
	effect: "read",
	operations: [],
	standalone: true,
	input: z.strictObject({}),
	run: async (context) => {
		const profiles = await context.config.profiles();
		const current = await profiles.current();
		// They are stored in the order in which they were added.
		return (await profiles.list()).reverse().map((profile) => ({ ...shownProfile(profile), current: profile.name === current }));
	},
	text: (profiles, style) => {
		if (profiles.length === 0) return "No profiles yet.";
		const rows = profiles.map(({ name, environment, baseUrl, auth, current }) => [
			current ? style.bold(name) : name,
			environment === "live" ? style.bad(environment) : environment,
			baseUrl,
			auth.kind,
			current ? "in use" : "",
		]);
		return style.table(["name", "environment", "service", "auth", ""], rows);
	},
	lines: (profiles) => profiles,
	next: (profiles) => (profiles.length === 0 ? [purser`profile add NAME --base-url URL`] : []),
});
