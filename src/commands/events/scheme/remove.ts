import * as z from "zod/mini";
import { advice, purser } from "../../../api/advice.js";
import { plain } from "../../../api/fields.js";
import { unlessDryRun } from "../../../config/named.js";
import { PurserError } from "../../../errors.js";
import { defineCommand } from "../../../shell/command.js";

export default defineCommand({
	path: "events scheme remove",
	summary: "Remove a scheme from the profile",
	details: "Events that are signed by it are refused from then on. Its secrets stay until they are removed.",
	examples: [
		{ run: "events scheme remove shop", note: "Asks first" },
		{ run: "events scheme remove shop --yes", note: "In a script" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({ name: plain("Name of the scheme", { positional: true, placeholder: "name" }) }),
	confirm: ({ name }) => `Remove the scheme ${name}? Events signed by it are refused then.`,
	run: async (context, { name }) => {
		const { profile } = await context.settings();
		const profiles = await context.profiles();
		const stored = await profiles.get(profile.name);
		const { [name]: found, ...left } = stored?.eventSchemes ?? {};
		if (stored === undefined || found === undefined) throw unknown(name);
		const removed = await unlessDryRun(context, async () => {
			await profiles.save({ ...stored, eventSchemes: Object.keys(left).length === 0 ? undefined : left });
			return true;
		});
		return { name, removed: removed === true };
	},
	text: ({ name, removed }, style) => (removed ? `${style.good("Removed")} the scheme ${name}.` : `The scheme ${name} would be removed.`),
});

function unknown(name: string): PurserError {
	return new PurserError("usage", {
		code: "SCHEME_UNKNOWN",
		message: `The profile has no scheme ${JSON.stringify(name)} of its own`,
		fix: advice`List them: ${purser`events scheme list`}`,
	});
}
