import * as z from "zod/mini";
import { listAt, textAt } from "../../../api/answer.js";
import { call } from "../../../client/call.js";
import { readOutbox } from "../../../sandbox/simulate/control.js";
import { defineCommand } from "../../../shell/command.js";
import { onlySandbox } from "../../families/simulate.js";

export default defineCommand({
	path: "sandbox simulate inbox",
	summary: "Read the emails and SMS that the sandbox would have sent",
	examples: [{ run: "sandbox simulate inbox", note: "Everything, newest last" }],
	effect: "read",
	operations: [readOutbox.id],
	input: z.strictObject(readOutbox.query.shape),
	run: async (context, query) => {
		await onlySandbox(context);
		return (await call(context, readOutbox, { query })).data;
	},
	lines: (data) => listAt(data, "messages"),
	text: (data, style) => {
		const messages = listAt(data, "messages");
		if (messages.length === 0) return "Nothing was sent yet.";
		const cell = (message: Record<string, unknown>, name: string): string => textAt(message, name) ?? "";
		// Links are copied, so they are not in a table, whose columns would cut them.
		return messages
			.map((message) => `${style.bold(cell(message, "kind"))} to ${cell(message, "to")}\n  ${cell(message, "text")}`)
			.join("\n");
	},
});
