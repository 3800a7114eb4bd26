import type { Outside } from "../../context.js";
import { shippedPage } from "../shipped-page.js";

/**
 * The completion scripts, by shell: files in `completions/`. Each passes the words up to the cursor to `purser complete` and shows the
 * answer (`complete.ts`). The answer `:files` stands for the shell's own completion of paths.
 */
const scripts = { bash: "purser.bash", zsh: "_purser", fish: "purser.fish", powershell: "purser.ps1" } as const;

export type Shell = keyof typeof scripts;
export const shells = Object.keys(scripts) as [Shell, ...Shell[]];

/**
 * The completion script for a shell.
 * @throws PurserError usage, where it was not installed with the program
 */
export const completionScript = (shell: Shell, outside: Pick<Outside, "system">): Promise<string> =>
	shippedPage(`completions/${scripts[shell]}`, outside);
