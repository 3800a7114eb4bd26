import { z } from "zod";
import { field } from "../../api/schema.js";
import { defineCommand } from "../command.js";
import { type Topic, topicData, topicNames, topicText } from "./topics.js";

/** `purser help TOPIC`. */
export default defineCommand({
	path: "help",
	summary: "More about a subject: exit-codes, environment, json, flags",
	examples: [
		{ run: "help exit-codes", note: "What each exit code means, and whether to run again" },
		{ run: "help environment", note: "The variables purser reads" },
		{ run: "help json", note: "The form of answers and errors for programs" },
	],
	effect: "read",
	standalone: true,
	operations: [],
	input: z.strictObject({
		topic: field(z.enum(topicNames), { description: topicNames.join(", "), positional: true, placeholder: "topic" }),
	}),
	run: async (_, { topic }) => ({ topic, content: topicData(topic) }),
	text: ({ topic }, style) => topicText(topic as Topic, style),
});
