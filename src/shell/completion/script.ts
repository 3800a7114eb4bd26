import type { Contract } from "../contract.js";
import { completionModel } from "./model.js";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/** The completion script for a shell. */
export async function completionScript(shell: Shell, contract: Contract): Promise<string> {
	const model = completionModel(contract);
	switch (shell) {
		case "bash":
			return (await import("./bash.js")).bash(model);
		case "zsh":
			return (await import("./zsh.js")).zsh(model);
		case "fish":
			return (await import("./fish.js")).fish(model);
		case "powershell":
			return (await import("./powershell.js")).powershell(model);
	}
}
