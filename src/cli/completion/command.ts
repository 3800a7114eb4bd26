import * as z from "zod/mini";
import { field } from "../../api/schema.js";
import type { Outside } from "../../context.js";
import { defineCommand } from "../command.js";
import { shippedPage } from "../shipped-page.js";

/**
 * The completion scripts, by shell: files in `completions/`. Each passes the words up to the cursor to `purser complete` and shows the
 * answer (`complete.ts`). The answer `:files` stands for the shell's own completion of paths.
 */
const scripts = { bash: "purser.bash", zsh: "_purser", fish: "purser.fish", powershell: "purser.ps1" } as const;

type Shell = keyof typeof scripts;
const shells = Object.keys(scripts) as [Shell, ...Shell[]];

/**
 * The completion script for a shell.
 * @throws PurserError usage, where it was not installed with the program
 */
export const completionScript = (shell: Shell, outside: Pick<Outside, "shippedText">): Promise<string> =>
	shippedPage(`completions/${scripts[shell]}`, outside);

/** `purser completion SHELL`. */
export default defineCommand({
	path: "completion",
	summary: "Print the completion script for a shell",
	details: "It completes commands, flags, values that are known beforehand, paths, and ids that earlier answers have shown.",
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
	standalone: true,
	operations: [],
	input: z.strictObject({ shell: field(z.enum(shells), { description: shells.join(", "), positional: true, placeholder: "shell" }) }),
	run: async (context, { shell }) => ({ shell, script: await completionScript(shell as Shell, context) }),
	raw: (data) => data.script,
	text: (data) => data.script,
});
