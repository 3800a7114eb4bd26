import * as z from "zod/mini";
import { textAt } from "../../api/answer.js";
import { defineCommand } from "../../cli/command.js";
import { call } from "../../http/call.js";
import { readWebhookSecret } from "../../sandbox/simulate/control.js";
import { onlySandbox } from "../families/simulate.js";

export default defineCommand({
	path: "sandbox webhook-secret",
	summary: "Print the secret that signs the sandbox's events",
	details:
		"A sandbox makes its secret by itself, so it may be shown. After `sandbox simulate webhook rotate` it is the new one. In a pipe nothing but the secret is written.",
	examples: [{ run: "sandbox webhook-secret", note: "To be piped to `purser events secret add sandbox`" }],
	effect: "read",
	operations: [readWebhookSecret.id],
	input: z.strictObject({}),
	async run(context) {
		await onlySandbox(context);
		return { data: { secret: textAt((await call(context, readWebhookSecret, {})).data, "secret") ?? "" } };
	},
	text: ({ secret }) => secret,
});
