import * as z from "zod/mini";
import { listAt, textAt } from "../../../api/answer.js";
import { defineCommand } from "../../../cli/command.js";
import { call } from "../../../http/call.js";
import { readOutbox } from "../../../sandbox/simulate/control.js";
import { onlySandbox } from "../../families/simulate.js";

/** Of a message. */
const names = ["at", "kind", "to", "text"];

export default defineCommand({
	path: "sandbox simulate inbox",
	summary: "Read the emails and SMS that the sandbox would have sent",
	examples: [{ run: "sandbox simulate inbox", note: "Everything, newest first" }],
	effect: "read",
	operations: [readOutbox.id],
	input: z.strictObject({}),
	async run(context) {
		await onlySandbox(context);
		return { data: listAt((await call(context, readOutbox, {})).data, "messages").reverse() };
	},
	text: (messages, style) => {
		if (style.cells)
			return style.table(
				names,
				messages.map((message) => names.map((name) => textAt(message, name) ?? "")),
			);
		if (messages.length === 0) return "Nothing was sent yet.";
		const cell = (message: Record<string, unknown>, name: string): string => textAt(message, name) ?? "";
		// Links are copied, so they are not in a table, whose columns would cut them.
		return messages
			.map((message) => `${style.bold(cell(message, "kind"))} to ${cell(message, "to")}\n  ${cell(message, "text")}`)
			.join("\n");
	},
});
