/**
 * The frame's own commands: they are about the other commands and know none by name.
 */
import type { CommandList } from "../command.js";
import type { Contract } from "../contract.js";

/** Adds `completion` and `help` to a list of commands. */
export function withBuiltins(commands: CommandList, contract: () => Promise<Contract>): CommandList {
	return {
		...commands,
		completion: async () => ({ default: (await import("../completion/command.js")).completion(contract) }),
		help: () => import("./topic-command.js"),
	};
}
