import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { defineCommand } from "../../cli/command.js";
import { listDrafts } from "../../onboarding/wizard/draft.js";
import { draft } from "../families/answers.js";

export default defineCommand({
	path: "onboard list",
	summary: "List the onboardings that were stopped before the end, newest first",
	details: "Their answers are kept on this machine, readable by you only. Does not contact the service.",
	examples: {
		"onboard list": "Name, company and the question at which each stopped",
		"onboard list -o ndjson": "One line per draft",
	},
	answer: () => z.array(draft()),
	async run(context) {
		const data = await listDrafts(context);
		const [first] = data;
		return { data, next: [first === undefined ? purser`onboard start` : purser`onboard resume ${first.name}`] };
	},
	text: (drafts, style) =>
		style.list(drafts, "No onboarding is unfinished.", {
			name: ({ name }) => name,
			company: ({ company }) => company,
			started: ({ startedAt }) => style.time(startedAt),
			"last change": ({ savedAt }) => style.time(savedAt),
			"next question": ({ trouble, nextQuestion }) => trouble ?? nextQuestion ?? "review and send",
		}),
});
