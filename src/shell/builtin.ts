/**
 * The frame's own commands: they are about the other commands and know none by name.
 */
import { z } from "zod";
import { field } from "../api/schema.js";
import { type CommandList, defineCommand } from "./command.js";
import { type Topic, topicData, topicNames, topicText } from "./topics.js";

const shells = ["bash", "zsh", "fish", "powershell"] as const;

/** Adds `completion` and `help` to a list of commands. */
export function withBuiltins(commands: CommandList): CommandList {
	return { ...commands, completion: async () => ({ default: completion(commands) }), help: async () => ({ default: help }) };
}

function completion(commands: CommandList) {
	return defineCommand({
		path: "completion",
		summary: "Print the completion script for a shell",
		details: "It completes commands, flags and values that are known beforehand.",
		examples: [
			{ run: "completion bash > ~/.local/share/bash-completion/completions/purser", note: "bash, for good" },
			{ run: "completion zsh > ~/.zfunc/_purser", note: "zsh, with ~/.zfunc in fpath" },
			{ run: "completion fish > ~/.config/fish/completions/purser.fish", note: "fish" },
			{ run: "completion powershell | Out-String | Invoke-Expression", note: "PowerShell, this session" },
		],
		effect: "read",
		standalone: true,
		operations: [],
		input: z.strictObject({ shell: field(z.enum(shells), { description: shells.join(", "), positional: true, placeholder: "shell" }) }),
		run: async (_, { shell }) => ({ shell, script: await script(shell, commands) }),
		raw: (data) => data.script,
		text: (data) => data.script,
	});
}

/** The script for a shell, over the frame's own commands too. */
async function script(shell: (typeof shells)[number], commands: CommandList): Promise<string> {
	const every = withBuiltins(commands);
	const loaded = await Promise.all(Object.keys(every).map(async (path) => (await (every[path] as CommandList[string])()).default));
	const { completionModel } = await import("./completion/model.js");
	const model = completionModel(loaded);
	switch (shell) {
		case "bash":
			return (await import("./completion/bash.js")).bash(model);
		case "zsh":
			return (await import("./completion/zsh.js")).zsh(model);
		case "fish":
			return (await import("./completion/fish.js")).fish(model);
		case "powershell":
			return (await import("./completion/powershell.js")).powershell(model);
	}
}

const help = defineCommand({
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
