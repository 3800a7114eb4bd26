import * as z from "zod/mini";
import { defineCommand } from "../../../cli/command.js";
import { unlessDryRun } from "../../../config/named.js";
import { noKey } from "../../../config/secrets/signing.js";

export default defineCommand({
	path: "pay batch key",
	summary: "Show your public key for planning and approving batches",
	details:
		"It makes a key where there is none, and keeps its private half in the keyring or in a file that only you can read. The public half is no secret: whoever sends batches adds it to the profile's approvers. The plan of a batch is signed with its planner's key, which the profile must know (planners, or approvers), so that nobody approves what they planned themselves. On one machine this guards against mistakes, not against its administrator.",
	examples: { "pay batch key": "Yours, and how others add it" },
	answer: () => z.strictObject({ key: z.string(), where: z.string(), made: z.boolean() }),
	async run(context) {
		const signing = await context.config.signing();
		const existing = await signing.own();
		if (existing) return { data: { ...existing, made: false } };
		const made = await unlessDryRun(context, () => signing.make());
		if (made === undefined) throw noKey();
		const { warning, ...key } = made;
		if (warning) context.report.warn(warning);
		return { data: { ...key, made: true } };
	},
	text: ({ key, where, made }, style) =>
		[
			style.pairs({ "Public key": style.bold(key), "Kept in": where, "": made ? style.good("made just now") : undefined }),
			"",
			"To let you approve, whoever sends batches names all approvers in one list, each with a key:",
			`  purser profile set PROFILE --set approvers=YOUR-NAME=${key}`,
			"To let you plan what others approve, and approve nothing:",
			`  purser profile set PROFILE --set planners=YOUR-NAME=${key}`,
		].join("\n"),
});
