import * as z from "zod/mini";
import { field } from "../../api/schema.js";
import { defineCommand } from "../command.js";
import { completionScript, type Shell, shells } from "../shipped-page.js";
import { plainText } from "./markdown.js";
import { guideText, isReference, references, topicNames } from "./topics.js";

export const help = defineCommand({
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
	answer: () => z.strictObject({ topic: z.string(), content: z.array(z.unknown()) }),
	async run(context, { topic }) {
		const content = isReference(topic) ? references[topic].data() : (await guideText(topic, context)).split("\n");
		return { data: { topic, content } };
	},
	text: ({ topic, content }, style) => (isReference(topic) ? references[topic].text(style) : plainText(content as string[], style)),
});

export const completion = defineCommand({
	path: "completion",
	summary: "Print the completion script for a shell",
	details: "It completes commands, flags, values that are known beforehand, paths, and names of profiles.",
	examples: [
		{
			run: "completion bash > ~/.local/share/bash-completion/completions/purser",
			note: "bash, for good; the folder has to be there (mkdir -p)",
		},
		{ run: "completion zsh > ~/.zfunc/_purser", note: "zsh, with ~/.zfunc there and in fpath" },
		{ run: "completion fish > ~/.config/fish/completions/purser.fish", note: "fish" },
		{ run: "completion powershell | Out-String | Invoke-Expression", note: "PowerShell, this session" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({ shell: field(z.enum(shells), { description: shells.join(", "), positional: true, placeholder: "shell" }) }),
	answer: () => z.strictObject({ shell: z.string(), script: z.string() }),
	async run(context, { shell }) {
		const script = await completionScript(shell as Shell, context);
		return { data: { shell, script }, raw: script };
	},
	text: (data) => data.script,
});
