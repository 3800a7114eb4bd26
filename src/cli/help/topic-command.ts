import * as z from "zod/mini";
import { field } from "../../api/schema.js";
import { defineCommand } from "../command.js";
import { plainText } from "./markdown.js";
import { guideText, isReference, references, topicNames } from "./topics.js";

/** `purser help TOPIC`. */
export default defineCommand({
	path: "help",
	summary: "Read about a topic, such as payments, scripts or exit-codes",
	examples: [
		{ run: "help start", note: "Two minutes in the sandbox" },
		{ run: "help exit-codes", note: "What each exit code means, and whether to run again" },
		{ run: "help environment", note: "The variables purser reads" },
		{ run: "help", note: "The commands and the topics" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		topic: field(z.enum(topicNames), { description: topicNames.join(", "), positional: true, placeholder: "topic" }),
	}),
	async run(context, { topic }) {
		const content = isReference(topic) ? references[topic].data() : (await guideText(topic, context)).split("\n");
		return { data: { topic, content } };
	},
	text: ({ topic, content }, style) => (isReference(topic) ? references[topic].text(style) : plainText(content as string[], style)),
});
