import * as z from "zod/mini";
import { advice, purser } from "../../../api/advice.js";
import { plain } from "../../../api/fields.js";
import { defineCommand } from "../../../cli/command.js";
import { unlessDryRun } from "../../../config/named.js";
import { PurserError } from "../../../errors.js";

export default defineCommand({
	path: "events secret remove",
	summary: "Remove a secret that events are checked with",
	details: "Events that are signed with it alone are refused from then on.",
	examples: {
		"events secret remove old": "Asks first",
		"events secret remove old --yes": "In a script",
	},
	input: z.strictObject({ name: plain("Name of the secret", { positional: true, placeholder: "name" }) }),
	answer: () => z.strictObject({ name: z.string(), removed: z.boolean(), left: z.number() }),
	async run(context, { name }) {
		await context.ask.confirm(`Remove the secret ${name}? Events signed with it are refused then.`);
		const { profile } = await context.settings.read();
		const secrets = await context.config.eventSecrets((message) => context.report.warn(message));
		const before = await secrets.list(profile);
		if (!before.some((one) => one.name === name)) throw unknown(name);
		const removed = await unlessDryRun(context, () => secrets.remove(profile, name));
		const left = before.length - 1;
		return { data: { name, removed: removed === true, left }, next: left === 0 ? [purser`events secret add NAME`] : [] };
	},
	text: (data, style) => {
		if (!data.removed) return `The secret ${data.name} would be removed.`;
		return `${style.good("Removed")} the secret ${data.name}${data.left === 0 ? ". None is left: events cannot be checked" : ""}.`;
	},
});

function unknown(name: string): PurserError {
	return new PurserError("usage", {
		code: "EVENT_SECRET_UNKNOWN",
		message: `There is no secret ${JSON.stringify(name)} in this profile`,
		fix: advice`List them: ${purser`events secret list`}`,
	});
}
