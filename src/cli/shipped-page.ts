/**
 * Files that are installed with the program. Shells read a completion script at each of their starts, so nothing is loaded for it.
 */
import type { Runtime } from "../context.js";
import { PurserError } from "../errors.js";

/**
 * The text of a file that is installed with the program.
 * @param path from the root of the package
 * @throws PurserError usage, where it was not installed
 */
export async function shippedPage(path: string, { system }: Pick<Runtime, "system">): Promise<string> {
	const text = await system.shippedText(`../${path}`);
	if (text !== undefined) return text;
	const message = `This file is not installed with this program: ${path}`;
	throw new PurserError("usage", { code: "NO_PAGES", message, fix: "Read it where you got purser from." });
}

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
export const completionScript = (shell: Shell, runtime: Pick<Runtime, "system">): Promise<string> =>
	shippedPage(`completions/${scripts[shell]}`, runtime);
