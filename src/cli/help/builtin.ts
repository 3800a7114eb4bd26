/**
 * Commands of the shell itself: they are about the other commands and know none by name.
 */
import type { CommandList } from "../command.js";

/** Adds `completion` and `help` to a list of commands. */
export function withBuiltins(commands: CommandList): CommandList {
	return {
		...commands,
		completion: () => import("../completion/command.js"),
		help: () => import("./topic-command.js"),
	};
}
