import * as z from "zod/mini";
import { schemeWords } from "../../../events/scheme-file.js";
import { schemesOf } from "../../../events/schemes.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "events scheme list",
	summary: "List the ways in which events can be signed",
	details: "Those that are built in, and those of the profile. The data is the form that `purser events scheme add` reads.",
	examples: [
		{ run: "events scheme list", note: "Which there are" },
		{ run: "events scheme list --json", note: "As data, to write another one by" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({}),
	run: async (context) => {
		const { profile } = await context.settings();
		const own = profile.eventSchemes ?? {};
		return Object.entries(schemesOf(profile))
			.reverse()
			.map(([name, scheme]) => ({ name, builtIn: !Object.hasOwn(own, name), scheme }));
	},
	text: (schemes, style) =>
		style.table(
			["name", "from", "how events are signed"],
			schemes.map(({ name, builtIn, scheme }) => [name, builtIn ? "built in" : "profile", schemeWords(scheme)]),
		),
	lines: (schemes) => schemes,
});
