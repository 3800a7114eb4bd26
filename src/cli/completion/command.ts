import * as z from "zod/mini";
import { field } from "../../api/schema.js";
import { defineCommand } from "../command.js";
import { completionScript, type Shell, shells } from "../shipped-page.js";

/** `purser completion SHELL`. */
export default defineCommand({
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
	async run(context, { shell }) {
		const script = await completionScript(shell as Shell, context);
		return { data: { shell, script }, raw: script };
	},
	text: (data) => data.script,
});
